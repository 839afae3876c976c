"""Exports a library to one file, and imports such a file whole or not at all.

The file is a zip of a manifest, the settings, and a library file of its own.
"""

import errno
import hashlib
import json
import logging
import os
import shutil
import sqlite3
import stat
import zipfile
import zlib
from collections.abc import Generator, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Literal

from app import __version__
from app.config.files import check_replaceable, private_file, replacing, temporary_folder
from app.config.settings import adopt, portable
from app.core.conversations.session_manager import SessionManager
from app.core.ingest.reindex import VERSION_KEY, IndexVersion
from app.core.rag_system import RAGSystem
from app.core.storage import sql
from app.core.storage.backups import SPARE
from app.core.storage.catalog import Catalog
from app.core.storage.codec import Inconsistent
from app.core.storage.database import LIBRARY_FILE, Database, LibraryHooks
from app.core.storage.schema import SCHEMA_VERSION, create
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryUnusable, UserError
from app.domain.events import IngestDone, IngestEvent
from app.domain.keeping import BackupReason, LibraryExported, LibraryImported, TransferProgress, TransferStep
from app.domain.messages import Message
from app.features.keeping.merging import Merge

_FORMAT, _FORMAT_VERSION = "lectern-library", 1
LIBRARY, SETTINGS, MANIFEST = LIBRARY_FILE, "settings.json", "manifest.json"
_SMALL = 1 << 20  # most bytes of the manifest and of the settings
_BLOCK = 1 << 20
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others raise errors of their own
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, LookupError, RuntimeError, ValueError)
_COUNTED = ("documents", "passages", "conversations")
_log = logging.getLogger(__name__)
# What reading rows with unexpected values can raise.
_UNFIT = (sqlite3.Error, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)


class ArchiveUnusable(UserError):
    """The file is not a complete archive of a library that this Lectern supports."""


def write_archive(
    path: Path,
    library: Path,
    settings: Mapping[str, Any],
    cut: str | None,
    counts: Mapping[str, int],
    token: CancelToken,
) -> Iterator[TransferProgress]:
    """Pack a closed library file.

    Raises:
        OSError: the archive cannot be written.
    """
    private_file(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        part = json.dumps(dict(settings), indent=2, sort_keys=True).encode("utf-8")
        archive.writestr(SETTINGS, part)
        size = library.stat().st_size
        with library.open("rb") as file, archive.open(LIBRARY, "w", force_zip64=True) as packed:
            _, digest = yield from _copy(file, packed, size, TransferStep.PACKING, token)
        manifest = {
            "format": _FORMAT,
            "version": _FORMAT_VERSION,
            "schema": SCHEMA_VERSION,
            "lectern": __version__,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "cut": cut,
            "counts": dict(counts),
            "parts": {
                LIBRARY: {"size": size, "sha256": digest},
                SETTINGS: {"size": len(part), "sha256": hashlib.sha256(part).hexdigest()},
            },
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=2))


def _copy(
    source: IO[bytes], target: IO[bytes], size: int, step: TransferStep, token: CancelToken
) -> Generator[TransferProgress, None, tuple[int, str]]:
    """Copy ``size`` bytes, or one more if there are; return their number and checksum."""
    digest, done = hashlib.sha256(), 0
    while block := source.read(min(_BLOCK, size + 1 - done)):
        token.check()
        digest.update(block)
        target.write(block)
        done += len(block)
        yield TransferProgress(step, done, size)
    return done, digest.hexdigest()


