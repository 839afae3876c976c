"""What the first lines of a file say, before it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.courses.placement import own_title, peek
from app.core.documents.document_processor import DocumentProcessor
from app.domain.courses import Facts

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def processor() -> DocumentProcessor:
    return DocumentProcessor()


@pytest.mark.parametrize(
    ("name", "text", "facts"),
    [
        (
            "README.md",
            '<h1 align="center">\n  <b>The cell</b>\n  <br>and more\n</h1>\n\n## Videos → moved\n\nText.\n',
            Facts(None, "The cell and more"),
        ),
        ("notes.md", "[[cell]]\n# [[_the_cell]]The cell\n\nText.\n", Facts(None, "The cell")),
        ("chapter22.md", "A.\n\nB.\n\nC.\n\nD.\n\nE.\n\n## The cell\n\nText.\n", Facts(None, "The cell")),
        ("cells.md", "A.\n\nB.\n\nC.\n\nD.\n\nE.\n\n## The cell\n\nText.\n", Facts()),
        ("notes.md", "# The cell #\n\nText.\n", Facts(None, "The cell")),
        ("notes.txt", "Course Title: Cells\n\nLesson 1: A\nText.\n", Facts("Cells", "Lesson 1: A", True)),
        ("notes.txt", "Only text.\n", Facts()),
        ("notes.pdf", "Course Title: Cells\n", Facts()),
    ],
)
def test_header_and_heading(
    tmp_path: Path, processor: DocumentProcessor, name: str, text: str, facts: Facts
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert peek(tmp_path / name, processor, None) == facts


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_encodings_with_a_mark(tmp_path: Path, processor: DocumentProcessor, encoding: str) -> None:
    (tmp_path / "notes.txt").write_text("Course Title: Café\r\n\r\nText.\r\n", encoding=encoding, newline="")
    assert own_title(tmp_path / "notes.txt", processor) == "Café"


def test_what_cannot_be_opened_says_nothing(tmp_path: Path, processor: DocumentProcessor) -> None:
    (tmp_path / "folder.md").mkdir()
    for name in ("folder.md", "gone.md", "odd\0name.md"):
        assert peek(tmp_path / name, processor, None) == Facts()


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "[![built](a.svg)](b)\n\n![A leaf](leaf.png)\n\nBy Ada.\n\nAs PDF.\n\nFor you.\n\n# The cell\n",
            "The cell",
        ),
        ("# 1\n\n## The cell\n\nText.\n", "The cell"),
        ("# (1)\n\nText.\n", ""),
        ("# 2.1\n\nText.\n", ""),
        ("# [The cell](cell.md) <a name='cell'></a>\n\nText.\n", "The cell"),
        ("## [The cell][1] and **you** {#cell}\n\nText.\n", "The cell and you"),
        ('---\nlayout: lecture\ntitle: "The *cell*"\n---\n\n# Of life\n', "The cell"),
        ("---\ntitle: 3\n---\n\n# The cell\n", "The cell"),
        # A heading below the text is that of a part.
        ("All cells have a wall.\n\nOr none.\n\nOr both.\n\nOr two.\n\n## Walls\n\nText.\n", ""),
    ],
)
def test_titles_of_markdown(tmp_path: Path, processor: DocumentProcessor, text: str, title: str) -> None:
    (tmp_path / "notes.md").write_text(text, encoding="utf-8")
    assert peek(tmp_path / "notes.md", processor, None).heading == title


def test_a_comment_in_a_text_file_is_no_title(tmp_path: Path, processor: DocumentProcessor) -> None:
    text = "import sys\n\nimport os\n\nx = 1\n\ny = 2\n\n# Chapter of accidents\n"
    (tmp_path / "notes.txt").write_text(text, encoding="utf-8")
    assert peek(tmp_path / "notes.txt", processor, None).heading == ""
