"""The dialogs of the Help menu: about Lectern, and its licences."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence, QTextCursor

from app import __version__
from app.config.paths import licences_file
from app.ui.widgets.building import set_look, vbox
from app.ui.widgets.dialog import Dialog, room_for
from app.ui.widgets.text_labels import long_text, plain_label
from app.ui.widgets.theme import Theme, scaled
from app.workers.job import read_text_file

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget


_LINES_A_TURN = 400  # laid out in a few milliseconds
_NATIVE = QKeySequence.SequenceFormat.NativeText
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class AboutDialog(Dialog):
    """Name, version, licence, and the folder of the library."""

    def __init__(self, data_dir: Path, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("About Lectern"),
            parent,
            heading="Lectern",
            text=self.tr("Version {0} · MIT licence").format(__version__),
            picture=Theme.current().pixmap("app", 64),
        )
        set_look(self.heading, "role", "title")
        about = self.tr(
            "Ask your course material in plain words. Files, index and chats stay on this computer; only "
            "your questions and passages of your courses go to the model you choose."
        )
        self.body.addWidget(plain_label(about, "muted"))
        # A path has no spaces to wrap at: an invisible break is allowed after each separator.
        breakable = str(data_dir).replace("/", "/\u200b").replace("\\", "\\\u200b")
        path = plain_label(breakable, selectable=True)
        self.body.addLayout(vbox(plain_label(self.tr("Your library is in"), "caption"), path, spacing=4))
        self.body.addStretch()
        folder = QUrl.fromLocalFile(str(data_dir))
        open_folder = self.tr("Open data folder")
        self.add_button(open_folder, lambda: QDesktopServices.openUrl(folder), at_left=True)
        if (file := licences_file()) is not None:
            self.add_button(self.tr("Licences…"), lambda: LicencesDialog(file, self).open(), at_left=True)
        self.add_close().setFocus()
        self.setFixedWidth(min(scaled(480), room_for(self).width()))


class LicencesDialog(Dialog):
    """Shows a long text piece by piece, so that the window stays responsive."""

    def __init__(self, path: Path, parent: QWidget) -> None:
        super().__init__(
            self.tr("Licences"),
            parent,
            heading=self.tr("Software in Lectern"),
            text=self.tr("Lectern includes this software under these licences."),
        )
        self._more = QTimer(self, interval=0)
        self._more.timeout.connect(self._show_more)
        self.text = long_text(self.tr("Loading…"), self.tr("Licences"), Theme.current())
        self.text.setUndoRedoEnabled(False)
        self.body.addWidget(self.text)
        self.add_close()
        self.resize_to(860, 600)
        self.text.setFocus()
        read_text_file(path, self._begin)

    def _begin(self, text: str) -> None:
        self.text.clear()
        missing = self.tr("Lectern can't read its licence file. Reinstall Lectern to restore it.")
        self._lines = iter((text or missing).splitlines(keepends=True))
        self._more.start()

    def _show_more(self) -> None:
        piece = "".join(islice(self._lines, _LINES_A_TURN))
        if not piece:
            self._more.stop()
        # Not appendPlainText, which scrolls along.
        end = QTextCursor(self.text.document())
        end.movePosition(QTextCursor.MoveOperation.End)
        end.insertText(piece)
