"""The trash: bringing documents back, deleting them for good, and freeing the space they took."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.core.courses.selectors import named
from app.core.storage.catalog import TRASH_DAYS
from app.core.trash.store import Trash
from app.domain.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.core.ingest.reindex import ReindexService
    from app.core.ingest.watch.watch_list import WatchList
    from app.core.search.chroma.index_sync import IndexSync
    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database
    from app.domain.cancel import CancelToken
    from app.domain.events import IndexProgress, IngestEvent
    from app.domain.trash import TrashEntry

_AT_ONCE = 20  # documents in one transaction: others may have to write
_DAY = 86_400.0


class TrashService:
    """Documents that were removed; they are kept for :data:`TRASH_DAYS`. Thread-safe."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        index: IndexSync,
        watch_list: WatchList,
        reindex: ReindexService,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._index = index
        self._watch_list = watch_list
        self._reindex = reindex
        self._trash = Trash(database)

    def entries(self) -> tuple[TrashEntry, ...]:
        """Return what was removed, latest first."""
        return self._trash.entries()

    def find(self, name: str) -> list[TrashEntry]:
        """Return what was removed under a course's name, or of a file or folder.

        Raises:
            UserError: nothing in the trash has this name, or several courses match it.
        """
        entries = self.entries()
        if not entries:
            message = "The trash is empty."
            raise UserError(message)
        return named(name, entries, lambda entry: entry.course_title, lambda entry: entry.paths)

    def restore(self, document_ids: Sequence[int], token: CancelToken) -> Iterator[IngestEvent]:
        """Bring documents back from the trash, with their vectors where these are still of use.

        Raises:
            UserError: something in the library has taken the place of one of them.
        """
        changed = self._reindex.changed_at()
        wanted = set(document_ids)
        removed = {key: entry.removed for entry in self.entries() for key in entry.documents if key in wanted}
        stale = [key for key, when in removed.items() if when < changed]
        self._trash.restore([key for key in removed if key not in stale])
        if stale:  # cut or embedded in another way than the rest is now
            yield from self._reindex.recut(token, self._trash.check(stale))
        self._watch_list.let_in(list(removed))
        yield from self._index.catch_up(token)

    def empty(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Delete for good what is in the trash and give its room back; a cancel spares what is left."""
        while self._catalog.empty_trash(at_most=_AT_ONCE):
            token.check()
        yield from self.give_back_space(token)

    def expire(self, token: CancelToken) -> Iterator[None]:
        """Delete what was in the trash for too long and give its room back, all in small steps."""
        deadline = time.time() - TRASH_DAYS * _DAY
        gone = False
        while self._catalog.empty_trash(deadline, _AT_ONCE):
            gone = True
            token.check()
            yield
        if gone:
            self._trash.merge_text_index()
        for _ in self._db.give_back_space(at_once=False):
            token.check()
            yield

    def give_back_space(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Make the files as small as what is left needs."""
        self._trash.merge_text_index()
        yield from self._index.shrink(token)
        for _ in self._db.give_back_space():
            token.check()
