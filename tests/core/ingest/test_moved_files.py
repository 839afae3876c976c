"""Files moved, renamed or exchanged between runs: which passages are embedded again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from tests.support.courses import BREAD, TIDES, TITLES, ingest, outcome, write_courses

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem


@pytest.fixture
def courses(rag: RAGSystem, tmp_path: Path) -> Path:
    """A folder of three courses."""
    folder = write_courses(tmp_path / "courses")
    rag.courses.remove_courses(TITLES, _token())
    for _ in rag.trash.empty(_token()):
        pass
    ingest(rag, folder)
    return folder


def _token() -> CancelToken:
    return CancelToken()


def test_a_renamed_folder_chosen_again_is_not_embedded(rag: RAGSystem, courses: Path) -> None:
    courses.rename(courses.with_name("renamed"))
    done = ingest(rag, courses.with_name("renamed"))
    assert set(outcome(done.files).values()) == {"moved"}
    assert done.passages_embedded == 0
    assert sorted(rag.catalog.courses.titles()) == TITLES
    assert {record.path.startswith(f"{courses}/") for record in rag.catalog.documents.files().values()} == {
        False
    }


def test_two_files_that_exchange_their_contents(rag: RAGSystem, courses: Path) -> None:
    (courses / "bread.txt").write_text(TIDES, encoding="utf-8", newline="\n")
    (courses / "tides.txt").write_text(BREAD, encoding="utf-8", newline="\n")
    done = ingest(rag, courses)
    assert outcome(done.files) == {"bread.txt": "moved", "ink.md": "unchanged", "tides.txt": "moved"}
    assert done.passages_embedded == 0
    assert rag.search.retrieve("sourdough starter").hits[0].path == str(courses / "tides.txt")
    assert rag.search.retrieve("neap tides").hits[0].path == str(courses / "bread.txt")
    assert sorted(rag.catalog.courses.titles()) == TITLES
    assert set(outcome(ingest(rag, courses).files).values()) == {"unchanged"}


def test_a_file_replaced_by_a_folder(rag: RAGSystem, courses: Path) -> None:
    (courses / "tides.txt").unlink()
    (courses / "tides.txt").mkdir()
    (courses / "tides.txt" / "moon.txt").write_text(TIDES, encoding="utf-8", newline="\n")
    done = ingest(rag, courses)
    assert outcome(done.files)["moon.txt"] == "moved"
    assert done.passages_embedded == 0
    assert rag.search.retrieve("neap tides").hits[0].path == str(courses / "tides.txt" / "moon.txt")


def test_a_renaming_that_only_changes_case(rag: RAGSystem, courses: Path) -> None:
    (courses / "tides.txt").rename(courses / "Tides.TXT")
    done = ingest(rag, courses)
    assert outcome(done.files)["Tides.TXT"] == "moved"
    assert done.passages_embedded == 0
    assert rag.courses.counts().documents == 3
    assert [entry.name for entry in courses.iterdir() if entry.name.lower() == "tides.txt"] == ["Tides.TXT"]
