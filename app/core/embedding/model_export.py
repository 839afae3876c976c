"""Exports a sentence-transformers model to a graph of OpenVINO, in a child process.

A child can be cancelled at once and gives its memory back when it ends.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.config.files import temporary_folder
from app.core.embedding.bert_graph import build
from app.core.embedding.graph import PROBE, BrokenGraph, EmbeddingGraph, GraphMeta
from app.core.embedding.model_files import DEFAULT_SHA256, ModelSource, folder_to_export, put_into_place
from app.core.embedding.scale import COSINES, calibration, measured_names, measured_scale
from app.core.sandbox import ChildFailed, ChildTimedOut, Sandbox
from app.domain.cancel import CancelToken
from app.domain.embedding_models import IDENTITY
from app.domain.errors import ModelMissing
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray


_LIMIT = 900.0  # seconds; an export takes ten, longer on a slow disk

_log = logging.getLogger(__name__)


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
        with Sandbox("export", seconds=_LIMIT, memory=None) as sandbox:
            sandbox.call(
                bool, export, folder, made, source.name, source.sha256, token=token, progress=progress
            )
    except ChildTimedOut as error:
        raise ModelMissing(Message("embedding.took_too_long")) from error
    except ChildFailed as error:
        _log.info("Exporting the embedding model failed: %s", error)
        raise ModelMissing(Message("embedding.export_failed")) from error


def export(
    model_dir: Path,
    out_dir: Path,
    name: str,
    sha256: str,
    progress: Callable[[Message], None] = lambda _: None,
) -> None:
    """Export the sentence-transformers model in ``model_dir`` to a new folder ``out_dir``.

    Raises ModelMissing if it cannot be loaded, or the folder cannot be written.
    """
    try:
        out_dir.mkdir(parents=True)
        progress(Message("embedding.exporting"))
        with _loading(model_dir):
            meta = build(model_dir, out_dir, GraphMeta(f"{name}@{sha256[:12]}", sha256, 0, 0))
            measure(out_dir, meta)
    except OSError as error:
        reason = error.strerror or error
        message = Message("embedding.cannot_prepare_in", folder=out_dir.parent, reason=reason)
        raise ModelMissing(message) from error


@contextlib.contextmanager
def _loading(model_dir: Path) -> Iterator[None]:
    """Say that a model cannot be loaded if its weights or its configuration are not as they should be."""
    from safetensors import SafetensorError

    try:
        yield
    except (SafetensorError, KeyError, ValueError, TypeError, RuntimeError, BrokenGraph) as error:
        message = Message("embedding.not_loaded", folder=model_dir, reason=_first_line(error))
        raise ModelMissing(message) from error


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


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
