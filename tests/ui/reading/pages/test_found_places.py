"""Places that were found on pages, of which there may be hundreds of thousands."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from app.domain.pages import Box, Mark, PagedFile
from app.ui.reading.page_model import FoundPlaces
from app.ui.reading.pages_pane import PagesPane
from tests.support.pace import slowness

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.ui.reading.page_model import FoundPlace


def places(page: int, count: int = 1) -> list[FoundPlace]:
    return [(Mark(page, Box(number, 0, number + 1, 10)),) for number in range(count)]


def test_steps_go_through_the_pages_and_around() -> None:
    found = FoundPlaces()
    assert (found.count, found.number, found.current, found.step(1)) == (0, None, (), ())
    assert not found.add([()], 3)
    assert found.add([*places(4, 2), *places(5)], 3)
    assert not found.add(places(1), 3)
    assert (found.count, found.number) == (4, 2)
    steps = [found.step(1)[0].page for _ in range(4)]
    assert (steps, found.number) == ([4, 5, 1, 4], 2)
    assert [(found.step(-1)[0].page, found.number) for _ in range(3)] == [(1, 1), (5, 4), (4, 3)]
    assert list(found.boxes(4)) == [(Box(0, 0, 1, 10), False), (Box(1, 0, 2, 10), True)]


def test_the_first_place_is_on_the_page_in_sight_or_after_it_if_there_is_one() -> None:
    found = FoundPlaces()
    assert found.add([*places(2), *places(1)], 5)
    assert found.current[0].page == 1
    found.clear()
    assert (found.count, found.current) == (0, ())


@pytest.mark.usefixtures("no_collections")
def test_a_letter_in_a_long_book_does_not_hold_up_the_window(qtbot: QtBot) -> None:
    pages = 1500
    pane = PagesPane()
    qtbot.addWidget(pane)
    pane.show_file(PagedFile(((600.0, 800.0),) * pages, ()))
    pane.open_find()
    longest = 0.0
    for first in range(1, pages, 16):
        hits = [place for page in range(first, first + 16) for place in places(page, 200)]
        began = time.thread_time()
        pane.add_hits(hits, done=first + 16 > pages)
        longest = max(longest, time.thread_time() - began)
    assert "".join(filter(str.isdigit, pane.find_bar.count.text())) == "1300800"
    assert longest < 0.1 * slowness()
