"""The scaffold of all dialogs: icon, heading and text, then the body, then a row of buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QLayout, QPushButton, QWidget

from app.ui.widgets.building import Cell, Stretch, hbox, vbox
from app.ui.widgets.text_labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPixmap


class Dialog(QDialog):
    """A modal dialog that deletes itself when it is closed.

    A subclass adds its widgets to ``body`` and its buttons, from left to right, with ``add_button``.

    Args:
        title: of the window.
        parent: in front of which it opens.
        heading: the first line of the dialog.
        text: a sentence or two under the heading.
        text_role: how the text looks: ``muted``, or "" for the dialog's message itself.
        picture: left of the heading.

    Attributes:
        heading: the label of the heading.
        head: the layout of heading and text, for more lines below them.
        body: the layout between head and buttons.
    """

    def __init__(
        self,
        title: str,
        parent: QWidget | None = None,
        *,
        heading: str = "",
        text: str = "",
        text_role: str = "muted",
        picture: QPixmap | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.heading = plain_label(heading, "lead")
        self.head = vbox(self.heading, spacing=4)
        if text:
            self.head.addWidget(plain_label(text, text_role))
        self.body = vbox(spacing=16)
        self._buttons = hbox(Stretch(), spacing=8)
        upper = _beside(picture, self.head) if picture is not None else self.head
        parts = upper, Cell(self.body, 1), self._buttons
        self._layout = vbox(*parts, parent=self, spacing=16, margins=(24, 24, 24, 16))

    def add_button(
        self,
        text: str,
        clicked: Callable[[], object],
        *,
        kind: str = "",
        is_default: bool = False,
        at_left: bool = False,
    ) -> QPushButton:
        """Add a button at the right end of its row, or at the right of those on the left."""
        button = QPushButton(text)
        button.setProperty("kind", kind or None)
        button.setAutoDefault(is_default)
        button.setDefault(is_default)
        button.clicked.connect(lambda: clicked())
        if at_left:
            self._buttons.insertWidget(self._stretch_index(), button)
        else:
            self._buttons.addWidget(button)
        return button

    def add_close(self) -> QPushButton:
        """Add the default button "Close"."""
        return self.add_button(self.tr("Close"), self.accept, is_default=True)

    def add_cancel_and(self, action: str, clicked: Callable[[], object] | None = None) -> QPushButton:
        """Add "Cancel" and a default button that acts; return the latter."""
        self.add_button(self.tr("Cancel"), self.reject)
        return self.add_button(action, clicked or self.accept, kind="primary", is_default=True)

    def ask(self) -> bool:
        """Show the dialog and wait; return whether it was accepted. Its fields can be read right after."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        accepted = self.exec() == QDialog.DialogCode.Accepted.value
        self.deleteLater()
        return accepted

    def fill_with(self, content: QWidget) -> None:
        """Give a widget all the room above the buttons, without heading and margins, and a line below it."""
        self.heading.hide()
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._buttons.setContentsMargins(24, 16, 24, 16)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        self.body.setSpacing(0)
        self.body.addWidget(content, 1)
        self.body.addWidget(line)

    def _stretch_index(self) -> int:
        items = (self._buttons.itemAt(at) for at in range(self._buttons.count()))
        return next(at for at, item in enumerate(items) if item is not None and item.spacerItem())


def _beside(picture: QPixmap, head: QLayout) -> QHBoxLayout:
    label = QLabel(pixmap=picture, alignment=Qt.AlignmentFlag.AlignTop)
    return hbox(label, Cell(head, 1), spacing=16)
