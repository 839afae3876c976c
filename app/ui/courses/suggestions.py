"""Questions to start with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.ui.widgets.building import vbox
from app.ui.widgets.text_labels import WrappingButton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.ui.widgets.theme import Theme

MOST_SUGGESTIONS = 4


class Suggestions(QWidget):
    """Up to four questions under the heading "Try asking", which collapses on a click.

    Signals:
        clicked: with the question.
    """

    clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._texts: tuple[str, ...] = ()
        self._questions: list[WrappingButton] = []
        self._header = QPushButton(self.tr("Try asking"))
        self._header.setProperty("kind", "flat")
        self._header.setProperty("section", True)
        self._header.setIconSize(QSize(16, 16))
        self._header.clicked.connect(self._toggle)
        self._list = QWidget()
        self._buttons = vbox(parent=self._list)
        vbox(self._header, self._list, parent=self)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show_fold()

    def set_suggestions(self, suggestions: Sequence[str]) -> None:
        """Offer the first four suggestions."""
        texts = tuple(text for text in suggestions if text.strip())[:MOST_SUGGESTIONS]
        if texts == self._texts:
            return
        self._texts = texts
        for old in self._questions:
            self._buttons.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._questions = [self._button(text) for text in texts]
        for button in self._questions:
            self._buttons.addWidget(button)

    def set_room(self, height: int) -> None:
        """Show as many whole questions as fit into ``height`` pixels."""
        left = height - self._header.sizeHint().height()
        shown = 0
        for button in self._questions:
            left -= button.heightForWidth(self.width())
            button.setVisible(left >= 0)
            shown += left >= 0
        self.setVisible(shown > 0)

    def minimumSizeHint(self) -> QSize:
        """Return no height, so that questions give way when the window gets lower."""
        return QSize(super().minimumSizeHint().width(), 0)

    def _button(self, text: str) -> WrappingButton:
        button = WrappingButton(text)
        button.setProperty("kind", "flat")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.clicked.emit(text))
        return button

    def _toggle(self) -> None:
        self._list.setVisible(self._list.isHidden())
        self._show_fold()

    def _show_fold(self) -> None:
        folded = self._list.isHidden()
        self._header.setIcon(self._theme.icon("chevron-right" if folded else "chevron-down"))
        self._header.setAccessibleDescription(self.tr("Collapsed") if folded else self.tr("Expanded"))
