"""Which course to move files to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QWidget

from app.ui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from collections.abc import Sequence


class MoveDialog(Dialog):
    """A field with the existing courses; another name makes a new course."""

    def __init__(self, files: int, titles: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Move to course"), parent, heading=self.tr("Move %Ln file(s) to", None, files)
        )
        edit = QLineEdit(placeholderText=self.tr("Choose a course, or name a new one"))
        self.field = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.field.setLineEdit(edit)
        self.field.addItems(list(titles))
        self.field.setAccessibleName(self.tr("Course"))
        self.field.setMinimumWidth(400)
        self.field.setCurrentText("")
        completer = self.field.completer()
        if completer is not None:
            completer.setFilterMode(Qt.MatchFlag.MatchContains)
            completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.heading.setBuddy(self.field)
        self.body.addWidget(self.field)
        self.move_button = self.add_cancel_and(self.tr("Move"))
        self.move_button.setEnabled(False)
        self.field.currentTextChanged.connect(lambda text: self.move_button.setEnabled(bool(text.strip())))
        self.field.setFocus()

    @property
    def title(self) -> str:
        return self.field.currentText().strip()
