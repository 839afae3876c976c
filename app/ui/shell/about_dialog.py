"""What Lectern is."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from app import __version__
from app.config.paths import licences_file
from app.ui.widgets.building import set_look, vbox
from app.ui.widgets.desktop import open_path
from app.ui.widgets.dialog import Dialog, room_for
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled


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
        open_folder = self.tr("Open data folder")
        self.add_button(open_folder, lambda: open_path(self, str(data_dir)), at_left=True)
        if (file := licences_file()) is not None:
            self.add_button(self.tr("Licences"), lambda: open_path(self, str(file)), at_left=True)
        self.add_close().setFocus()
        self.setFixedWidth(min(scaled(480), room_for(self).width()))
