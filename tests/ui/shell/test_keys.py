"""The list of keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.ui.shell.guide_window import GuideWindow

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.running_window import Opener, RunningWindow

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def running(open_window: Opener) -> RunningWindow:
    return with_keyboard(open_window())


def with_keyboard(running: RunningWindow) -> RunningWindow:
    running.activate()
    return running


def page(running: RunningWindow) -> GuideWindow:
    QTest.keyClick(running.window, Qt.Key.Key_Slash, CTRL)
    window = running.window.findChild(GuideWindow)
    assert window is not None
    running.wait_for(window.isActiveWindow, "the page")
    return window


def rows(window: GuideWindow) -> dict[str, list[str]]:
    """Return the lines of each section: a command, and its keys."""
    found = {}
    for at in range(window.sections.count()):
        window.sections.setCurrentRow(at)
        found[window.sections.item(at).text()] = window.page.toPlainText().splitlines()
    return found


def has(lines: list[str], command: str, keys: str) -> bool:
    return lines[lines.index(command) + 1] == keys


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_every_command_is_listed_with_its_keys_those_of_panes_too(running: RunningWindow) -> None:
    window = page(running)
    listed = rows(window)
    assert list(listed)[:6] == ["File", "Edit", "Course", "Study", "View", "Help"]
    assert has(listed["File"], "New chat", "Ctrl+N")
    assert has(listed["View"], "Next pane", "F6") and has(listed["View"], "Larger text", "Ctrl++ Ctrl+=")
    assert "Theme: Dark" not in listed["View"], "it has no key"
    assert has(listed["Panes"], "Next citation", "Alt+Down")
    assert has(listed["Panes"], "Ten seconds back", "J")
    assert has(listed["Review"], "Undo", "Z"), "of a page that was not opened yet"
    assert "Esc" in listed["In every list, field and answer"]
    window.search.setFocus()
    QTest.keyClicks(window.search, "ten seconds")
    shown = [at for at in range(window.sections.count()) if not window.sections.isRowHidden(at)]
    assert [window.sections.item(at).text() for at in shown] == ["Panes"]


def test_keys_that_an_earlier_version_stored_mean_nothing(open_window: Opener, tmp_path: Path) -> None:
    open_window().window.close()
    (state,) = tmp_path.rglob("window.ini")
    state.write_text(state.read_text(encoding="utf-8") + "\n[keys]\ntrash=Ctrl+N\n", encoding="utf-8")
    actions = open_window().window.actions_
    assert actions["trash"].shortcut().isEmpty()
    assert actions["new_chat"].shortcut().toString() == "Ctrl+N"
