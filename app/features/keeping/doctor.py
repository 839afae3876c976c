"""Examines a library and its surroundings, and repairs what can be repaired."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from app import __version__
from app.core.hearing.service import downloaded
from app.core.local_models.service import LocalModels
from app.core.rag_system import AddServices, RAGSystem
from app.core.search.chroma import IndexDamaged
from app.core.search.index import SearchIndex
from app.core.search.lexical import TextIndex
from app.core.storage.backups import damage, list_backups
from app.core.storage.catalog import Catalog
from app.core.storage.database import LIBRARY_FILE, LOCK_FILE, Database, acquire_lock
from app.core.storage.schema import SCHEMA_VERSION, version_of
from app.domain.cancel import CancelToken
from app.domain.errors import LecternError, LibraryLocked, LibraryUnusable
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from app.config.settings import Settings
    from app.core.embedding.embedder import Embedder

_REPAIR = Message("doctor.repair")
_ITEMS = """SELECT count(*) FROM items JOIN decks ON decks.id = items.deck_id
            WHERE items.deleted_at IS NULL AND decks.trashed_at IS NULL"""
_LEAST_FREE = 100 << 20  # bytes; reading a single book may use up less


class Problem(NamedTuple):
    what: Message
    fix: Message


@dataclass(slots=True)
class Report:
    """The result; a count is None if it is unknown."""

    data_dir: Path
    counts: dict[str, int | None] = field(default_factory=dict)
    local_model: str = ""  # that answers, with how fast it is
    speech_models: list[str] = field(default_factory=list)  # that hear recordings
    problems: list[Problem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.problems

    def add(self, what: Message, fix: Message) -> None:
        self.problems.append(Problem(what, fix))

    def as_dict(self) -> dict[str, Any]:
        """Return the form of ``lectern doctor --json``."""
        return {
            "ok": self.ok,
            "version": __version__,
            "data_dir": str(self.data_dir),
            "counts": self.counts,
            "local_model": self.local_model or None,
            "speech_models": self.speech_models,
            "problems": [{"what": str(item.what), "fix": str(item.fix)} for item in self.problems],
        }


def examine(
    data_dir: Path,
    settings: Settings,
    embedder: Embedder,
    services: Iterable[AddServices] = (),
    *,
    repair: bool = False,
    progress: Callable[[Message], None] = lambda _: None,
) -> Report:
    """Check the directory, the library, its indexes and the embedding model.

    Nothing is changed unless ``repair`` is set, not even to upgrade a library of an earlier version: what
    cannot be read without changes is examined in a temporary copy. With ``repair``, the model is exported
    where necessary and the indexes are rebuilt from the library first.
    """
    report = Report(data_dir, {"documents": 0, "chunks": 0, "fts": 0, "chroma": 0, "items": 0})
    try:
        if repair:
            embedder.prepare(CancelToken(), progress)
        else:
            embedder.check_installed()
    except LecternError as error:
        report.add(error.message, _way_to_model(settings, embedder))
    if settings.provider == "local":
        _check_local_model(settings.model, LocalModels(embedder.cache_dir), report)
    report.speech_models = downloaded(embedder.cache_dir)
    _check_directory(report)
    if not (data_dir / LIBRARY_FILE).exists():
        if list_backups(data_dir):
            report.add(Message("storage.missing", directory=data_dir), Message("doctor.restore_backup"))
        return report
    was_built = not repair or _repair(RAGSystem(data_dir, settings, embedder, services), progress)
    try:
        with _others_kept_out(data_dir) as holder, _opened(data_dir, in_use=holder is not None) as database:
            if holder is not None:
                progress(Message("doctor.chroma_skipped", reason=holder))
            is_sound = _check_library(database, report)
            if not was_built:
                report.add(Message("doctor.chroma_not_built"), Message("doctor.search_works"))
            elif holder is None and is_sound:
                _check_chroma(Catalog(database), report)
    except LibraryLocked as error:
        report.add(error.message, Message("doctor.close_other"))
    except LecternError as error:
        report.add(error.message, Message("doctor.make_writable_or_restore"))
    return report


def _way_to_model(settings: Settings, embedder: Embedder) -> Message:
    if embedder.needs_download:
        return Message("doctor.download_model", setting=settings.embedding_model)
    return Message("doctor.install_model")


def _check_local_model(model: str, models: LocalModels, report: Report) -> None:
    report.local_model = f"{models.name(model)}, run by llama.cpp"
    if speed := models.speed(model):
        report.local_model += f": reads {speed.prompt:.0f} and writes {speed.answer:.0f} tokens a second"
    try:
        models.path(model)
    except LecternError as error:
        report.add(error.message, Message("doctor.use_local_model"))


def _check_directory(report: Report) -> None:
    existing = next(folder for folder in (report.data_dir, *report.data_dir.parents) if folder.exists())
    if not existing.is_dir():
        report.add(Message("doctor.directory_is_file", path=existing), Message("doctor.move_file"))
    elif not os.access(existing, os.W_OK):
        report.add(Message("doctor.directory_unwritable", path=existing), Message("doctor.make_writable"))
    elif (free := shutil.disk_usage(existing).free) < _LEAST_FREE:
        what = Message("doctor.disk_nearly_full", path=existing, free=free >> 20)
        report.add(what, Message("doctor.free_space"))


def _repair(rag: RAGSystem, progress: Callable[[Message], None]) -> bool:
    """Rebuild the indexes that do not match the library; return False if Chroma's cannot be built.

    A library that cannot be opened or is damaged stays as it is.
    """
    try:
        rag.open(progress)
    except LecternError:
        return True
    with closing(rag):
        if damage(rag.database.connection):
            return True
        if TextIndex(rag.database).count() != rag.courses.counts().passages:
            rag.catalog.passages.rebuild_text_index()
        rag.index.open()
        if rag.index.is_open:
            try:
                for _ in rag.index.repair(CancelToken()):
                    pass
            except (IndexDamaged, OSError):
                return False
            return rag.index.is_open
    return True


@contextmanager
def _others_kept_out(data_dir: Path) -> Iterator[Message | None]:
    """Keep other Lecterns from writing to the library; give who does already, or None."""
    holder = None
    with ExitStack() as stack:
        try:
            if (data_dir / LOCK_FILE).exists():  # else no Lectern is writing, and no file is created
                stack.callback(acquire_lock(data_dir, announce=False).release)
        except LibraryLocked as error:
            holder = error.message
        except OSError:  # a medium that nobody can write to
            pass
        yield holder


@contextmanager
def _opened(data_dir: Path, *, in_use: bool) -> Iterator[Database]:
    """Open a library without changing anything; a copy of it, if it has to be recovered or upgraded."""
    path, log = data_dir / LIBRARY_FILE, data_dir / f"{LIBRARY_FILE}-wal"
    with ExitStack() as stack:
        if in_use:
            database = Database(data_dir, read_only=True)
        elif log.exists() or _is_earlier(path):
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="lectern-doctor-")))
            for file in (path, log):
                if file.exists():
                    shutil.copyfile(file, folder / file.name)
            database = Database(folder, backups=False)
        else:
            database = Database(data_dir, frozen=True)
        try:
            database.open()
        except LibraryUnusable as error:
            arguments = dict(error.message.arguments)
            for name, place in (("path", path), ("directory", data_dir)):  # not those of the copy
                if name in arguments:
                    arguments[name] = place
            raise LibraryUnusable(Message(error.message.id, **arguments)) from error.__cause__
        stack.enter_context(closing(database))
        yield database


def _is_earlier(path: Path) -> bool:
    """Whether a closed library is of an earlier version; False for anything else that opening reports."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
            return 0 < (version_of(connection) or 0) < SCHEMA_VERSION
    except sqlite3.Error:
        return False


