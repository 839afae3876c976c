"""Lexical search over the passages: SQLite's FTS5 with bm25."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from app.core.library.database import Database

# A term this much commoner than the rarest of the question is not looked up: it would make the
# index walk half the library and could not change who is among the best.
_RARE_SHARE = 1 / 3
_HEADING_WEIGHT = 0.3


class TextIndex:
    """Finds passages by their words; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def weights(self, stems: Iterable[str]) -> dict[str, float]:
        """Return the inverse document frequency of each stem, in natural logarithms."""
        connection = self._db.connection
        passages = self.count()
        weights = {}
        for stem in stems:
            row = connection.execute("SELECT doc FROM passages_vocabulary WHERE term = ?", (stem,)).fetchone()
            frequency = row["doc"] if row else 0
            weights[stem] = math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5))
        return weights

    def search(
        self,
        words: Mapping[str, Sequence[str]],
        weights: Mapping[str, float],
        limit: int,
        where: str = "1",
        values: Sequence[int] = (),
    ) -> list[int]:
        """Return the keys of the best passages, best first.

        Args:
            words: stems of the question, each with the words it came from.
            weights: of the stems, see :meth:`weights`.
            limit: at most this many.
            where: an SQL condition on ``chunks`` (see :class:`PassageFilter`).
            values: its parameters.
        """
        if not words:
            return []
        rare = max(weights.values()) * _RARE_SHARE
        chosen = [word for stem in words if weights[stem] >= rare for word in words[stem]]
        match = " OR ".join(f'"{word}"' for word in chosen)
        restriction = "" if where == "1" else f"AND rowid IN (SELECT id FROM chunks WHERE {where})"
        rows = self._db.connection.execute(
            f"""SELECT rowid FROM passages_fts WHERE passages_fts MATCH ? {restriction}
                ORDER BY bm25(passages_fts, 1.0, {_HEADING_WEIGHT}) LIMIT ?""",
            (match, *values, limit),
        )
        return [row["rowid"] for row in rows]

    def count(self) -> int:
        """Return how many passages are indexed."""
        return int(self._db.connection.execute("SELECT count(*) FROM passages_fts_docsize").fetchone()[0])
