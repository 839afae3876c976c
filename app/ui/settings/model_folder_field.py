"""The field for the embedding model: Lectern's own, or one in a folder."""

from PySide6.QtCore import QDir, Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPushButton, QWidget

from app.ui.widgets.building import Stretch, hbox, set_look, vbox
from app.ui.widgets.form import Row


class ModelFolderField(QWidget):
    """A line that shows the folder, "" for the default, and buttons to choose one and to go back."""

    folder_chosen = Signal(str)  # check it; ``show_check`` takes the result

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = self._before = folder
        name, default = self.tr("Embedding model"), self.tr("all-MiniLM-L6-v2, included in Lectern")
        self.line = QLineEdit(readOnly=True, placeholderText=default)
        self.line.setAccessibleName(name)
        about = self.tr("Finds passages by meaning. Choose a folder with a sentence-transformers model.")
        self.row = Row(name, self, about)
        self.choose_button = QPushButton(self.tr("Choose…"))
        self.default_button = QPushButton(self.tr("Default"))
        self.default_button.setToolTip(self.tr("Use the embedding model included in Lectern"))
        for button in (self.choose_button, self.default_button):
            button.setProperty("compact", True)
            button.setAutoDefault(False)
        buttons = hbox(self.choose_button, self.default_button, Stretch(), spacing=8)
        vbox(self.line, buttons, spacing=8, parent=self)  # a folder's path is long
        self.choose_button.clicked.connect(self._choose)
        self.default_button.clicked.connect(lambda: self._change(""))
        self.setFocusProxy(self.choose_button)
        self._show()

    def show_check(self, folder: str, problem: str) -> None:
        """Show why a folder cannot be used ("" if it can), unless another was chosen since."""
        if folder != self.folder:
            return
        set_look(self.line, "invalid", bool(problem))
        if problem:
            self.row.fail(problem)
        elif folder == self._before:
            self.row.help()
        else:
            self.row.warn(self.tr("After saving, all files are indexed again, which may take a while."))

    def _choose(self) -> None:
        title = self.tr("Choose a folder with an embedding model")
        if chosen := QFileDialog.getExistingDirectory(self, title, self.folder):
            self._change(QDir.toNativeSeparators(chosen))

    def _change(self, folder: str) -> None:
        self.folder = folder
        self._show()
        self.show_check(folder, "")
        if folder not in ("", self._before):
            self.folder_chosen.emit(folder)

    def _show(self) -> None:
        self.line.setText(self.folder)  # a long path shows its end, the model's name
        self.line.setToolTip(self.folder)
        self.default_button.setEnabled(bool(self.folder))
