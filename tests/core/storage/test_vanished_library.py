"""A library deleted, moved or replaced while it is open: said at once, and nothing is added into nowhere."""

from __future__ import annotations

import shutil
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from app.core.storage.database import Database
from app.domain.cancel import CancelToken
from app.domain.errors import LibraryUnusable
from app.domain.events import FileDone, IngestDone
from app.domain.scope import Scope
from tests.support.courses import FILES, library, write_courses

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.events import IngestEvent
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="open files cannot vanish there")
GONE = r"was deleted, moved or replaced while it was open, so nothing more can be saved\."


def move_library(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))


def delete_file(folder: Path) -> None:
    (folder / "library.sqlite3").unlink()


def replace_file(folder: Path) -> None:
    copy = folder / "copy"
    shutil.copyfile(folder / "library.sqlite3", copy)
    copy.replace(folder / "library.sqlite3")


def replace_folder(folder: Path) -> None:
    move_library(folder)
    shutil.copytree(folder.with_name("elsewhere"), folder)


WAYS = [shutil.rmtree, move_library, delete_file, replace_file, replace_folder]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "data")
    database.open()
    database.set_meta("colour", "green")
    yield database
    database.close()


def contents(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*")) if folder.exists() else []


@pytest.mark.parametrize("way", WAYS)
def test_nothing_is_written_or_read_any_more(opened: Database, way: Callable[[Path], None]) -> None:
    way(opened.data_dir)
    left = contents(opened.data_dir)
    with pytest.raises(LibraryUnusable, match=GONE):
        opened.set_meta("colour", "blue")
    with pytest.raises(LibraryUnusable, match=GONE):
        opened.meta("colour")
    opened.close()
    assert contents(opened.data_dir) == left, "something was created in its place"


def test_another_thread_creates_no_empty_library(opened: Database) -> None:
    delete_file(opened.data_dir)
    failures: list[LibraryUnusable] = []

    def write() -> None:
        with pytest.raises(LibraryUnusable, match=GONE) as caught:
            opened.set_meta("colour", "blue")
        failures.append(caught.value)

    thread = threading.Thread(target=write)
    thread.start()
    thread.join()
    assert len(failures) == 1
    assert not (opened.data_dir / "library.sqlite3").exists()


def test_a_library_that_is_put_back_goes_on(opened: Database) -> None:
    move_library(opened.data_dir)
    with pytest.raises(LibraryUnusable, match=GONE):
        opened.set_meta("colour", "blue")
    opened.data_dir.with_name("elsewhere").rename(opened.data_dir)
    opened.set_meta("colour", "red")
    opened.close()
    again = Database(opened.data_dir)
    again.open()
    assert again.meta("colour") == "red"
    again.close()


def test_a_library_deleted_during_a_transaction_commits_nothing(opened: Database) -> None:
    with pytest.raises(LibraryUnusable, match=GONE), opened.transaction() as connection:
        connection.execute("UPDATE meta SET value = 'blue'")
        move_library(opened.data_dir)
    opened.close()
    again = Database(opened.data_dir.with_name("elsewhere"))
    again.open()
    assert again.meta("colour") == "green"
    again.close()


@pytest.mark.parametrize("replaced", [False, True])
def test_a_deleted_lock_file_is_noticed(opened: Database, replaced: bool) -> None:
    (opened.data_dir / "lectern.lock").unlink()
    if replaced:
        second = Database(opened.data_dir)
        second.open()
        second.close()
    with pytest.raises(LibraryUnusable, match=r"The lock file of the library in .* was deleted"):
        opened.set_meta("colour", "blue")
    opened.close()
    again = Database(opened.data_dir)
    again.open()
    assert again.meta("colour") == "green"
    again.close()


def test_a_reader_notices_too(opened: Database) -> None:
    reader = Database(opened.data_dir, read_only=True)
    reader.open()
    (opened.data_dir / "lectern.lock").unlink()
    assert reader.meta("colour") == "green", "a reader has no lock"
    replace_file(opened.data_dir)
    with pytest.raises(LibraryUnusable, match=GONE):
        reader.meta("colour")
    reader.close()


@pytest.mark.parametrize("way", [shutil.rmtree, move_library])
def test_files_are_not_added_into_nowhere(
    data_dir: Path, embedder: KeptEmbedder, tmp_path: Path, way: Callable[[Path], None]
) -> None:
    folder = write_courses(tmp_path / "new")
    for name in FILES:
        path = folder / name
        path.write_text(path.read_text(encoding="utf-8").replace("Title: ", "Title: New "), encoding="utf-8")
    events: list[IngestEvent] = []
    with library(data_dir, embedder) as rag:
        with pytest.raises(LibraryUnusable, match=GONE):
            for event in rag.ingest.add_course_folder([folder], CancelToken()):
                events.append(event)
                if isinstance(event, FileDone):
                    way(data_dir)
        assert len([event for event in events if isinstance(event, FileDone)]) == 1
        assert not [event for event in events if isinstance(event, IngestDone)]
        with pytest.raises(LibraryUnusable, match=GONE):
            rag.search.retrieve("what is a sourdough starter?")
    assert not data_dir.exists()


def test_a_question_is_not_stored_into_nowhere(rag: RAGSystem, data_dir: Path) -> None:
    conversation = rag.conversations.create_session()
    shutil.rmtree(data_dir)
    with pytest.raises(LibraryUnusable, match=GONE):
        rag.conversations.begin_exchange(conversation, "Anyone there?", Scope(), "claude")
    with pytest.raises(LibraryUnusable, match=GONE):
        rag.conversations.create_session()
