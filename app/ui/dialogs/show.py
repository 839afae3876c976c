"""Opens the dialogs that report problems and ask for confirmation.

Each dialog is imported when it is first shown, so that the window paints without waiting for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QDialog

from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.ui.dialogs.crash_dialog import CrashDialog
    from app.ui.dialogs.message_dialog import MessageDialog

_Dialog = TypeVar("_Dialog", bound=QDialog)


def show_error(parent: QWidget | None, title: str, sentence: str) -> MessageDialog:
    """Show a sentence that says what is wrong and what to do; return at once.

    Returns:
        The dialog. It deletes itself when it is closed; without a parent the caller keeps it.
    """
    from app.ui.dialogs.message_dialog import MessageDialog

    return _opened(MessageDialog(title, sentence, current_theme(), parent))


def confirm(parent: QWidget | None, title: str, question: str, action: str) -> bool:
    """Ask before a destructive action; wait, and return whether the user chose ``action``."""
    from app.ui.dialogs.message_dialog import MessageDialog

    return MessageDialog(title, question, current_theme(), parent, action=action).ask()


def show_crash(parent: QWidget | None, report: str, *, ended: bool = False) -> CrashDialog:
    """Show the report of a fault, already free of secrets; return at once.

    Args:
        parent: the window.
        report: for the developers.
        ended: the fault ended the last run.
    """
    from app.ui.dialogs.crash_dialog import CrashDialog

    return _opened(CrashDialog(report, current_theme(), parent, ended=ended))


def _opened(dialog: _Dialog) -> _Dialog:
    dialog.open()
    return dialog


def current_theme() -> Theme:
    """Return the theme in use, from the palette: an error may come before any window."""
    ground = QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness()
    return Theme.dark() if ground < 128 else Theme.light()
