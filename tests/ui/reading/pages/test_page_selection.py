"""Selecting text of pages by its characters."""

from __future__ import annotations

from app.domain.pages import HYPHEN, Box, PageLink, PageText
from app.ui.reading.page_model import Caret, PageSelection

TEXT = f"Tides rise twi{HYPHEN}\nce."


def page(number: int) -> PageText:
    boxes = tuple(Box(10.0 * at, 0.0, 10.0 * at + 8, 12.0) for at in range(len(TEXT)))
    return PageText(number, TEXT, boxes, (PageLink(Box(0, 0, 50, 12), "https://example.org"),))


def test_what_is_selected_is_read_as_words_over_lines_and_pages() -> None:
    selection = PageSelection()
    selection.add(page(1))
    selection.add(page(2))
    assert selection.is_empty
    selection.begin(selection.place(1, 60, 5))
    selection.extend(Caret(1, len(TEXT)))
    assert selection.text() == "rise twice."
    assert selection.lines(1)
    assert not selection.lines(2)
    selection.extend(Caret(2, 5))
    assert selection.text() == "rise twice.\nTides"


def test_a_word_is_selected_as_far_as_its_line_has_it() -> None:
    selection = PageSelection()
    selection.add(page(1))
    selection.select_word(Caret(1, 8))
    assert selection.text() == "rise"
    selection.select_word(Caret(1, TEXT.index("twi") + 1))
    assert selection.text() == "twi"
    selection.clear()
    assert selection.is_empty
    assert selection.place(1, 5, 5) is None


def test_text_and_links_are_found_under_the_pointer() -> None:
    selection = PageSelection()
    selection.add(page(1))
    assert selection.is_over_text(1, 5, 5)
    assert not selection.is_over_text(1, 5, 50)
    link = selection.link_at(1, 5, 5)
    assert link is not None
    assert link.address == "https://example.org"
    assert selection.link_at(2, 5, 5) is None
