"""A link copied from a source opens Lectern at that sentence; nobody's link does anything else."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QGuiApplication, QTextCursor
from PySide6.QtWidgets import QApplication, QMenu

from app.domain.links import link_to, link_to_lesson
from app.workers.job import Lane
from tests.support.running_window import RunningWindow
from tests.support.sidebar import opens_menus
from tests.support.source_cards import card

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from app.core.rag_system import RAGSystem
    from tests.support.running_window import Opener

MOON = "The moon pulls the ocean into two bulges."


def link_to_moon(rag: RAGSystem) -> str:
    hit = rag.search.retrieve("the moon pulls the ocean").hits[0]
    at = hit.start + hit.text.index(MOON)
    return link_to(rag.search.make_source(1, hit), (at, at + len(MOON)))


def follow(running: RunningWindow, link: str) -> None:
    running.window.sources_controller.follow_link(link)


def shown(running: RunningWindow) -> str:
    """Return the sentence that the reading view shows, once it shows one."""
    reading = running.window.sources.reading
    running.wait_for(lambda: bool(reading.cited and reading.text.toPlainText()), "the lesson")
    assert running.window.sources.is_reading
    assert reading.isVisible()
    assert reading.source is not None
    assert reading.cited is not None
    return reading.source.text(*reading.cited)


def menu_of(widget: QWidget) -> QMenu:
    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Keyboard, QPoint(5, 5), widget.mapToGlobal(QPoint(5, 5))
    )
    QApplication.sendEvent(widget, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def copied_link(widget: QWidget) -> str:
    QGuiApplication.clipboard().clear()
    menu = menu_of(widget)
    (action,) = (one for one in menu.actions() if one.text() == "Copy link")
    action.trigger()
    menu.close()
    return QGuiApplication.clipboard().text()


def test_a_link_shows_its_sentence_or_its_lesson(open_window: Opener) -> None:
    running = open_window()
    follow(running, link_to_moon(running.rag))
    assert shown(running) == MOON
    follow(running, link_to_lesson("Bread Baking at Home", 2, ""))
    reading = running.window.sources.reading
    running.wait_for(lambda: "Kneading lines up" in reading.text.toPlainText(), "the lesson")


@pytest.mark.usefixtures("qapp")
def test_a_link_waits_for_the_library(
    tmp_path: Path, model_cache: Path, data_dir: Path, rag: RAGSystem
) -> None:
    link = link_to_moon(rag)
    rag.close()
    running = RunningWindow(tmp_path, model_cache, data_dir=data_dir)
    try:
        follow(running, link)
        running.open()
        assert shown(running) == MOON
    finally:
        running.close()


def test_a_link_that_asks_a_server_keeps_no_chat_waiting(open_window: Opener) -> None:
    running, done = open_window(), threading.Event()
    waiting = running.workers.job(Lane.READ, "Waiting", lambda *_: done.wait(30), key="conversations")
    waiting.run(running.window)
    try:
        follow(running, link_to_moon(running.rag))
        running.wait_for(lambda: running.window.sources.is_reading, "the place, which another thread finds")
    finally:
        done.set()


def test_of_many_links_at_once_the_last_one_counts(open_window: Opener) -> None:
    running = open_window()
    for n in range(3000):
        follow(running, link_to_lesson("Tides and Currents", n, ""))
    follow(running, link_to_moon(running.rag))
    assert shown(running) == MOON


HOSTILE = [
    "lectern://read?name=..%2f..%2fetc%2fpasswd&at=0-5",
    "lectern://read?name=passwd&file=0123456789abcdef&at=0-5",
    "lectern://run?command=rm",
    "lectern://lesson?course=file%3A%2F%2F%2Fetc%2Fpasswd",
    "lectern:" + "x" * 100_000,
]


def test_a_hostile_link_only_costs_a_sentence(open_window: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[object] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    running = open_window()
    bar = running.window.statusBar()
    for link in HOSTILE:
        bar.clearMessage()
        follow(running, link)
        running.wait_for(lambda: bool(bar.currentMessage()), "a sentence")
        assert bar.currentMessage() in (
            "This is not a link that Lectern can open.",
            "What this link leads to is not in your library.",
            "What this link leads to is not in your library. It is from the course “file:///etc/passwd”.",
        )
        assert not running.window.sources.is_reading
        assert QApplication.activeModalWidget() is None
    assert not opened


@opens_menus
def test_links_are_copied_from_a_citation_its_card_and_its_lesson(open_window: Opener) -> None:
    running = open_window()
    running.ask("Why does the moon pull the ocean into bulges?")
    window = running.window
    exchange = window.chat_controller.exchange(window.chat_controller.last_exchange_id or 0)
    assert exchange is not None
    cited = next(one for one in exchange.citations if MOON in one.cited_text)
    source = next(one for one in exchange.sources if one.n == cited.source_n)
    window.sources.activate(source.n)
    from_card = copied_link(card(window.sources, source.n))
    from_passage = copied_link(card(window.sources, source.n).passage.edit.viewport())
    from_mark = window.chat.transcript.link_behind(f"cite:{exchange.id}/{source.n}/{cited.answer_end}")
    assert window.chat.transcript.link_behind(f"cite:{exchange.id}/0/5") == ""
    window.sources.read(source.n)
    reading = window.sources.reading
    running.wait_for(lambda: bool(reading.text.toPlainText()), "the lesson")
    from_lesson = copied_link(reading.text.viewport())
    reading.text.moveCursor(QTextCursor.MoveOperation.Start)
    assert reading.text.find("Most coasts therefore see two high tides")
    from_selection = copied_link(reading.text.viewport())
    for link in (from_card, from_passage, from_mark, from_lesson):
        assert MOON in running.rag.links.find(link).quote
    assert running.rag.links.find(from_selection).quote == "Most coasts therefore see two high tides"
