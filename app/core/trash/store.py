"""The trash: what was removed, bringing it back, and deleting it for good."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from app.core.courses.conflicts import in_the_way, lessons_of
from app.core.storage import records
from app.core.storage.catalog import file_record
from app.core.storage.records import batches
from app.domain.errors import UserError
from app.domain.trash import TrashEntry

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from app.core.storage.catalog import FileRecord
    from app.core.storage.database import Database

_MERGE_PAGES = 500  # of the full-text index in one transaction: some milliseconds of work


class Trash:
    """The documents of a library that were removed. Each method is one transaction; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def entries(self) -> tuple[TrashEntry, ...]:
        """Return what was removed, latest first."""
        groups: dict[tuple[str, float], list[sqlite3.Row]] = {}
        rows = self._db.connection.execute(
            """SELECT d.id, d.path, d.trashed_at, c.title,
                      (SELECT count(*) FROM chunks WHERE document_id = d.id) AS passages,
                      EXISTS (SELECT 1 FROM documents AS live
                              WHERE live.course_id = c.id AND live.trashed_at IS NULL) AS some_left
               FROM documents AS d JOIN courses AS c ON c.id = d.course_id
               WHERE d.trashed_at IS NOT NULL ORDER BY d.trashed_at DESC, c.title, d.path"""
        )
        for row in rows:
            groups.setdefault((row["title"], row["trashed_at"]), []).append(row)
        return tuple(
            TrashEntry(
                documents=tuple(row["id"] for row in group),
                course_title=title,
                paths=tuple(row["path"] for row in group),
                passages=sum(row["passages"] for row in group),
                removed=removed,
                whole_course=not group[0]["some_left"],
            )
            for (title, removed), group in groups.items()
        )

    def restore(self, document_ids: Sequence[int]) -> None:
        """Make removed documents findable again, all or none; those that are not in the trash are passed by.

        Raises:
            UserError: something in the library has taken the place of one of them.
        """
        with self._db.transaction() as connection:
            keys = [key for key in document_ids if _is_trashed(connection, key)]
            for key in keys:
                reason = why_not_back(connection, key)
                if reason is not None:
                    raise UserError(reason)
            for batch in batches(keys):
                marks = ",".join("?" * len(batch))
                connection.execute(f"UPDATE documents SET trashed_at = NULL WHERE id IN ({marks})", batch)
                connection.execute(
                    f"""UPDATE corrections SET left_out = 0
                        WHERE path IN (SELECT path FROM documents WHERE id IN ({marks}))""",
                    batch,
                )
            records.index_documents(connection, keys)
            records.queue_courses(connection, keys)
            records.touch(connection)

    def check(self, document_ids: Sequence[int]) -> list[FileRecord]:
        """Return the records of documents in the trash, to be cut again.

        Raises:
            UserError: something in the library has taken the place of one of them.
        """
        found = []
        for key in document_ids:
            reason = why_not_back(self._db.connection, key)
            if reason is not None:
                raise UserError(reason)
            found.append(file_record(self._db.connection, key))
        return found

    def merge_text_index(self) -> None:
        """Have the full-text index forget for good what was taken out of it, in short transactions."""
        connection = self._db.connection
        pages = -_MERGE_PAGES  # negative: begin to merge everything into one
        done = 2
        while done >= 2:  # the first change is the command's own
            before = connection.total_changes
            with self._db.transaction():
                connection.execute(
                    "INSERT INTO passages_fts (passages_fts, rank) VALUES ('merge', ?)", (pages,)
                )
            done = connection.total_changes - before
            pages = _MERGE_PAGES


def why_not_back(connection: sqlite3.Connection, document_id: int) -> str | None:
    """Return why a document in the trash can not come back: what stands in its place; else None."""
    row = connection.execute(
        """SELECT d.path, d.placed, c.title FROM documents AS d JOIN courses AS c ON c.id = d.course_id
           WHERE d.id = ?""",
        (document_id,),
    ).fetchone()
    lessons = lessons_of(connection, document_id)
    other = in_the_way(connection, row["title"], row["path"], lessons, placed=bool(row["placed"]))
    if other is None:
        return None
    name = PurePath(row["path"]).name
    if other == row["path"]:
        return f"{name} is in the library again. Remove it first to bring back what was removed."
    return (
        f"{name} can not come back: {other} holds the same lessons of “{row['title']}” now. "
        "Remove that file first."
    )


def _is_trashed(connection: sqlite3.Connection, document_id: int) -> bool:
    row = connection.execute("SELECT trashed_at FROM documents WHERE id = ?", (document_id,)).fetchone()
    return row is not None and row["trashed_at"] is not None
