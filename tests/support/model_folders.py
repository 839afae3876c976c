"""Folders that look like sentence-transformers models, for tests that look at files alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from app.core.embedding.model_files import WEIGHTS

if TYPE_CHECKING:
    from pathlib import Path

MODULES = [
    {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
    {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
    {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
]
MEAN = {"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True}


def make_model(
    folder: Path, modules: object = MODULES, pooling: object = MEAN, weights: bytes | None = b"weights"
) -> Path:
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    if weights is not None:
        (folder / WEIGHTS).write_bytes(weights)
    return folder
