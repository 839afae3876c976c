"""How to import an exported library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QRadioButton

from app.ui.widgets.dialog import Dialog
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_TEXT_WIDTH = 420
_INDENT = 28  # of what explains a choice: where its text begins


class ImportDialog(Dialog):
    """Two choices: to add the file to the library, or to replace the library with it.

    ``held`` is what the library holds, in words.
    """

    def __init__(self, name: str, held: str, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Import library"), parent, heading=self.tr("Import {name}").format(name=name)
        )
        self.body.setSpacing(4)
        self.merge = self._add_choice(
            self.tr("Add to my library"),
            self.tr("Courses and chats that are in both are kept once. Your settings stay."),
            "caption",
        )
        self.replace = self._add_choice(
            self.tr("Replace my library"),
            self.tr(
                "Deletes {held}, your chats and the trash for good, and applies the settings in the "
                "file. Export your library first if you may want it back."
            ).format(held=held),
            "warning-caption",
        )
        self.import_button = self.add_cancel_and(self.tr("Import"))
        self.merge.setChecked(True)
        self.merge.setFocus()

    def _add_choice(self, text: str, explanation: str, role: str) -> QRadioButton:
        button = QRadioButton(text)
        button.setAccessibleDescription(explanation)
        note = plain_label(explanation, role)
        note.setMinimumWidth(_TEXT_WIDTH)
        note.setContentsMargins(_INDENT, 0, 0, 8)
        self.body.addWidget(button)
        self.body.addWidget(note)
        return button
