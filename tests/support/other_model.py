"""A small sentence-transformers model that is unlike the default."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import numpy as np
from safetensors.numpy import save_file

from app.core.embedding.model_files import TOKENIZER, WEIGHTS

if TYPE_CHECKING:
    from pathlib import Path

DIMENSION = 16
_CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "hidden_size": DIMENSION,
    "intermediate_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "max_position_embeddings": 64,
    "type_vocab_size": 2,
    "vocab_size": 30_522,
    "layer_norm_eps": 1e-12,
    "pad_token_id": 0,
}


def make_other_model(out: Path, default: Path) -> Path:
    """Make a BERT of the first token's vector, with prompts, in ``out / "model"``; return its folder.

    Args:
        out: a folder.
        default: folder of the default model, whose vocabulary it takes.
    """
    folder = out / "model"
    (folder / "1_Pooling").mkdir(parents=True)
    contents = {
        "config.json": _CONFIG,
        "1_Pooling/config.json": {"word_embedding_dimension": DIMENSION, "pooling_mode_cls_token": True},
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        ],
        "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
    }
    for name, content in contents.items():
        (folder / name).write_text(json.dumps(content), encoding="utf-8")
    for name in (TOKENIZER, "tokenizer_config.json", "vocab.txt"):
        shutil.copyfile(default / name, folder / name)
    random = np.random.default_rng(1)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (30_522, DIMENSION),
        "embeddings.position_embeddings.weight": (64, DIMENSION),
        "embeddings.token_type_embeddings.weight": (2, DIMENSION),
    }
    for layer in range(2):
        name = f"encoder.layer.{layer}."
        for part in ("self.query", "self.key", "self.value", "output.dense"):
            shapes[f"{name}attention.{part}.weight"] = (DIMENSION, DIMENSION)
        shapes[f"{name}intermediate.dense.weight"] = (32, DIMENSION)
        shapes[f"{name}output.dense.weight"] = (DIMENSION, 32)
    weights = {name: random.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    for name in [name for name in shapes if name.startswith("encoder")]:
        weights[name.replace(".weight", ".bias")] = np.zeros(shapes[name][0], np.float32)
    norms = [
        "embeddings",
        *(f"encoder.layer.{n}.{part}output" for n in range(2) for part in ("attention.", "")),
    ]
    for name in norms:
        weights[f"{name}.LayerNorm.weight"] = np.ones(DIMENSION, np.float32)
        weights[f"{name}.LayerNorm.bias"] = np.zeros(DIMENSION, np.float32)
    save_file(weights, folder / WEIGHTS)
    return folder
