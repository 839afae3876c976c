"""Four times the text takes about four times as long, never sixteen times, whatever the text is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.readers.captions import read_captions
from app.core.documents.readers.latex import read_latex
from app.core.documents.readers.line_markup import read_asciidoc, read_org, read_rst
from app.core.documents.readers.markdown import read_markdown
from app.core.documents.readers.source_code import read_source_code
from app.core.documents.text.markdown_structure import heading_marks
from app.core.documents.text.passages import ChunkSettings, chunk_document, document_sentences
from app.core.search.pieces import cut_pieces
from app.domain.documents import DocumentText

if TYPE_CHECKING:
    from collections.abc import Callable

# Coverage slows down what is timed here, and so do collections of garbage.
pytestmark = [pytest.mark.slow, pytest.mark.no_cover, pytest.mark.usefixtures("no_collections")]

PROSE = "This is a sentence of a lecture. It was said by Dr. Smith in the U.S. in 1984, e.g. here! "
UNITS = {
    "one line": PROSE,
    "wrapped": PROSE.replace(" in ", "\n") + "\n",
    "no stops": "word ",
    "no spaces": "x",
    "no ASCII": "これは文です。",
    "accents": "e\u0301",
    "stops": ".",
    "spaced stops": ". ",
    "initials": "J. K. ",
    "quotations": '."',
    "opening": '. "(["',
    "questions": "?! ",
    "spaces": "word." + " " * 200,
    "blank lines": "a\n\n\n\n",
    "backticks": "`",
    "open fences": "```\ntext\n~~~\n````\n",
    "hashes": "#",
    "headings": "# *a **b\n",
    "underlines": "a\n===\n",
    "items": "- a. B\n",
    "markers": "Lesson 1: A\n",
    "lessons": "Lesson 1: A\ntext, more. Text\n",
    "links": "Lesson 1\n \n \n",
    "brackets": "# [[[(((\n",
    "links of Markdown": "[a](b 'c",
    "nested brackets": "[x[a]![",
    "comments": "<!-- `<!--` ",
    "tags": "<b a='",
    "formulas": "$a](b$",
    "indented fences": "- a\n\n     ```b\n   > ~~~\n",
}


def seconds(work: Callable[[str], object], text: str) -> float:
    begin = time.thread_time()
    work(text)
    return time.thread_time() - begin


def read_whole(text: str) -> int:
    document = read_markdown(text.encode())
    parsed = DocumentProcessor().parse(document, "file.md")
    return len(chunk_document(parsed, ChunkSettings(), document_sentences(parsed)))


@pytest.mark.parametrize("kind", UNITS)
def test_four_times_the_text(kind: str) -> None:
    unit = UNITS[kind]
    small, large = (unit * (size // len(unit)) for size in (50_000, 200_000))
    once = min(seconds(read_whole, small) for _ in range(2))
    assert min(seconds(read_whole, large) for _ in range(2)) < 10 * once + 0.05


def test_finding_the_heading_of_each_passage() -> None:
    def cut(size: int) -> float:
        text = "# h\n" * (size // 4)
        parsed = DocumentProcessor().parse(DocumentText(text, heading_marks(text)), "file.md")
        sentences = document_sentences(parsed)
        chunks = chunk_document(parsed, ChunkSettings(), sentences)
        return min(seconds(lambda _: cut_pieces(parsed, chunks, sentences), text) for _ in range(2))

    assert cut(400_000) < 10 * cut(100_000) + 0.05


def test_a_megabyte_of_prose() -> None:
    small, large = (PROSE * (size // len(PROSE)) for size in (1_000_000, 4_000_000))
    once = min(seconds(read_whole, small) for _ in range(2))
    assert min(seconds(read_whole, large) for _ in range(2)) < 10 * once


@pytest.mark.parametrize("read", [read_rst, read_org, read_asciidoc, read_latex, read_source_code])
def test_markup_that_is_never_closed(read: Callable[[bytes], DocumentText]) -> None:
    unit = (
        "#+begin_src a\n----\n|===\n.. code::\n\n \\begin{verbatim} \\begin{tabular} $ x \\verb| {\n:A:\n"
        "// def f\n"
    )
    small, large = (unit * (size // len(unit)) for size in (50_000, 200_000))
    once = min(seconds(lambda text: read(text.encode()), small) for _ in range(2))
    assert min(seconds(lambda text: read(text.encode()), large) for _ in range(2)) < 10 * once + 0.05


def test_captions_without_stops() -> None:
    times = [f"{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}.000" for at in range(32_000)]
    large = "".join(f"{at} --> {at}\nat {at} it goes on and on\n\n" for at in times)
    small = large[: len(large) // 4]
    once = min(seconds(lambda text: read_captions(text.encode()), small) for _ in range(2))
    assert min(seconds(lambda text: read_captions(text.encode()), large) for _ in range(2)) < 10 * once + 0.05


def test_a_table_of_many_columns_and_rows() -> None:
    small, large = ("= " * size + "\n" + "x\n" * size for size in (1250, 5000))
    once = min(seconds(lambda text: read_rst(text.encode()), small) for _ in range(2))
    assert min(seconds(lambda text: read_rst(text.encode()), large) for _ in range(2)) < 10 * once + 0.05
