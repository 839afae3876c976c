"""Sentences of scanned pages are marked where they stand, in a PDF as in a picture, however it was laid."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from PIL import Image, ImageOps

from app.core.documents.page_process import PageProcess
from app.core.ocr.kept_texts import RecognizedTexts, with_recognized
from app.core.ocr.recognizer import Recognizer
from app.core.sandbox import Sandbox
from app.domain.cancel import CancelToken
from app.domain.documents import DocumentText
from app.domain.pages import Strip
from tests.support.scans import scan, stored_as
from tests.support.set_pages import Setting, made_sentences, set_document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.domain.pages import Box
    from tests.support.set_pages import SetDocument

pytestmark = pytest.mark.slow

TOKEN = CancelToken()


@pytest.fixture(scope="module")
def recognizer() -> Iterator[Recognizer]:
    with Recognizer() as recognizer:
        yield recognizer


def drawn(made: SetDocument) -> Image.Image:
    with pypdfium2.PdfDocument(made.data) as document:
        picture: Image.Image = document[0].render(scale=150 / 72).to_pil()
    return picture.convert("RGB")


def turned_back(box: Box, turn: int, width: float, height: float) -> tuple[float, float, float, float]:
    """Return a box of a page that was turned counterclockwise as it was before, on a page of this size."""
    left, top, right, bottom = box
    match turn:
        case 90:
            return width - bottom, left, width - top, right
        case 180:
            return width - right, height - bottom, width - left, height - top
        case 270:
            return top, height - right, bottom, height - left
    return left, top, right, bottom


@pytest.mark.parametrize(("columns", "turn", "kind"), [(2, 0, "png"), (1, 90, "pdf"), (2, 180, "jpg")])
def test_a_cited_sentence_is_marked_and_nothing_else(
    recognizer: Recognizer, tmp_path: Path, columns: int, turn: int, kind: str
) -> None:
    setting = Setting(columns=columns, size=11, lines=34, divides=columns > 1)
    made = set_document(made_sentences(24), setting)
    picture = drawn(made).rotate(turn, expand=True)
    data = scan(picture) if kind == "pdf" else stored_as(picture, {"png": "PNG", "jpg": "JPEG"}[kind])
    path = tmp_path / f"page.{kind}"
    path.write_bytes(data)
    text, lines = recognizer.page_text(path, 1, TOKEN)
    kept = RecognizedTexts(tmp_path / "ocr")
    kept.keep_lines(hashlib.sha256(data).hexdigest(), 1, lines)
    whole = with_recognized(DocumentText(""), {1: text}, str(path)).text

    cited = [number for number in (2, 7, 11, 16, 20) if made.sentences[number] in whole]
    assert len(cited) >= 3  # the others have a word that is divided, or misread
    starts = [whole.index(made.sentences[number]) for number in cited]
    spans = [(at, at + len(made.sentences[number])) for at, number in zip(starts, cited, strict=True)]
    with Sandbox("test") as sandbox:
        process = PageProcess(sandbox, kept.lines)
        process.open(str(path), hashlib.sha256(data).hexdigest(), TOKEN)
        marked = process.marks(range(1, 2), whole, spans, TOKEN)
    letters = [letter for letter in made.letters if not letter.character.isspace()]
    right = wrong = 0
    for number, marks in zip(cited, marked, strict=True):
        boxes = [turned_back(mark.box, turn, setting.width, setting.height) for mark in marks]
        inside = [
            letter.sentence == number
            for letter in letters
            if any(box[0] < letter.x < box[2] and box[1] < letter.y < box[3] for box in boxes)
        ]
        right, wrong = right + sum(inside), wrong + len(inside) - sum(inside)
    total = sum(letter.sentence in cited for letter in letters)
    assert right / total >= 0.97
    assert wrong / (right + wrong) <= 0.03


def test_a_picture_is_shown_as_a_page_the_right_way_up(tmp_path: Path) -> None:
    made = set_document(made_sentences(8), Setting())
    picture = drawn(made)
    exif = picture.getexif()
    exif[0x0112] = 6  # a camera that was held upright
    data = stored_as(picture.rotate(90, expand=True), "JPEG", exif=exif)
    path = tmp_path / "photo.jpg"
    path.write_bytes(data)
    with Sandbox("test") as sandbox:
        process = PageProcess(sandbox)
        file = process.open(str(path), hashlib.sha256(data).hexdigest(), TOKEN)
        ((width, height),) = file.sizes
        assert (round(width), round(height)) == (612, 792)
        shown = process.picture(Strip(1, 306, 0, 396), TOKEN).pixels
    dark = [at for at in range(306 * 396) if shown[4 * at] < 128]
    top = min(letter.y for letter in made.letters) / 2
    bottom = max(letter.y for letter in made.letters) / 2
    assert abs(dark[0] // 306 - top) < 6
    assert abs(dark[-1] // 306 - bottom) < 6


def test_pages_of_a_tiff_are_counted_and_a_transparent_picture_is_on_white(
    recognizer: Recognizer, tmp_path: Path
) -> None:
    made = drawn(set_document(made_sentences(3), Setting()))
    path = tmp_path / "two.tif"
    path.write_bytes(stored_as(made.convert("1"), "TIFF", save_all=True, append_images=[made.convert("L")]))
    assert recognizer.scanned_pages(path, TOKEN).pages == (1, 2)
    first, second = (recognizer.page_text(path, page, TOKEN)[0] for page in (1, 2))
    assert first == second != ""
    clear = Image.new("RGBA", made.size, "black")
    clear.putalpha(ImageOps.invert(made.convert("L")))
    path = tmp_path / "clear.png"
    path.write_bytes(stored_as(clear, "PNG"))
    assert recognizer.page_text(path, 1, TOKEN)[0] == second
