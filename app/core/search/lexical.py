"""Lexical search: finds the passages that contain a question's words, with SQLite's FTS5."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from app.core.storage.database import Database

# Passages examined for a question's words, the rarest word first. A word beyond that occurs in so many
# that it cannot change which are best, and takes longest to look up.
_EXAMINED = 6000
_NONE = np.empty(0, np.int64)


class TextIndex:
    """Finds passages by their words. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._counted: tuple[str | None, int] = (None, 0)  # generation of the library, passages

    def look_up(
        self, words: Mapping[str, Sequence[str]], low: int, high: int
    ) -> tuple[dict[str, float], dict[str, NDArray[np.int64]]]:
        """Look up the stems of :func:`~app.core.search.terms.question_terms`.

        Returns:
            How rare each stem is, as the natural logarithm of its inverse document frequency; and for each
            that is rare enough the passages that contain it, maybe none, as ascending keys in ``low…high``.
        """
        generation = self._db.meta("generation")
        if generation != self._counted[0]:
            self._counted = (generation, self.count())
        passages = self._counted[1]
        # FTS5's own table of frequencies takes three times as long to read.
        query = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
        connection = self._db.connection
        rows = {stem: connection.execute(query, (f'"{forms[0]}"',)) for stem, forms in words.items()}
        frequency = {stem: int(row.fetchone()[0]) for stem, row in rows.items()}
        # The count may be a moment older than the frequencies: never negative.
        weights = {
            stem: math.log(1 + (max(passages - found, 0) + 0.5) / (found + 0.5))
            for stem, found in frequency.items()
        }
        share = min((high - low + 1) / max(passages, 1), 1.0)
        holders: dict[str, NDArray[np.int64]] = {}
        examined = 0.0
        for stem in sorted(frequency, key=frequency.__getitem__):
            if examined and examined + frequency[stem] * share > _EXAMINED:
                break
            examined += frequency[stem] * share
            holders[stem] = self._keys(words[stem][0], low, high) if frequency[stem] else _NONE
        return weights, holders

    def stands(self, expression: str, low: int, high: int) -> bool:
        """Return whether a passage with a key in ``low…high`` matches an expression of FTS5."""
        row = self._db.connection.execute(
            "SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1",
            (expression, low, high),
        ).fetchone()
        return row is not None

    def count(self) -> int:
        return int(self._db.connection.execute("SELECT count(*) FROM passages_fts_docsize").fetchone()[0])

    def _keys(self, word: str, low: int, high: int) -> NDArray[np.int64]:
        # One row each would take three times as long.
        row = self._db.connection.execute(
            """SELECT group_concat(rowid) FROM passages_fts
               WHERE passages_fts MATCH ? AND rowid BETWEEN ? AND ?""",
            (f'"{word}"', low, high),
        ).fetchone()
        return np.sort(np.fromstring(row[0], np.int64, sep=",")) if row[0] else _NONE
