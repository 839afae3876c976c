"""Examines a library and its surroundings, and repairs what can be repaired."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app import __version__
from app.core.rag_system import RAGSystem
from app.core.search.chroma.store import IndexDamaged
from app.core.search.lexical import TextIndex
from app.domain.cancel import CancelToken
from app.domain.errors import LecternError, LibraryLocked
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.config.settings import Settings
    from app.core.embedding.embedder import Embedder

_REPAIR = Message("doctor.repair")
_LEAST_FREE = 100 << 20  # bytes; reading a single book may use up less


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, and what repairs it."""

    what: Message
    fix: Message


@dataclass(slots=True)
class Report:
    """The result; a count is None if it is unknown."""

    data_dir: Path
    counts: dict[str, int | None] = field(default_factory=dict)
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
            "problems": [{"what": str(item.what), "fix": str(item.fix)} for item in self.problems],
        }


def examine(
    data_dir: Path,
    settings: Settings,
    embedder: Embedder,
    *,
    repair: bool = False,
    progress: Callable[[Message], None] = lambda _: None,
) -> Report:
    """Check the directory, the library, its indexes and the embedding model.

    Nothing is created in ``data_dir`` unless it holds a library. Where necessary the model is exported
    again and, with ``repair``, the indexes are rebuilt from the library.
    """
    report = Report(data_dir, {"documents": 0, "chunks": 0, "fts": 0, "chroma": 0})
    try:
        embedder.prepare(CancelToken(), progress)
    except LecternError as error:
        report.add(error.message, Message("doctor.install_model"))
    _check_directory(report)
    if not (data_dir / "library.sqlite3").exists():
        return report
    rag = RAGSystem(data_dir, settings, embedder)
    try:
        try:
            rag.open(progress)
        except LibraryLocked as error:
            progress(Message("doctor.chroma_skipped", reason=error.message))
            rag = RAGSystem(data_dir, settings, embedder, read_only=True)
            rag.open(progress)
    except LibraryLocked as error:
        report.add(error.message, Message("doctor.close_other"))
    except LecternError as error:
        report.add(error.message, Message("doctor.make_writable_or_restore"))
    else:
        with closing(rag):
            _check_library(rag, report, repair=repair)
    return report


def _check_directory(report: Report) -> None:
    existing = next(folder for folder in (report.data_dir, *report.data_dir.parents) if folder.exists())
    if not existing.is_dir():
        report.add(Message("doctor.directory_is_file", path=existing), Message("doctor.move_file"))
    elif not os.access(existing, os.W_OK):
        report.add(Message("doctor.directory_unwritable", path=existing), Message("doctor.make_writable"))
    elif (free := shutil.disk_usage(existing).free) < _LEAST_FREE:
        what = Message("doctor.disk_nearly_full", path=existing, free=free >> 20)
        report.add(what, Message("doctor.free_space"))


def _check_library(rag: RAGSystem, report: Report, *, repair: bool) -> None:
    try:
        state = str(rag.database.connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        state = str(error)
    if state != "ok":
        report.add(Message("doctor.library_damaged", reason=state), Message("doctor.restore_backup"))
        return
    texts = TextIndex(rag.database)
    counts = rag.courses.counts()
    if repair and not rag.database.read_only and texts.count() != counts.passages:
        rag.catalog.passages.rebuild_text_index()
    report.counts = {
        "documents": counts.documents,
        "chunks": counts.passages,
        "fts": texts.count(),
        "chroma": None,
    }
    if report.counts["fts"] != counts.passages:
        report.add(Message("doctor.text_index_differs"), _REPAIR)
    if not rag.database.read_only:
        _check_chroma(rag, report, repair=repair)


def _check_chroma(rag: RAGSystem, report: Report, *, repair: bool) -> None:
    rag.index.open()
    if not rag.vector_store.is_open:
        report.add(Message("doctor.chroma_unopenable"), Message("doctor.reinstall", path=report.data_dir))
        return
    try:
        if repair:
            for _ in rag.index.repair(CancelToken()):
                pass
        matches = rag.index.matches()
        report.counts["chroma"] = rag.vector_store.count()
    except (IndexDamaged, OSError):
        report.add(Message("doctor.chroma_not_built"), Message("doctor.search_works"))
        return
    if pending := rag.catalog.index_queue.count():
        report.add(Message("doctor.chroma_behind", pending=pending), _REPAIR)
    elif not matches:
        report.add(Message("doctor.chroma_differs"), _REPAIR)
