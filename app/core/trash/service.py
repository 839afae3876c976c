"""Taking things out of the library, bringing them back, and giving back the room they took."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.core.courses.selectors import named
from app.core.ingest.watch.watch_list import WatchList
from app.core.storage.catalog import TRASH_DAYS
from app.core.trash.store import Trash
from app.domain.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from app.core.search.chroma.index_sync import IndexSync
    from app.core.storage.catalog import Catalog, FileRecord
    from app.core.storage.database import Database
    from app.domain.cancel import CancelToken
    from app.domain.events import IndexProgress, IngestEvent
    from app.domain.trash import TrashEntry

    CutAgain = Callable[[CancelToken, Sequence[FileRecord]], Iterator[IngestEvent]]

_AT_ONCE = 20  # documents in one transaction: others may have to write
_DAY = 86_400.0

CUT_AT = "cut_at"
"""Property of the library: when its passages were last cut or embedded in another way."""


class TrashService:
    """What can be done about documents that are in the library or in its trash. Thread-safe.

    Args:
        database: open for writing where anything is changed.
        catalog: of the same library.
        index: Chroma's, brought up to date after each change; None in a library that is only read.
        reindex: cuts and embeds documents anew from their stored text.

    Attributes:
        failures: the files that could not be read.
    """

    def __init__(
        self, database: Database, catalog: Catalog, index: IndexSync | None, reindex: CutAgain
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._index = index
        self._cut_again = reindex
        self._trash = Trash(database)
        self._watch_list = WatchList(database)
        self.failures = catalog.failures

    def find(self, name: str) -> list[FileRecord]:
        """Return the documents that a course's name, a file or a folder stands for.

        Raises:
            UserError: nothing is called so, or several courses are.
        """
        records = sorted(self._catalog.files().values(), key=lambda record: record.path)
        return named(name, records, lambda record: record.course_title, lambda record: [record.path])

    def everything(self) -> list[FileRecord]:
        """Return all documents that can be searched."""
        return sorted(self._catalog.files().values(), key=lambda record: record.path)

    def remove(self, document_ids: Sequence[int], token: CancelToken) -> None:
        """Put documents into the trash for people; they leave every search at once, and stay out."""
        self._watch_list.keep_out(document_ids)
        self._catalog.trash(document_ids)
        self._catch_up(token)

    def trash(self) -> tuple[TrashEntry, ...]:
        """Return what was removed, latest first."""
        return self._trash.entries()

    def find_in_trash(self, name: str) -> list[TrashEntry]:
        """Return what was removed under a course's name, or of a file or folder.

        Raises:
            UserError: nothing in the trash is called so, or several courses are.
        """
        entries = self.trash()
        if not entries:
            message = "The trash is empty."
            raise UserError(message)
        return named(name, entries, lambda entry: entry.course_title, lambda entry: entry.paths)

    def restore(self, document_ids: Sequence[int], token: CancelToken) -> Iterator[IngestEvent]:
        """Bring documents back from the trash, with their vectors where these are still of use.

        Raises:
            UserError: something in the library has taken the place of one of them.
        """
        changed = float(self._db.meta(CUT_AT) or 0)
        wanted = set(document_ids)
        removed = {key: entry.removed for entry in self.trash() for key in entry.documents if key in wanted}
        stale = [key for key, when in removed.items() if when < changed]
        self._trash.restore([key for key in removed if key not in stale])
        if stale:  # cut or embedded in another way than the rest is now
            yield from self._cut_again(token, self._trash.check(stale))
        self._watch_list.let_in(list(removed))
        self._catch_up(token)

    def empty_trash(self, token: CancelToken) -> Iterator[IndexProgress]:
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
        if self._index is not None:
            yield from self._index.shrink(token)
        for _ in self._db.give_back_space():
            token.check()

    def remember_cut(self) -> None:
        """Record that passages are cut or embedded in another way from now on."""
        self._db.set_meta(CUT_AT, repr(time.time()))

    def _catch_up(self, token: CancelToken) -> None:
        if self._index is not None:
            for _ in self._index.catch_up(token):
                pass
