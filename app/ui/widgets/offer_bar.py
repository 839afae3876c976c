"""A bar with a sentence and one thing to do about it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.widgets.announcements import announce
from app.ui.widgets.building import Cell, hbox, icon_button, link_button, vbox
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme


class OfferBar(QWidget):
    """Stays until the offer is taken, dismissed or withdrawn."""

    accepted = Signal()
    shown = Signal(bool)  # or hidden

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("panel", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = plain_label("")
        self.action = link_button("", self._accept)
        self.close_button = icon_button(self.tr("Dismiss"), 14, self.hide)
        frame = QFrame()
        frame.setProperty("notice", "info")
        parts = Cell(self.text, 1), self.action, self.close_button
        hbox(*parts, margins=(12, 6, 6, 6), spacing=12, parent=frame)
        vbox(frame, margins=(16, 8, 16, 0), parent=self)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.close_button.setIcon(theme.icon("close", theme.text_muted))

    def offer(self, text: str, action: str) -> None:
        self.text.setText(text)
        self.action.setText(action)
        self.action.setAccessibleDescription(text)
        self.show()
        announce(self, text)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.shown.emit(False)

    def _accept(self) -> None:
        self.hide()
        self.accepted.emit()
