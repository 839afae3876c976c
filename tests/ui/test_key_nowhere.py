"""A planted key, and everything the program leaves behind: none of it holds the key."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.config.redaction import RedactingFormatter, hide, redact
from app.domain.conversations import ExchangeState
from app.main import report_faults
from app.ui.chat.file_export import write_html, write_pdf
from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.widgets.dialog import CrashDialog
from tests.support.anthropic_server import AnthropicServer
from tests.support.running_window import RunningWindow
from tests.support.scripted_turns import Cite, ErrorReply, StreamError, Text, ToolUse, Turn, search_results

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

KEYS = ["sk-ant-planted-0123456789abcdef", "planted.token.of.another.make.0123"]
SEARCH = ToolUse("search_course_content", {"query": "spring tides"})


@pytest.fixture
def log_file(tmp_path: Path) -> Iterator[Path]:
    """Everything that is logged by anyone, formatted as the program does it."""
    path = tmp_path / "lectern.log"
    handler = logging.FileHandler(path, encoding="utf-8")
    handler.setFormatter(RedactingFormatter("%(levelname)s %(name)s: %(message)s"))
    root, before = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield path
    root.removeHandler(handler)
    root.setLevel(before)
    handler.close()


@pytest.fixture(params=[KEYS[0], pytest.param(KEYS[1], marks=pytest.mark.slow)])
def key(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def capable(body: dict[str, Any]) -> Turn:
    """Answer a trial of the connection as a model that can do everything."""
    if body.get("tools"):
        return Turn(ToolUse(body["tools"][0]["name"], {"word": "yes"}), stop_reason="tool_use")
    return Turn(Text("yes", citations=(Cite(),) if search_results(body) else ()))


def enter_key(running: RunningWindow, key: str) -> None:
    """Type the key into the settings, try the connection with it, and save it."""
    running.window.open_settings()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, SettingsDialog)
    page = dialog.answers
    QTest.keyClicks(page.key.edit, key)
    QTest.mouseClick(page.test.button, Qt.MouseButton.LeftButton)
    running.wait_for(lambda: not page.test.is_running, "the trial")
    assert page.test.findings[:2] == [
        f"{running.rag.settings.base_url.partition('//')[2]} answers.",
        "The server accepts the key.",
    ]
    dialog.accept()
    running.wait_for(lambda: running.keys.read(running.rag.settings.base_url)[0] == key, "the key")


def use_everything(running: RunningWindow, server: AnthropicServer, key: str, folder: Path) -> None:
    """Answer, fail with an echo of the key, and export the chat in every form."""
    echo = f"the key {key} is not for this"
    found = Turn(SEARCH, stop_reason="tool_use")
    server.script(found, Turn(Text("They follow.", citations=(Cite(),))))
    running.ask("When do spring tides come?")
    for reply in (
        ErrorReply(400, "invalid_request_error", echo),
        ErrorReply(401, "authentication_error", echo),
        Turn(Text("They "), StreamError("invalid_request_error", echo)),
    ):
        server.script(reply)
        running.ask("When do neap tides come?")
    conversation_id = running.window.chat_controller.conversation_id
    assert conversation_id is not None
    states = [item.state for item in running.rag.conversations.exchanges(conversation_id)]
    assert states == [ExchangeState.DONE, *[ExchangeState.FAILED] * 3]
    for name, write in (("chat.md", None), ("chat.html", write_html), ("chat.pdf", write_pdf)):
        running.workers.conversations.export(conversation_id, 0, folder / name, write).run(running.window)
        running.wait_for(lambda: (folder / name).exists(), name)  # noqa: B023 - waited for here


def test_the_key_is_in_nothing_the_program_leaves_behind(
    qapp: QApplication,
    tmp_path: Path,
    model_cache: Path,
    embedder: KeptEmbedder,
    data_dir: Path,
    log_file: Path,
    key: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # put back at the end
    with AnthropicServer(key=key) as server:
        running = RunningWindow(
            tmp_path, model_cache, base_url=server.url, embedder=embedder, data_dir=data_dir
        )
        running.open()
        running.wait_until_ready(samples=False)
        server.answer_with(capable)
        enter_key(running, key)
        use_everything(running, server, key, tmp_path)
        report_faults(running.window)
        _fail_with(f"a fault that knows {key}")
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, CrashDialog)
        report = dialog.report.toPlainText()
        assert "a fault that knows" in report
        titles = [widget.windowTitle() for widget in qapp.topLevelWidgets()]
        seen = [report, *titles, running.window.chat.transcript.toPlainText()]
        dialog.reject()
        running.close()
        running.wait_for(lambda: (tmp_path / "window.ini").exists(), "the window's state to be written")
    assert not [text for text in seen if key in text]
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    names = {file.name for file in files}
    assert {"settings.json", "lectern.log", "chat.md", "chat.html", "chat.pdf", "window.ini"} <= names
    assert [file for file in files if file.suffix == ".sqlite" or "library" in file.name]
    assert not [file for file in files if key.encode() in file.read_bytes()]
    assert "[key hidden]" in log_file.read_text(encoding="utf-8"), "it would have been there"


def _fail_with(message: str) -> None:
    try:
        raise RuntimeError(message)
    except RuntimeError as error:
        sys.excepthook(type(error), error, error.__traceback__)


def test_a_key_that_was_made_known_is_hidden_wherever_it_stands() -> None:
    hide("a.key.like.no.other")
    hide("abc")
    try:
        raise ValueError("a.key.like.no.other was refused")
    except ValueError:
        assert "a.key.like.no.other" not in redact(traceback.format_exc())
    assert redact("abc of cooking") == "abc of cooking", "too short to be taken for a key"


@pytest.mark.parametrize(
    "text", ["sk-ant-api03-abcdefgh", "x-api-key: hello", "Authorization: Bearer abcdefgh.ijk"]
)
def test_what_looks_like_a_key_is_hidden(text: str) -> None:
    assert "[key hidden]" in redact(text)
