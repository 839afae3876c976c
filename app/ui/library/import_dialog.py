"""How an exported library is to be taken in."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QRadioButton, QVBoxLayout, QWidget

_TEXT_WIDTH = 420
_INDENT = 28  # of what explains a choice: where its text begins


class ImportDialog(QDialog):
    """Two choices: to add it to the library, or to have it take the library's place.

    Args:
        name: of the file.
        held: what the library holds, in words.
        parent: in front of which it opens.
    """

    def __init__(self, name: str, held: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Import library"))
        self.setModal(True)
        heading = QLabel(self.tr("Import {0}").format(name))
        heading.setProperty("role", "lead")
        self.merge = QRadioButton(self.tr("Add it to my library"))
        self.merge.setChecked(True)
        self.replace = QRadioButton(self.tr("Replace my library"))
        self.import_button = QPushButton(self.tr("Import"))
        self.import_button.setProperty("kind", "primary")
        self.import_button.setDefault(True)
        self.import_button.clicked.connect(self.accept)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        choices = QVBoxLayout()
        choices.setSpacing(4)
        for button, text, role in (
            (
                self.merge,
                self.tr("Courses and chats that both have are kept once. Your settings stay."),
                "caption",
            ),
            (
                self.replace,
                self.tr(
                    "{0}, your chats and the trash are deleted for good; the settings of the file hold "
                    "from then on. Export your library first if you may want it back."
                ).format(held),
                "warning-caption",
            ),
        ):
            button.setAccessibleDescription(text)
            note = QLabel(text)
            note.setTextFormat(Qt.TextFormat.PlainText)
            note.setProperty("role", role)
            note.setWordWrap(True)
            note.setMinimumWidth(_TEXT_WIDTH)
            note.setContentsMargins(_INDENT, 0, 0, 8)
            choices.addWidget(button)
            choices.addWidget(note)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch()
        buttons.addWidget(cancel)
        buttons.addWidget(self.import_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(heading)
        layout.addLayout(choices)
        layout.addLayout(buttons)
        self.merge.setFocus()
