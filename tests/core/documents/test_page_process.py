"""The pages of a PDF, shown by a child process: pictures, characters, and the places of cited sentences."""

from __future__ import annotations

import hashlib
import multiprocessing
from typing import TYPE_CHECKING

import pytest

from app.core.documents.document_reader import read_document
from app.core.documents.page_process import PageProcess
from app.core.sandbox import Sandbox
from app.domain.cancel import CancelToken
from app.domain.errors import UserError
from app.domain.pages import Strip
from tests.support.format_samples import FOLDER, pdf
from tests.support.set_pages import Setting, lesson_of, made_sentences, set_document
from tests.tools.benchmarks.page_marks import measure

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.domain.pages import PagedFile

TOKEN = CancelToken()
WHITE = b"\xff\xff\xff"


@pytest.fixture(scope="module")
def process() -> Iterator[PageProcess]:
    with Sandbox("test") as sandbox:
        yield PageProcess(sandbox)


def opened(process: PageProcess, path: Path, data: bytes) -> PagedFile:
    path.write_bytes(data)
    return process.open(str(path), hashlib.sha256(data).hexdigest(), TOKEN)


def words_at(process: PageProcess, page: int, width: int, height: int) -> list[tuple[float, float]]:
    """Return where a picture of a whole page is dark: the left and the right end of the dark pixels' rows."""
    pixels = process.picture(Strip(page, width, 0, height), TOKEN).pixels
    rows = [pixels[4 * width * row : 4 * width * (row + 1)] for row in range(height)]
    dark = [[at for at in range(width) if row[4 * at] < 128] for row in rows]
    return [(row, at) for row, line in enumerate(dark) for at in line]


def test_cited_sentences_are_marked_in_their_place_and_nothing_else() -> None:
    samples = [FOLDER / "two columns.pdf", FOLDER / "running lines.pdf"]
    result = measure(samples, 45)
    assert result["citations"] >= 40
    assert result["covered"] >= 99
    assert result["precise"] >= 97
    assert not result["lost"]


def test_a_sentence_that_runs_on_to_the_next_page_is_marked_on_both(
    process: PageProcess, tmp_path: Path
) -> None:
    made = set_document(made_sentences(30), Setting(lines=7, header="The tides of all seas"))
    opened(process, tmp_path / "a.pdf", made.data)
    document = read_document(tmp_path / "a.pdf")
    pages = {
        number: {letter.page for letter in made.letters if letter.sentence == number} for number in range(30)
    }
    number = next(number for number, on in pages.items() if len(on) == 2)
    start = document.text.index(made.sentences[number][:20])
    end = document.text.index(made.sentences[number][-20:]) + 20
    around = lesson_of(document).around(start, end)
    assert around is not None
    span = (start - around.start, end - around.start)
    (marks,) = process.marks(around.pages, around.text, [span], TOKEN)
    assert {mark.page for mark in marks} == pages[number]


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_characters_stand_where_the_picture_shows_them(
    process: PageProcess, tmp_path: Path, turn: int
) -> None:
    made = set_document(["Tide."], Setting(width=300, height=200, size=24, turn=turn))
    (size,) = opened(process, tmp_path / "a.pdf", made.data).sizes
    assert size == ((200, 300) if turn in (90, 270) else (300, 200))
    text = process.text(1, TOKEN)
    assert text.text.strip() == "Tide."
    boxes = [box for box in text.boxes if not box.is_empty]
    assert len(boxes) == 5
    dark = words_at(process, 1, int(size[0]), int(size[1]))
    assert dark
    inside = [
        (y, x) for y, x in dark if any(b.left - 1 <= x < b.right + 1 and b.top <= y < b.bottom for b in boxes)
    ]
    assert inside == dark


def test_strips_are_parts_of_the_whole_picture(process: PageProcess, tmp_path: Path) -> None:
    made = set_document(made_sentences(20), Setting(width=300, height=400))
    opened(process, tmp_path / "a.pdf", made.data)
    whole = process.picture(Strip(1, 450, 0, 600), TOKEN).pixels
    parts = [process.picture(Strip(1, 450, top, 200), TOKEN).pixels for top in (0, 200, 400)]
    assert b"".join(parts) == whole
    assert min(whole) < 64


def test_words_are_found_over_line_ends_in_any_case(process: PageProcess, tmp_path: Path) -> None:
    lines = b"BT /F1 12 Tf 1 0 0 1 72 700 Tm (The refrac-) Tj 1 0 0 1 72 680 Tm (tion of Caf\xe9 light) Tj ET"
    opened(process, tmp_path / "a.pdf", pdf([lines, lines]))
    for query, places in (("REFRACTION of", 2), ("cafe  light", 1), ("Café", 1)):
        found = process.find(query, range(1, 3), TOKEN)
        assert [len(marks) for marks in found] == [places, places], query
        assert [marks[0].page for marks in found] == [1, 2]
    assert process.find("refract ion", range(1, 3), TOKEN) == []
    assert process.find("  ", range(1, 3), TOKEN) == []


def test_a_file_that_has_changed_or_gone_is_refused_with_a_sentence(
    process: PageProcess, tmp_path: Path
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf([b""]))
    with pytest.raises(UserError, match=r"a\.pdf has changed since it was read"):
        process.open(str(path), "0" * 64, TOKEN)
    path.unlink()
    with pytest.raises(UserError, match=r"a\.pdf no longer exists"):
        process.open(str(path), "0" * 64, TOKEN)


def test_a_file_that_is_no_pdf_is_refused(process: PageProcess, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"pages of a\.pdf cannot be shown"):
        opened(process, tmp_path / "a.pdf", b"%PDF-1.4 nothing")
    with pytest.raises(UserError, match="cannot be shown"):
        opened(process, tmp_path / "b.pdf", (FOLDER / "protected.pdf").read_bytes())


def test_what_asks_for_too_much_is_refused(process: PageProcess, tmp_path: Path) -> None:
    opened(process, tmp_path / "a.pdf", pdf([b""]))
    for strip in (Strip(1, 20_000, 0, 20_000), Strip(2, 100, 0, 100), Strip(1, 0, 0, 100)):
        with pytest.raises(UserError, match="cannot be shown"):
            process.picture(strip, TOKEN)
    assert process.picture(Strip(1, 10, 0, 10), TOKEN).pixels[:3] == WHITE


def test_a_child_that_ended_is_replaced_with_the_file_open(process: PageProcess, tmp_path: Path) -> None:
    made = set_document(["Tide."], Setting())
    opened(process, tmp_path / "a.pdf", made.data)
    (child,) = (one for one in multiprocessing.active_children() if one.name == "lectern-test")
    child.kill()
    child.join()
    assert process.text(1, TOKEN).text.strip() == "Tide."
