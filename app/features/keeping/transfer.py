"""Exports a library to one file, and imports such a file whole or not at all."""

from __future__ import annotations

import errno
import logging
import sqlite3
from contextlib import ExitStack, closing, contextmanager
from typing import TYPE_CHECKING

from app.config.files import check_replaceable, replacing, temporary_folder
from app.config.settings import adopt, portable
from app.core.conversations.session_manager import SessionManager
from app.core.ingest.reindex import VERSION_KEY
from app.core.storage import sql
from app.core.storage.catalog import Catalog
from app.core.storage.codec import Inconsistent
from app.core.storage.database import Database
from app.core.storage.disk import place_for_copies
from app.core.storage.schema import SCHEMA_VERSION, create, definitions
from app.domain.errors import LibraryUnusable, UserError
from app.domain.events import IngestDone
from app.domain.keeping import BackupReason, LibraryExported, LibraryImported, TransferProgress, TransferStep
from app.domain.messages import Message
from app.features.keeping.archive import LIBRARY, LibraryArchive, write_archive
from app.features.keeping.merging import Merge

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from app.config.settings import CurrentSettings
    from app.core.embedding.embedder import Embedder
    from app.core.ingest.reindex import IndexVersion, ReindexService
    from app.core.ingest.trash import TrashService
    from app.core.search.index import SearchIndex
    from app.core.storage.database import LibraryHooks
    from app.core.storage.restore import Backups
    from app.domain.cancel import CancelToken
    from app.domain.events import IngestEvent

_log = logging.getLogger(__name__)

