"""Exports the models for the package: ``python -m resources.packaging.prepare_model DIR``.

Writes the networks that recognise text to the folder ``ocr`` beside DIR, in half the space. Writes the
exported graph of the embedding model to DIR and compares it with sentence-transformers on passages of the
sample courses. An existing export is kept unless the published weights, the exporting code or its libraries
have changed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from app.core.embedding import graph, model_export, model_files
from app.core.embedding.graph import BrokenGraph, EmbeddingGraph
from app.core.ocr.networks import DETECTION, RECOGNITION, model_file
from app.domain.cancel import CancelToken

PASSAGES = 1000
_ROOT = Path(__file__).resolve().parents[2]
# Characters; only one in ten is a whole passage, since short texts are cheap.
_LENGTHS = (30, 60, 90, 120, 60, 90, 150, 200, 320, 800)
_LIBRARIES = ("numpy", "onnx", "openvino", "sentence-transformers", "tokenizers", "torch", "transformers")


def prepare_ocr(folder: Path) -> None:
    """Write the networks that recognise text as OpenVINO reads them, with two bytes a weight."""
    openvino = graph.import_openvino()
    for name in (DETECTION, RECOGNITION):
        model = openvino.Core().read_model(model_file(name))
        openvino.save_model(model, folder / f"{name}.xml", compress_to_fp16=True)


class NotTheModelError(Exception):
    """The vectors of the exported graph differ from those of the published model."""


def prepare(folder: Path) -> None:
    """Export the model to ``folder`` and check it, unless it is up to date.

    Raises:
        NotTheModelError: the vectors differ by more than rounding.
    """
    stamp, key = folder.with_name(f"{folder.name}.key"), _key()
    if _is_kept(folder, stamp, key):
        sys.stdout.write(f"The model in {folder} is up to date.\n")
        return
    stamp.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as cache:
        source = model_files.find_model(None, Path(cache))
        model = model_files.folder_to_export(source)
        model_export.export_model(model, folder, source.name, source.sha256)
    _compare(model, folder)
    stamp.write_text(key, encoding="ascii")


def passages(count: int = PASSAGES) -> list[str]:
    """Return pieces of the sample courses, from the length of a question to that of a passage."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((_ROOT / "docs" / "courses").glob("*.txt"))]
    text = " ".join(" ".join(texts).split())
    step = (len(text) - max(_LENGTHS)) // count
    return [text[n * step : n * step + _LENGTHS[n % len(_LENGTHS)]] for n in range(count)]


def _compare(model: Path, folder: Path) -> None:
    os.environ.update(model_export.OFFLINE)
    from sentence_transformers import SentenceTransformer  # takes seconds

    began = time.monotonic()
    texts = passages()
    reference = SentenceTransformer(str(model), device="cpu", local_files_only=True)
    theirs = reference.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    ours = EmbeddingGraph(folder).embed_passages(texts, CancelToken())
    worst = float(np.sum(ours * theirs, axis=1).min())
    if not worst >= model_export.MINIMUM_COSINE:
        message = f"One of {len(texts)} passages has a cosine of {worst:.6f} to the published model's vector."
        raise NotTheModelError(message)
    sys.stdout.write(
        f"Compared {len(texts)} passages with the published model in {time.monotonic() - began:.0f} s: "
        f"cosine {worst:.6f} or more.\n"
    )


def _is_kept(folder: Path, stamp: Path, key: str) -> bool:
    try:
        kept = stamp.read_text(encoding="ascii") == key
        EmbeddingGraph(folder)  # computes a probe, which detects damaged files
    except (OSError, BrokenGraph):
        return False
    return kept


def _key() -> str:
    """Return a key that changes whenever the result of an export might."""
    digest = hashlib.sha256(model_files.DEFAULT_SHA256.encode())
    for module in (__file__, graph.__file__, model_export.__file__, model_files.__file__):
        digest.update(Path(str(module)).read_bytes())
    for library in _LIBRARIES:
        digest.update(f"{library} {importlib.metadata.version(library)}".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    prepare_ocr(Path(sys.argv[1]).with_name("ocr"))
    prepare(Path(sys.argv[1]))
