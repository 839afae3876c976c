from __future__ import annotations

from app.core.documents.readers.pdf.lines import Run, is_right_to_left, joined_run, rows_of
from tests.support.pdf_runs import run


def texts(*runs: Run) -> list[str]:
    return [row.text for row in rows_of(runs)]


def test_rows_go_from_top_to_bottom_and_from_left_to_right() -> None:
    assert texts(run("below", 0, 80), run("right", 100, 100), run("left", 0, 100)) == ["left right", "below"]


def test_superscripts_and_subscripts_join_their_line() -> None:
    raised, lowered = run("2", 20, 106, height=6), run("i", 60, 98, height=6)
    assert texts(run("area", 0, 100), raised, run("of x", 30, 100), lowered) == ["area 2 of x i"]


def test_lines_set_tight_stay_apart() -> None:
    assert texts(run("first", 0, 100), run("second", 0, 92)) == ["first", "second"]


def test_a_row_of_hebrew_is_read_from_the_right() -> None:
    assert texts(run("שלום", 100, 50), run("עולם", 0, 50)) == ["שלום עולם"]
    assert texts(run("the word", 0, 50), run("שלום", 100, 50)) == ["the word שלום"]
    assert is_right_to_left([run("שלום 2024", 0, 0)])
    assert not is_right_to_left([])


def test_the_edges_of_a_row_are_those_of_all_its_runs() -> None:
    (row,) = rows_of([run("a long one", 10, 100), run("2", 70, 106, height=6)])
    assert (row.left, row.right, row.bottom, row.top) == (10, 75, 100, 112)
    assert (row.height, row.middle) == (10, 105)


def test_a_run_takes_the_usual_height_of_its_characters() -> None:
    glyphs = [("a", 0.0, 10.0, 5.0, 20.0), (" g", 8.0, 10.0, 13.0, 20.0), ("(", 13.0, 7.0, 15.0, 23.0)]
    joined = joined_run(glyphs, fixed=True)
    assert (joined.text, joined.left, joined.bottom, joined.right, joined.top) == ("a g(", 0, 10, 15, 20)
    assert joined.fixed


def test_a_page_is_turned_upright() -> None:
    upwards = run("up", 0, 0)
    assert upwards.turned(0) == upwards
    turned = upwards.turned(1)
    assert (turned.left, turned.bottom, turned.right, turned.top) == (0, -10, 10, 0)
    assert upwards.turned(4) == upwards
