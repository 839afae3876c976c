"""A library that another process changes until it is ended, and what must be true of it afterwards."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZipFile

from app.config.settings import Settings, load_settings, save_settings
from app.core.search.lexical import TextIndex
from app.core.storage.schema import SCHEMA_VERSION
from app.domain.cancel import CancelToken
from app.domain.events import FileStatus
from app.domain.scope import Scope
from app.features.keeping.doctor import examine
from app.features.keeping.transfer import TransferService
from tests.support.busy_library import (
    ATLAS,
    EXPORTED,
    MIGRATED,
    NAMES,
    OUT,
    SETTINGS,
    MadeUpVectors,
    atlas,
    course,
    version_of,
)
from tests.support.courses import KeptEmbedder, document_text, ingest, library, open_index
from tests.tools.drills.drill import ROOT

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem

PASSAGES = 1500  # a thousand and more are what Chroma writes to its files
_PATIENCE = 90.0  # seconds for a process to begin, or to end
_QUESTION = "Who is busy?"


class BusyProcess:
    """A process that changes a library; see :mod:`tests.support.busy_library`."""

    def __init__(self, kind: str, *paths: Path) -> None:
        self.said: list[list[str]] = []
        self._ready = threading.Event()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed by kill
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.busy_library", kind, *map(str, paths)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            encoding="utf-8",
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def wait_until_ready(self) -> None:
        assert self._ready.wait(_PATIENCE), "it did not begin"
        self.check_running()

    def check_running(self) -> None:
        if self._process.poll() is not None:
            self._errors.seek(0)
            raise AssertionError(
                f"it ended by itself: {self._errors.read()[-3000:].decode('utf-8', 'replace')}"
            )

    def child(self, name: str) -> int:
        """Return the process id of its newest child of that name."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            self.check_running()
            for word, *rest in reversed(self.said.copy()):
                if word == "child" and rest[0] == name:
                    return int(rest[1])
            time.sleep(0.01)
        raise AssertionError(f"it started no {name}")

    def kill(self) -> None:
        """Kill it, and wait for its children to end by themselves."""
        self._process.kill()
        self._process.wait(_PATIENCE)
        self._listener.join(_PATIENCE)
        assert not self._listener.is_alive(), "a child of it lives on"
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._errors.close()
        left = {int(rest[1]) for word, *rest in self.said if word == "child"}
        end = time.monotonic() + _PATIENCE
        while left := {pid for pid in left if _is_running(pid)}:
            assert time.monotonic() < end, f"children of it live on: {left}"
            time.sleep(0.02)

    def phase(self) -> str:
        return [" ".join(rest) for word, *rest in self.said if word == "phase"][-1]

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.endswith("\n"):
                self.said.append(line.split())
            if line == "ready\n":
                self._ready.set()
        self._ready.set()


def kill_process(pid: int) -> None:
    """End a process at once."""
    try:
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))  # on Windows any signal ends it
    except ProcessLookupError:
        return  # it has just been replaced


def _is_running(pid: int) -> bool:
    if sys.platform == "win32":
        return False  # os.kill would end it; the pipe it shares with its parent has told
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    try:  # what has ended but was not waited for counts as ended
        return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")
    except OSError:
        return False


