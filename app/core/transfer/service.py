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
from app.core.storage import records
from app.core.storage.catalog import Catalog
from app.core.storage.database import Database
from app.core.storage.schema import SCHEMA_VERSION, create, definitions
from app.core.transfer.archive import LIBRARY, Archive, write_archive
from app.core.transfer.merging import Merge, NotALibrary
from app.domain.errors import LibraryUnusable, UserError
from app.domain.events import IngestDone
from app.domain.transfer import LibraryExported, LibraryImported, TransferProgress, TransferStep

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from app.config.settings import CurrentSettings
    from app.core.embedding.model_switch import ModelSwitch
    from app.core.ingest.reindex import IndexVersion, ReindexService
    from app.core.ingest.run import Ingestion
    from app.core.search.chroma.index_sync import IndexSync
    from app.core.transfer.merging import Merged
    from app.core.trash.service import TrashService
    from app.domain.cancel import CancelToken
    from app.domain.events import IngestEvent

_WORKPLACE = ".lectern-moving-"
_log = logging.getLogger(__name__)

# What reading rows can raise that do not hold what they should.
_UNFIT = (sqlite3.DatabaseError, NotALibrary, ValueError, TypeError, KeyError, AttributeError, OverflowError)


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
        """Write courses, conversations and settings to one file; the last event is ``LibraryExported``."""
        yield from export_library(self._db, path, portable(self._settings.value), token)

    def import_library(
        self, path: Path, token: CancelToken, *, replace: bool = False
    ) -> Iterator[IngestEvent]:
        """Import an exported file, whole or not at all; the last event is ``LibraryImported``.

        The archive's settings apply afterwards if it replaces the library or the library is empty;
        whoever stores settings has to store those.

        Args:
            path: of the archive.
            token: ends it; nothing is changed then.
            replace: remove everything that is there first.

        Raises:
            UserError: the archive cannot be used; nothing was changed.
        """
        with Archive(path) as archive:
            takes = archive.contents.settings if replace or not self._catalog.counts().documents else {}
            settings = adopt(self._settings.value, takes)
            if archive.contents.cut != str(self._reindex.version(settings)) or self._reindex.needed():
                self._model.take(token)
            version = self._reindex.version(settings)
            if self._reindex.needed() and not replace:
                version = yield from self._reindex.run(token)
            importer = Importer(
                self._db,
                version,
                self._model.dimension,
                lambda catalog: self._reindex.ingestion(catalog, version, reuse=False),
            )
            done = yield from importer.run(archive, token, replace=replace, settings=takes)
        # Other settings may have been saved meanwhile: those the archive does not hold stay.
        self._settings.value = adopt(self._settings.value, takes)
        yield from self._index.catch_up(token)
        if replace:
            yield from self._trash.give_back_space(token)
        yield done


def export_library(
    database: Database, path: Path, settings: Mapping[str, object], token: CancelToken
) -> Iterator[IngestEvent]:
    """Write what can be searched and all conversations to one file; the library is not changed.

    Args:
        database: the library, open.
        path: what is there is replaced once the archive is complete.
        settings: to go with it; never a key.
        token: ends it and leaves nothing behind.

    Raises:
        UserError: the file can not be written.
    """
    try:
        with _workplace(path.parent if database.read_only else database.data_dir) as place:
            copy = Database(place)
            copy.open()
            with closing(copy):
                merged = yield from _copy(database, copy, token)
            counts = {
                "documents": len(merged.documents),
                "passages": merged.passages,
                "conversations": len(merged.conversations),
            }
            cut = database.meta(VERSION_KEY)
            yield from write_archive(path, place / LIBRARY, settings, cut, counts, token)
    except OSError as error:
        message = f"The library could not be written to {path} ({error.strerror or error})."
        raise UserError(message) from error
    yield LibraryExported(path, **counts)


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


