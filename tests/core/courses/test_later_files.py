"""Folders that change after they were read, and libraries that earlier versions read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.courses import Corrections
from tests.core.courses.test_one_course import put, put_all
from tests.core.ingest.test_sync import sync_folders
from tests.support.courses import ingest, last_report, library, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as opened:
        yield opened


@pytest.fixture
def uni(tmp_path: Path) -> Path:
    """The chosen folder."""
    return (tmp_path / "uni").resolve()


def courses(rag: RAGSystem) -> dict[str, list[str]]:
    """Return the names of the files of each course."""
    found: dict[str, list[str]] = {}
    for file in rag.courses.files():
        found.setdefault(file.course_title, []).append(Path(file.path).name)
    return found


def test_translations_of_a_removed_file_stay_unread(rag: RAGSystem, uni: Path) -> None:
    put_all(uni, "notes.md", "notes.de.md", "other.md")
    ingest(rag, uni)
    rag.courses.remove_files([str(uni / "notes.md")], CancelToken())
    put(uni / "new.md")
    assert outcome(sync_folders(rag).files) == {
        "new.md": "added",
        "notes.de.md": "skipped",
        "other.md": "unchanged",
    }


def test_a_readme_still_being_copied_makes_one_course(rag: RAGSystem, uni: Path) -> None:
    put_all(uni, "a.md")
    ingest(rag, uni)
    put_all(uni, "Beginnings/b.md", "README.md")
    sync_folders(rag, unsettled=frozenset({str(uni / "README.md")}))
    assert courses(rag) == {"uni": ["b.md", "a.md"]}
    sync_folders(rag)
    put_all(uni, "Endings/c.md")
    sync_folders(rag)
    assert courses(rag) == {"uni": ["b.md", "c.md", "README.md", "a.md"]}


def test_a_rebuild_keeps_what_the_user_decided(rag: RAGSystem, uni: Path) -> None:
    put_all(uni, "Beginnings/a.md", "Endings/b.md")
    decided = Corrections(one_course=((str(uni), True),))
    last_report(rag.ingest.add_course_folder([uni], CancelToken(), corrections=decided))
    ingest(rag, uni, clear=True)
    assert courses(rag) == {"uni": ["a.md", "b.md"]}


def test_a_syllabus_that_comes_later_leaves_a_course_its_name(rag: RAGSystem, uni: Path) -> None:
    put_all(uni, "01 a.md", "02 b.md")
    ingest(rag, uni)
    put(uni / "Syllabus.md", "# What we do in autumn\n\nFirst this, then that.\n")
    sync_folders(rag)
    assert courses(rag) == {"uni": ["01 a.md", "02 b.md", "Syllabus.md"]}


def test_source_code_that_was_read_stays_when_it_is_renamed(rag: RAGSystem, uni: Path) -> None:
    put_all(uni, "notes.md", "loops.py")
    ingest(rag, uni)
    put_all(uni, *(f"task{number}.py" for number in range(12)))
    (uni / "loops.py").rename(uni / "for loops.py")
    sync_folders(rag)
    assert courses(rag) == {"uni": ["for loops.py", "notes.md"]}
    (uni / "for loops.py").write_text("print('once more')\n", encoding="utf-8")
    assert outcome(sync_folders(rag).files)["for loops.py"] == "changed"
