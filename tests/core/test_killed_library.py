"""However a process ends that changes the library, the library is whole when it is opened again.

``LECTERN_TEST_KILLS=200 pytest -s tests/core/test_killed_library.py`` kills that often and prints figures;
``LECTERN_TEST_SEED`` repeats the choices of a run (the moments themselves depend on the machine).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.doctor import examine
from app.core.search.lexical import TextIndex
from app.domain.cancel import CancelToken
from app.domain.events import FileStatus
from app.domain.scope import Scope
from tests.support.busy_library import ATLAS, NAMES, OUT, MadeUpVectors, atlas, course, version_of
from tests.support.courses import document_text, ingest, library, open_index

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

KILLS = int(os.environ.get("LECTERN_TEST_KILLS", "6"))
SEED = int(os.environ.get("LECTERN_TEST_SEED", str(time.time_ns() % 10**6)))
PASSAGES = 3000 if KILLS > 20 else 1100  # a thousand and more are what Chroma writes to its files
KINDS = {"index": 1.5, "read": 2.0, "remove": 1.0, "empty": 0.8, "import": 2.0, "replace": 3.0}
"""What the process begins with, and within how many seconds after that it is killed."""


@dataclass
class Figures:
    """What is told at the end of a long run."""

    phases: Counter[str] = field(default_factory=Counter)
    opened: list[float] = field(default_factory=list)
    index: list[float] = field(default_factory=list)
    biggest: int = 0
    links: int = 0

    def __str__(self) -> str:
        lines = [f"{sum(self.phases.values())} kills, seed {SEED}"]
        lines += [f"  {count:4} while {phase}" for phase, count in self.phases.most_common()]
        for name, seconds in (("library", self.opened), ("index", self.index)):
            ordered = sorted(seconds)
            lines.append(
                f"  {name} open after: median {ordered[len(ordered) // 2]:.2f} s, most {ordered[-1]:.2f} s"
            )
        lines.append(
            f"  data directory at most {self.biggest >> 20} MB, link_lists.bin {self.links >> 10} kB"
        )
        return "\n".join(lines) + "\n"


class Drill:
    """A library, and what may be in it."""

    def __init__(self, place: Path, embedder: KeptEmbedder) -> None:
        self.data, self.folder, self.archive = place / "data", place / "courses", place / "archive.zip"
        cache = Path(os.environ["LECTERN_CACHE_DIR"])
        self._embedder = embedder
        self.figures = Figures()
        self.allowed: dict[str, set[str]] = defaultdict(lambda: {"0"})
        (place / "versions").mkdir()
        self.folder.mkdir()
        for name in NAMES:
            (self.folder / f"{name}.txt").write_text(course(name, 0), encoding="utf-8", newline="\n")
        (place / f"{ATLAS}.txt").write_text(atlas(PASSAGES), encoding="utf-8", newline="\n")
        with library(self.data, MadeUpVectors(None, cache), index=False) as rag:
            ingest(rag, place / f"{ATLAS}.txt")
        with library(self.data, embedder) as rag:
            ingest(rag, self.folder)
            conversation = rag.conversations.create_session()
            rag.conversations.begin_exchange(conversation, "Who is busy?", Scope(), "claude")
            list(rag.transfer.export_library(self.archive, CancelToken()))
        self.texts = {ATLAS: (place / f"{ATLAS}.txt").read_text(encoding="utf-8")}
        self.size = size_of(self.data)

    def kill(self, kind: str, moment: float) -> str:
        """Have it changed and kill that after ``moment`` seconds; return what it was doing."""
        arguments = (self.data, self.folder, self.archive, os.environ["LECTERN_CACHE_DIR"])
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.support.busy_library", kind, *map(str, arguments)],
            cwd=Path(__file__).parents[2],
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        with child:
            assert child.stdout is not None
            before: list[str] = []
            while (line := child.stdout.readline()) != "ready\n":
                assert line, "it ended before it began"
                before.append(line)
            time.sleep(moment)  # any moment will do: that is the test
            assert child.poll() is None, "it ended by itself"
            child.kill()
            after = child.stdout.read().split("\n")[:-1]
            said = [line.split() for line in (*before, *after)]
        for word, *rest in said:
            if word == "has":
                self.allowed[rest[0]] = {rest[1]}
            elif word == "will":
                self.allowed[rest[0]].add(rest[1])
        phase = [" ".join(rest) for word, *rest in said if word == "phase"][-1]
        self.figures.phases[phase] += 1
        return phase

    def check(self) -> None:
        """Open the library as the next start does, and look at everything."""
        figures = self.figures
        figures.biggest = max(figures.biggest, size_of(self.data))
        links = [path.stat().st_size for path in self.data.glob("chroma/*/link_lists.bin")]
        figures.links = max(figures.links, *links, 0)
        assert size_of(self.data) < 4 * self.size + (64 << 20)
        began = time.perf_counter()
        with library(self.data, self._embedder, index=False) as rag:
            figures.opened.append(time.perf_counter() - began)
            began = time.perf_counter()
            open_index(rag)
            figures.index.append(time.perf_counter() - began)
            self._check_indexes(rag)
            for name in (*NAMES, ATLAS):
                self._check_course(rag, name)
            assert not [path for path in self.data.iterdir() if "moving" in path.name]
            (conversation,) = rag.conversations.all()
            assert [item.question for item in rag.conversations.exchanges(conversation.id)] == [
                "Who is busy?"
            ]
        assert size_of(self.data) < 2.5 * self.size + (16 << 20)
        report = examine(self.data, Settings(), self._embedder)
        assert report.ok, report

    def go_on(self) -> None:
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
        counted = (rag.courses.counts().passages, TextIndex(rag.database).count(), rag.vector_store.count())
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
        if state == OUT:
            assert not rag.search.retrieve(f"The {name} are busy.", scope=Scope(courses=(name,))).hits
            return
        (record,) = rag.catalog.documents.of_course(name)
        text = document_text(rag, record.document_id)
        assert text == (self.texts.get(name) or course(name, int(state)))
        rows = rag.database.connection.execute(
            'SELECT start, "end", text FROM chunks WHERE document_id = ? ORDER BY start',
            (record.document_id,),
        ).fetchall()
        assert all(row["text"] == text[row["start"] : row["end"]] for row in rows)
        assert len(rows) == record.passages
        assert text[max(row["end"] for row in rows) :].strip() == ""
        hit = rag.search.retrieve(
            f"The {name} of version {state} are busy.", scope=Scope(courses=(name,))
        ).hits[0]
        assert hit.text == text[hit.start : hit.end]
        assert hit.course_title == name


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_a_killed_process_leaves_the_library_whole(tmp_path: Path, embedder: KeptEmbedder) -> None:
    drill = Drill(tmp_path, embedder)
    choose = random.Random(SEED)
    for number in range(KILLS):
        kind = list(KINDS)[number % len(KINDS)]
        moment = choose.uniform(0, KINDS[kind])
        phase = drill.kill(kind, moment)
        try:
            drill.check()
            if kind == "read":
                drill.go_on()
        except AssertionError as error:
            pytest.fail(f"kill {number} (seed {SEED}), {kind} after {moment:.3f} s, {phase}: {error}")
        if number % 20 == 19 or number == KILLS - 1:
            sys.stdout.write(f"\n{drill.figures}")
            sys.stdout.flush()
