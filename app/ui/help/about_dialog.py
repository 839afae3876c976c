"""What Lectern is and where it keeps its data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from app import __version__
from app.ui.widgets.building import vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import set_look
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from app.ui.widgets.theme import Theme

# A path has no spaces to wrap at: an invisible break is allowed after each separator.
_BREAK = "\u200b"


class AboutDialog(Dialog):
    """Name, version, licence, and the folder of the library.

    Signals:
        open_data_folder_requested: show the folder in the system's file manager.
        licences_requested: show the licences of the software inside.
    """

    open_data_folder_requested = Signal()
    licences_requested = Signal()

    def __init__(
        self, data_dir: Path | str, theme: Theme, parent: QWidget | None = None, *, has_licences: bool = False
    ) -> None:
        super().__init__(
            self.tr("About Lectern"),
            parent,
            heading="Lectern",
            text=self.tr("Version {0} · MIT licence").format(__version__),
            picture=theme.pixmap("app", 64),
        )
        set_look(self.heading, "role", "title")
        self.body.addWidget(
            plain_label(
                self.tr(
                    "Ask your course material in plain words. Files, index and chats stay on this "
                    "computer; only your question and the passages that answer it go to the model you choose."
                ),
                "muted",
            )
        )
        path = plain_label(_breakable(str(data_dir)), selectable=True)
        self.body.addLayout(vbox(plain_label(self.tr("Your library is in"), "caption"), path, spacing=4))
        self.body.addStretch()
        self.add_button(self.tr("Open data folder"), self.open_data_folder_requested.emit, at_left=True)
        licences = self.add_button(self.tr("Licences…"), self.licences_requested.emit, at_left=True)
        licences.setVisible(has_licences)
        self.add_close().setFocus()
        self.setFixedWidth(480)


def _breakable(path: str) -> str:
    for separator in ("/", "\\"):
        path = path.replace(separator, separator + _BREAK)
    return path
