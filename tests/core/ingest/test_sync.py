"""Syncing changes in watched folders."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from app.core.ingest.watcher import WatchList, scan
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import UserError
from app.domain.events import FolderSettled, WatchedPath
from tests.support.courses import BREAD, TITLES, ingest, last_report, library, outcome, write_courses

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.events import IngestDone
    from tests.support.courses import KeptEmbedder

NOTES = "Course Title: Notes\n\nLesson 1: Salt\nSalt slows the yeast down and strengthens the dough.\n"


@pytest.fixture
def courses(tmp_path: Path) -> Path:
    return write_courses(tmp_path / "courses")


@pytest.fixture
def kept(courses: Path, tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """A library that watches the folder of courses."""
    with library(tmp_path / "data", embedder) as rag:
        ingest(rag, courses)
        yield rag


def sync_folders(rag: RAGSystem, *folders: Path, unsettled: frozenset[str] = frozenset()) -> IngestDone:
    """Sync the current state of watched folders, as after an event of the watcher."""
    changes = []
    for watched in rag.ingest.watched():
        if watched.path in folders or not folders:
            found = scan(watched, CancelToken())
            assert found is not None
            now = WatchedPath(watched.path, watched.is_folder, found.fingerprint(), found.is_mount)
            changes.append(FolderSettled(now, unsettled))
    return last_report(rag.ingest.sync_folders(changes, CancelToken()))


def test_a_changed_paragraph_is_embedded_and_nothing_else(kept: RAGSystem, courses: Path) -> None:
    text = BREAD.replace("It is fed once a day.", "It is fed twice a day in summer.")
    (courses / "bread.txt").write_text(text, encoding="utf-8", newline="\n")
    done = sync_folders(kept)
    assert outcome(done.files) == {"bread.txt": "changed", "ink.md": "unchanged", "tides.txt": "unchanged"}
    assert done.passages_embedded == 1
    assert "twice a day" in kept.search.retrieve("how often is a starter fed?").hits[0].text
    # It is not read again, even after a restart.
    (watched,) = kept.ingest.watched()
    found = scan(watched, CancelToken())
    assert found is not None
    assert watched.fingerprint == found.fingerprint()


def test_files_without_an_extension_are_followed(kept: RAGSystem, courses: Path) -> None:
    (courses / "README").write_text("Salt slows the yeast down.\n", encoding="utf-8")
    assert outcome(sync_folders(kept).files)["README"] == "added"
    (watched,) = kept.ingest.watched()
    (courses / "README").write_text("Salt strengthens the dough as well.\n", encoding="utf-8")
    found = scan(watched, CancelToken())
    assert found is not None
    assert watched.fingerprint != found.fingerprint()


def test_a_deleted_file_goes_to_the_trash(kept: RAGSystem, courses: Path) -> None:
    (courses / "tides.txt").unlink()
    assert outcome(sync_folders(kept).files)["tides.txt"] == "removed"
    assert kept.search.retrieve("spring tides", "Tides").hits == ()
    (entry,) = kept.trash.entries()
    assert entry.course_title == "Tides and Currents"


def test_a_file_that_comes_back_is_read_again(kept: RAGSystem, courses: Path) -> None:
    text = (courses / "tides.txt").read_bytes()
    (courses / "tides.txt").unlink()
    sync_folders(kept)
    (courses / "tides.txt").write_bytes(text)
    assert outcome(sync_folders(kept).files)["tides.txt"] == "added"


def test_files_still_being_written_are_ignored(kept: RAGSystem, courses: Path) -> None:
    (courses / "bread.txt").write_text(BREAD.replace("sourdough", "half a word"), encoding="utf-8")
    (courses / "notes.txt").write_text(NOTES, encoding="utf-8")
    (courses / "tides.txt").unlink()
    written = frozenset(str(courses / name) for name in ("bread.txt", "notes.txt"))
    files = outcome(sync_folders(kept, unsettled=written).files)
    assert files == {"bread.txt": "unchanged", "ink.md": "unchanged", "tides.txt": "removed"}
    assert "half a word" not in kept.search.retrieve("sourdough starter").hits[0].text
    files = outcome(sync_folders(kept).files)
    assert files == {"bread.txt": "changed", "ink.md": "unchanged", "notes.txt": "added"}


def test_removed_files_stay_out_until_chosen_again(kept: RAGSystem, courses: Path) -> None:
    kept.courses.remove_courses(["Bread Baking at Home"], CancelToken())
    (courses / "notes.txt").write_text(NOTES, encoding="utf-8")
    files = outcome(sync_folders(kept).files)
    assert files == {"ink.md": "unchanged", "notes.txt": "added", "tides.txt": "unchanged"}
    assert outcome(ingest(kept, courses).files)["bread.txt"] == "added"
    assert outcome(sync_folders(kept).files)["bread.txt"] == "unchanged"


def test_restored_files_are_synced_again(kept: RAGSystem, courses: Path) -> None:
    kept.courses.remove_courses(TITLES, CancelToken())
    assert kept.ingest.watched() == ()
    documents = [key for entry in kept.trash.entries() for key in entry.documents]
    for _ in kept.trash.restore(documents, CancelToken()):
        pass
    (courses / "bread.txt").write_text(BREAD + "\nLesson 3: Baking\nBake it hot.\n", encoding="utf-8")
    assert outcome(sync_folders(kept).files)["bread.txt"] == "changed"


def test_a_file_moved_to_another_watched_folder_is_not_embedded(
    kept: RAGSystem, courses: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "notes.txt").write_text(NOTES, encoding="utf-8")
    ingest(kept, other)
    (courses / "tides.txt").rename(other / "tides.txt")
    done = sync_folders(kept)
    assert outcome(done.files)["tides.txt"] == "moved"
    assert done.passages_embedded == 0
    assert kept.trash.entries() == ()
    assert kept.search.retrieve("spring tides", "Tides").hits[0].path == str(other / "tides.txt")


def test_a_single_file_is_synced(tmp_path: Path, embedder: KeptEmbedder) -> None:
    file = (tmp_path / "notes.txt").resolve()
    file.write_text(NOTES, encoding="utf-8")
    with library(tmp_path / "data", embedder) as rag:
        ingest(rag, file)
        file.write_text(NOTES + "\nLesson 2: Sugar\nSugar feeds the yeast.\n", encoding="utf-8")
        assert outcome(sync_folders(rag).files) == {"notes.txt": "changed"}
        file.unlink()
        assert outcome(sync_folders(rag).files) == {"notes.txt": "removed"}
        assert rag.courses.counts().documents == 0


def test_a_folder_that_disappears_before_reading_loses_nothing(kept: RAGSystem, courses: Path) -> None:
    (watched,) = kept.ingest.watched()
    courses.rename(courses.with_name("away"))
    done = last_report(kept.ingest.sync_folders([FolderSettled(watched)], CancelToken()))
    assert done.files == ()
    assert kept.courses.counts().documents == 3


def test_a_disconnected_drive_loses_nothing_and_is_named(kept: RAGSystem, courses: Path) -> None:
    (watched,) = kept.ingest.watched()
    WatchList(kept.database).mark_synced(WatchedPath(watched.path, True, "", was_mount=True))
    (watched,) = kept.ingest.watched()
    for file in courses.iterdir():
        file.unlink()
    done = last_report(kept.ingest.sync_folders([FolderSettled(watched)], CancelToken()))
    assert done.files == ()
    with pytest.raises(UserError, match="drive or share is not connected"):
        ingest(kept, courses)
    assert kept.courses.counts().documents == 3


def test_a_folder_replaced_by_a_file_loses_nothing(kept: RAGSystem, courses: Path) -> None:
    (watched,) = kept.ingest.watched()
    shutil.rmtree(courses)
    courses.write_text("a file", encoding="utf-8")
    assert last_report(kept.ingest.sync_folders([FolderSettled(watched)], CancelToken())).files == ()
    assert kept.courses.counts().documents == 3


def test_a_cleared_library_watches_only_the_new_folders(
    kept: RAGSystem, courses: Path, tmp_path: Path
) -> None:
    (tmp_path / "notes.txt").write_text(NOTES, encoding="utf-8")
    ingest(kept, tmp_path / "notes.txt", clear=True)
    assert [item.path for item in kept.ingest.watched()] == [(tmp_path / "notes.txt").resolve()]


def test_an_interrupted_sync_does_not_mark_the_folder_as_synced(kept: RAGSystem, courses: Path) -> None:
    (watched,) = kept.ingest.watched()
    assert watched.fingerprint == ""
    sync_folders(kept)
    (before,) = kept.ingest.watched()
    (courses / "notes.txt").write_text(NOTES, encoding="utf-8")
    token = CancelToken()
    token.cancel()
    changed = FolderSettled(WatchedPath(courses, True, "other"))
    with pytest.raises(Cancelled):
        last_report(kept.ingest.sync_folders([changed], token))
    assert kept.ingest.watched() == (before,)


def test_samples_are_not_watched(tmp_path: Path, embedder: KeptEmbedder) -> None:
    with library(tmp_path / "data", embedder) as rag:
        for _ in rag.ingest.add_course_folder([write_courses(tmp_path / "a")], CancelToken(), is_sample=True):
            pass
        assert rag.ingest.watched() == ()
