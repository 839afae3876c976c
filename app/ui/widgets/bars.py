"""Bars with a sentence and one thing to do about it: an offer, or an undo."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, hbox, icon_button, link_button, one_shot, vbox
from app.ui.widgets.text_labels import ClampedLabel, ElidedLabel


class OfferBar(QWidget):
    """Stays until the offer is taken, dismissed or withdrawn."""

    accepted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("panel", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = ClampedLabel("", 2, self)
        self.action = link_button("", self._accept)
        self.close_button = icon_button(self.tr("Dismiss"), 14, self.hide, icon="close", colour="text_muted")
        frame = QFrame()
        frame.setProperty("notice", "info")
        parts = Cell(self.text, 1), self.action, self.close_button
        hbox(*parts, margins=(12, 6, 6, 6), spacing=12, parent=frame)
        vbox(frame, margins=(16, 8, 16, 0), parent=self)
        self.hide()

    def offer(self, text: str, action: str) -> None:
        self.text.setText(text)
        self.action.setText(action)
        self.action.setAccessibleDescription(text)
        self.show()
        announce(self, text)

    def _accept(self) -> None:
        self.hide()
        self.accepted.emit()


_SHOWN_MS = 15_000


class UndoBar(QFrame):
    """Says what was done and offers Undo for some seconds, longer while the pointer is on it.

    ``focus_beside`` gives the keyboard to what the bar belongs to, when the bar goes and had it.
    """

    undo_requested = Signal(object)  # the tuple that was offered, such as of numbers to restore

    def __init__(self, focus_beside: Callable[[], object]) -> None:
        super().__init__()
        self._focus_beside = focus_beside
        self.offered: tuple[object, ...] = ()
        self.setProperty("notice", "info")
        self.text = ElidedLabel()
        self.undo = link_button(self.tr("Undo"), self.take_back)
        close = icon_button(self.tr("Dismiss"), 14, self.dismiss, icon="close", colour="text_muted")
        hbox(Cell(self.text, 1), self.undo, close, margins=(8, 4, 4, 4), spacing=4, parent=self)
        self.timer = one_shot(self, _SHOWN_MS, self._time_out)
        self.hide()

    def offer(self, done: Sequence[object], text: str) -> None:
        """Offer to undo these; ``text`` says what was done."""
        self.offered = tuple(done)
        if self.offered:
            self.text.setText(text)
            self.show()
            announce(self, text)
            self.timer.start()

    def take_back(self) -> None:
        offered = self.offered
        self.dismiss()
        if offered:
            self.undo_requested.emit(offered)

    def dismiss(self) -> None:
        self.offered = ()
        self.timer.stop()
        focus = self.focusWidget()
        if focus is not None and focus.hasFocus():
            self._focus_beside()  # Qt would choose whatever comes next
        self.hide()

    def _time_out(self) -> None:
        if self.underMouse() or self.undo.hasFocus():
            self.timer.start()
        else:
            self.dismiss()
