"""What the composer says of the courses a question searches, and the name of the chat above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.domain.scope import Scope
from app.ui.chat.chat_pane import ChatPane
from app.ui.chat.composer import QuietButton
from app.ui.widgets.theme import Theme, apply_theme, theme_for
from tests.support.chat_builders import exchange
from tests.support.conversing import ask, click_row, show_chats
from tests.support.scripted_turns import Text, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener


@pytest.fixture(params=[100, 200])
def pane(qtbot: QtBot, qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[ChatPane]:
    theme = theme_for("light", request.param)
    apply_theme(qapp, theme)
    widget = ChatPane()
    qtbot.addWidget(widget)
    widget.resize(360, 480)
    widget.show()
    qtbot.waitExposed(widget)
    yield widget
    apply_theme(qapp, Theme.light())


def test_the_composer_counts_the_courses_or_names_them(qtbot: QtBot, pane: ChatPane) -> None:
    context = pane.composer.context
    assert not context.courses.isVisible()
    pane.set_course_titles(["A", "B", "C"])
    qtbot.waitUntil(lambda: context.courses.text() == "3 courses")
    pane.set_scope(Scope(("A",)))
    assert context.courses.accessibleName() == "Searching A"
    pane.set_scope(Scope())
    assert context.courses.accessibleName() == "Searching 3 courses"


def test_the_row_of_the_composer_shrinks(qtbot: QtBot, pane: ChatPane) -> None:
    pane.set_course_titles([str(n) for n in range(123_456)])
    button = QuietButton(pane)
    pane.composer.context.place(button)
    button.show_words("A model of a very long name " * 3, "Model", "")
    qtbot.waitUntil(button.isVisible)
    assert pane.width() == 360
    assert pane.composer.button.mapTo(pane, pane.composer.button.rect().topRight()).x() < 360


def test_a_click_on_a_quiet_button_leaves_the_keyboard_where_it_was(qtbot: QtBot, pane: ChatPane) -> None:
    button = QuietButton(pane)
    pane.composer.context.place(button)
    button.show_words("A model", "Model", "")
    pane.activateWindow()
    pane.composer.edit.setFocus()
    qtbot.waitUntil(pane.composer.edit.hasFocus)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert pane.composer.edit.hasFocus()


def test_the_composer_is_as_wide_as_the_text(qtbot: QtBot, pane: ChatPane) -> None:
    pane.show_exchanges([exchange()])
    for width in (600, 1200, 2400):
        pane.resize(width, 480)
        qtbot.waitUntil(
            lambda: abs(pane.composer.width() - pane.transcript.viewport().width()) <= 12
        )  # but for the scroll bar


def test_the_menu_of_the_courses_leads_to_them(open_window: Opener, qtbot: QtBot) -> None:
    running = open_window()
    window = running.window
    window.actions_["sidebar"].setChecked(False)
    window.chat.composer.context.courses.menu().actions()[-1].trigger()
    assert window.sidebar.isVisible()
    focus = window.focusWidget()
    assert focus is not None
    assert window.sidebar.isAncestorOf(focus)


def test_the_name_of_the_chat_stands_on_top(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    window = running.window
    server.script(Turn(Text("The moon.")), Turn(Text("Grain.")))
    ask(running, "Why are there tides?")
    running.wait_for(lambda: window.top_bar.title.text() == "Why are there tides?", "the name")
    assert window.windowTitle() == "Why are there tides? – Lectern"
    window.new_chat()
    assert window.top_bar.title.text() == ""
    assert window.windowTitle() == "Lectern"
    ask(running, "What is flour?")
    click_row(running, show_chats(running), "Why are there tides?")
    assert window.top_bar.title.text() == "Why are there tides?"
    number = window.chat_controller.conversation_id
    assert number is not None
    running.workers.conversations.change("Renaming", lambda chats: chats.rename(number, "Tides")).run(window)
    running.wait_for(lambda: window.top_bar.title.text() == "Tides", "the new name")


def test_the_words_are_whole_from_the_start(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, Theme.light())
    pane = ChatPane()
    qtbot.addWidget(pane)
    pane.set_course_titles(["A", "B", "C", "D"])  # before the style sheet has set the font
    pane.resize(640, 480)
    pane.show()
    qtbot.waitExposed(pane)
    assert pane.composer.context.courses.text() == "4 courses"
