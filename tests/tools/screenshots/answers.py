"""Answers, complete and not, and what the settings say of a server."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.model_servers import Spending
from app.ui.settings.settings_dialog import SettingsDialog
from tests.support.anthropic_server import AnthropicServer
from tests.support.scripted_turns import (
    Cite,
    Cut,
    ErrorReply,
    Gate,
    Text,
    ToolUse,
    Turn,
    Wait,
    search_results,
)
from tests.tools.screenshots.first_start import QUESTION
from tests.tools.screenshots.pictures import settle

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

FAR = "What is the plot of the opera The Magic Flute?"
BUSY = ErrorReply(429, "rate_limit_error", "Slow down", {"retry-after": "12"})


def answer_states(pictures: Pictures) -> None:
    """Take what needs a model server."""
    with AnthropicServer() as server, pictures.window(server) as (running, _):
        _answer_states(pictures, running, server)


def _answer_states(pictures: Pictures, running: RunningWindow, server: AnthropicServer) -> None:
    running.ask(QUESTION)
    pictures.take(running, "answer")
    gate = Gate()
    server.script(
        Turn(
            Text(
                "## Measures of the middle\n\nThe **mean** adds everything up, the *median* takes the "
                "middle value:\n\n| data | mean | median |\n|---|---|---|\n| 1, 2, 3 | 2 | 2 |\n"
                "| 1, 2, 300 | 101 | 2 |\n\n```python\nfrom statistics import mean, median\n\n"
                "print(mean([1, 2, 300]), median([1, 2, 300]))\n```\n\n1. One outlier moves the mean.\n"
                "2. It leaves the median alone.\n\n> A single number never tells the whole st",
                Wait(gate),
                "ory.",
            )
        )
    )
    running.ask("Compare the mean and the median, with an example in Python.", wait=False)
    running.wait_for(gate.reached.is_set, "the middle of the answer")
    settle(400)
    pictures.take(running, "streaming")
    gate.open()
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "the answer")
    pictures.take(running, "rich-answer")
    server.script(Turn(Text("The alphabet was", Cut())))
    running.ask("Who invented the alphabet?")
    pictures.take(running, "interrupted")
    server.script(*[ErrorReply(401, "authentication_error", "invalid x-api-key")])
    running.ask("And the printing press?")
    pictures.take(running, "wrong-key")
    with tempfile.TemporaryDirectory() as folder:
        _make_troubled_folder(Path(folder))
        running.read(Path(folder))
        pictures.take(running, "some-failed")


def _make_troubled_folder(folder: Path) -> None:
    """Fill a folder with one good file and several that cannot be read."""
    (folder / "good.txt").write_text(
        "Course Title: A Short Course\n\nLesson 1: Only\nIt has one sentence.\n", encoding="utf-8"
    )
    (folder / "empty.txt").write_bytes(b"")
    (folder / "picture.txt").write_bytes(bytes(range(256)) * 40)
    (folder / "slides.pdf").write_bytes(b"%PDF-1.7\n")


def fault_states(pictures: Pictures) -> None:
    """Take what is not covered, waiting, limits, refusals, links, the budget, and trials of a server."""
    with pictures.window() as (alone, _):
        alone.ask(FAR)
        pictures.take(alone, "search-only-not-covered")
    with AnthropicServer() as server, pictures.window(server) as (running, _):
        _faults(pictures, running, server)
        _settings(pictures, running, server)


def _faults(pictures: Pictures, running: RunningWindow, server: AnthropicServer) -> None:
    window = running.window
    search = Turn(ToolUse("search_course_content", {"query": FAR}), stop_reason="tool_use")
    said = Text("Your courses do not cover operas. The lessons on writing systems come nearest.")
    server.script(search, Turn(said))
    running.ask(FAR)
    pictures.take(running, "not-covered")
    window.new_chat()
    server.script(BUSY, Turn(Text("It goes on by itself.")))
    running.ask(QUESTION, wait=False)
    running.wait_for(lambda: "12 s" in window.chat.transcript.toPlainText(), "the countdown")
    pictures.take(running, "waiting-for-a-busy-server")
    window.chat_controller.stop()
    running.wait_for(lambda: not window.chat_controller.is_answering, "the stop")
    server.forget()
    for name, reason in (("length-limit", "max_tokens"), ("refusal", "refusal")):
        window.new_chat()
        server.script(Turn(Text("Documents are cut into chunks because"), stop_reason=reason))
        running.ask(QUESTION)
        pictures.take(running, name)
    window.new_chat()
    server.script(Turn(Text("Read [this page](https://example.org/a/long/way?to=go) about it.")))
    running.ask(QUESTION)
    QTimer.singleShot(200, lambda: _take_dialog(pictures, running, "link-leads-out"))
    window.chat.transcript.link_activated.emit("https://example.org/a/long/way?to=go")
    window.settings_controller.budget.update(Spending(17.2, 3_400_000, 2_100_000, 812, 20))
    pictures.take(running, "budget-nearly-spent")
    window.settings_controller.budget.update(Spending(20.4, 4_400_000, 2_600_000, 940, 20))
    QTimer.singleShot(200, lambda: _take_dialog(pictures, running, "budget-spent"))
    window.chat_controller.ask(QUESTION)
    window.settings_controller.budget.update(Spending(1.2, 240_000, 180_000, 61, 20, "2026-10-24"))


def _settings(pictures: Pictures, running: RunningWindow, server: AnthropicServer) -> None:
    for name, script in (("connection-good", _capable), ("connection-poor", _plain)):
        server.answer_with(script)
        running.window.open_settings()
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, SettingsDialog)
        QTest.qWait(50)
        dialog.answers.test.button.click()
        running.wait_for(lambda shown=dialog: not shown.answers.test.is_running, "the trial")  # type: ignore[misc]
        pictures.take(running, name)
        dialog.reject()
        running.wait_for(lambda: QApplication.activeModalWidget() is None, "the dialog to close")


def _take_dialog(pictures: Pictures, running: RunningWindow, name: str) -> None:
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    pictures.take(running, name)
    dialog.close()


def _capable(body: dict[str, Any]) -> Turn:
    if body.get("tools"):
        return Turn(ToolUse(body["tools"][0]["name"], {"word": "yes"}), stop_reason="tool_use")
    return Turn(Text("yes", citations=(Cite(),) if search_results(body) else ()))


def _plain(_body: dict[str, Any]) -> Turn:
    return Turn(Text("yes"))