class LibraryArchive:
    """An archive to import, open until :meth:`close`.

    Attributes:
        cut: index version it was made with (embedding model and passage sizes); None without documents.
        counts: documents, passages and conversations.
        settings: by name.

    Raises:
        ArchiveUnusable: it is truncated, changed, of another kind or from a newer Lectern.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            mode = path.stat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # opening a pipe would wait for ever
                raise OSError(errno.EINVAL, "Not a regular file")
            with ExitStack() as opened:
                self._zip = opened.enter_context(zipfile.ZipFile(path))
                self._examine()
                opened.pop_all()
        except OSError as error:
            reason = error.strerror or error
            message = Message("transfer.archive_unreadable", path=path, reason=reason)
            raise ArchiveUnusable(message) from error
        except _UNREADABLE as error:
            raise self.refused("foreign") from error

    def close(self) -> None:
        self._zip.close()

    def unpack(self, target: Path, token: CancelToken) -> Iterator[TransferProgress]:
        """Write the library file to ``target`` and verify its checksum.

        Raises:
            ArchiveUnusable: it differs from the manifest, or there is no room for it.
        """
        name, size = self._path.name, self._size
        if shutil.disk_usage(target.parent).free < 2 * size + SPARE:
            directory = target.parent.parent
            raise ArchiveUnusable(Message("transfer.no_room", directory=directory, name=name))
        try:
            with self._zip.open(LIBRARY) as packed, target.open("wb") as file:
                unpacked = yield from _copy(packed, file, size, TransferStep.CHECKING, token)
        except _UNREADABLE as error:
            raise self.refused("damaged") from error
        except OSError as error:
            reason = error.strerror or error
            raise ArchiveUnusable(Message("transfer.unpacking_failed", name=name, reason=reason)) from error
        if unpacked != (size, self._sha256):
            raise self.refused("damaged")

    def refused(self, why: Literal["damaged", "inconsistent", "newer", "foreign"]) -> ArchiveUnusable:
        return ArchiveUnusable(Message(f"transfer.archive_{why}", path=self._path))

    def _examine(self) -> None:
        if any(part.compress_type not in _COMPRESSIONS for part in self._zip.infolist()):
            raise self.refused("foreign")
        manifest = json.loads(self._read_small(MANIFEST))
        if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
            raise self.refused("foreign")
        try:
            if manifest["version"] > _FORMAT_VERSION or manifest["schema"] > SCHEMA_VERSION:
                raise self.refused("newer")
            parts, self.cut, self.counts = manifest["parts"], manifest["cut"], manifest["counts"]
            settings = self._read_small(SETTINGS)
            self.settings, library = json.loads(settings), self._zip.getinfo(LIBRARY)
            self._size, self._sha256 = library.file_size, parts[LIBRARY]["sha256"]
            if not (
                sorted(self._zip.namelist()) == sorted((LIBRARY, SETTINGS, MANIFEST))
                and hashlib.sha256(settings).hexdigest() == parts[SETTINGS]["sha256"]
                and parts[LIBRARY]["size"] == self._size
                and isinstance(self.settings, dict)
                and isinstance(self.cut, str | None)
                and all(isinstance(self.counts[name], int) for name in _COUNTED)
            ):
                raise self.refused("damaged")
        except (TypeError, *_UNREADABLE) as error:
            raise self.refused("damaged") from error

    def _read_small(self, name: str) -> bytes:
        with self._zip.open(name) as part:
            data = part.read(_SMALL + 1)
        if len(data) > _SMALL:
            raise self.refused("damaged")
        return data


class TransferService:
    """Moves a library to another computer, or brings one in."""

    def __init__(self, rag: RAGSystem) -> None:
        self._rag = rag

    def export_library(self, path: Path, token: CancelToken) -> Iterator[IngestEvent]:
        """Write courses, conversations and settings to one file; the last event is ``LibraryExported``.

        An existing file is replaced once the archive is complete; cancelling leaves nothing behind.

        Raises:
            UserError: the file cannot be written.
        """
        filling = data_dir = self._rag.database.data_dir
        try:
            check_replaceable(path)
            filling = _place_for_copies(data_dir, data_dir / LIBRARY, path)
            with temporary_folder(filling) as folder:
                with _opened(folder) as copy:
                    merged = yield from _copy_library(self._rag.database, copy, self._rag.hooks, token)
                counts = merged.counts()
                settings, cut = portable(self._rag.settings), self._rag.database.meta(VERSION_KEY)
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
            takes = archive.settings if replace or not self._rag.catalog.courses.counts().documents else {}
            settings = adopt(self._rag.settings, takes)
            if archive.cut != str(self._rag.reindex.version(settings)) or self._rag.reindex.needed():
                self._rag.embedder.take(token)
            version = self._rag.reindex.version(settings)
            if self._rag.reindex.is_outdated() and not replace:
                version = yield from self._rag.reindex.run(token)
            again = bool(archive.counts["documents"]) and archive.cut != str(version)
            merged = yield from self._import(archive, version, token, again=again, replace=replace)
        # Other settings may have been saved meanwhile: those the archive does not hold stay.
        self._rag.settings = adopt(self._rag.settings, takes)
        if replace:
            self._rag.index.rebuild()
            self._rag.trash.give_back_space(token)
        yield from self._rag.index.catch_up(token)
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
        with temporary_folder(self._rag.database.data_dir) as folder:
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
            for _ in _run(Merge(staged.connection, target, token), TransferStep.ADDING, self._rag.hooks):
                pass
        for event in self._rag.reindex.ingestion(token, Catalog(fresh), version, reuse=False).reindex():
            if not isinstance(event, IngestDone):
                yield event

    def _merge(
        self, staged: Database, version: IndexVersion, token: CancelToken, *, replace: bool
    ) -> Generator[IngestEvent, None, Merge]:
        if replace:
            self._rag.backups.make_before(BackupReason.REPLACE, token)
        with self._rag.database.transaction() as connection:
            if replace:
                _clear(connection)
            merge = Merge(staged.connection, connection, token, self._rag.embedder.dimension)
            yield from _run(merge, TransferStep.ADDING, self._rag.hooks)
            _read_back(SessionManager(self._rag.database), connection, merge.conversations)
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


def _copy_library(
    database: Database, copy: Database, hooks: LibraryHooks, token: CancelToken
) -> Generator[IngestEvent, None, Merge]:
    """Copy the state of a library at one moment, whatever is added in the meantime."""
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
    """Refuse tables, views and triggers that no library has."""
    # Tables, which an upgrade may have written otherwise, are compared by their columns.
    query = """SELECT m.type, m.name, c.name, c.type, c."notnull", c.pk, c.hidden,
               CASE WHEN m.type = 'index' OR m.sql LIKE 'CREATE TABLE %' THEN '' ELSE m.sql END
               FROM sqlite_master AS m LEFT JOIN pragma_table_xinfo(m.name) AS c"""
    with closing(sqlite3.connect(":memory:")) as fresh:
        create(fresh)
        found, expected = (
            {(*about, " ".join(written.split())) for *about, written in one.execute(query)}
            for one in (connection, fresh)
        )
    if found != expected:
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


def _place_for_copies(data_dir: Path, library: Path, target: Path) -> Path:
    """Return the data directory, or the folder of ``target`` if only that one can hold a copy."""
    size = library.stat().st_size if library.exists() else 0
    has_room = shutil.disk_usage(data_dir).free >= size + SPARE
    return data_dir if has_room and os.access(data_dir, os.W_OK) else target.parent
