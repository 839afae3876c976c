"""A cited PDF opens at its page, in the real window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from app.domain.scope import only_course
from app.ui.widgets.theme import Theme
from tests.support.conversing import ask
from tests.support.set_pages import Setting, made_sentences, set_document

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.running_window import Opener

LINES = Setting(lines=14, header="The sea and its tides", size=12)


def test_a_cited_pdf_opens_at_its_page_in_a_wide_pane(open_window: Opener, tmp_path: Path) -> None:
    running = open_window()
    window, reading = running.window, running.window.sources.reading
    path = tmp_path / "seas" / "seas.pdf"
    path.parent.mkdir()
    path.write_bytes(set_document(made_sentences(40), LINES).data)
    window.ingest_controller.add_paths([path.parent])
    running.wait_until_read()
    title = next(one.title for one in running.rag.courses.all() if str(path) in one.files)
    window.set_scope(only_course(title))
    ask(running, "plankton estuary sediment salinity")
    narrow = window.sources.width()
    window.sources.activate(1)
    window.sources.read(1)
    running.wait_for(lambda: reading.shows_pages and reading.pages.view.picture_bytes > 0, "the page")
    assert window.sources.width() > narrow
    view, once = reading.pages.view, QColor(Theme.light().highlight)
    twice = QColor(*(round(channel * channel / 255) for channel in (once.red(), once.green(), once.blue())))

    def is_marked() -> bool:
        image = view.viewport().grab().toImage()
        pixels = ((x, y) for y in range(image.height()) for x in range(0, image.width(), 3))
        return any(image.pixel(*pixel) in (once.rgb(), twice.rgb()) for pixel in pixels)

    running.wait_for(is_marked, "the mark")
    assert reading.source is not None
    assert reading.source.hit.anchor is not None
    assert view.page in (reading.source.hit.anchor.value, int(reading.source.hit.anchor.value) + 1)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert window.sources.width() == narrow
