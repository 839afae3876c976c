"""Files whose readers end: read again alone, and remembered only if they are to blame."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

import pytest

from app.core.ingest.watcher import scan
from app.domain.cancel import CancelToken
from app.domain.events import FolderSettled, IngestDone, WatchedPath
from tests.support.courses import ingest, last_report, library, outcome, reasons, write_courses
from tests.support.ended_readers import readers_ended_by

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes end in other ways there")

if sys.platform != "win32":
    KILLED, CRASHED, OVERSPENT = signal.SIGKILL, signal.SIGSEGV, signal.SIGXCPU


@pytest.fixture
def empty(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as rag:
        yield rag


@pytest.fixture
def courses(tmp_path: Path) -> Path:
    return write_courses(tmp_path / "courses")


@pytest.mark.parametrize("name", ["KILLED", "CRASHED", "OVERSPENT"])
def test_a_file_whose_reader_ends_is_read_again(empty: RAGSystem, courses: Path, name: str) -> None:
    with readers_ended_by(globals()[name]):
        events = list(empty.ingest.add_course_folder([courses], CancelToken()))
    done = events[-1]
    assert isinstance(done, IngestDone)
    assert outcome(done.files) == {"ink.md": "added", "tides.txt": "added", "bread.txt": "added"}
    assert not empty.ingest.failures()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (
            "CRASHED",
            "Reading bread.txt failed again and again, so it was left out. "
            "Save a new copy, or save it as PDF.",
        ),
        (
            "OVERSPENT",
            "bread.txt took more than 60 seconds to read, so reading it was stopped. "
            "Split it into smaller files.",
        ),
    ],
)
def test_what_fails_the_same_way_alone_is_remembered(
    empty: RAGSystem, courses: Path, name: str, sentence: str
) -> None:
    bread = courses / "bread.txt"
    with readers_ended_by(globals()[name], globals()[name]):
        done = ingest(empty, bread)
    assert reasons(done.files) == {"bread.txt": sentence}
    assert reasons(empty.ingest.failures()) == {"bread.txt": sentence}
    assert outcome(ingest(empty, courses).files)["bread.txt"] == "failed"
    again = last_report(empty.ingest.retry([courses], CancelToken()))
    assert outcome(again.files)["bread.txt"] == "added"
    assert not empty.ingest.failures()


@pytest.mark.parametrize("names", [("KILLED", "KILLED"), ("CRASHED", "KILLED")])
def test_what_remains_undecided_is_read_by_the_next_run(
    empty: RAGSystem, courses: Path, names: tuple[str, str]
) -> None:
    with readers_ended_by(*(globals()[name] for name in names)):
        done = ingest(empty, courses / "bread.txt")
    assert outcome(done.files) == {"bread.txt": "failed"}
    assert not empty.ingest.failures()
    assert outcome(ingest(empty, courses).files)["bread.txt"] == "added"


def test_a_folder_with_an_undecided_file_is_synced_again(empty: RAGSystem, courses: Path) -> None:
    ingest(empty, courses)
    (courses / "bread.txt").write_text("Course Title: Bread\n\nRye needs more water.\n", encoding="utf-8")

    def sync() -> IngestDone:
        (watched,) = empty.ingest.watched()
        found = scan(watched, CancelToken())
        assert found is not None
        now = WatchedPath(watched.path, True, found.fingerprint(), found.is_mount)
        return last_report(empty.ingest.sync_folders([FolderSettled(now)], CancelToken()))

    def is_up_to_date() -> bool:
        (watched,) = empty.ingest.watched()
        found = scan(watched, CancelToken())
        return found is not None and watched.fingerprint == found.fingerprint()

    with readers_ended_by(KILLED, KILLED):
        done = sync()
    assert reasons(done.files)["bread.txt"] == (
        "bread.txt was not read, perhaps for lack of memory. Lectern will try again."
    )
    assert not is_up_to_date()
    assert outcome(sync().files)["bread.txt"] == "changed"
    assert is_up_to_date()
