"""A small sentence-transformers model that is unlike the default, made in some seconds."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_LIMIT = 300  # seconds on a busy machine

# DistilBERT (no token types), first token's vector, a dense layer, not normalized, prompts.
_UNLIKE_THE_DEFAULT = """
import json, sys
from pathlib import Path
import numpy as np, torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.models import Dense, Pooling, Transformer
from transformers import BertTokenizerFast, DistilBertConfig, DistilBertModel

out, vocabulary, texts = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
torch.manual_seed(1)
config = DistilBertConfig(dim=32, n_layers=2, n_heads=4, hidden_dim=64)
DistilBertModel(config).save_pretrained(out / "bare")
BertTokenizerFast.from_pretrained(vocabulary, model_max_length=64).save_pretrained(out / "bare")
words = Transformer(str(out / "bare"), max_seq_length=64)
pooling = Pooling(32, pooling_mode="cls")
prompts = {"query": "query: ", "passage": "passage: "}
model = SentenceTransformer(modules=[words, pooling, Dense(32, 16)], prompts=prompts, device="cpu")
model.save(str(out / "model"))
options = {"normalize_embeddings": True, "show_progress_bar": False}
np.save(out / "questions.npy", model.encode(["query: " + text for text in texts], **options))
np.save(out / "passages.npy", model.encode(["passage: " + text for text in texts], **options))
"""


def make_other_model(out: Path, default: Path, texts: Sequence[str] = ("",)) -> Path:
    """Make the model in ``out / "model"``, and beside it what it makes of texts; return its folder.

    Args:
        out: a folder.
        default: folder of the default model, whose vocabulary it takes.
        texts: embedded by sentence-transformers in ``questions.npy`` and ``passages.npy``.
    """
    arguments = [str(out), str(default), json.dumps(texts)]
    made = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _UNLIKE_THE_DEFAULT, *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=_LIMIT,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return out / "model"
