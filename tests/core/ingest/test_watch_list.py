"""Watched paths, and files that the user removed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.core.ingest.watcher import WatchList
from app.domain.events import WatchedPath

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem


@pytest.fixture
def watch_list(rag: RAGSystem) -> WatchList:
    found = WatchList(rag.database)
    found.clear()
    return found


def folder_of(rag: RAGSystem) -> Path:
    return Path(next(iter(rag.catalog.documents.files()))).parent


def test_chosen_paths_are_watched_until_stopped(watch_list: WatchList, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two.txt").write_text("Two.", encoding="utf-8")
    watch_list.add([tmp_path / "one", tmp_path / "two.txt", tmp_path / "nothing"])
    one, two = WatchedPath(tmp_path / "one", True), WatchedPath(tmp_path / "two.txt", False)
    assert watch_list.paths() == (one, two)
    watch_list.stop(tmp_path / "one")
    assert watch_list.paths() == (two,)


def test_paths_in_a_watched_folder_are_watched_with_it(watch_list: WatchList, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "a.txt").write_text("A.", encoding="utf-8")
    (tmp_path / "innermost.txt").write_text("B.", encoding="utf-8")
    watch_list.add([inner])
    watch_list.add([inner / "a.txt"])
    assert watch_list.paths() == (WatchedPath(inner, True),)
    watch_list.add([tmp_path / "innermost.txt", tmp_path])
    assert watch_list.paths() == (WatchedPath(tmp_path, True),)


def test_the_state_of_a_folder_is_stored_while_it_is_watched(watch_list: WatchList, tmp_path: Path) -> None:
    watch_list.add([tmp_path])
    found = WatchedPath(tmp_path, True, "1234", True)
    watch_list.mark_synced(found)
    assert watch_list.paths() == (found,)
    watch_list.add([tmp_path])  # so it must be read again completely
    assert watch_list.paths() == (WatchedPath(tmp_path, True, "", True),)
    watch_list.stop(tmp_path)
    watch_list.mark_synced(found)
    assert watch_list.paths() == ()


def test_removed_files_stay_out_until_chosen_again(watch_list: WatchList, rag: RAGSystem) -> None:
    folder = folder_of(rag)
    watch_list.add([folder])
    record = rag.catalog.documents.files()[str(folder / "bread.txt")]
    watch_list.exclude([record.document_id])
    assert watch_list.removed() == frozenset()  # its document is not in the trash yet
    rag.catalog.documents.trash([record.document_id])
    assert watch_list.removed() == {record.path}
    watch_list.add([folder / "tides.txt"])
    assert watch_list.removed() == {record.path}
    watch_list.add([folder])
    assert watch_list.removed() == frozenset()


def test_an_emptied_folder_is_watched_again_once_a_document_is_restored(
    watch_list: WatchList, rag: RAGSystem
) -> None:
    folder = folder_of(rag)
    watch_list.add([folder])
    keys = [record.document_id for record in rag.catalog.documents.files().values()]
    watch_list.exclude(keys)
    rag.catalog.documents.trash(keys)
    assert watch_list.paths() == ()
    watch_list.readmit(keys)
    assert [item.path for item in watch_list.paths()] == [folder]
