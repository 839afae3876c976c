"""Opens the dialogs that report problems and ask for confirmation.

They are imported when first shown, so that the window paints without waiting for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.ui.widgets.dialog import CrashDialog, MessageDialog


def show_error(parent: QWidget | None, title: str, sentence: str) -> MessageDialog:
    """Show a sentence that says what is wrong and what to do; return at once.

    The dialog deletes itself when it is closed; without a parent the caller keeps it.
    """
    from app.ui.widgets.dialog import MessageDialog

    dialog = MessageDialog(title, sentence, parent)
    dialog.open()
    return dialog


def confirm(parent: QWidget | None, title: str, question: str, action: str) -> bool:
    from app.ui.widgets.dialog import MessageDialog

    return MessageDialog(title, question, parent, action=action).ask()


def show_crash(parent: QWidget | None, report: str, *, ended: bool = False) -> CrashDialog:
    """Show the report of a fault, without secrets, that ``ended`` the last run or not; return at once."""
    from app.ui.widgets.dialog import CrashDialog

    dialog = CrashDialog(report, parent, ended=ended)
    dialog.open()
    return dialog
