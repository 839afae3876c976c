"""Exports a library to one file, and imports such a file whole or not at all."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.config.settings import adopt, portable
from app.core.conversations.session_manager import SessionManager
from app.core.ingest.reindex import VERSION_KEY
from app.core.storage import sql
from app.core.storage.catalog import Catalog
from app.core.storage.database import Database
from app.core.storage.schema import SCHEMA_VERSION, create, definitions
from app.core.storage.sql import put_meta
from app.core.transfer.archive import LIBRARY, LibraryArchive, export_failed, write_archive
from app.core.transfer.merging import Inconsistent, Merge
from app.domain.errors import LibraryUnusable
from app.domain.events import IngestDone
from app.domain.transfer import LibraryExported, LibraryImported, TransferProgress, TransferStep

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from app.config.settings import CurrentSettings
    from app.core.embedding.model_switch import ModelSwitch
    from app.core.ingest.reindex import IndexVersion, ReindexService
    from app.core.search.chroma.index_sync import IndexSync
    from app.core.transfer.merging import Merged
    from app.core.trash.service import TrashService
    from app.domain.cancel import CancelToken
    from app.domain.events import IngestEvent

_TEMPORARY = ".lectern-moving-"
_log = logging.getLogger(__name__)

# What reading rows with unexpected values can raise.
_UNFIT = (sqlite3.DatabaseError, ValueError, TypeError, KeyError, AttributeError, OverflowError)


class TransferService:
    """Moves a library to another computer, or brings one in."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        index: IndexSync,
        model: ModelSwitch,
        reindex: ReindexService,
        trash: TrashService,
        settings: CurrentSettings,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._index = index
        self._model = model
        self._reindex = reindex
        self._trash = trash
        self._settings = settings

    def export_library(self, path: Path, token: CancelToken) -> Iterator[IngestEvent]:
        """Write courses, conversations and settings to one file; the last event is ``LibraryExported``.

        Args:
            path: an existing file is replaced once the archive is complete.
            token: cancels it and leaves nothing behind.

        Raises:
            UserError: the file cannot be written.
        """
        try:
            with _temporary(path.parent if self._db.read_only else self._db.data_dir) as folder:
                copy = Database(folder)
                copy.open()
                with closing(copy):
                    merged = yield from _copy(self._db, copy, token)
                counts = {
                    "documents": len(merged.documents),
                    "passages": merged.passages,
                    "conversations": len(merged.conversations),
                }
                settings, cut = portable(self._settings.value), self._db.meta(VERSION_KEY)
                yield from write_archive(path, folder / LIBRARY, settings, cut, counts, token)
        except OSError as error:
            raise export_failed(path, error) from error
        yield LibraryExported(path, **counts)

    def import_library(
        self, path: Path, token: CancelToken, *, replace: bool = False
    ) -> Iterator[IngestEvent]:
        """Import an exported file, whole or not at all; the last event is ``LibraryImported``.

        The archive's settings apply afterwards if it replaces the library or the library is empty; the
        caller saves them.

        Args:
            path: of the archive.
            token: cancels it; nothing is changed then.
            replace: remove everything in the library first.

        Raises:
            UserError: the archive cannot be used; nothing was changed.
        """
        with LibraryArchive(path) as archive:
            takes = (
                archive.contents.settings if replace or not self._catalog.courses.counts().documents else {}
            )
            settings = adopt(self._settings.value, takes)
            if archive.contents.cut != str(self._reindex.version(settings)) or self._reindex.needed():
                self._model.take(token)
            version = self._reindex.version(settings)
            if self._reindex.needed() and not replace:
                version = yield from self._reindex.run(token)
            again = bool(archive.contents.counts["documents"]) and archive.contents.cut != str(version)
            importer = _Importer(self._db, self._reindex, version, self._model.dimension, token)
            merged = yield from importer.run(archive, again=again, replace=replace)
        # Other settings may have been saved meanwhile: those the archive does not hold stay.
        self._settings.value = adopt(self._settings.value, takes)
        yield from self._index.catch_up(token)
        if replace:
            yield from self._trash.give_back_space(token)
        yield LibraryImported(
            documents=len(merged.documents),
            passages=merged.passages,
            conversations=len(merged.conversations),
            already_there=merged.already_there,
            left_out=tuple(merged.left_out),
            embedded_again=again,
            settings=dict(takes),
        )


