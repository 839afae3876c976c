"""Boxes of characters as lines."""

from app.domain.pages import NOWHERE, Box, lines_of


def row(text: str, left: float, top: float, size: float = 10) -> list[Box]:
    """Return the boxes of characters side by side, spaces without any."""
    places = (left + size / 2 * at for at in range(len(text)))
    return [
        NOWHERE if character == " " else Box(x, top, x + size / 2, top + size)
        for character, x in zip(text, places, strict=True)
    ]


def test_words_of_a_line_are_one_box_and_lines_are_two() -> None:
    boxes = row("two words", 50, 100) + row("and more", 50, 112)
    assert lines_of(boxes) == [Box(50, 100, 95, 110), Box(50, 112, 90, 122)]


def test_a_column_beside_is_a_box_of_its_own() -> None:
    boxes = row("left", 50, 100) + row("right", 300, 100)
    assert lines_of(boxes) == [Box(50, 100, 70, 110), Box(300, 100, 325, 110)]


def test_a_superscript_belongs_to_its_line() -> None:
    boxes = row("power", 50, 100) + row("2", 75, 97, size=6) + row(" is", 78, 100)
    assert lines_of(boxes) == [Box(50, 97, 93, 110)]


def test_text_that_runs_up_the_page_is_one_box_a_line() -> None:
    up = [Box(50, 200 - 5 * at, 60, 205 - 5 * at) for at in range(8)]
    beside = [box._replace(left=box.left + 12, right=box.right + 12) for box in up]
    assert lines_of(up + beside) == [Box(50, 165, 60, 205), Box(62, 165, 72, 205)]


def test_slanting_text_does_not_become_one_large_box() -> None:
    slanting = [Box(50 + 5 * at, 100 + 4 * at, 55 + 5 * at, 110 + 4 * at) for at in range(30)]
    assert max(box.bottom - box.top for box in lines_of(slanting)) <= 15
