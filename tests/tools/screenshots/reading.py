"""Reading what is cited, its figures and pages, and restricting what is searched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.scope import Scope, only_course
from app.ui.reading.source_card import SourceCard
from tests.support.anthropic_server import AnthropicServer
from tests.support.chat_builders import hints
from tests.support.conversing import ask
from tests.support.figures import tides
from tests.tools.screenshots.first_start import QUESTION
from tests.tools.screenshots.pictures import settle

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures


def reading_states(pictures: Pictures) -> None:
    """Take a source in its lesson, as it is and with its file changed and gone."""
    with AnthropicServer() as server, pictures.window(server) as (running, _):
        _reading_states(pictures, running)


def _reading_states(pictures: Pictures, running: RunningWindow) -> None:
    window = running.window
    running.ask(QUESTION)
    window.sources.activate(1)
    pictures.take_with_sources(running, "source-of-a-mark")
    window.sources.read(1)
    running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "the lesson")
    pictures.take_with_sources(running, "reading-view")
    window.sources.reading.next.click()
    running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "the next lesson")
    pictures.take_with_sources(running, "reading-view-next-citation")
    title = window.sources.reading.source.hit.course_title if window.sources.reading.source else ""
    window.library_controller.remove_course(title)
    running.wait_for(lambda: running.rag.courses.counts().courses == 3, "the course to go")
    running.wait_for(lambda: not window.sources.reading.notice.isHidden(), "the notice")
    pictures.take_with_sources(running, "reading-view-removed")
    window.sources.show_list()
    pictures.take_with_sources(running, "sources-no-longer-in-the-library")


def scope_states(pictures: Pictures) -> None:
    """Take the ways to restrict questions."""
    with AnthropicServer() as server, pictures.window(server) as (running, _):
        _scope_states(pictures, running)


def _scope_states(pictures: Pictures, running: RunningWindow) -> None:
    window = running.window
    titles = [course.title for course in running.rag.courses.all()]
    tree = window.sidebar.tree
    tree.expand(tree.model().index(0, 0))
    window.set_scope(Scope((titles[2],), ((titles[0], 1), (titles[0], 2)), ((titles[2], 3),)))
    pictures.take(running, "scope-chips")
    window.chat.focus_composer()
    QTest.keyClicks(window.chat.composer.edit, "What does @")
    settle()
    QTest.keyClick(window.chat.composer.edit, Qt.Key.Key_Down)
    pictures.take(running, "completion")
    QTest.keyClick(window.chat.composer.edit, Qt.Key.Key_Escape)
    window.chat.composer.edit.clear()
    window.set_scope(Scope(courses=(titles[1], "A Course That Was Removed")))
    pictures.take(running, "scope-lost-a-course")
    running.ask(QUESTION)
    pictures.take(running, "answer-in-scope")
    settings = replace(window.settings, whole_scope_tokens=50_000)
    running.workers.library.save_settings(settings).run(window)
    running.wait_for(lambda: "tokens" in hints(window.chat), "the price")
    pictures.take(running, "price-of-the-whole-scope")
    window.set_scope(Scope())


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
