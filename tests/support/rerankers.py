"""Cross-encoders with random weights, made in some seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

TINY = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "initializer_range": 0.2,  # so that scores differ
}
MINILM = {
    "hidden_size": 384,
    "num_hidden_layers": 6,
    "num_attention_heads": 12,
    "intermediate_size": 1536,
    "initializer_range": 0.05,
}
"""Sizes of ms-marco-MiniLM-L6-v2."""

_LIMIT = 300  # seconds on a busy machine

_MAKE = """
import json, sys
import numpy as np, torch
from sentence_transformers import CrossEncoder
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

out, vocabulary, question, texts = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
torch.manual_seed(1)
config = BertConfig(**json.loads(sys.argv[5]), num_labels=1)
BertForSequenceClassification(config).save_pretrained(out)
BertTokenizerFast.from_pretrained(vocabulary, model_max_length=512).save_pretrained(out)
model = CrossEncoder(out, device="cpu", activation_fn=torch.nn.Identity())
np.save(out + ".npy", model.predict([(question, text) for text in texts], show_progress_bar=False))
"""


def make_reranker(
    out: Path,
    vocabulary: Path,
    question: str = "",
    texts: Sequence[str] = ("",),
    sizes: Mapping[str, float] = TINY,
) -> Path:
    """Make the model in a folder and return that; beside it, in a ``.npy``, are its scores for texts.

    ``vocabulary`` is the folder of a BERT, whose tokenizer it takes.
    """
    arguments = [str(out), str(vocabulary), question, json.dumps(texts), json.dumps(sizes)]
    made = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _MAKE, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=_LIMIT,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return out
