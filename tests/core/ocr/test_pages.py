"""Scanned pages become text, in the child that the program uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image

from app.core.ocr.recognizer import NotRecognized, Recognizer
from app.domain.cancel import Cancelled, CancelToken
from tests.support.format_samples import pdf, text_page
from tests.support.scans import TEXTS, columns_of, page_of, picture_of, scan, worn
from tests.tools.benchmarks.ocr import score

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

TOKEN = CancelToken()


@pytest.fixture(scope="module")
def recognizer() -> Iterator[Recognizer]:
    with Recognizer() as recognizer:
        yield recognizer


def text_of(recognizer: Recognizer, folder: Path, *pictures: Image.Image) -> str:
    file = folder / "scan.pdf"
    file.write_bytes(scan(*pictures))
    assert recognizer.scanned_pages(file, TOKEN).pages == tuple(range(1, len(pictures) + 1))
    return recognizer.page_text(file, len(pictures), TOKEN)[0]


@pytest.mark.parametrize("language", TEXTS)
def test_a_page_is_read_word_by_word_in_any_language(
    recognizer: Recognizer, tmp_path: Path, language: str
) -> None:
    found = text_of(recognizer, tmp_path, picture_of(page_of(TEXTS[language])))
    assert score(TEXTS[language], found) == (1, 0)
    assert "\n\n" not in found


def test_a_worn_page_that_was_laid_askew_is_read(recognizer: Recognizer, tmp_path: Path) -> None:
    recall, glued = score(
        TEXTS["German"], text_of(recognizer, tmp_path, worn(picture_of(page_of(TEXTS["German"]))))
    )
    assert recall > 0.97
    assert glued == 0


@pytest.mark.parametrize("share", [0.4, 0.5, 0.7])
def test_small_print_is_read(recognizer: Recognizer, tmp_path: Path, share: float) -> None:
    page = picture_of(page_of(TEXTS["German"]))
    small = page.resize((round(page.width * share), round(page.height * share)))
    recall, _ = score(TEXTS["German"], text_of(recognizer, tmp_path, small))
    assert recall > 0.95


def test_columns_are_read_one_after_the_other(recognizer: Recognizer, tmp_path: Path) -> None:
    found = text_of(recognizer, tmp_path, picture_of(columns_of(TEXTS["English"])))
    assert " ".join(found.split()) == TEXTS["English"]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_that_was_laid_on_its_side_or_upside_down_is_read(
    recognizer: Recognizer, tmp_path: Path, turn: int
) -> None:
    words = " ".join(TEXTS["German"].split()[:30])
    page = picture_of(page_of(words)).rotate(turn, expand=True)
    recall, glued = score(words, text_of(recognizer, tmp_path, page))
    assert recall > 0.95
    assert glued == 0


def test_pictures_without_text_give_none(recognizer: Recognizer, tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (600, 500, 3)).astype(np.uint8)
    blank, photograph = Image.new("RGB", (500, 600), "white"), Image.fromarray(noise)
    assert text_of(recognizer, tmp_path, blank) == ""
    assert text_of(recognizer, tmp_path, blank, photograph) == ""


def test_pages_with_text_are_not_scanned(recognizer: Recognizer, tmp_path: Path) -> None:
    file = tmp_path / "text.pdf"
    file.write_bytes(pdf([text_page(page_of(TEXTS["English"])), text_page([(72, 700, "2")]), b"\n"]))
    assert recognizer.scanned_pages(file, TOKEN).pages == ()


def test_a_file_that_is_no_pdf_costs_nothing_but_itself(recognizer: Recognizer, tmp_path: Path) -> None:
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(NotRecognized):
        recognizer.scanned_pages(broken, TOKEN)
    with pytest.raises(NotRecognized):
        recognizer.page_text(tmp_path / "gone.pdf", 1, TOKEN)
    assert text_of(recognizer, tmp_path, picture_of([(72, 700, "Still working")])) == "Still working"


def test_a_cancelled_page_is_given_up(recognizer: Recognizer, tmp_path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        recognizer.page_text(tmp_path / "scan.pdf", 1, token)
