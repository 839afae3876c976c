"""Figures of PDFs: found by their captions, cut out of their pages, and pages as a model sees them."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from app.core.documents.document_reader import read_document
from app.core.documents.figures import FigureService
from app.core.documents.images import PicturePages
from app.core.documents.readers.pdf.pages import PdfPages
from app.core.sandbox import Sandbox
from app.domain.cancel import Cancelled, CancelToken
from app.domain.documents import Anchor
from app.domain.figures import FigureLabel, caption_label, labels_in
from tests.support.figures import BARS, CAPTION, WINTER, bars, set_lines, tides
from tests.support.format_samples import pdf, text_page
from tests.support.side_data import source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.domain.sources import Source

BLUE = (51, 102, 204)


@pytest.fixture(scope="module")
def service() -> Iterator[FigureService]:
    with Sandbox("test") as sandbox:
        yield FigureService(sandbox)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "tides.pdf"
    path.write_bytes(tides())
    return path


def on_page(path: Path, n: int, page: int, text: str) -> Source:
    found = source(n, text, anchor=Anchor("page", page))
    return replace(found, hit=replace(found.hit, path=str(path)), document_sha256=read_document(path).sha256)


def test_the_figure_of_a_caption_is_cut_out_with_it_and_without_the_prose(
    service: FigureService, path: Path
) -> None:
    found = service.figures([on_page(path, 1, 1, f"Before.\n\n{CAPTION}\n\nAfter.")], CancelToken())
    picture = found[1]
    assert picture.figure.caption == CAPTION
    assert picture.figure.page == 1
    left, top, right, bottom = picture.figure.box
    x, y, width, height = BARS
    assert left <= x and right >= x + width
    assert top <= 792 - y - height and bottom >= 792 - 435  # down to the caption
    assert top > 792 - 685 and bottom < 792 - 395  # not up to the prose above and below
    assert len(picture.pixels) == 4 * picture.width * picture.height
    image = Image.frombuffer("RGB", (picture.width, picture.height), picture.pixels, "raw", "BGRX", 0, 1)
    colours = dict((colour, count) for count, colour in image.getcolors(1 << 20) or [])
    assert colours[BLUE] > 0.1 * picture.width * picture.height


def test_a_figure_that_a_passage_only_names_is_found_on_the_page_beside(
    service: FigureService, path: Path
) -> None:
    found = service.figures([on_page(path, 4, 2, "As Figure 3 has shown, it rises.")], CancelToken())
    assert found[4].figure.label == FigureLabel("figure", "3")
    assert found[4].figure.page == 1


def test_what_has_no_figure_gets_none(service: FigureService, path: Path) -> None:
    other = source(9, CAPTION)
    sources = [
        on_page(path, 1, 4, "Nothing is drawn here."),
        on_page(path, 2, 1, "Figure 8: There is none of this number."),
        replace(on_page(path, 3, 1, CAPTION), document_sha256="0" * 64),
        other,
        on_page(path, 5, 3, WINTER),
    ]
    assert service.figures(sources, CancelToken()).keys() == {5}


def test_panels_side_by_side_belong_to_one_figure_and_columns_do_not(
    service: FigureService, tmp_path: Path
) -> None:
    path = tmp_path / "columns.pdf"
    columns = [bars(60, 500, 90, 80), bars(170, 500, 90, 80), bars(330, 500, 220, 80)]
    lines = [
        *set_lines(["Figure 1. Two panels of one."], 60, 480),
        *set_lines(["Figure 2. Another."], 330, 480),
    ]
    path.write_bytes(pdf([b"".join(columns) + text_page(lines)]))
    found = service.figures(
        [on_page(path, 1, 1, "Figure 1. Two panels"), on_page(path, 2, 1, "Figure 2. Another.")],
        CancelToken(),
    )
    (one, two) = (found[n].figure.box for n in (1, 2))
    assert one.left < 60 and 250 < one.right < 300
    assert 300 < two.left < 330 and two.right > 540


def test_a_drawing_of_very_many_parts_takes_no_time() -> None:
    dots = b"\n".join(
        b"%d %d 2 2 re f" % (80 + at * 7919 % 420, 300 + at * 104729 % 300) for at in range(20_000)
    )
    pages = PdfPages(pdf([dots + b"\n" + text_page([(72, 280, "Figure 1: Dots.")])]))
    before = time.thread_time()
    (figure,) = pages.figures(1)
    assert time.thread_time() - before < 4
    assert figure.box.left < 80 < 480 < figure.box.right
    pages.close()


def test_a_page_with_a_figure_is_seen_and_one_of_prose_is_not(service: FigureService, path: Path) -> None:
    sources = [on_page(path, n, page, "Tides.") for n, page in ((1, 4), (2, 1), (3, 3))]
    seen = service.pages_seen(sources, 4, CancelToken())
    assert seen.keys() == {2, 3}
    image = Image.open(io.BytesIO(seen[2]))
    assert image.format == "JPEG"
    assert 1_000_000 < image.width * image.height <= 1_150_000
    assert abs(image.width / image.height - 612 / 792) < 0.01
    assert len(service.pages_seen(sources, 1, CancelToken())) == 1


@pytest.mark.parametrize("width", [10_000, 20_000, 60_000])
def test_a_figure_beyond_the_longest_page_has_all_of_its_pixels_or_is_left_out(
    service: FigureService, tmp_path: Path, width: int
) -> None:
    path = tmp_path / "banner.pdf"
    page = bars(width - 2200, 470, 2000, 250) + text_page(set_lines([CAPTION], width - 2200, 435))
    path.write_bytes(pdf([page]).replace(b"0 0 612 792", b"0 0 %d 792" % width))
    found = service.figures([on_page(path, 1, 1, CAPTION)], CancelToken())
    assert len(found) == (width < 14_400)
    assert all(len(one.pixels) == 4 * one.width * one.height for one in found.values())


@pytest.mark.parametrize("size", [(2000, 2000), (2600, 1000), (60_000, 20), (1, 1)])
def test_a_model_sees_pictures_no_larger_than_their_price_is_for(size: tuple[int, int]) -> None:
    picture = io.BytesIO()
    Image.new("RGB", size).save(picture, "PNG")
    page = pdf([bars(72, 640, 90, 40)]).replace(b"0 0 612 792", b"0 0 %d %d" % size)
    for pages in (PicturePages(picture.getvalue()), PdfPages(page)):
        seen = Image.open(io.BytesIO(pages.seen(1)))
        assert seen.width * seen.height <= 1_150_000
        assert max(seen.size) <= 8_000
        pages.close()


def test_cancelling_ends_the_search_for_figures(service: FigureService, path: Path) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        service.figures([on_page(path, 1, 1, CAPTION)], token)


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("Figure 3: Tides", ("figure", "3")),
        ("Fig. 2.1 The moon", ("figure", "2.1")),
        ("Abb. 4: Ebbe", ("figure", "4")),
        ("**Abbildung 12** – Flut", ("figure", "12")),
        ("Figura 5. Mareas", ("figure", "5")),
        ("Tabla 1", ("table", "1")),
        ("Tabelle 2: Werte", ("table", "2")),
        ("FIGURE A.1: Appendix", ("figure", "A.1")),
        ("Figure 3 shows the tides", None),
        ("as in Figure 3: tides", None),
        ("Figures of speech", None),
        ("Table of contents", None),
    ],
)
def test_captions_are_told_from_sentences(line: str, label: tuple[str, str] | None) -> None:
    assert caption_label(line) == label


def test_captions_come_before_what_is_only_mentioned() -> None:
    text = "See Fig. 7 and table 2.\nFigure 3: Tides."
    assert labels_in(text) == (("figure", "3"), ("figure", "7"), ("table", "2"))


def test_a_small_figure_is_worth_seeing_and_a_frame_around_text_is_not() -> None:
    prose = [f"Theorem {n} says of every tide that it follows the one before it in time." for n in range(3)]
    frame = b"60 640 480 100 re S\n" + text_page(set_lines(prose, 72, 720))
    small = bars(72, 640, 90, 40) + text_page(set_lines(["Figure 1: Small."], 72, 625))
    bare = bars(72, 640, 90, 40) + text_page(set_lines(["A small drawing."], 72, 625))
    pages = PdfPages(pdf([frame, small, bare]))
    assert [bool(pages.seen(number)) for number in (1, 2, 3)] == [False, True, False]
    pages.close()
