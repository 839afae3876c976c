"""The trash: restoring removed documents, deleting them for good, and freeing the space they took."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import PurePath

from app.core.courses.service import named
from app.core.ingest.reindex import ReindexService
from app.core.ingest.watcher import WatchList
from app.core.search.index import SearchIndex
from app.core.storage import sql
from app.core.storage.catalog import Catalog
from app.core.storage.database import Database
from app.core.storage.documents import find_conflict, lessons_of
from app.core.storage.sql import IN_KEYS, keys
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.events import IndexProgress, IngestEvent
from app.domain.keeping import TrashEntry
from app.domain.messages import Message

TRASH_DAYS = 30
_DAY = 86_400.0
# What seems to have been removed longer ago waits for the user: a clock that is years ahead deletes nothing.
_TRUSTED_DAYS = 365
_AT_ONCE = 20  # documents deleted in one transaction: others may have to write
_MUCH = 0.1  # of what stays: so much deleted makes building Chroma anew worth while
_MERGE_PAGES = 500  # of the full-text index in one transaction: some milliseconds of work


def expired(now: float) -> tuple[float, float]:
    """Return between which moments things were removed that have been kept for long enough."""
    return now - _TRUSTED_DAYS * _DAY, now - TRASH_DAYS * _DAY


class TrashService:
    """Documents that were removed, kept for :data:`TRASH_DAYS`. Thread-safe."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        index: SearchIndex,
        watch_list: WatchList,
        reindex: ReindexService,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._documents = catalog.documents
        self._recognized = catalog.recognized
        self._index = index
        self._watch_list = watch_list
        self._reindex = reindex
        self._now = now

    def entries(self) -> tuple[TrashEntry, ...]:
        rows = self._db.connection.execute(
            """SELECT d.id, d.path, d.trashed_at, c.title,
                      (SELECT count(*) FROM chunks WHERE document_id = d.id) AS passages,
                      EXISTS (SELECT 1 FROM documents AS live
                              WHERE live.course_id = c.id AND live.trashed_at IS NULL) AS some_left,
                      (SELECT count(*) FROM items AS i JOIN decks ON decks.id = i.deck_id
                       WHERE decks.course_id = c.id AND decks.trashed_at = d.trashed_at
                       AND i.deleted_at IS NULL) AS items
               FROM documents AS d JOIN courses AS c ON c.id = d.course_id
               WHERE d.trashed_at IS NOT NULL ORDER BY d.trashed_at DESC, c.title, d.path"""
        )
        groups = [list(group) for _, group in groupby(rows, lambda row: (row["title"], row["trashed_at"]))]
        return tuple(
            TrashEntry(
                documents=tuple(row["id"] for row in group),
                course_title=group[0]["title"],
                paths=tuple(row["path"] for row in group),
                passages=sum(row["passages"] for row in group),
                removed=group[0]["trashed_at"],
                kept_until=group[0]["trashed_at"] + TRASH_DAYS * _DAY,
                whole_course=not group[0]["some_left"],
                items=group[0]["items"],
            )
            for group in groups
        )

    def find(self, name: str) -> list[TrashEntry]:
        """Return what was removed under the name of a course, file or folder; see :func:`named`."""
        entries = self.entries()
        if not entries:
            raise UserError(Message("trash.empty"))
        return named(name, entries, lambda entry: entry.course_title, lambda entry: entry.paths)

    def restore(self, document_ids: Sequence[int], token: CancelToken) -> Iterator[IngestEvent]:
        """Restore documents from the trash, with their vectors if these are still valid.

        Raises:
            UserError: another document has taken the place of one of them.
        """
        changed = self._reindex.changed_at()
        wanted = set(document_ids)
        removed = {key: entry.removed for entry in self.entries() for key in entry.documents if key in wanted}
        self._put_back([key for key, when in removed.items() if when >= changed])
        stale = [key for key, when in removed.items() if when < changed]
        if stale:  # cut or embedded differently from the rest of the library
            for key in stale:
                _check_place(self._db.connection, key)
            yield from self._reindex.recut(token, [self._documents.record(key) for key in stale])
        self._watch_list.readmit(list(removed))
        yield from self._index.catch_up(token)

    def empty(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Delete everything in the trash for good and free the space; cancelling keeps the rest."""
        removed = sum(entry.passages for entry in self.entries())
        with self._forgetting_texts():
            while self._documents.empty_trash(at_most=_AT_ONCE):
                token.check()
        # Chroma never shrinks by itself.
        if removed > _MUCH * self._catalog.courses.counts().passages:
            self._index.rebuild()
        yield from self._index.catch_up(token)
        self.give_back_space(token)

    def expire(self, token: CancelToken) -> Iterator[None]:
        """Delete what was in the trash for too long and free the space, in small steps."""
        gone = False
        with self._forgetting_texts():
            first, last = expired(self._now())
            while self._documents.empty_trash(first, last, at_most=_AT_ONCE):
                gone = True
                token.check()
                yield
        if gone:
            self._merge_text_index()
        for _ in self._db.give_back_space(at_once=False):
            token.check()
            yield

    def give_back_space(self, token: CancelToken) -> None:
        """Make the files as small as their content needs."""
        self._merge_text_index()
        for _ in self._db.give_back_space():
            token.check()

    @contextmanager
    def _forgetting_texts(self) -> Iterator[None]:
        """Delete the recognized text and transcripts of files whose documents the block deletes."""
        before = self._documents.digests()
        try:
            yield
        finally:
            gone = before - self._documents.digests()
            self._recognized.forget(gone)
            self._catalog.transcripts.forget(gone)

    def _put_back(self, document_ids: list[int]) -> None:
        """Make documents searchable again, all or none; raises as :func:`_check_place` does."""
        with self._db.transaction() as connection:
            query = f"SELECT id FROM documents WHERE trashed_at IS NOT NULL AND id {IN_KEYS}"
            trashed = [row["id"] for row in connection.execute(query, (keys(document_ids),)).fetchall()]
            for key in trashed:
                _check_place(connection, key)
            connection.execute(f"UPDATE documents SET trashed_at = NULL WHERE id {IN_KEYS}", (keys(trashed),))
            connection.execute(
                f"""UPDATE corrections SET left_out = 0
                    WHERE path IN (SELECT path FROM documents WHERE id {IN_KEYS})""",
                (keys(trashed),),
            )
            for follow in self._db.hooks.documents_added:
                follow(connection)
            sql.index_documents(connection, trashed)
            sql.queue_courses(connection, trashed)
            sql.touch(connection)

    def _merge_text_index(self) -> None:
        """Erase deleted passages from the full-text index, in short transactions."""
        connection = self._db.connection
        pages = -_MERGE_PAGES  # negative: start to merge everything into one segment
        done = 2
        while done >= 2:  # the first change is the command's own
            before = connection.total_changes
            with self._db.transaction():
                connection.execute(
                    "INSERT INTO passages_fts (passages_fts, rank) VALUES ('merge', ?)", (pages,)
                )
            done = connection.total_changes - before
            pages = _MERGE_PAGES


def _check_place(connection: sqlite3.Connection, document_id: int) -> None:
    """Raise UserError if another document has taken the place of one in the trash."""
    row = connection.execute(
        """SELECT d.path, d.placed, c.title FROM documents AS d JOIN courses AS c ON c.id = d.course_id
           WHERE d.id = ?""",
        (document_id,),
    ).fetchone()
    lessons = lessons_of(connection, document_id)
    other = find_conflict(connection, row["title"], row["path"], lessons, placed=bool(row["placed"]))
    name = PurePath(row["path"]).name
    if other == row["path"]:
        raise UserError(Message("trash.file_is_back", name=name))
    if other is not None:
        raise UserError(Message("trash.place_taken", name=name, other=other, title=row["title"]))