def _check_library(database: Database, report: Report) -> bool:
    """Return False if the file is too damaged to examine what depends on it."""
    if found := damage(database.connection):
        way = "doctor.restore_backup" if list_backups(report.data_dir) else "doctor.move_library"
        report.add(Message("doctor.library_damaged", reason=found), Message(way))
        report.counts = dict.fromkeys(report.counts)
        return False
    counts, texts = Catalog(database).courses.counts(), TextIndex(database).count()
    report.counts |= {"documents": counts.documents, "chunks": counts.passages, "fts": texts, "chroma": None}
    (report.counts["items"],) = database.connection.execute(_ITEMS).fetchone()
    if texts != counts.passages:
        report.add(Message("doctor.text_index_differs"), _REPAIR)
    return True


def _check_chroma(catalog: Catalog, report: Report) -> None:
    """Compare a copy of Chroma's index with the library."""
    place, pending = report.data_dir / "chroma", catalog.index_queue.count()
    with TemporaryDirectory(prefix="lectern-doctor-") as folder:
        copy = Path(folder, "chroma")
        index = SearchIndex(catalog, copy)
        try:
            # One that was not closed properly may have grown without bound: it is neither copied nor read.
            if SearchIndex(catalog, place).is_clean and place.is_dir():
                shutil.copytree(place, copy)
            is_new = index.chroma.open(copy, fresh=False)
            report.counts["chroma"] = index.chroma.count()
            matches = index.matches()
            index.chroma.close()
        except (IndexDamaged, OSError):
            report.add(Message("doctor.chroma_unopenable"), Message("doctor.reinstall", path=report.data_dir))
            return
        finally:
            index.chroma.give_up()
    if is_new and report.counts["chunks"]:
        report.add(Message("doctor.chroma_missing"), _REPAIR)
    elif pending:
        report.add(Message("doctor.chroma_behind", pending=pending), _REPAIR)
    elif not matches:
        report.add(Message("doctor.chroma_differs"), _REPAIR)
