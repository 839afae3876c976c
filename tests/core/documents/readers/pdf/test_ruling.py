"""Cells that nearly touch are told apart by the lines drawn between them."""

from __future__ import annotations

import pypdfium2.raw
import pytest

from app.core.documents.readers.pdf.reader import read_pdf
from app.core.documents.readers.pdf.tables import Ruling
from tests.support.format_samples import pdf
from tests.support.printed_tables import TABLES, printed_table


@pytest.mark.parametrize("padding", [1, 3])
@pytest.mark.parametrize("rows", TABLES, ids=lambda rows: rows[0][-1])
def test_cells_between_lines(rows: list[tuple[str, ...]], padding: int) -> None:
    text = read_pdf(printed_table(rows, border=1, padding=padding)).text
    assert "\n".join(f"| {' | '.join(row)} |" for row in rows) in text


def test_a_whole_grid_drawn_as_one_path() -> None:
    grid = "58 676 170 48 re 120 676 m 120 724 l S"
    rows = (("first column", "of numbers"), ("second row", "of numbers"))
    lines = "\n".join(
        f"BT /F1 10 Tf 1 0 0 1 {x} {708 - 24 * n} Tm ({text}) Tj ET"
        for n, row in enumerate(rows)
        for x, text in zip((61, 122), row, strict=True)
    )
    text = read_pdf(pdf([f"{grid}\n{lines}".encode()])).text
    assert text.strip() == "| first column | of numbers |\n| second row | of numbers |"


def test_a_box_around_words_of_a_sentence_makes_no_cell() -> None:
    boxes = "\n".join(f"{x} {y} 29 12 re S" for x, y in ((91, 697), (91, 683)))
    lines = "BT /F1 10 Tf 1 0 0 1 60 700 Tm (Call the  sorts  or) Tj 0 -14 Td (Call the  sorts  again) Tj ET"
    assert "|" not in read_pdf(pdf([f"{boxes}\n{lines}".encode()])).text


def test_a_line_counts_where_it_stands_beside_the_text() -> None:
    ruling = Ruling([(50.0, 100.0, 200.0), (80.0, 150.0, 160.0)])
    assert ruling.divides(45, 55, 145, 155)
    assert not ruling.divides(51, 79, 145, 155)
    assert not ruling.divides(45, 55, 205, 215)
    assert not ruling.divides(75, 85, 150, 160)  # no higher than the text


def test_of_a_map_only_the_first_segments_are_examined(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = 0
    get = pypdfium2.raw.FPDFPath_GetPathSegment

    def counted(*of: object) -> object:
        nonlocal examined
        examined += 1
        return get(*of)

    monkeypatch.setattr(pypdfium2.raw, "FPDFPath_GetPathSegment", counted)
    coast = "10 10 m " + "20 30 l 40 10 l " * 50 + "S\n"
    text = read_pdf(pdf([(coast * 1000 + "BT /F1 10 Tf 60 700 Td (A map) Tj ET").encode()])).text
    assert text.strip() == "A map"
    assert 0 < examined < 25_000
