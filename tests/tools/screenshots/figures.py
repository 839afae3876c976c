"""Pictures of figures on the cards of sources, of their page, and of the setting that shows them a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.scope import only_course
from app.ui.reading.source_card import SourceCard
from tests.support.conversing import ask
from tests.support.figures import tides

if TYPE_CHECKING:
    from tests.tools.screenshots.pictures import Pictures


def figure_states(pictures: Pictures) -> None:
    """Take a card with its figure, the page it opens, and the setting."""
    with pictures.window() as (running, folder):
        window = running.window
        path = folder / "Seas" / "tides.pdf"
        path.parent.mkdir()
        path.write_bytes(tides())
        window.ingest_controller.add_paths([path.parent])
        running.wait_until_read()
        title = next(one.title for one in running.rag.courses.all() if str(path) in one.files)
        window.set_scope(only_course(title))
        ask(running, "What does figure 3 show?")

        def pictured() -> list[SourceCard]:
            cards = window.sources.list.findChildren(SourceCard)
            return [card for card in cards if card.figure is not None]

        running.wait_for(lambda: bool(pictured()), "the figure")
        pictures.take_with_sources(running, "figure-of-a-source")
        view = pictured()[0].figure
        assert view is not None
        QTest.mouseClick(view, Qt.MouseButton.LeftButton)
        pages = window.sources.reading.pages.view
        running.wait_for(lambda: pages.picture_bytes > 0, "the page")
        pictures.take_with_sources(running, "page-of-a-figure")
