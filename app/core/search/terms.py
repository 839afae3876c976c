"""Words as the full-text index sees them: split, folded and stemmed by FTS5's own tokenizer.

The program's only stemmer, Porter's: the stored terms of every library come from it.
"""

from __future__ import annotations

import functools
import re
import sqlite3
import threading
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

TOKENIZER = "porter unicode61 remove_diacritics 2"

STOP_WORDS = """
    a about above after again all also although always am an and another any are as at be because been
    before being below between both but by can cannot could d did do does doing don done down during
    each either else even every few for from get gets getting had has have having he her here hers him
    his how however i if in into is it its itself just like ll m made make makes many may me might more
    most much must my neither no nor not now of off often on one only onto or other others our ours out
    over own per re s same say says see several shall she should since so some such t than that the
    their theirs them then there therefore these they this those though through thus to too two under
    until us use used uses using ve very was way ways we were what when where whether which while who
    whole whom whose why will with within without would you your yours
"""
"""English words that tell nothing about a subject."""

_WORD = re.compile(r"[^\W_]+")
# Scripts without spaces between words: Thai, kana, CJK ideographs.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


class _Scratch(threading.local):
    """Each thread's tables in memory, through which it tokenises."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.execute(f"CREATE VIRTUAL TABLE scratch USING fts5 (text, tokenize = '{TOKENIZER}')")
        self.connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (scratch, instance)")


_scratch = _Scratch()


def tokenize(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Return every term as (index of its text, stem), with repeats. Thread-safe."""
    scratch = _scratch.connection
    scratch.execute("DELETE FROM scratch")
    scratch.executemany("INSERT INTO scratch (rowid, text) VALUES (?, ?)", enumerate(texts, 1))
    return [(row - 1, term) for term, row in scratch.execute("SELECT term, doc FROM terms")]


@functools.lru_cache(8)  # a search needs its question's stems twice
def stems_of(question: str) -> Mapping[str, Sequence[str]]:
    """Return the stems of a question in its order, each with its words there."""
    words = list(dict.fromkeys(_WORD.findall(question)))
    stems: dict[str, list[str]] = {}
    for index, stem in tokenize(words):
        stems.setdefault(stem, []).append(words[index])
    return stems


def question_terms(question: str) -> dict[str, Sequence[str]]:
    """Return the stems of a question to look up, each with its words in the question.

    Stop words are left out, unless there are no others.
    """
    stems = stems_of(question)
    return {stem: words for stem, words in stems.items() if stem not in stop_stems()} or dict(stems)


def content_terms(text: str) -> set[str]:
    """Return the stems of a text without stop words.

    Words of scripts without spaces become pairs of characters.
    """
    spaced: list[str] = []
    found: set[str] = set()
    for word in _WORD.findall(text):
        if _UNSPACED.search(word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            spaced.append(word)
    return found | {stem for _, stem in tokenize([" ".join(spaced)])} - stop_stems()


def term_hashes(terms: Iterable[str]) -> NDArray[np.uint32]:
    """Return one number a term, the same in every run; stored with the passages."""
    return np.array([zlib.crc32(term.encode("utf-8", "surrogatepass")) for term in terms], np.uint32)


@functools.cache
def stop_stems() -> frozenset[str]:
    """Return the stems of the stop words."""
    return frozenset(stem for _, stem in tokenize([STOP_WORDS]))
