"""Cuts texts into the tokens of a model, as its ``tokenizer.json`` says, and looks up their rows.

The library tokenizers does that, but needs 280 MB for the 250,000 pieces of a multilingual vocabulary, where
sentencepiece needs 60. So such a vocabulary goes to sentencepiece, which chooses the same pieces; what comes
before, normalizing and dividing into words, is still left to tokenizers.
"""

import json
import re
import struct
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Tokenize = Callable[[Sequence[str]], list[list[int]]]

_GROUP = 32  # weights that share a factor
_ROWS_AT_ONCE = 8192
# As in the 4-bit files of other programs (Q4_0): the largest weight of a group becomes -8.
_PACKED = np.dtype([("factor", "<f2"), ("weights", "u1", _GROUP // 2)])


def can_pack(table: NDArray[np.generic]) -> bool:
    """Return whether rows of this table, of shape (words, dimension), can be packed."""
    return table.ndim == 2 and table.shape[1] % _GROUP == 0


def write_packed(table: NDArray[np.generic], path: Path) -> None:
    """Write a table of shape (words, dimension) to a file."""
    with path.open("wb") as file:
        for first in range(0, len(table), _ROWS_AT_ONCE):
            file.write(_packed(table[first : first + _ROWS_AT_ONCE].astype(np.float32)).tobytes())


def _packed(rows: NDArray[np.float32]) -> NDArray[np.void]:
    groups = rows.reshape(-1, _GROUP)
    largest = np.take_along_axis(groups, np.abs(groups).argmax(axis=1)[:, None], axis=1)
    packed = np.empty(len(groups), _PACKED)
    packed["factor"] = largest[:, 0] / -8
    factor = packed["factor"].astype(np.float32)[:, None]
    steps = np.divide(groups, factor, out=np.zeros_like(groups), where=factor != 0)
    whole = np.clip(np.rint(steps) + 8, 0, 15).astype(np.uint8)
    packed["weights"] = whole[:, : _GROUP // 2] | whole[:, _GROUP // 2 :] << 4
    return packed


class WordTable:
    """The words of a multilingual model: 250,000 rows, of which a text needs a few dozen. Thread-safe.

    In the graph it would take 190 MB on disk, and more than twice that in memory. Here each weight takes
    four bits, 32 weights share a factor, and rows are read from the file as they are needed.
    """

    def __init__(self, path: Path, dimension: int) -> None:
        """Open a file of :func:`write_packed`; raises OSError or ValueError if it is missing or cut."""
        self._rows = np.memmap(path, _PACKED, mode="r").reshape(-1, dimension // _GROUP)

    def rows(self, words: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows of words, of shape (…), as an array of shape (…, dimension)."""
        packed = self._rows[words]
        weights = np.concatenate([packed["weights"] & 15, packed["weights"] >> 4], axis=-1)
        rows = (weights.astype(np.float32) - 8) * packed["factor"].astype(np.float32)[..., None]
        return rows.reshape(*words.shape, -1)


_UNIGRAM = re.compile(r'"type"\s*:\s*"Unigram"')
_VOCABULARY = re.compile(r'"vocab"\s*:\s*\[\s*')
_BETWEEN = re.compile(r"\s*,?\s*")
# Numbers of fields in sentencepiece's messages: a model's pieces and normalizer, and what these consist of.
_PIECES, _NORMALIZER = 1, 3
_TEXT, _SCORE, _KIND = 1, 2, 3
_RULES, _CHANGES = 1, (3, 4, 5)  # named rules; whether to add, remove and escape spaces
_ORDINARY, _UNKNOWN, _SPECIAL = 1, 2, 3  # kinds of pieces


def load_tokenizer(content: str, limit: int) -> Tokenize:
    """Return what gives the tokens of texts, at most ``limit`` for each.

    ``content`` is that of a ``tokenizer.json``; if it is damaged, any exception is raised.
    """
    from tokenizers import Tokenizer  # only a loaded model needs it

    if _UNIGRAM.search(content) and (start := _VOCABULARY.search(content)):
        vocabulary = _Vocabulary(content, start.end())
        file = json.loads(f"{content[: start.end()]}{content[vocabulary.end :]}")
        if _is_known(file, len(vocabulary.pieces)):
            return _Unigram(file, vocabulary, limit)
    tokenizer = Tokenizer.from_str(content)
    # The file demands padding to 128 tokens, ten times the work for a short question.
    tokenizer.no_padding()
    tokenizer.enable_truncation(limit)

    def tokenize(texts: Sequence[str]) -> list[list[int]]:
        # A single text without waking the tokenizer's threads.
        one = len(texts) == 1
        encodings = [tokenizer.encode(texts[0])] if one else tokenizer.encode_batch_fast(list(texts))
        return [encoding.ids for encoding in encodings]

    return tokenize


def _is_known(file: dict[str, Any], pieces: int) -> bool:
    """Return whether a file with a unigram model of some pieces asks for nothing that is not done here."""
    after = file.get("post_processor") or {}
    return (
        after.get("type") == "TemplateProcessing"
        and bool(file.get("pre_tokenizer"))
        and not file["model"].get("byte_fallback")
        and file["model"].get("unk_id") is not None
        and all(token["special"] and token["id"] < pieces for token in file["added_tokens"])
    )


class _Vocabulary:
    """The pieces of a unigram model with their scores, in sentencepiece's form.

    Read one by one: all at once would take 80 MB, and hold the interpreter for a third of a second.
    """

    def __init__(self, content: str, start: int) -> None:
        self.pieces: list[bytes] = []
        decoder = json.JSONDecoder()
        at = start
        while content[at] != "]":
            (text, score), at = decoder.raw_decode(content, at)
            self.pieces.append(_piece(text, score))
            at = _BETWEEN.match(content, at).end()  # type: ignore[union-attr]
        self.end = at

    def as_model(self, unknown: int, special: Iterable[int]) -> bytes:
        """Return a model that is applied to words as they are; some numbers mean no text."""
        for number in special:
            self.pieces[number] = _piece(f"<special {number}>", 0, _SPECIAL)
        self.pieces[unknown] = _piece("<unknown>", 0, _UNKNOWN)
        rules = _field(_RULES, b"identity") + bytes(byte for number in _CHANGES for byte in (number << 3, 0))
        return b"".join([*self.pieces, _field(_NORMALIZER, rules)])


class _Unigram:
    """A unigram model. In a text, special tokens such as ``<s>`` have no meaning."""

    def __init__(self, file: dict[str, Any], vocabulary: _Vocabulary, limit: int) -> None:
        from sentencepiece import SentencePieceProcessor
        from tokenizers import Tokenizer

        special = [token["id"] for token in file["added_tokens"]]
        model = vocabulary.as_model(file["model"]["unk_id"], special)
        self._pieces = SentencePieceProcessor(model_proto=model)
        after = file["post_processor"]
        whole = [part.get("SpecialToken", {}).get("id") for part in after["single"]]
        ids: list[list[int]] = [after["special_tokens"][name]["ids"] if name else [] for name in whole]
        at = whole.index(None)
        self._before = list(chain.from_iterable(ids[:at]))
        self._after = list(chain.from_iterable(ids[at:]))
        self._limit = limit - len(self._before) - len(self._after)
        empty = {"type": "Unigram", "unk_id": 0, "vocab": [["", 0.0]]}
        file = {**file, "model": empty, "post_processor": None, "added_tokens": []}
        self._words = Tokenizer.from_str(json.dumps(file))

    def __call__(self, texts: Sequence[str]) -> list[list[int]]:
        return [self._ids(text) for text in texts]

    def _ids(self, text: str) -> list[int]:
        normalizer, divider = self._words.normalizer, self._words.pre_tokenizer
        normalized = normalizer.normalize_str(text) if normalizer else text
        words = [word for word, _ in divider.pre_tokenize_str(normalized)]
        pieces = chain.from_iterable(self._pieces.encode(words, num_threads=1))
        return [*self._before, *islice(pieces, self._limit), *self._after]


def _piece(text: str, score: float, kind: int = _ORDINARY) -> bytes:
    written = _field(_TEXT, text.encode())
    return _field(_PIECES, written + struct.pack("<BfBB", _SCORE << 3 | 5, score, _KIND << 3, kind))


def _field(number: int, value: bytes) -> bytes:
    """Return a field of a message in Protocol Buffers: its number and kind, its length, its bytes."""
    length = bytearray()
    left = len(value)
    while left > 0x7F:  # seven bits a byte
        length.append(left & 0x7F | 0x80)
        left >>= 7
    return bytes([number << 3 | 2, *length, left]) + value
