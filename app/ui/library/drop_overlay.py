"""What covers the window while files are dragged over it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.ui.widgets.building import Stretch, vbox
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QDragLeaveEvent, QPaintEvent

_INSET, _RADIUS = 12, 8
_OPACITY = 235  # of 255: the window stays recognizable


class DropOverlay(QWidget):
    """Says that files dropped on the window are added; takes every drop of files on it."""

    dropped = Signal(object)  # the list of paths

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        title = plain_label(self.tr("Drop to add to your library"), "title")
        note = plain_label(self.tr("Your files stay where they are."), "muted")
        for label in (title, note):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        vbox(Stretch(), title, note, Stretch(), spacing=4, parent=self)
        for target in (window, self):
            target.setAcceptDrops(True)
        window.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Cover the window when a drag enters it; when it moves on, it is over the overlay."""
        if isinstance(event, QDragEnterEvent):
            self.dragEnterEvent(event)
            return True
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            self.dropEvent(event)
            return True
        if event.type() == QEvent.Type.DragLeave:
            self.hide()
        return False

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not local_files(event.mimeData()):
            event.ignore()
            return
        event.acceptProposedAction()
        self.setGeometry(self._window.rect())
        self.raise_()
        self.show()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.hide()
        self.dropped.emit(local_files(event.mimeData()))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = Theme.current(), QPainter(self)
        ground = QColor(theme.window)
        ground.setAlpha(_OPACITY)
        painter.fillRect(self.rect(), ground)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.accent), 2, Qt.PenStyle.DashLine))
        painter.drawRoundedRect(
            QRectF(self.rect()).adjusted(_INSET, _INSET, -_INSET, -_INSET), _RADIUS, _RADIUS
        )


def local_files(data: QMimeData) -> list[Path]:
    """Return the files and folders among what is dragged or pasted."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
