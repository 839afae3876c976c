"""Which course files are to be in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QCompleter,
    QDialog,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


class MoveDialog(QDialog):
    """A field with the courses there are; another name makes a new course."""

    def __init__(self, files: int, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Move to course"))
        self.setModal(True)
        label = QLabel(self.tr("Move %Ln file(s) to", None, files))
        label.setProperty("role", "lead")
        self.field = QComboBox()
        self.field.setEditable(True)
        self.field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.field.addItems(list(titles))
        self.field.setAccessibleName(self.tr("Course"))
        self.field.setMinimumWidth(400)
        self.field.setCurrentText("")
        completer = self.field.completer()
        if completer is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        edit = self.field.lineEdit()
        if edit is not None:
            edit.setPlaceholderText(self.tr("A course of the list, or the name of a new one"))
        label.setBuddy(self.field)
        self.move_button = QPushButton(self.tr("Move"))
        self.move_button.setProperty("kind", "primary")
        self.move_button.setDefault(True)
        self.move_button.setEnabled(False)
        self.move_button.clicked.connect(self.accept)
        cancel = QPushButton(self.tr("Cancel"))
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        self.field.currentTextChanged.connect(lambda text: self.move_button.setEnabled(bool(text.strip())))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch()
        buttons.addWidget(cancel)
        buttons.addWidget(self.move_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(16)
        layout.addWidget(label)
        layout.addWidget(self.field)
        layout.addLayout(buttons)
        self.field.setFocus()

    @property
    def title(self) -> str:
        """The course that was chosen."""
        return self.field.currentText().strip()
