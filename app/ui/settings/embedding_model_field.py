"""The field for the embedding model: Lectern's own, the one for all languages, or a folder."""

from PySide6.QtCore import QDir, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QLineEdit, QPushButton, QWidget

from app.domain.embedding_models import MULTILINGUAL, MULTILINGUAL_MEGABYTES
from app.ui.widgets.building import Cell, hbox, one_shot, set_look, vbox
from app.ui.widgets.form import Row

_CHECK_MS = 300  # after the last key
_OTHER = "other"


class EmbeddingModelField(QWidget):
    """A choice of models, and a line for a folder if neither of Lectern's is wanted."""

    changed = Signal()  # ``value``
    chosen = Signal(str)  # check this other model; ``show_check`` takes the result

    def __init__(self, value: str) -> None:
        super().__init__()
        name = self.tr("Course languages")
        self.box = QComboBox(self)
        self.box.setAccessibleName(name)
        # Narrower than its longest text, which would widen the page.
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.addItem(self.tr("English (built in)"), "")
        languages = self.tr("All languages (about {0} MB, once)")
        self.box.addItem(languages.format(MULTILINGUAL_MEGABYTES), MULTILINGUAL)
        self.box.addItem(self.tr("Another model…"), _OTHER)
        self.line = QLineEdit()
        self.line.setAccessibleName(self.tr("Folder of the embedding model"))
        self.choose_button = QPushButton(self.tr("Choose folder…"), autoDefault=False)
        self.choose_button.setProperty("compact", True)
        self._other = QWidget(self)
        hbox(Cell(self.line, 1), self.choose_button, spacing=8, parent=self._other)
        vbox(self.box, self._other, spacing=8, parent=self)
        self.row = Row(name, self)
        self._check_soon = one_shot(self, _CHECK_MS, self._request_check)
        self.show_value(value, value)
        self.box.currentIndexChanged.connect(self._change_kind)
        self.line.textChanged.connect(self._change)
        self.choose_button.clicked.connect(self._choose)

    @property
    def value(self) -> str:
        """What to save in the settings; "" also if another model is wanted and none is named."""
        data = self.box.currentData()
        return self.line.text().strip() if data == _OTHER else str(data)

    def show_value(self, value: str, before: str) -> None:
        """Show a value of the setting; ``before`` is the one in effect."""
        self._before = before
        at = self.box.findData(value)
        with QSignalBlocker(self.box), QSignalBlocker(self.line):
            self.box.setCurrentIndex(at if at >= 0 else self.box.findData(_OTHER))
            self.line.setText("" if at >= 0 else value)  # a long path shows its end, the model's name
        self._check_soon.stop()
        self._show_kind()

    def show_check(self, value: str, problem: str) -> None:
        """Show why a model cannot be used ("" if it can), unless another was chosen since."""
        if value == self.value:
            self._explain(problem)

    def finish(self) -> None:
        """Take what is being typed; show an error if no model is named."""
        if self.box.currentData() == _OTHER and not self.value:
            self._explain(self.tr("Choose the folder of a model."))
        elif self._check_soon.isActive():
            self._request_check()

    def _choose(self) -> None:
        title = self.tr("Choose a folder with an embedding model")
        if chosen := QFileDialog.getExistingDirectory(self, title, self.line.text() or QDir.homePath()):
            self.line.setText(QDir.toNativeSeparators(chosen))
            self._request_check()

    def _change_kind(self) -> None:
        self._show_kind()
        if self.box.currentData() == _OTHER:
            self.line.setFocus()
            self._check_soon.start()
        else:
            self._check_soon.stop()
            self.changed.emit()

    def _show_kind(self) -> None:
        is_other = self.box.currentData() == _OTHER
        self._other.setVisible(is_other)
        self.setFocusProxy(self.line if is_other else self.box)
        self._explain("")

    def _change(self) -> None:
        self._explain("")
        self._check_soon.start()

    def _request_check(self) -> None:
        self._check_soon.stop()
        if self.value:
            self.changed.emit()
        if self.value not in ("", self._before):
            self.chosen.emit(self.value)

    def _explain(self, problem: str) -> None:
        """Show what is wrong with the model, what choosing it brings, or what it is for."""
        set_look(self.line, "invalid", bool(problem))
        if problem:
            self.row.fail(problem)
        elif self.value in ("", self._before) and self.box.currentData() == _OTHER:
            self.row.explain(self.tr("The folder of a sentence-transformers model."))
        elif self.value != self._before:
            self.row.warn(self._consequence())
        elif self.value == MULTILINGUAL:
            self.row.explain(
                self.tr("Finds passages by meaning in about 100 languages, whichever of them you ask in.")
            )
        else:
            self.row.explain(self.tr("Finds passages by meaning, best in English."))

    def _consequence(self) -> str:
        if self.value == MULTILINGUAL:
            return self.tr(
                "When you close the settings, the model is downloaded from the Hugging Face Hub, unless it "
                "is here already, and all files are read again. You can search meanwhile."
            )
        return self.tr("When you close the settings, all files are read again. That may take a while.")