# What reading rows with unexpected values can raise.
_UNFIT = (sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


class TransferService:
    """Moves a library to another computer, or brings one in."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        index: SearchIndex,
        embedder: Embedder,
        reindex: ReindexService,
        trash: TrashService,
        settings: CurrentSettings,
        backups: Backups,
        hooks: LibraryHooks,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._index = index
        self._embedder = embedder
        self._reindex = reindex
        self._trash = trash
        self._settings = settings
        self._backups = backups
        self._hooks = hooks

    def export_library(self, path: Path, token: CancelToken) -> Iterator[IngestEvent]:
        """Write courses, conversations and settings to one file; the last event is ``LibraryExported``.

        An existing file is replaced once the archive is complete; cancelling leaves nothing behind.

        Raises:
            UserError: the file cannot be written.
        """
        filling = data_dir = self._db.data_dir
        try:
            check_replaceable(path)
            filling = place_for_copies(data_dir, data_dir / LIBRARY, path)
            with temporary_folder(filling) as folder:
                with _opened(folder) as copy:
                    merged = yield from _copy(self._db, copy, self._hooks, token)
                counts = merged.counts()
                settings, cut = portable(self._settings.value), self._db.meta(VERSION_KEY)
                filling = path.parent
                with replacing(path) as packed:
                    yield from write_archive(packed, folder / LIBRARY, settings, cut, counts, token)
                    token.check()
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise UserError(Message("storage.disk_full", directory=filling)) from error
            reason = error.strerror or error
            raise UserError(Message("transfer.export_failed", path=path, reason=reason)) from error
        yield LibraryExported(path, **counts)

    def import_library(
        self, path: Path, token: CancelToken, *, replace: bool = False
    ) -> Iterator[IngestEvent]:
        """Import an exported file, whole or not at all; the last event is ``LibraryImported``.

        The archive's settings apply afterwards if it replaces the library or the library is empty; the
        caller saves them. With ``replace``, everything in the library is removed first, after a backup.

        Raises:
            UserError: the archive cannot be used; nothing was changed.
        """
        with closing(LibraryArchive(path)) as archive:
            takes = archive.settings if replace or not self._catalog.courses.counts().documents else {}
            settings = adopt(self._settings.value, takes)
            if archive.cut != str(self._reindex.version(settings)) or self._reindex.needed():
                self._embedder.take(token)
            version = self._reindex.version(settings)
            if self._reindex.is_outdated() and not replace:
                version = yield from self._reindex.run(token)
            again = bool(archive.counts["documents"]) and archive.cut != str(version)
            merged = yield from self._import(archive, version, token, again=again, replace=replace)
        # Other settings may have been saved meanwhile: those the archive does not hold stay.
        self._settings.value = adopt(self._settings.value, takes)
        if replace:
            self._index.rebuild()
            self._trash.give_back_space(token)
        yield from self._index.catch_up(token)
        yield LibraryImported(
            **merged.counts(),
            already_there=merged.already_there,
            left_out=tuple(merged.left_out),
            embedded_again=again,
            settings=dict(takes),
        )

    def _import(
        self,
        archive: LibraryArchive,
        version: IndexVersion,
        token: CancelToken,
        *,
        again: bool,
        replace: bool,
    ) -> Generator[IngestEvent, None, Merge]:
        """Merge an archive into the library.

        Everything is unpacked, checked and, if necessary, cut and embedded again in a temporary library;
        then one transaction changes the real one. However early that ends, the library is unchanged.
        """
        with temporary_folder(self._db.data_dir) as folder:
            yield from archive.unpack(folder / LIBRARY, token)
            try:
                _check_file(folder / LIBRARY, archive)
                with ExitStack() as stack:
                    try:
                        staged = stack.enter_context(_opened(folder))
                    except LibraryUnusable as error:
                        raise archive.refused("damaged") from error
                    _check_schema(staged.connection, archive)
                    if again:
                        fresh = stack.enter_context(_opened(folder / "cut"))
                        yield from self._cut_again(staged, fresh, version, token)
                        staged = fresh
                    return (yield from self._merge(staged, version, token, replace=replace))
            except Inconsistent as error:
                raise archive.refused("inconsistent") from error
            except _UNFIT as error:
                _log.info("An archive contains unexpected values.", exc_info=True)
                raise archive.refused("damaged") from error

    def _cut_again(
        self, staged: Database, fresh: Database, version: IndexVersion, token: CancelToken
    ) -> Iterator[IngestEvent]:
        """Copy a library into an empty one, with its passages cut and embedded as here."""
        with fresh.transaction() as target:
            for _ in _run(Merge(staged.connection, target, token), TransferStep.ADDING, self._hooks):
                pass
            target.execute("UPDATE items SET embedding = NULL")  # by another model
        for event in self._reindex.ingestion(token, Catalog(fresh), version, reuse=False).reindex():
            if not isinstance(event, IngestDone):
                yield event

    def _merge(
        self, staged: Database, version: IndexVersion, token: CancelToken, *, replace: bool
    ) -> Generator[IngestEvent, None, Merge]:
        if replace:
            self._backups.make_before(BackupReason.REPLACE, token)
        with self._db.transaction() as connection:
            if replace:
                _clear(connection)
            merge = Merge(staged.connection, connection, token, self._embedder.dimension)
            yield from _run(merge, TransferStep.ADDING, self._hooks)
            _read_back(SessionManager(self._db), connection, merge.conversations)
            connection.executemany(
                "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)",
                [(VERSION_KEY, str(version)), ("samples", "imported")],
            )
            token.check()
        return merge


@contextmanager
def _opened(folder: Path) -> Iterator[Database]:
    """Open a temporary library, created or upgraded if necessary."""
    database = Database(folder, backups=False)
    database.open()
    with closing(database):
        yield database


def _copy(
    database: Database, copy: Database, hooks: LibraryHooks, token: CancelToken
) -> Generator[IngestEvent, None, Merge]:
    """Copy a library as it is at one moment, whatever is added meanwhile."""
    source = database.connection
    source.execute("BEGIN")
    try:
        with copy.transaction() as target:
            merge = Merge(source, target, token)
            yield from _run(merge, TransferStep.COPYING, hooks, index=False)
    except (Inconsistent, *_UNFIT) as error:
        _log.info("The library contains unexpected values.", exc_info=True)
        message = Message("storage.damaged", directory=database.data_dir, reason=error)
        raise LibraryUnusable(message) from error
    finally:
        source.execute("COMMIT")
    return merge


def _run(
    merge: Merge, step: TransferStep, hooks: LibraryHooks, *, index: bool = True
) -> Iterator[TransferProgress]:
    total = _count(merge.source, "documents WHERE trashed_at IS NULL")
    for done in merge.copy_documents(index=index):
        yield TransferProgress(step, done, total)
    merge.copy_conversations()
    for copied in hooks.copied:
        copied(merge)


def _check_file(file: Path, archive: LibraryArchive) -> None:
    """Examine a file of unknown origin before it is opened as a library."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        if connection.execute("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION:
            raise archive.refused("newer")
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").fetchone() is not None:
            raise archive.refused("damaged")  # it would run during the upgrade
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise archive.refused("damaged")
        counts = archive.counts
        for name, table in (("documents", "documents"), ("passages", "chunks"), ("conversations",) * 2):
            if _count(connection, table) != counts[name]:
                raise archive.refused("damaged")


def _check_schema(connection: sqlite3.Connection, archive: LibraryArchive) -> None:
    """Refuse tables, views and triggers that differ from those of a library."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        create(fresh)
        if definitions(connection) != definitions(fresh):
            raise archive.refused("damaged")


def _clear(connection: sqlite3.Connection) -> None:
    """Remove everything from a library, including its trash."""
    keys = [row["id"] for row in connection.execute("SELECT id FROM documents")]
    sql.delete_documents(connection, keys)
    sql.drop_empty_courses(connection)
    connection.execute("INSERT INTO exchanges_fts (exchanges_fts) VALUES ('delete-all')")
    for table in ("conversations", "decks", "failures", "folders", "corrections", "watched", "removed_files"):
        connection.execute(f"DELETE FROM {table}")


def _read_back(sessions: SessionManager, connection: sqlite3.Connection, keys: list[int]) -> None:
    """Read every branch of new conversations as the window will; a broken one raises here."""
    for key in keys:
        ends = connection.execute(
            """SELECT id FROM exchanges AS last WHERE conversation_id = ?
               AND NOT EXISTS (SELECT 1 FROM exchanges WHERE parent_id = last.id)""",
            (key,),
        ).fetchall()
        for row in ends:
            sessions.exchanges(key, row["id"])


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
