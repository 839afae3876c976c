"""The only place from which failures are shown in dialogs.

Each dialog is imported when it is first shown: the first picture of the window would wait for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QDialog

from app.ui.shell.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from app.domain.events import FileDone
    from app.ui.dialogs.crash_dialog import CrashDialog
    from app.ui.dialogs.message_dialog import MessageDialog
    from app.ui.ingest.failures_dialog import FailuresDialog

_Dialog = TypeVar("_Dialog", bound=QDialog)


def show_error(parent: QWidget | None, title: str, sentence: str) -> MessageDialog:
    """Show one sentence that says what is wrong and what to do; returns at once.

    Returns:
        The dialog, which deletes itself when it is closed; without a parent it has to be kept.
    """
    from app.ui.dialogs.message_dialog import MessageDialog

    return _opened(MessageDialog(title, sentence, current_theme(), parent))


def confirm(parent: QWidget | None, title: str, question: str, action: str) -> bool:
    """Ask before something that destroys; return whether the user chose ``action``.

    Waits for the answer; the window goes on painting meanwhile.
    """
    from app.ui.dialogs.message_dialog import MessageDialog

    dialog = MessageDialog(title, question, current_theme(), parent, action=action)
    chosen = dialog.exec() == QDialog.DialogCode.Accepted.value
    dialog.deleteLater()
    return chosen


def show_failures(parent: QWidget | None, files: Sequence[FileDone]) -> FailuresDialog:
    """List files that were not read, with reasons; returns at once."""
    from app.ui.ingest.failures_dialog import FailuresDialog

    return _opened(FailuresDialog(files, current_theme(), parent))


def show_crash(parent: QWidget | None, report: str, *, ended: bool = False) -> CrashDialog:
    """Show the report of a fault in the program, already free of secrets; returns at once.

    Args:
        parent: the window.
        report: for those who mend it.
        ended: it was the end of the last run.
    """
    from app.ui.dialogs.crash_dialog import CrashDialog

    return _opened(CrashDialog(report, current_theme(), parent, ended=ended))


def _opened(dialog: _Dialog) -> _Dialog:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    return dialog


def current_theme() -> Theme:
    """Return the theme the program wears now, told by its palette: an error may come before any window."""
    ground = QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness()
    return Theme.dark() if ground < 128 else Theme.light()
