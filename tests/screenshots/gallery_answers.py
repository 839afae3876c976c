"""Pictures of answers that are not simply complete, and of what the settings say of a server."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.domain.model_servers import Spending
from app.ui.settings.settings_dialog import SettingsDialog
from tests.support.running_window import RunningWindow
from tests.support.scripted_turns import Cite, ErrorReply, Text, ToolUse, Turn, search_results

if TYPE_CHECKING:
    from app.ui.widgets.theme import Theme
    from tests.support.anthropic_server import AnthropicServer

FAR = "What is the plot of the opera The Magic Flute?"
QUESTION = "Why are documents cut into chunks?"
BUSY = ErrorReply(429, "rate_limit_error", "Slow down", {"retry-after": "12"})


class Pictures(Protocol):
    """Takes pictures of a window in one theme."""

    theme: Theme

    def take(self, running: RunningWindow, name: str) -> None:
        """Save the window and the dialog before it."""


def fault_states(pictures: Pictures, server: AnthropicServer, model_cache: Path) -> None:
    """Take every state, each in a new chat."""
    with tempfile.TemporaryDirectory() as folder:
        alone = RunningWindow(Path(folder), model_cache, theme=pictures.theme)
        alone.open()
        alone.wait_until_ready()
        alone.ask(FAR)
        pictures.take(alone, "40-search-only-not-covered")
        alone.close()
    with tempfile.TemporaryDirectory() as folder:
        running = RunningWindow(
            Path(folder), model_cache, theme=pictures.theme, base_url=server.url, key=server.key
        )
        running.open()
        running.wait_until_ready()
        _answers(pictures, running, server)
        _settings(pictures, running, server)
        running.close()


def _answers(pictures: Pictures, running: RunningWindow, server: AnthropicServer) -> None:
    window = running.window
    search = Turn(ToolUse("search_course_content", {"query": FAR}), stop_reason="tool_use")
    said = Text("Your courses do not cover operas. The lessons on writing systems come nearest.")
    server.script(search, Turn(said))
    running.ask(FAR)
    pictures.take(running, "41-not-covered")
    window.new_chat()
    server.script(BUSY, Turn(Text("It goes on by itself.")))
    running.ask(QUESTION, wait=False)
    running.wait_for(lambda: "Trying again in" in window.chat.transcript.toPlainText(), "the countdown")
    pictures.take(running, "42-waiting-for-a-busy-server")
    window.chat_controller.stop()
    running.wait_for(lambda: not window.chat_controller.is_answering, "the stop")
    server.forget()
    for name, reason in (("43-length-limit", "max_tokens"), ("44-refusal", "refusal")):
        window.new_chat()
        server.script(Turn(Text("Documents are cut into chunks because"), stop_reason=reason))
        running.ask(QUESTION)
        pictures.take(running, name)
    window.new_chat()
    server.script(Turn(Text("Read [this page](https://example.org/a/long/way?to=go) about it.")))
    running.ask(QUESTION)
    QTimer.singleShot(200, lambda: _take_dialog(pictures, running, "45-link-leads-out"))
    window.chat.transcript.link_activated.emit("https://example.org/a/long/way?to=go")
    window.settings_controller.budget.update(Spending(17.2, 3_400_000, 2_100_000, 812, 20))
    pictures.take(running, "46-budget-nearly-spent")
    window.settings_controller.budget.update(Spending(20.4, 4_400_000, 2_600_000, 940, 20))
    QTimer.singleShot(200, lambda: _take_dialog(pictures, running, "47-budget-spent"))
    window.chat_controller.ask(QUESTION)
    window.settings_controller.budget.update(Spending(1.2, 240_000, 180_000, 61, 20, "2026-10-24"))


def _settings(pictures: Pictures, running: RunningWindow, server: AnthropicServer) -> None:
    for name, script in (("48-connection-good", _capable), ("49-connection-poor", _plain)):
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
