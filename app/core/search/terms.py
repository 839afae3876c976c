"""Words as the full-text index sees them: split, folded and stemmed by FTS5's own tokenizer.

Its stemmer is Porter's, for English: the stored terms of every library come from it. Other forms of a word in
another language are looked up when a question is asked, see :mod:`app.core.search.lexical`.
"""

import functools
import math
import sqlite3
import threading
import unicodedata
import zlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.core.documents.text.languages import ENGLISH, common_words
from app.domain.words import UNSPACED_SIGN, words_in

TOKENIZER = "porter unicode61 remove_diacritics 2"

_MOST_KNOWN, _LONGEST_KNOWN = 100_000, 50  # words and their characters, about 15 MB
_known: dict[str, tuple[int, ...]] = {}  # the hashes of a word's terms, of which it has one


class _Scratch(threading.local):
    """Each thread's tables in memory, through which it tokenizes."""

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.execute(f"CREATE VIRTUAL TABLE scratch USING fts5 (text, tokenize = '{TOKENIZER}')")
        self.connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (scratch, instance)")
        self.connection.execute("CREATE VIRTUAL TABLE frequencies USING fts5vocab (scratch, row)")


_scratch = _Scratch()


def tokenize(texts: Sequence[str]) -> list[tuple[int, str]]:
    """Return every term as (index of its text, stem), with repeats. Thread-safe."""
    scratch = _filled(texts)
    return [(row - 1, term) for term, row in scratch.execute("SELECT term, doc FROM terms")]


def frequencies(texts: Sequence[str]) -> dict[str, int]:
    """Return in how many of the texts each term stands. Thread-safe."""
    return dict(_filled(texts).execute("SELECT term, doc FROM frequencies"))


def _filled(texts: Sequence[str]) -> sqlite3.Connection:
    scratch = _scratch.connection
    scratch.execute("DELETE FROM scratch")
    scratch.executemany("INSERT INTO scratch (rowid, text) VALUES (?, ?)", enumerate(texts, 1))
    return scratch


@functools.lru_cache(8)  # a search needs its question's stems twice
def stems_of(question: str) -> Mapping[str, Sequence[str]]:
    """Return the stems of a question in its order, each with its words there."""
    words = list(dict.fromkeys(words_in(question)))
    stems: dict[str, list[str]] = {}
    for index, stem in tokenize(words):
        stems.setdefault(stem, []).append(words[index])
    return stems


def question_terms(question: str, language: str = ENGLISH) -> dict[str, Sequence[str]]:
    """Return the stems of a question to look up, each with its words in the question.

    Common words of English and of the question's language are left out, unless there are no others.
    """
    stems = stems_of(question)
    common = stop_stems() | stop_stems(language)
    return {stem: words for stem, words in stems.items() if stem not in common} or dict(stems)


def content_terms(text: str) -> set[str]:
    """Return the stems of a text without stop words.

    Words of scripts without spaces become pairs of characters.
    """
    spaced: list[str] = []
    found: set[str] = set()
    for word in words_in(text):
        if UNSPACED_SIGN.search(word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            spaced.append(word)
    return found | {stem for _, stem in tokenize([" ".join(spaced)])} - stop_stems()


def term_hashes(terms: Iterable[str]) -> NDArray[np.uint32]:
    """Return one number a term, the same in every run; stored with the passages."""
    return np.array([zlib.crc32(term.encode("utf-8", "surrogatepass")) for term in terms], np.uint32)


def hashed_terms(texts: Sequence[str]) -> list[set[int]]:
    """Return the hashes of each text's terms, from the words already known where that is possible.

    Much faster than :func:`tokenize` for texts that share most of their words. Thread-safe.
    """
    words = [set(words_in(unicodedata.normalize("NFC", text).lower())) for text in texts]
    every = set().union(*words)
    known = {word: hashes for word in every if (hashes := _known.get(word)) is not None}
    new = list(every - known.keys())
    stems: dict[str, list[str]] = {word: [] for word in new}
    for index, stem in tokenize(new) if new else ():
        stems[new[index]].append(stem)
    known.update({word: tuple(term_hashes(of_word).tolist()) for word, of_word in stems.items()})
    if len(_known) > _MOST_KNOWN:
        _known.clear()
    _known.update({word: known[word] for word in new if len(word) <= _LONGEST_KNOWN})
    return [{term for word in of_text for term in known[word]} for of_text in words]


@functools.cache
def stop_stems(language: str = ENGLISH) -> frozenset[str]:
    """Return the stems of the words that tell nothing about a subject."""
    return frozenset(stem for _, stem in tokenize([" ".join(common_words(language))]))


def rarity(found: int, passages: int) -> float:
    """Return how rare a word is that occurs in this many of the passages; above 0 even if it is in all."""
    return math.log(1 + (passages - found + 0.5) / (found + 0.5))
