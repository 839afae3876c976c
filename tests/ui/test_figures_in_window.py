"""A figure is shown with its source and leads to its page, in the real window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.scope import only_course
from app.ui.reading.source_card import SourceCard
from tests.support.conversing import ask
from tests.support.figures import CAPTION, tides

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.running_window import Opener


def test_the_figure_of_a_source_is_shown_and_leads_to_its_page(open_window: Opener, tmp_path: Path) -> None:
    running = open_window()
    window, reading = running.window, running.window.sources.reading
    path = tmp_path / "seas" / "tides.pdf"
    path.parent.mkdir()
    path.write_bytes(tides())
    window.ingest_controller.add_paths([path.parent])
    running.wait_until_read()
    title = next(one.title for one in running.rag.courses.all() if str(path) in one.files)
    window.set_scope(only_course(title))
    ask(running, "How high is the tide at Aberdeen over one day?")
    cards = window.sources.list.findChildren(SourceCard)

    def pictured() -> list[SourceCard]:
        return [card for card in cards if card.figure is not None and "Aberdeen" in card.source.hit.text]

    running.wait_for(lambda: bool(pictured()), "the figure")
    (card, *_) = pictured()
    assert card.figure is not None
    assert card.figure.accessibleName() == CAPTION
    QTest.mouseClick(card.figure, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: reading.shows_pages and reading.pages.view.picture_bytes > 0, "the page")
    assert reading.pages.view.page == 1