class Importer:
    """Takes an archive into a library.

    Everything is unpacked, checked and, where another embedding model made it, embedded beside the
    library; then one transaction changes it. However early that ends, the library is as it was.

    Args:
        database: the library, open for writing.
        version: how passages are cut and embedded here.
        dimension: of the embedding model here.
        ingestion_for: makes an ingestion that fills another catalog.
    """

    def __init__(
        self,
        database: Database,
        version: IndexVersion,
        dimension: int,
        ingestion_for: Callable[[Catalog], Ingestion],
    ) -> None:
        self._db = database
        self._version = str(version)
        self._dimension = dimension
        self._ingestion_for = ingestion_for

    def run(
        self, archive: Archive, token: CancelToken, *, replace: bool, settings: Mapping[str, object]
    ) -> Generator[IngestEvent, None, LibraryImported]:
        """Import; return what came of it.

        Args:
            archive: already looked at.
            token: ends it; nothing is changed then.
            replace: take out everything that is there, in the same transaction.
            settings: those of the archive that are to hold, told with the result.

        Raises:
            ArchiveUnusable: it does not hold what it says.
        """
        again = bool(archive.contents.counts["documents"]) and archive.contents.cut != self._version
        with _workplace(self._db.data_dir) as place:
            yield from archive.unpack(place / LIBRARY, token)
            try:
                _check_file(place / LIBRARY, archive)
                with closing(_opened(place, archive)) as staged:
                    _check_schema(staged.connection, archive)
                    if again:
                        merged = yield from self._by_way_of(staged, place / "cut", token, replace=replace)
                    else:
                        merged = yield from self._merge(staged, token, replace=replace)
            except NotALibrary as error:
                raise archive.inconsistent() from error
            except _UNFIT as error:
                _log.warning("An archive does not hold what it should.", exc_info=True)
                raise archive.damaged() from error
        return LibraryImported(
            documents=len(merged.documents),
            passages=merged.passages,
            conversations=len(merged.conversations),
            already_there=merged.already_there,
            left_out=tuple(merged.left_out),
            embedded_again=again,
            settings=dict(settings),
        )

    def _by_way_of(
        self, staged: Database, place: Path, token: CancelToken, *, replace: bool
    ) -> Generator[IngestEvent, None, Merged]:
        """Merge a library that holds the same, but is cut and embedded as here."""
        fresh = Database(place)
        fresh.open()
        with closing(fresh):
            with fresh.transaction() as target:
                merge = Merge(staged.connection, target, token)
                for _ in merge.documents():
                    pass
                merge.conversations()
            for event in self._ingestion_for(Catalog(fresh)).reindex(token):
                if not isinstance(event, IngestDone):
                    yield event
            return (yield from self._merge(fresh, token, replace=replace))

    def _merge(
        self, staged: Database, token: CancelToken, *, replace: bool
    ) -> Generator[IngestEvent, None, Merged]:
        source = staged.connection
        total = _count(source, "documents")
        with self._db.transaction() as connection:
            if replace:
                _clear(connection)
            merge = Merge(source, connection, token, self._dimension)
            for done in merge.documents():
                yield TransferProgress(TransferStep.ADDING, done, total)
            merge.conversations()
            _read_back(SessionManager(self._db), connection, merge.merged.conversations)
            for key, value in ((VERSION_KEY, self._version), ("samples", "imported")):
                connection.execute(
                    """INSERT INTO meta (key, value) VALUES (?, ?)
                       ON CONFLICT (key) DO UPDATE SET value = excluded.value""",
                    (key, value),
                )
            token.check()
        return merge.merged


def clear_leftovers(data_dir: Path) -> None:
    """Delete what an export or import that was killed had unpacked."""
    for place in data_dir.glob(f"{_WORKPLACE}*"):
        shutil.rmtree(place, ignore_errors=True)


def _check_file(file: Path, archive: Archive) -> None:
    """Look a file of unknown origin over before it is opened as a library."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        if connection.execute("PRAGMA user_version").fetchone()[0] > SCHEMA_VERSION:
            raise archive.newer()
        if connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").fetchone() is not None:
            raise archive.damaged()  # it would run when the file is brought up to date
        if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise archive.damaged()
        counts = archive.contents.counts
        for name, table in (("documents", "documents"), ("passages", "chunks"), ("conversations",) * 2):
            if _count(connection, table) != counts[name]:
                raise archive.damaged()


def _opened(place: Path, archive: Archive) -> Database:
    """Open what was unpacked as the library it should be."""
    staged = Database(place, backups=False)
    try:
        staged.open()
    except LibraryUnusable as error:
        raise archive.damaged() from error
    return staged


def _check_schema(connection: sqlite3.Connection, archive: Archive) -> None:
    """Refuse tables, views and triggers that are not those of a library."""
    with closing(sqlite3.connect(":memory:")) as fresh:
        create(fresh)
        if definitions(connection) != definitions(fresh):
            raise archive.damaged()


def _clear(connection: sqlite3.Connection) -> None:
    """Take everything out of a library, its trash included."""
    keys = [row["id"] for row in connection.execute("SELECT id FROM documents")]
    records.delete_documents(connection, keys)
    records.drop_empty_courses(connection)
    connection.execute("INSERT INTO exchanges_fts (exchanges_fts) VALUES ('delete-all')")
    connection.execute("DELETE FROM conversations")
    connection.execute("DELETE FROM failures")
    connection.execute("DELETE FROM folders")
    connection.execute("DELETE FROM corrections")
    connection.execute("DELETE FROM watched")
    connection.execute("DELETE FROM removed_files")


def _read_back(sessions: SessionManager, connection: sqlite3.Connection, keys: list[int]) -> None:
    """Read every branch of new conversations as the window will; one that is broken raises here."""
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
def _workplace(parent: Path) -> Iterator[Path]:
    """Make a directory of one's own that is deleted at the end."""
    place = Path(tempfile.mkdtemp(prefix=_WORKPLACE, dir=parent))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
