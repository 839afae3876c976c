"""The scaffold of all dialogs, and the dialogs that report a problem or ask for confirmation."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QPixmap, QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QLabel, QLayout, QPlainTextEdit, QPushButton, QWidget

from app.ui.widgets.building import Cell, FlowLayout, hbox, push_button, vbox
from app.ui.widgets.text_labels import long_text, plain_label
from app.ui.widgets.theme import Theme, scaled

_FRAME = QSize(16, 40)  # of a window, at most
_TEXT_WIDTH = 380


def room_for(window: QWidget) -> QSize:
    """Return how large a window can be on its screen, with its frame around it."""
    return window.screen().availableSize() - _FRAME


class Dialog(QDialog):
    """A modal dialog that deletes itself when it is closed.

    A subclass adds its widgets to ``body`` and its buttons, from left to right, with ``add_button``.
    """

    def __init__(
        self,
        title: str,
        parent: QWidget | None = None,
        *,
        heading: str = "",
        text: str = "",
        picture: QPixmap | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.heading = plain_label(heading, "lead")
        self.head = vbox(self.heading, spacing=4)
        if text:
            self.head.addWidget(plain_label(text, "muted"))
        self.body = vbox(spacing=16)
        self._left_buttons = FlowLayout(8)
        self._right_buttons = FlowLayout(8, at_right=True)
        self._buttons = hbox(self._left_buttons, Cell(self._right_buttons, 1), spacing=8)
        upper: QLayout = self.head
        if picture is not None:
            image = QLabel(pixmap=picture, alignment=Qt.AlignmentFlag.AlignTop)
            image.setAccessibleName(title)
            upper = hbox(image, Cell(self.head, 1), spacing=16)
        parts = upper, Cell(self.body, 1), self._buttons
        self._layout = vbox(*parts, parent=self, spacing=16, margins=(24, 24, 24, 16))

    def resize_to(self, width: int, height: int) -> None:
        """Give it this size, scaled with the text, as far as the screen has room."""
        wanted = QSize(scaled(width), scaled(height))
        self.resize(wanted.boundedTo(room_for(self)))

    def showEvent(self, event: QShowEvent) -> None:
        """Leave room for texts on several lines, whose height Qt takes from a width they do not get."""
        super().showEvent(event)
        room = room_for(self)
        width = min(self.width(), room.width())
        wrapped = self._layout.totalMinimumHeightForWidth(width)
        self.resize(width, min(max(self.height(), wrapped), room.height()))

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
        button = push_button(text, clicked, kind)
        button.setAutoDefault(is_default)
        button.setDefault(is_default)
        (self._left_buttons if at_left else self._right_buttons).addWidget(button)
        return button

    def add_close(self, *, is_default: bool = True) -> QPushButton:
        return self.add_button(self.tr("Close"), self.accept, is_default=is_default)

    def add_cancel_and(self, action: str, clicked: Callable[[], object] | None = None) -> QPushButton:
        self.add_button(self.tr("Cancel"), self.reject)
        return self.add_button(action, clicked or self.accept, kind="primary", is_default=True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard, not the default one meanwhile."""
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focused, QPushButton):
            focused.click()
        else:
            super().keyPressEvent(event)

    def ask(self) -> bool:
        """Show the dialog and wait; return whether it was accepted. Its fields can be read right after."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        accepted = self.exec() == QDialog.DialogCode.Accepted.value
        self.deleteLater()
        return accepted

    def fill_with(self, content: QWidget) -> None:
        """Give a widget all the room above the buttons, and a line below it; the heading goes."""
        self.heading.hide()
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._buttons.setContentsMargins(24, 16, 24, 16)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.HLine)
        self.body.setSpacing(0)
        self.body.addWidget(content, 1)
        self.body.addWidget(line)


class MessageDialog(Dialog):
    """An icon, a title, a sentence or two, and one or two buttons.

    The default button does no harm: Close, or Cancel beside an ``action``.
    """

    def __init__(self, title: str, text: str, parent: QWidget | None = None, *, action: str = "") -> None:
        theme = Theme.current()
        super().__init__(title, parent, heading=title, picture=theme.pixmap("warning", 28, theme.warning))
        message = plain_label(text, selectable=True)
        for label in (self.heading, message):
            label.setMinimumWidth(_TEXT_WIDTH)
        self.head.setSpacing(8)
        self.head.addWidget(message, 1)
        self.setAccessibleDescription(text)
        if action:
            self.add_button(self.tr("Cancel"), self.reject, is_default=True).setFocus()
            self.add_button(action, self.accept, kind="danger")
        else:
            self.add_close().setFocus()


class ReportDialog(Dialog):
    """Shows a report for the developers, from which the caller has removed secrets, and copies it."""

    def __init__(
        self,
        heading: str,
        text: str,
        report: str,
        parent: QWidget | None = None,
        *,
        picture: QPixmap | None = None,
    ) -> None:
        super().__init__(heading, parent, heading=heading, picture=picture)
        self.head.addWidget(plain_label(text))
        self.report = long_text(report, self.tr("Report"), Theme.current())
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.body.addWidget(self.report)
        self._copy = self.add_button(self.tr("Copy report"), self._copy_report, at_left=True)
        self.add_close().setFocus()
        self.resize_to(640, 440)

    def _copy_report(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self._copy.setText(self.tr("Copied"))


class CrashDialog(ReportDialog):
    """Shows the report of a fault. ``ended``: it ended the program, now or the last time."""

    def __init__(self, report: str, parent: QWidget | None = None, *, ended: bool = False) -> None:
        theme = Theme.current()
        heading = self.tr("Lectern quit unexpectedly") if ended else self.tr("Something went wrong")
        picture = theme.pixmap("warning", 28, theme.danger)
        super().__init__(heading, self._explanation(ended), report, parent, picture=picture)

    def _explanation(self, ended: bool) -> str:
        if ended:
            return self.tr(
                "This was a bug in Lectern. Your courses and chats are safe. To help fix it, send the "
                "report below to the developers; read it first to check that it holds nothing private."
            )
        return self.tr(
            "This is a bug in Lectern. You can keep working; if it happens again, restart Lectern. To help "
            "fix it, send the report below to the developers; read it first to check that it holds "
            "nothing private."
        )
