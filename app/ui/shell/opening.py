"""Opens links and files that come from answers and libraries, after a check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices

from app.ui.dialogs import show
from app.ui.widgets.links import is_web_link, link_question, open_link
from app.workers.ingest_operations import course_file_endings

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def open_answer_link(window: QWidget, address: str) -> None:
    """Open a web address after showing where it leads: a model or a file wrote it."""
    title = QCoreApplication.translate("Opening", "Open this link?")
    action = QCoreApplication.translate("Opening", "Open")
    if is_web_link(address) and show.confirm(window, title, link_question(address), action):
        open_link(address)


def open_course_file(window: QWidget, path: str) -> None:
    """Open a course file; paths may come from someone else's library, so nothing else is opened."""
    is_course_file = Path(path).suffix.lower() in course_file_endings()
    if not (is_course_file and QDesktopServices.openUrl(QUrl.fromLocalFile(path))):
        title = QCoreApplication.translate("Opening", "Can't open the file")
        text = QCoreApplication.translate("Opening", "Nothing could open {path}. Check that the file exists.")
        show.show_error(window, title, text.format(path=path))
