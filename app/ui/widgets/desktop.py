"""What the window shares with the desktop: links it opens, folders it begins in, the clipboard."""

from __future__ import annotations

from urllib.parse import urlsplit

from PySide6.QtCore import QDir, QMimeData, QStandardPaths, QUrl
from PySide6.QtGui import QDesktopServices, QStandardItemModel


def is_web_link(link: str | None) -> bool:
    """Return whether ``link`` is an http(s) address with a host; nothing else is ever opened.

    Links come from course files and answers, so ``file:``, ``javascript:`` and the like do nothing.
    """
    if not link:
        return False
    try:
        parts = urlsplit(link.strip())
    except ValueError:
        return False
    return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)


def open_link(link: str) -> bool:
    """Open a web address in the browser; return whether that worked."""
    return is_web_link(link) and QDesktopServices.openUrl(QUrl(link.strip()))


def start_folder(last: str = "") -> str:
    """Return the folder ``last``, the user's documents or the home folder: the first that exists.

    For one that does not exist, Qt shows the folder that the program was started in.
    """
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    found = (folder for folder in (last, documents) if folder and QDir(folder).exists())
    return next(found, QDir.homePath())


def new_mime_data() -> QMimeData:
    """Return empty data for the clipboard.

    The clipboard keeps its data until after Python is gone. Data made by calling ``QMimeData`` calls back
    into Python then and crashes the program; data that Qt made itself does not.
    """
    model = QStandardItemModel(1, 1)
    data = model.mimeData([model.index(0, 0)])
    for kind in data.formats():
        data.removeFormat(kind)
    return data
