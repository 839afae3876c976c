"""The settings, the palette, help, and what says that something is wrong."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.settings.settings_dialog import SettingsDialog
from app.ui.shell.guide_window import GuideWindow
from app.ui.widgets import show_dialogs as show
from tests.tools.screenshots.first_start import failed_library
from tests.tools.screenshots.pictures import activate, settle

if TYPE_CHECKING:
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

_CRASH = "Lectern 0.1.0, linux\n\nTraceback (most recent call last):\n" + "  File …\n" * 30
_GONE = "The folder “/home/me/lectures” is gone. Choose another one, or plug in the disk it was on."


def dialog_states(pictures: Pictures) -> None:
    """Take the dialogs that lead to no state of the window."""
    with pictures.window() as (running, _):
        _settings(pictures, running)
        _palette(pictures, running)
        _help(pictures, running)
        _problems(pictures, running)
    with tempfile.TemporaryDirectory() as folder:
        failed_library(pictures, Path(folder))


def _settings(pictures: Pictures, running: RunningWindow) -> None:
    running.window.open_settings()
    dialog = running.window.findChild(SettingsDialog)
    assert dialog is not None
    for page in ("answers", "library", "appearance", "languages", "advanced"):
        dialog.show_page(page)
        pictures.take(running, f"settings-{page}")
    dialog.reject()
    activate(running)


def _palette(pictures: Pictures, running: RunningWindow) -> None:
    window = running.window
    window.actions_["palette"].trigger()
    settle()
    pictures.take(running, "palette")
    found = QApplication.focusWidget()
    assert found is not None
    QTest.keyClicks(found, "ret")
    pictures.take(running, "palette-found")
    window.palette_controller.palette.dismiss()
    window.actions_["shortcuts"].trigger()
    keys = window.findChild(GuideWindow)
    assert keys is not None
    pictures.take(running, "keyboard-shortcuts")
    keys.close()


def _help(pictures: Pictures, running: RunningWindow) -> None:
    helps = running.window.help_controller
    helps.show_guide()
    guide = helps.guide
    assert guide is not None
    running.wait_for(lambda: guide.sections.count() > 5, "the guide")
    pictures.take_widget(guide, "guide")
    QTest.keyClicks(guide.search, "folder")
    pictures.take_widget(guide, "guide-searched")
    guide.close()
    helps.show_about()
    pictures.take(running, "about")
    _close_front()
    helps.show_report()
    running.wait_for(lambda: QApplication.activeModalWidget() is not None, "the report")
    pictures.take(running, "report-of-a-problem")
    _close_front()


def _problems(pictures: Pictures, running: RunningWindow) -> None:
    window = running.window
    show.show_crash(window, _CRASH)
    pictures.take(running, "fault-of-the-program")
    _close_front()
    show.show_error(window, "Lectern", _GONE)
    pictures.take(running, "error")
    _close_front()


def _close_front() -> None:
    front = QApplication.activeModalWidget()
    assert front is not None
    front.close()
    settle()
