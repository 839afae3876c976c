"""Exports a sentence-transformers model to a graph that needs neither it nor torch, in a child process.

The export imports torch, takes a gigabyte of memory and stalls its process for a fifth of a second at a
time. A child can be cancelled at once and gives its memory back when it ends. Only this module imports
sentence_transformers and torch, and only inside functions, which the window's process does not call.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from app.config.files import temporary_folder
from app.core.embedding.bert_graph import build, can_build
from app.core.embedding.graph import (
    GRAPH,
    PROBE,
    TOKENIZER,
    BrokenGraph,
    EmbeddingGraph,
    GraphMeta,
    import_openvino,
)
from app.core.embedding.model_files import DEFAULT_SHA256, ModelSource, folder_to_export, put_into_place
from app.core.embedding.scale import COSINES, calibration, measured_names, measured_scale
from app.core.sandbox import ChildFailed, ChildTimedOut, Sandbox
from app.domain.cancel import CancelToken
from app.domain.embedding_models import IDENTITY
from app.domain.errors import ModelMissing
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer


_LIMIT = 900.0  # seconds; an export takes ten, longer on a slow disk

_log = logging.getLogger(__name__)

# Set before the libraries are imported: nothing is looked up on the hub and nothing is reported.
OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
MINIMUM_COSINE = 0.9999

_PROBES = (
    "",
    "What is prompt caching?",
    "HELLO WORLD, this is SHOUTED.",
    "∫₀^∞ e^(−x²) dx = √π / 2",
    "def main():\n    for i in range(10):\n        print(i ** 2)",
    "Straßenbahnhaltestelle: Über die Brücke, dann links.",
    "机器学习是人工智能的一个分支。",
    "[CLS] [SEP] [MASK] [PAD] [UNK]",
    "A passage is embedded together with the title of its course and lesson. " * 12,
    "This text is far longer than the model can read, so that its end has to be cut off. " * 40,
)


def export_in_child(source: ModelSource, token: CancelToken, progress: Callable[[Message], None]) -> None:
    """Export a model in a child process and put the result at ``source.graph``.

    Raises ModelMissing if it was not found or cannot be exported; cancelling kills the child.
    """
    folder = folder_to_export(source)
    models = source.graph.parent
    try:
        models.mkdir(parents=True, exist_ok=True)
        with temporary_folder(models) as workplace:
            made = workplace / source.graph.name
            _ask_child(source, folder, made, token, progress)
            put_into_place(made, source.graph)
        for outdated in models.glob(f"{source.graph.name.rpartition('-')[0]}-v*"):  # of earlier Lecterns
            if outdated.is_dir() and outdated != source.graph:
                shutil.rmtree(outdated, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelMissing(Message("embedding.cannot_prepare_in", folder=models, reason=reason)) from error


def _ask_child(
    source: ModelSource, folder: Path, made: Path, token: CancelToken, progress: Callable[[Message], None]
) -> None:
    try:
        with Sandbox("export", seconds=_LIMIT, memory=None, output=Path(os.devnull)) as sandbox:
            sandbox.call(
                bool, export, folder, made, source.name, source.sha256, token=token, progress=progress
            )
    except ChildTimedOut as error:
        raise ModelMissing(Message("embedding.took_too_long")) from error
    except ChildFailed as error:
        _log.info("Exporting the embedding model failed: %s", error)
        raise ModelMissing(Message("embedding.export_failed")) from error


def export(
    model_dir: Path, out_dir: Path, name: str, sha256: str, progress: Callable[[Message], None]
) -> None:
    """Export a model, in the child; raises ModelMissing if it cannot be."""
    warnings.simplefilter("ignore")
    make = _build if can_build(model_dir) else export_model
    try:
        make(model_dir, out_dir, name, sha256, progress)
    except ImportError as error:
        package = (error.name or "torch").partition(".")[0]
        raise ModelMissing(Message("embedding.package_needed", package=package)) from error
    except OSError as error:
        reason = error.strerror or error
        message = Message("embedding.cannot_prepare_in", folder=out_dir.parent, reason=reason)
        raise ModelMissing(message) from error


def export_model(
    model_dir: Path,
    out_dir: Path,
    name: str,
    sha256: str,
    progress: Callable[[Message], None] = lambda _: None,
) -> None:
    """Export the sentence-transformers model in ``model_dir`` to a new folder ``out_dir``.

    Takes about ten seconds and a gigabyte of memory.

    Raises:
        ModelMissing: the model cannot be exported, or the graph gives other vectors.
        ImportError: torch, sentence-transformers or onnx is not installed.
        OSError: the result cannot be written.
    """
    os.environ.update(OFFLINE)
    import_openvino()  # before anything else imports it in its own way
    out_dir.mkdir(parents=True)
    progress(Message("embedding.loading"))
    model = _load(model_dir)
    progress(Message("embedding.exporting"))
    meta = _write_graph(model, out_dir, GraphMeta(f"{name}@{sha256[:12]}", sha256, 0, 0))
    progress(Message("embedding.checking"))
    _check(model, out_dir, meta)
    measure(out_dir, meta)


def _build(
    model_dir: Path, out_dir: Path, name: str, sha256: str, progress: Callable[[Message], None]
) -> None:
    """Do what :func:`export_model` does with the weights alone."""
    out_dir.mkdir(parents=True)
    progress(Message("embedding.exporting"))
    with _loading(model_dir):
        meta = build(model_dir, out_dir, GraphMeta(f"{name}@{sha256[:12]}", sha256, 0, 0))
        progress(Message("embedding.checking"))
        measure(out_dir, meta)


@contextlib.contextmanager
def _loading(model_dir: Path) -> Iterator[None]:
    """Say that a model cannot be loaded if its weights or its configuration are not as they should be."""
    from safetensors import SafetensorError

    try:
        yield
    except (SafetensorError, KeyError, ValueError, TypeError, RuntimeError, BrokenGraph) as error:
        message = Message("embedding.not_loaded", folder=model_dir, reason=_first_line(error))
        raise ModelMissing(message) from error


def _load(model_dir: Path) -> SentenceTransformer:
    import transformers
    from safetensors import SafetensorError
    from sentence_transformers import SentenceTransformer

    transformers.logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    transformers.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    # Raised by the libraries for a configuration or weights that they cannot read.
    unreadable = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, ImportError)
    try:
        model = SentenceTransformer(str(model_dir), device="cpu", local_files_only=True)
    except (*unreadable, SafetensorError) as error:
        message = Message("embedding.not_loaded", folder=model_dir, reason=_first_line(error))
        raise ModelMissing(message) from error
    return model.eval().float()


def _write_graph(model: SentenceTransformer, folder: Path, meta: GraphMeta) -> GraphMeta:
    """Write graph, tokenizer, ``meta.json`` and checksums into ``folder``; return the metadata."""
    import torch

    class Pipeline(torch.nn.Module):
        """All modules of the model as one, always followed by normalization."""

        def __init__(self, modules: Sequence[torch.nn.Module], names: list[str]) -> None:
            super().__init__()
            self.parts = torch.nn.ModuleList(modules)
            self.names = names

        def forward(self, *tensors: torch.Tensor) -> torch.Tensor:
            features: dict[str, Any] = dict(zip(self.names, tensors, strict=True))
            for part in self.parts:
                features = part(features)
            return torch.nn.functional.normalize(features["sentence_embedding"], dim=1)

    tokenizer = model.tokenizer
    sample = dict(tokenizer(["a short text", "a text that is longer"], padding=True, return_tensors="pt"))
    names = list(sample)
    axes = {name: {0: "batch", 1: "sequence"} for name in names}
    onnx_file = folder / "graph.onnx"
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about tracing; the result is checked afterwards
        torch.onnx.export(
            Pipeline(list(model), names),
            tuple(sample.values()),
            str(onnx_file),
            input_names=names,
            output_names=["embedding"],
            dynamic_axes={**axes, "embedding": {0: "batch"}},
            opset_version=17,
            dynamo=False,
        )
    openvino = import_openvino()
    graph = openvino.Core().read_model(onnx_file)
    openvino.save_model(graph, folder / GRAPH, compress_to_fp16=True)
    del graph
    onnx_file.unlink()
    (folder / TOKENIZER).write_text(tokenizer.backend_tokenizer.to_str(), encoding="utf-8")
    meta = replace(
        meta,
        dimension=int(model.get_embedding_dimension() or 0),
        max_tokens=int(model.max_seq_length or 512),
        pad_id=int(tokenizer.pad_token_id or 0),
        query_prefix=_prompt(model, "query"),
        passage_prefix=_prompt(model, "document", "passage", "corpus"),
    )
    meta.write(folder)
    return meta


def _check(model: SentenceTransformer, folder: Path, meta: GraphMeta) -> None:
    graph = EmbeddingGraph(folder)
    options: dict[str, Any] = {"normalize_embeddings": True, "show_progress_bar": False}
    passages = model.encode([meta.passage_prefix + text for text in _PROBES], prompt="", **options)
    questions = model.encode([meta.query_prefix + text for text in _PROBES], prompt="", **options)
    ours = graph.embed_passages(_PROBES, CancelToken())
    alone = np.stack([graph.embed_query(text) for text in _PROBES])
    worst = min(float(np.sum(ours * passages, axis=1).min()), float(np.sum(alone * questions, axis=1).min()))
    if not worst >= MINIMUM_COSINE:
        raise ModelMissing(Message("embedding.other_vectors", cosine=f"{worst:.5f}"))


def measure(folder: Path, meta: GraphMeta) -> None:
    """Write a probe's vector and the scales of the cosines into ``meta.json``."""
    graph = EmbeddingGraph(folder)
    probe = tuple(float(value) for value in graph.embed_query(PROBE))
    scale, names = IDENTITY, COSINES
    if meta.sha256 != DEFAULT_SHA256:
        texts = calibration()
        scale = measured_scale(*_embed(graph, texts.questions, texts.passages))
        names = measured_names(*_embed(graph, texts.names, texts.titles))
    replace(meta, probe=probe, scale=scale, names=names).write(folder)


def _embed(
    graph: EmbeddingGraph, questions: Sequence[str], passages: Sequence[str]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    asked = np.stack([graph.embed_query(text) for text in questions])
    return asked, graph.embed_passages(passages, CancelToken())


def _prompt(model: SentenceTransformer, *names: str) -> str:
    """Return the first of these prompts that the model has; many have none."""
    return next((text for name in names if (text := model.prompts.get(name))), "")


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
