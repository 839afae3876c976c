"""The field that searches or filters the list below it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.ui.widgets.theme import Theme


class SearchBox(QLineEdit):
    """A line with a search icon and a button that clears it, as Escape does."""

    down_pressed = Signal()  # move the focus to the list below

    def __init__(self, name: str, clear_tip: str, theme: Theme) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        self._search = self.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self._clear = self.addAction(QIcon(), QLineEdit.ActionPosition.TrailingPosition)
        self._search.setText(name)  # for screen readers
        self._clear.setText(clear_tip)
        self._clear.setToolTip(clear_tip)
        self._clear.setVisible(False)
        self._clear.triggered.connect(self.clear)
        self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._search.setIcon(theme.icon("search", theme.text_muted))
        self._clear.setIcon(theme.icon("close", theme.text_muted))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                event.accept()  # or it would press the default button of a dialog
