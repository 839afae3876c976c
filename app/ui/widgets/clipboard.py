"""Clipboard data that outlives Python."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QStandardItemModel


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
