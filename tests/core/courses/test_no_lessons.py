"""Files in a course's folder that are no lessons."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.core.courses.left_out import no_lessons
from app.domain.cancel import CancelToken
from app.domain.courses import Corrections
from tests.support.courses import last_report, library

if TYPE_CHECKING:
    from tests.support.courses import KeptEmbedder


def left_out(*names: str, size: int = 500) -> dict[str, str]:
    found = no_lessons({f"/c/{name}": size for name in names}, "/c")
    return {path.removeprefix("/c/"): reason.id for path, reason in found.items()}


@pytest.mark.parametrize(
    "name",
    [
        "LICENSE",
        "License.md",
        "LICENSE-CODE.txt",
        "week1/AUTHORS.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "code_of_conduct.md",
        "requirements.txt",
        "labs/requirements-dev.txt",
        "environment_requirements.txt",
        "SECURITY.md",
        "CMakeLists.txt",
        "404.html",
    ],
)
def test_files_about_the_repository(name: str) -> None:
    assert left_out(name, "README.md", "week1/a.md") == {name: "ingest.no_lesson"}


def test_covers_of_courses() -> None:
    covers = "cover.png", "Sailing/Folder.jpg", "Sailing/thumbnail_01.webp"
    assert left_out(*covers, "covering letters.png", "Sailing/a.txt") == dict.fromkeys(
        covers, "ingest.no_lesson"
    )


@pytest.mark.parametrize(
    "name",
    [
        "security.md",
        "history.md",
        "licensing of software.md",
        "requirements engineering.txt",
        "requirements_of_life.txt",
        "week1/notes.txt",
        "the authors of the Bible.md",
        "data structures/lists.md",
        "data/README.md",
        "table of elements.csv",
        "cover.pdf",
    ],
)
def test_lessons_with_similar_names(name: str) -> None:
    assert left_out(name, "README.md") == {}


def test_data_and_what_belongs_to_programs() -> None:
    assert left_out(
        "README.md",
        "week1/data/words.txt",
        "datasets/flowers.csv",
        "_layouts/page.html",
        "vendor/lib/docs/guide.md",
    ) == {
        "week1/data/words.txt": "ingest.data_file",
        "datasets/flowers.csv": "ingest.data_file",
        "_layouts/page.html": "ingest.of_a_program",
        "vendor/lib/docs/guide.md": "ingest.of_a_program",
    }
    assert left_out("a.csv", size=200_000) == {"a.csv": "ingest.data_file"}


def test_scripts_that_build_a_course() -> None:
    assert left_out("copy_files.sh", "watch.PS1", "README.md", "src/1/cells.md") == {
        "copy_files.sh": "ingest.of_a_program",
        "watch.PS1": "ingest.of_a_program",
    }
    assert left_out("01 loops.sh", "02 pipes.sh", "README.md") == {}
    assert left_out("loops.md", "loops.sh", "week2/pipes.md", "week2/pipes.sh") == {}


def test_pictures_that_a_text_shows() -> None:
    shown = ("notes/board.png", "notes/week 1/leaf.JPG", "Images/map.webp", "slides_files/plot.gif")
    found = left_out(*shown, "notes/01 Plants.md", "README.md", "logo.png", "scans/page 1.tif")
    assert found == dict.fromkeys((*shown, "logo.png"), "ingest.illustration")
    assert left_out("images/map.png", "page 2.jpeg", "Script.pdf", "README.pdf") == {}


def test_a_folder_that_may_be_a_course_keeps_its_readme() -> None:
    assert left_out("Biology/README.md", "Biology/LICENSE", "Chemistry/1.md") == {
        "Biology/LICENSE": "ingest.no_lesson"
    }


def test_what_is_left_out_is_listed_and_can_be_read(
    tmp_path: Path, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "de_DE:en")
    folder = (tmp_path / "Ferns").resolve()
    folder.mkdir()
    texts = {"1.md": "Ferns have no seeds.", "1.de.md": "Farne haben keine Samen.", "LICENSE.md": "Free."}
    for name, text in texts.items():
        (folder / name).write_text(text + "\n", encoding="utf-8")
    with library(tmp_path / "library", embedder, index=False) as rag:
        plan = rag.ingest.plan([folder], CancelToken())
        assert [(Path(item.path).name, str(item.reason), item.optional) for item in plan.left_out] == [
            ("1.md", "It is read in another language.", True),
            ("LICENSE.md", "Its name says it isn't a lesson.", True),
        ]
        wanted = Corrections(taken_in=(str(folder / "1.md"),))
        last_report(rag.ingest.add_course_folder([folder], CancelToken(), corrections=wanted))
        assert [Path(path).name for path in rag.courses.all()[0].files] == ["1.de.md", "1.md"]
        (folder / "1.md").write_text("Ferns have spores instead of seeds.\n", encoding="utf-8")
        assert rag.ingest.plan([folder], CancelToken()).to_read == 1  # it stays included
