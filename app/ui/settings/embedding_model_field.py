"""The field for the embedding model: Lectern's own, the one for all languages, or a folder."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QWidget

from app.domain.embedding_models import MULTILINGUAL, MULTILINGUAL_MEGABYTES
from app.ui.widgets.building import Cell, hbox, vbox
from app.ui.widgets.desktop import ask_for_folder
from app.ui.widgets.form import Row

_OTHER = "other"


class EmbeddingModelField(QWidget):
    """A choice of models, and a line for a folder if neither of Lectern's is wanted."""

    changed = Signal()  # ``value``

    def __init__(self, before: str) -> None:
        super().__init__()
        self._before = before
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
        self.show_value(before)
        self.box.currentIndexChanged.connect(self._change_kind)
        self.line.textChanged.connect(self._change)
        self.choose_button.clicked.connect(self._choose)

    @property
    def value(self) -> str:
        """What to save in the settings; "" also if another model is wanted and none is named."""
        return self.line.text().strip() if self.is_other else str(self.box.currentData())

    @property
    def is_other(self) -> bool:
        return bool(self.box.currentData() == _OTHER)

    def show_value(self, value: str) -> None:
        at = self.box.findData(value)
        with QSignalBlocker(self.box), QSignalBlocker(self.line):
            self.box.setCurrentIndex(at if at >= 0 else self.box.findData(_OTHER))
            self.line.setText("" if at >= 0 else value)  # a long path shows its end, the model's name
        self._explain()

    def _choose(self) -> None:
        title = self.tr("Choose a folder with an embedding model")
        ask_for_folder(self, title, self.line.text(), lambda folder: self.line.setText(str(folder)))

    def _change_kind(self) -> None:
        self._change()
        if self.is_other:
            self.line.setFocus()

    def _change(self) -> None:
        self._explain()
        self.changed.emit()

    def _explain(self) -> None:
        """Say what the chosen model is for, or what choosing it brings."""
        self._other.setVisible(self.is_other)
        self.setFocusProxy(self.line if self.is_other else self.box)
        if self.is_other and self.value in ("", self._before):
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
                "When you save the settings, the model is downloaded from the Hugging Face Hub, unless it "
                "is here already, and all files are read again. You can search meanwhile."
            )
        return self.tr("When you save the settings, all files are read again. That may take a while.")
