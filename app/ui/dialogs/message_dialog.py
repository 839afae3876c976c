"""A short message or question in the program's own look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from app.ui.shell.theme import Theme

_TEXT_WIDTH = 380


class MessageDialog(QDialog):
    """An icon, a title, a sentence or two, and one or two buttons.

    The default button is the harmless one: Close, or Cancel where there is an action.
    """

    def __init__(
        self,
        title: str,
        text: str,
        theme: Theme,
        parent: QWidget | None = None,
        *,
        icon: str = "warning",
        action: str | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        picture = QLabel()
        picture.setPixmap(theme.pixmap(icon, 28, theme.warning, self.devicePixelRatioF()))
        heading = QLabel(title)
        heading.setProperty("role", "lead")
        body = QLabel(text)
        for label in (heading, body):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.setMinimumWidth(_TEXT_WIDTH)
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        body.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.MinimumExpanding)
        self.setAccessibleDescription(text)

        texts = QVBoxLayout()
        texts.setSpacing(8)
        texts.addWidget(heading)
        texts.addWidget(body)
        upper = QHBoxLayout()
        upper.setSpacing(16)
        upper.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        upper.addLayout(texts, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 16)
        layout.setSpacing(24)
        layout.addLayout(upper)
        layout.addLayout(self._make_buttons(action))
        self._harmless.setFocus()

    def _make_buttons(self, action: str | None) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch()
        self._harmless = harmless = QPushButton(self.tr("Cancel") if action else self.tr("Close"))
        harmless.setDefault(True)
        harmless.clicked.connect(self.reject)
        row.addWidget(harmless)
        if action:
            acting = QPushButton(action)
            acting.setProperty("kind", "danger")
            acting.setAutoDefault(False)
            acting.clicked.connect(self.accept)
            row.addWidget(acting)
        return row
