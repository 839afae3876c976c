"""Made-up pages whose reading order is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.documents.readers.pdf.lines import regions
from tests.support.pdf_runs import column, run

if TYPE_CHECKING:
    from app.core.documents.readers.pdf.lines import Run

LEFT = [f"left column line number {number:02}" for number in range(8)]
RIGHT = [f"right column line number {number}" for number in range(8)]


def order(runs: list[Run]) -> list[str]:
    """Return the rows of all regions in reading order; a dash stands between two regions."""
    read: list[str] = []
    for region in regions(runs):
        read += ["-", *(row.text for row in region.rows)]
    return read[1:]


def test_an_empty_page_has_no_regions() -> None:
    assert order([]) == []


def test_columns_of_prose_are_read_one_after_the_other() -> None:
    page = [
        item for pair in zip(column(LEFT, 50, 700), column(RIGHT, 250, 700), strict=True) for item in pair
    ]
    assert order(page) == [*LEFT, "-", *RIGHT]


def test_three_columns() -> None:
    middle = [f"middle column line number {number}" for number in range(8)]
    page = [*column(RIGHT, 450, 700), *column(LEFT, 50, 700), *column(middle, 250, 700)]
    assert order(page) == [*LEFT, "-", *middle, "-", *RIGHT]


def test_a_title_above_and_a_line_below_the_columns_frame_them() -> None:
    title = run("A title that runs over the whole width of the page and beyond the gap", 50, 740)
    foot = run("And a last line over the whole width of the page, below both columns.", 50, 560)
    page = [title, *column(LEFT, 50, 700), *column(RIGHT, 250, 700), foot]
    assert order(page) == [title.text, "-", *LEFT, "-", *RIGHT, "-", foot.text]


def test_a_column_may_begin_higher_than_the_other() -> None:
    page = [*column(LEFT, 50, 724), *column(RIGHT[:6], 250, 700)]
    assert order(page) == [*LEFT, "-", *RIGHT[:6]]


def test_a_table_is_read_row_by_row() -> None:
    names = ["Bagel", "Baguette", "Ciabatta", "Focaccia", "Pretzel"]
    page = [*column(names, 50, 700), *column(["55", "70", "85", "75", "50"], 250, 700)]
    assert order(page) == [
        f"{name} {number}" for name, number in zip(names, (55, 70, 85, 75, 50), strict=True)
    ]


def test_lines_that_are_not_level_are_columns_however_short() -> None:
    page = [*column(["one", "two", "three", "four"], 50, 700), *column(["five", "six", "seven"], 250, 706)]
    assert order(page) == ["one", "two", "three", "four", "-", "five", "six", "seven"]


def test_columns_of_hebrew_begin_on_the_right() -> None:
    left = [f"שורה בטור השמאלי של הדף הזה {number}" for number in range(4)]
    right = [f"שורה בטור הימני של הדף הזה {number}" for number in range(4)]
    page = [*column(left, 50, 700), *column(right, 250, 700)]
    assert order(page) == [*right, "-", *left]


def test_a_region_knows_the_margins_of_its_column() -> None:
    first, second = regions([*column(LEFT, 50, 700), *column(RIGHT, 250, 700)])
    assert (first.left, first.right) == (50, 50 + 5 * len(LEFT[0]))
    assert second.left == 250


def test_a_single_column_with_gaps_between_paragraphs_is_one_region() -> None:
    page = [*column(LEFT[:4], 50, 700), *column(LEFT[4:], 50, 600)]
    assert order(page) == LEFT
