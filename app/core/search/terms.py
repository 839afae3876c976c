"""Words as the full-text index sees them: split, folded and stemmed by FTS5's own tokenizer."""

from __future__ import annotations

import re
import sqlite3
import threading
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

TOKENIZER = "porter unicode61 remove_diacritics 2"

# Words that say nothing about a passage.
_COMMON = """
    a about also am an and any are as at be because been being both but by can could did do does doing
    each few for from had has have having he her hers him his how i if in into is it its itself just me more
    most my no nor not of on only or other our ours own s same she should so some such t than that the their
    theirs them then there these they this those to too us very was we were what when where which while who
    whom why will with would you your yours d don ll m re ve
"""


class Terms:
    """Tokenises through scratch FTS5 tables in memory, one a thread; thread-safe."""

    def __init__(self) -> None:
        self._local = threading.local()
        self._stop = frozenset(term for _, term in self.of_texts([_COMMON]))

    def of_texts(self, texts: Sequence[str]) -> list[tuple[int, str]]:
        """Return every term as (index of its text, stem), with repeats."""
        scratch = self._scratch()
        scratch.execute("DELETE FROM scratch")
        scratch.executemany("INSERT INTO scratch (rowid, text) VALUES (?, ?)", enumerate(texts, 1))
        return [(row - 1, term) for term, row in scratch.execute("SELECT term, doc FROM terms")]

    def of_question(self, question: str) -> dict[str, list[str]]:
        """Return the stems of a question that are worth looking up, each with the words it came from.

        Common words are left out, unless there are no others.
        """
        words = list(dict.fromkeys(re.findall(r"[^\W_]+", question)))
        stems: dict[str, list[str]] = {}
        for index, stem in self.of_texts(words):
            stems.setdefault(stem, []).append(words[index])
        return {stem: words for stem, words in stems.items() if stem not in self._stop} or stems

    def _scratch(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(":memory:", isolation_level=None)
            connection.execute(f"CREATE VIRTUAL TABLE scratch USING fts5 (text, tokenize = '{TOKENIZER}')")
            connection.execute("CREATE VIRTUAL TABLE terms USING fts5vocab (scratch, instance)")
            self._local.connection = connection
        return connection


def term_hashes(terms: Iterable[str]) -> NDArray[np.uint32]:
    """Return one number a term, the same in every run: how terms are stored with a passage."""
    return np.array([zlib.crc32(term.encode("utf-8", "surrogatepass")) for term in terms], np.uint32)
