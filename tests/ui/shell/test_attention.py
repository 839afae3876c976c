"""Who works elsewhere is told that something long has ended, without losing the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QSystemTrayIcon, QWidget

from app.ui.shell import attention
from tests.support.scripted_turns import ErrorReply

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener, RunningWindow


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the desktop is asked to show; the desktop itself is not there."""
    sentences: list[str] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(
        QSystemTrayIcon, "showMessage", lambda _tray, _title, text, _icon: sentences.append(text)
    )
    monkeypatch.setattr(attention, "LONG", 0.0)
    return sentences


def read(running: RunningWindow, folder: Path, name: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.md").write_text(f"# {name}\n\nA lesson about {name}.\n", encoding="utf-8")
    window = running.window
    window.ingest_controller.read([folder])
    running.wait_for(lambda: not window.ingest_controller.is_reading, "the files to be read")


# Both are said by the off-screen platform.
@pytest.mark.qt_log_ignore(r"systemTrayWindowChanged|does not support raise\(\)")
def test_the_end_of_reading_and_of_an_answer_is_told_to_who_is_elsewhere(
    open_window: Opener, told: list[str], tmp_path: Path
) -> None:
    running = open_window()
    elsewhere = QWidget()
    elsewhere.show()
    elsewhere.activateWindow()
    running.wait_for(elsewhere.isActiveWindow, "the other window")
    read(running, tmp_path / "Knots", "bowlines")
    assert told == ["Added 1 course: 1 file"]
    running.ask("What are bowlines?")
    assert told[1:] == ["The answer is complete, with 1 source."]
    assert elsewhere.isActiveWindow()
    running.window.showMinimized()
    tray = running.window.findChild(QSystemTrayIcon)
    assert tray is not None
    tray.messageClicked.emit()
    assert not running.window.isMinimized()
    elsewhere.close()


@pytest.mark.qt_log_ignore("systemTrayWindowChanged")
def test_an_answer_that_failed_is_not_called_an_answer(
    open_window: Opener, server: AnthropicServer, told: list[str]
) -> None:
    running = open_window(server)
    server.script(ErrorReply(401, "authentication_error", "invalid x-api-key"))
    elsewhere = QWidget()
    elsewhere.show()
    elsewhere.activateWindow()
    running.wait_for(elsewhere.isActiveWindow, "the other window")
    running.ask("What is a primary key?")
    assert len(told) == 1
    assert "key" in told[0]
    assert "answered" not in told[0]
    elsewhere.close()


def test_who_looks_or_does_not_want_it_is_not_told(
    open_window: Opener, told: list[str], tmp_path: Path
) -> None:
    running = open_window()
    running.activate()
    read(running, tmp_path / "Knots", "bowlines")
    assert not told
