"""Folders that look like sentence-transformers models, for tests that look at files alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from app.core.embedding.model_files import TOKENIZER, WEIGHTS

if TYPE_CHECKING:
    from pathlib import Path

BERT = {"model_type": "bert", "hidden_act": "gelu", "hidden_size": 32}
MEAN = {"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True}


def make_model(
    folder: Path, config: object = BERT, pooling: object = MEAN, weights: bytes | None = b"weights"
) -> Path:
    (folder / "1_Pooling").mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    (folder / TOKENIZER).write_text("{}", encoding="utf-8")
    if weights is not None:
        (folder / WEIGHTS).write_bytes(weights)
    return folder