@dataclass
class Figures:
    """What is told at the end of a run."""

    phases: Counter[str] = field(default_factory=Counter)
    opened: list[float] = field(default_factory=list)
    repaired: int = 0

    def __str__(self) -> str:
        phases = ", ".join(f"{count} while {phase}" for phase, count in (+self.phases).most_common())
        ordered = sorted(self.opened) or [0.0]
        median, most = ordered[len(ordered) // 2], ordered[-1]
        times = f"ready again after {median:.1f} s (median), {most:.1f} s (most)"
        return f"{phases}; {times}; {self.repaired} needed doctor --repair; nothing lost"


class BusyLibrary:
    """A library in ``home``, its files and archive in ``place``, and what may be in it."""

    def __init__(self, place: Path, home: Path, cache: Path) -> None:
        self.home, self.data = home, home / "data"
        self.folder, self.archive = place / "courses", place / "archive.zip"
        self.figures = Figures()
        self.allowed: dict[str, set[str]] = defaultdict(lambda: {"0"})
        self.numbers: dict[str, tuple[int, int]] = {}  # of other work: begun and done
        self._place, self._cache = place, cache
        self._embedder = KeptEmbedder(None, cache)
        (place / "versions").mkdir()
        self.folder.mkdir()
        for name in NAMES:
            (self.folder / f"{name}.txt").write_text(course(name, 0), encoding="utf-8", newline="\n")
        (place / f"{ATLAS}.txt").write_text(atlas(PASSAGES), encoding="utf-8", newline="\n")
        with library(self.data, MadeUpVectors(None, cache), index=False) as rag:
            ingest(rag, place / f"{ATLAS}.txt")
        with library(self.data, self._embedder) as rag:
            ingest(rag, self.folder)
            conversation = rag.conversations.create_session()
            rag.conversations.begin_exchange(conversation, _QUESTION, Scope(), "claude")
            list(rag.service(TransferService).export_library(self.archive, CancelToken()))
        self._atlas = (place / f"{ATLAS}.txt").read_text(encoding="utf-8")
        self._size = size_of(self.data)

    def start(self, kind: str) -> BusyProcess:
        """Have it changed by a process, once that is ready."""
        for name in (EXPORTED, SETTINGS, MIGRATED):
            self.numbers[name] = (0, 0)
        _empty(self.home / MIGRATED)
        process = BusyProcess(kind, self.data, self.folder, self.archive, self._cache)
        process.wait_until_ready()
        return process

    def hear(self, process: BusyProcess) -> None:
        """Take note of what an ended process has changed, and of what it was changing."""
        for word, *rest in process.said:
            if word == "has":
                self.allowed[rest[0]] = {rest[1]}
            elif word == "will":
                self.allowed[rest[0]].add(rest[1])
            elif word in ("begun", "done"):
                begun, done = self.numbers.get(rest[0], (0, 0))
                number = int(rest[1])
                self.numbers[rest[0]] = (number, done) if word == "begun" else (begun, number)
        self.figures.phases[process.phase()] += 1

    def check(self) -> None:
        """Open the library as the next start does, and look at everything."""
        assert size_of(self.data) < 4 * self._size + (64 << 20), "it grew without bound"
        began = time.perf_counter()
        with library(self.data, self._embedder, index=False) as rag:
            open_index(rag)
            self.figures.opened.append(time.perf_counter() - began)
            self._check_indexes(rag)
            for name in (*NAMES, ATLAS):
                self._check_course(rag, name)
            (conversation,) = rag.conversations.all()
            asked = [item.question for item in rag.conversations.exchanges(conversation.id)]
            assert asked == [_QUESTION]
        assert size_of(self.data) < 2.5 * self._size + (16 << 20), "much was left behind"
        report = examine(self.data, Settings(), self._embedder)
        if not report.ok:
            self.figures.repaired += 1
            report = examine(self.data, Settings(), self._embedder, repair=True)
        assert report.ok, report

    def check_kind(self, kind: str) -> None:
        """Check what only this kind of work promises, and bring the library back to where rounds begin."""
        if kind == "read":
            self._go_on()
        elif kind == "reindex":
            embedder = MadeUpVectors(None, self._cache)
            with library(self.data, embedder) as rag:
                if rag.reindex.needed():
                    list(rag.reindex.run(CancelToken()))
        elif kind == "export":
            self._check_export()
        elif kind == "settings":
            begun, done = self.numbers[SETTINGS]
            budget = load_settings(self.home / SETTINGS).monthly_budget
            assert budget in (done, begun), (budget, done, begun)
            save_settings(Settings(), self.home / SETTINGS)  # takes the place of an unfinished one
        elif kind == "migrate":
            self._check_migrated()

    def check_leftovers(self) -> None:
        left = [path for path in self.home.rglob("*") if "moving" in path.name or path.name.endswith(".part")]
        assert not left, left

    def _check_export(self) -> None:
        """The file is absent before the first acknowledged export, and whole whenever it is there."""
        path = self.home / EXPORTED
        _, done = self.numbers[EXPORTED]
        assert path.exists() or not done, "an acknowledged export is gone"
        if path.exists():
            with ZipFile(path) as archive:
                assert archive.testzip() is None
            _empty(self._place / "fresh")
            with library(self._place / "fresh", self._embedder, index=False) as rag:
                list(rag.service(TransferService).import_library(path, CancelToken()))
                assert rag.courses.counts().documents
                for name in (*NAMES, ATLAS):
                    self._check_text(name, self._state(rag, name), rag)
        with library(self.data, self._embedder, index=False) as rag:  # clears what a killed export left
            list(rag.service(TransferService).export_library(path, CancelToken()))
        path.unlink()

    def _check_migrated(self) -> None:
        begun, done = self.numbers[MIGRATED]
        for number in {begun, done} - {0}:
            with library(self.home / MIGRATED / str(number), self._embedder, index=False) as rag:
                connection = rag.database.connection
                assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
                assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
                assert connection.execute("PRAGMA foreign_key_check").fetchone() is None
                assert rag.courses.counts().documents >= 2
                assert rag.search.retrieve("What is ready to raise a loaf?").hits[0].text
                assert rag.conversations.all()

    def _go_on(self) -> None:
        """Read on where it stopped: what was committed is not read again."""
        with library(self.data, self._embedder) as rag:
            states = {name: self._state(rag, name) for name in NAMES}
            for file in ingest(rag, self.folder).files:
                path = Path(file.path)
                version = version_of(path.read_text(encoding="utf-8"))
                unchanged = file.status is FileStatus.UNCHANGED
                assert unchanged == (states[path.stem] == version), file
                assert file.status in (FileStatus.UNCHANGED, FileStatus.CHANGED, FileStatus.ADDED), file
                assert (file.embedded == 0) or not unchanged
                self.allowed[path.stem] = {version}
            for name in NAMES:
                self._check_course(rag, name)

    def _check_indexes(self, rag: RAGSystem) -> None:
        counted = (rag.courses.counts().passages, TextIndex(rag.database).count(), rag.index.chroma.count())
        assert len(set(counted)) == 1, counted
        assert rag.catalog.index_queue.count() == 0
        connection = rag.database.connection
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert connection.execute("PRAGMA foreign_key_check").fetchone() is None
        connection.execute("INSERT INTO passages_fts (passages_fts) VALUES ('integrity-check')")

    def _state(self, rag: RAGSystem, name: str) -> str:
        records = rag.catalog.documents.of_course(name)
        assert len(records) < 2, records
        return version_of(document_text(rag, records[0].document_id)) if records else OUT

    def _check_course(self, rag: RAGSystem, name: str) -> None:
        state = self._state(rag, name)
        assert state in self.allowed[name], (name, state, self.allowed[name])
        self.allowed[name] = {state}
        self._check_text(name, state, rag)
        found = rag.search.retrieve(f"The {name} of version {state} are busy.", scope=Scope(courses=(name,)))
        if state == OUT:
            assert not found.hits
            return
        hit = found.hits[0]
        (record,) = rag.catalog.documents.of_course(name)
        assert hit.text == document_text(rag, record.document_id)[hit.start : hit.end]
        assert hit.course_title == name

    def _check_text(self, name: str, state: str, rag: RAGSystem) -> None:
        if state == OUT:
            return
        (record,) = rag.catalog.documents.of_course(name)
        text = document_text(rag, record.document_id)
        assert text == (self._atlas if name == ATLAS else course(name, int(state)))
        rows = rag.database.connection.execute(
            'SELECT start, "end", text FROM chunks WHERE document_id = ? ORDER BY start',
            (record.document_id,),
        ).fetchall()
        assert all(row["text"] == text[row["start"] : row["end"]] for row in rows)
        assert len(rows) == record.passages
        assert text[max(row["end"] for row in rows) :].strip() == ""


def size_of(data_dir: Path) -> int:
    """Return the bytes of a library and its indexes; backups have a limit of their own."""
    files = (path for path in data_dir.rglob("*") if path.is_file() and path.parent.name != "backups")
    return sum(path.stat().st_size for path in files)


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