def clear_leftovers(data_dir: Path) -> None:
    """Delete temporary files of an export or import that was killed."""
    for folder in data_dir.glob(f"{_TEMPORARY}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _copy(database: Database, copy: Database, token: CancelToken) -> Generator[IngestEvent, None, Merged]:
    """Copy a library as it is at one moment, whatever is added meanwhile."""
    source = database.connection
    source.execute("BEGIN")
    try:
        total = _count(source, "documents WHERE trashed_at IS NULL")
        with copy.transaction() as target:
            merge = Merge(source, target, token)
            for done in merge.documents(index=False):
                yield TransferProgress(TransferStep.COPYING, done, total)
            merge.conversations()
    finally:
        source.execute("COMMIT")
    return merge.merged


class _Importer:
    """Merges an archive into a library.

    Everything is unpacked, checked and, if necessary, embedded again in a temporary library; then one
    transaction changes the real one. However early that ends, the library is unchanged.

    Args:
        database: the library, open for writing.
        reindex: cuts and embeds the temporary library.
        version: how passages are cut and embedded here.
        dimension: of the embedding model here.
        token: cancels it.
    """

    def __init__(
        self,
        database: Database,
        reindex: ReindexService,
        version: IndexVersion,
        dimension: int,
        token: CancelToken,
    ) -> None:
        self._db = database
        self._reindex = reindex
        self._version = version
        self._dimension = dimension
        self._token = token

    def run(
        self, archive: LibraryArchive, *, again: bool, replace: bool
    ) -> Generator[IngestEvent, None, Merged]:
        """Import; return what was merged.

        Args:
            archive: already examined.
            again: cut and embed its documents again.
            replace: remove everything in the library in the same transaction.

        Raises:
            ArchiveUnusable: its content contradicts its manifest or itself.
        """
        with _temporary(self._db.data_dir) as folder:
            yield from archive.unpack(folder / LIBRARY, self._token)
            try:
                _check_file(folder / LIBRARY, archive)
                with closing(_opened(folder, archive)) as staged:
                    _check_schema(staged.connection, archive)
                    if again:
                        return (yield from self._merge_again(staged, folder / "cut", replace=replace))
                    return (yield from self._merge(staged, replace=replace))
            except Inconsistent as error:
                raise archive.inconsistent() from error
            except _UNFIT as error:
                _log.warning("An archive contains unexpected values.", exc_info=True)
                raise archive.damaged() from error

    def _merge_again(
        self, staged: Database, folder: Path, *, replace: bool
    ) -> Generator[IngestEvent, None, Merged]:
        """Merge a copy of the staged library whose passages are cut and embedded as here."""
        fresh = Database(folder)
        fresh.open()
        with closing(fresh):
            with fresh.transaction() as target:
                merge = Merge(staged.connection, target, self._token)
                for _ in merge.documents():
                    pass
                merge.conversations()
            ingestion = self._reindex.ingestion(self._token, Catalog(fresh), self._version, reuse=False)
            for event in ingestion.reindex():
                if not isinstance(event, IngestDone):
                    yield event
            return (yield from self._merge(fresh, replace=replace))

    def _merge(self, staged: Database, *, replace: bool) -> Generator[IngestEvent, None, Merged]:
        source = staged.connection
        total = _count(source, "documents")
        with self._db.transaction() as connection:
            if replace:
                _clear(connection)
            merge = Merge(source, connection, self._token, self._dimension)
            for done in merge.documents():
                yield TransferProgress(TransferStep.ADDING, done, total)
            merge.conversations()
            _read_back(SessionManager(self._db), connection, merge.merged.conversations)
            put_meta(connection, VERSION_KEY, str(self._version))
            put_meta(connection, "samples", "imported")
            self._token.check()
        return merge.merged


def _check_file(file: Path, archive: LibraryArchive) -> None:
    """Examine a file of unknown origin before it is opened as a library."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        if connection.execute("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION:
            raise archive.newer()
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").fetchone() is not None:
            raise archive.damaged()  # it would run during the upgrade
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise archive.damaged()
        counts = archive.contents.counts
        for name, table in (("documents", "documents"), ("passages", "chunks"), ("conversations",) * 2):
            if _count(connection, table) != counts[name]:
                raise archive.damaged()


def _opened(folder: Path, archive: LibraryArchive) -> Database:
    staged = Database(folder, backups=False)
    try:
        staged.open()
    except LibraryUnusable as error:
        raise archive.damaged() from error
    return staged


def _check_schema(connection: sqlite3.Connection, archive: LibraryArchive) -> None:
    """Refuse tables, views and triggers that differ from those of a library."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        create(fresh)
        if definitions(connection) != definitions(fresh):
            raise archive.damaged()


def _clear(connection: sqlite3.Connection) -> None:
    """Remove everything from a library, including its trash."""
    keys = [row["id"] for row in connection.execute("SELECT id FROM documents")]
    sql.delete_documents(connection, keys)
    sql.drop_empty_courses(connection)
    connection.execute("INSERT INTO exchanges_fts (exchanges_fts) VALUES ('delete-all')")
    for table in ("conversations", "failures", "folders", "corrections", "watched", "removed_files"):
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


@contextmanager
def _temporary(parent: Path) -> Iterator[Path]:
    """Create a directory that is deleted at the end."""
    folder = Path(tempfile.mkdtemp(prefix=_TEMPORARY, dir=parent))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
