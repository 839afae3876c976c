"""Shows a window that has never been open, without workers: ``python -m tests.support.first_window FOLDER``.

Prints, as JSON, the room of the screen, the frame of the window and the parts that must be in view.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QWidget

from app.config.settings import Settings
from app.domain.courses import LibraryCounts
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.theme import Theme, apply_ground
from app.workers.workers import Workers


def _placed(widget: QWidget) -> QRect:
    return QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())


def _numbers(place: QRect) -> tuple[int, int, int, int]:
    return place.x(), place.y(), place.width(), place.height()


def main(folder: Path) -> None:
    """Show the window, close it as a user would, and print where its parts were."""
    application = QApplication([])
    theme = Theme.light()
    apply_ground(application, theme)
    application.setStyleSheet(theme.stylesheet())
    window = MainWindow(Workers(), Settings(), theme, folder / "data", folder / "window.ini")
    window.chat.welcome.set_library(LibraryCounts(0, 0, 0), is_new=True)
    window.show()
    application.processEvents()
    places = {
        "room": window.screen().availableGeometry(),
        "frame": window.frameGeometry(),
        "composer": _placed(window.chat.composer),
        "add": _placed(window.chat.welcome.folder),
    }
    sys.stdout.write(json.dumps({name: _numbers(place) for name, place in places.items()}))
    window.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
