"""Reading what is cited, and restricting what is searched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.scope import Scope
from tests.support.anthropic_server import AnthropicServer
from tests.support.chat_builders import hints
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
