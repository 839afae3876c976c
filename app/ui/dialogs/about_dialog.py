"""What this program is and where it keeps things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from app.ui.shell.theme import Theme

# A path has no spaces to wrap at: an invisible break is allowed after each separator.
_BREAK = "\u200b"


class AboutDialog(QDialog):
    """Name, version, licence, and the folder of the library.

    Signals:
        open_data_folder_requested: the folder is to be shown in the system's file manager.
        licences_requested: the licences of what is inside are to be shown.
    """

    open_data_folder_requested = Signal()
    licences_requested = Signal()

    def __init__(
        self, data_dir: Path | str, theme: Theme, parent: QWidget | None = None, *, has_licences: bool = False
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Lectern"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        picture = QLabel()
        picture.setPixmap(theme.pixmap("app", 64, ratio=self.devicePixelRatioF()))
        name = QLabel("Lectern")
        name.setProperty("role", "title")
        version = self._text(self.tr("Version {0} · MIT licence").format(__version__), "muted")
        what = self._text(
            self.tr(
                "Asks your course material in plain words. Files, index and conversations stay on this "
                "computer; only a question and the passages that answer it go to the model you choose."
            )
        )
        where = self._text(self.tr("Your library lies in"), "caption")
        self._path = self._text(_breakable(str(data_dir)))
        self._path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

        names = QVBoxLayout()
        names.setSpacing(4)
        names.addStretch()
        names.addWidget(name)
        names.addWidget(version)
        names.addStretch()
        head = QHBoxLayout()
        head.setSpacing(16)
        head.addWidget(picture)
        head.addLayout(names, 1)
        place = QVBoxLayout()
        place.setSpacing(4)
        place.addWidget(where)
        place.addWidget(self._path)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addLayout(head)
        layout.addWidget(what)
        layout.addLayout(place)
        layout.addLayout(self._make_buttons(has_licences))
        self.setFixedWidth(480)
        self._close.setFocus()

    def _text(self, text: str, role: str = "") -> QLabel:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setProperty("role", role)
        return label

    def _make_buttons(self, has_licences: bool) -> QHBoxLayout:
        folder = QPushButton(self.tr("Open data folder"))
        folder.setAutoDefault(False)
        folder.clicked.connect(self.open_data_folder_requested)
        licences = QPushButton(self.tr("Licences…"))
        licences.setAutoDefault(False)
        licences.setVisible(has_licences)
        licences.clicked.connect(self.licences_requested)
        self._close = close = QPushButton(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(folder)
        row.addWidget(licences)
        row.addStretch()
        row.addWidget(close)
        return row


def _breakable(path: str) -> str:
    for separator in ("/", "\\"):
        path = path.replace(separator, separator + _BREAK)
    return path
