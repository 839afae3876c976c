"""What a screen reader says by itself: how answers and reading get on, and what went wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.domain.courses import LibraryCounts
from app.domain.events import FileDone, FileStatus, IngestDone, IngestProgress
from app.ui.chat.composer import MAX_CHARACTERS
from app.ui.library.ingest_status import IngestStatus
from app.ui.widgets.form import Row
from tests.support.announcements import announcements
from tests.support.conversing import ask
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener


@pytest.fixture
def heard() -> Iterator[list[str]]:
    with announcements() as collected:
        yield collected


def test_an_answer_says_when_it_begins_and_ends(
    heard: list[str], open_window: Opener, server: AnthropicServer
) -> None:
    running = open_window(server)
    heard.clear()
    server.script(Turn(Text("The moon pulls the sea.")))
    ask(running, "Why are there tides?")
    assert heard[0] == "Thinking…"
    assert heard[-1].startswith("The answer is complete, with ")
    assert len(heard) <= 3


def test_stopping_is_said(heard: list[str], open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    gate = Gate()
    server.script(Turn(Text("The moon pulls ", Wait(gate), "the sea.")))
    ask(running, "Why are there tides?", wait=False)
    running.wait_for(lambda: "Thinking…" in heard, "the beginning")
    QTest.keyClick(running.window.chat.composer.edit, Qt.Key.Key_Escape)
    running.wait_for(lambda: heard[-1] == "The answer was stopped.", "the stop")
    gate.open()


def test_what_a_line_of_the_window_shows_is_said(heard: list[str], open_window: Opener) -> None:
    running = open_window()
    window = running.window
    heard.clear()
    title = running.rag.courses.all()[0].title
    window.library_controller.remove_course(title)
    running.wait_for(lambda: window.sidebar.removed_bar.isVisible(), "the bar")
    edit = window.chat.composer.edit
    edit.setPlainText("x" * MAX_CHARACTERS)
    QTest.keyClicks(edit, "yz")
    window.chat.show_notice("Something failed.", "danger")
    assert heard[0] == window.sidebar.removed_bar.text.text()
    assert [one[:19] for one in heard[1:]] == ["!This question has ", "!Something failed."]


def test_words_found_are_counted(heard: list[str], open_window: Opener) -> None:
    running = open_window()
    running.ask("What is a sourdough starter?")
    chat = running.window.chat
    chat.open_find()
    heard.clear()
    QTest.keyClicks(chat.search.bar.field, "starter")
    running.wait_for(lambda: bool(heard), "the number of places")
    assert heard[-1].startswith("1 of ")
    QTest.keyClick(chat.search.bar.field, Qt.Key.Key_Return)
    assert heard[-1].startswith("2 of ")


def test_reading_says_its_beginning_each_quarter_and_its_result(heard: list[str], qtbot: QtBot) -> None:
    status = IngestStatus()
    qtbot.addWidget(status)
    status.begin()
    for done in range(100):
        status.handle(IngestProgress(f"{done}.md", done, 100, done / 100, 12.0, None))
    added = tuple(FileDone(f"{n}.md", FileStatus.ADDED, course_title="A") for n in range(100))
    status.handle(IngestDone(added, LibraryCounts(1, 1, 100), 1.0, 100, 1, to_read=100))
    assert heard == [
        "Looking for course files…",
        *("25% read", "50% read", "75% read"),
        "Added 1 course: 100 files",
    ]
    heard.clear()
    status.begin()
    for done in range(4):
        status.handle(IngestProgress(f"{done}.md", done, 4, done / 4, 12.0, None))
    assert not heard, "a short reading says no more than the last one"


def test_an_error_in_a_form_is_said_once(heard: list[str], qtbot: QtBot) -> None:
    field = QLineEdit()
    line = Row("Server", field)
    qtbot.addWidget(field)
    qtbot.addWidget(line.label)
    qtbot.addWidget(line.message)
    line.fail("Not an address.")
    line.fail("Not an address.")
    assert heard == ["!Not an address."]
    assert field.accessibleDescription() == "Not an address."
