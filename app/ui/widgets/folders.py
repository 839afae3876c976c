"""Where file dialogs open."""

from PySide6.QtCore import QDir, QStandardPaths


def start_folder(last: str = "") -> str:
    """Return the folder ``last``, the user's documents or the home folder: the first that exists.

    For one that does not exist, Qt shows the folder that the program was started in.
    """
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    found = (folder for folder in (last, documents) if folder and QDir(folder).exists())
    return next(found, QDir.homePath())
