"""What Chroma still has to be told, and the mark of the Chroma index that belongs to a library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.storage import records

if TYPE_CHECKING:
    import sqlite3

    from app.core.storage.database import Database

_INDEX_MARK = "index_mark"


class IndexQueue:
    """Reads and clears the queue that commits of documents fill. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def next(self, limit: int) -> list[sqlite3.Row]:
        """Return the next entries in order: seq, op, item."""
        return self._db.connection.execute(
            "SELECT seq, op, item FROM index_queue ORDER BY seq LIMIT ?", (limit,)
        ).fetchall()

    def count(self) -> int:
        return int(self._db.connection.execute("SELECT count(*) FROM index_queue").fetchone()[0])

    def passages_and_count(self) -> tuple[int, int]:
        """Return the numbers of searchable passages and of entries, both at the same moment."""
        row = self._db.connection.execute(
            """SELECT (SELECT count(*) FROM chunks JOIN documents ON documents.id = document_id
                       WHERE trashed_at IS NULL) AS passages,
                      (SELECT count(*) FROM index_queue) AS pending"""
        ).fetchone()
        return row["passages"], row["pending"]

    def remove(self, up_to: int) -> None:
        """Remove all entries up to ``seq``: Chroma has them."""
        with self._db.transaction() as connection:
            records.count_removed_from_index(connection, up_to)
            connection.execute("DELETE FROM index_queue WHERE seq <= ?", (up_to,))

    def refill(self) -> None:
        """Queue everything, for an empty Chroma index."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM index_queue")
            connection.execute("DELETE FROM meta WHERE key = ?", (records.REMOVED_FROM_INDEX,))
            connection.execute(
                "INSERT INTO index_queue (op, item) SELECT 'course', title FROM courses ORDER BY id"
            )
            connection.execute(
                """INSERT INTO index_queue (op, item) SELECT 'add', k.id FROM chunks AS k
                   JOIN documents AS d ON d.id = k.document_id WHERE d.trashed_at IS NULL ORDER BY k.id"""
            )

    def removed_passages(self) -> int:
        """Return the number of passages removed from Chroma since it was built."""
        return int(self._db.meta(records.REMOVED_FROM_INDEX) or 0)

    def mark(self) -> str | None:
        """Return the mark that a Chroma index of this library must have."""
        return self._db.meta(_INDEX_MARK)

    def set_mark(self, mark: str) -> None:
        """Accept only a Chroma index with this mark from now on."""
        self._db.set_meta(_INDEX_MARK, mark)
