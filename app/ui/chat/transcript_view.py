"""The text browser under the conversation: inserts, cuts, scrolls, and loads nothing."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QTextCursor
from PySide6.QtWidgets import QFrame, QMenu, QTextBrowser, QWidget

from app.ui.chat.boxes import BoxPainter
from app.ui.widgets.clipboard import new_mime_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QContextMenuEvent, QPaintEvent, QResizeEvent

    from app.ui.shell.theme import Theme

_COLUMN = 760  # the widest a line of text gets; longer ones are hard to read
_GUTTER = 24
_NEAR_END = 24
_LONG = 20_000  # characters; wrapping that much takes longer than a frame
_REWRAP_MS = 150
_ZERO_WIDTH = re.compile("[\u200b\u2060]")
_TOP_GAP = 16  # pixels left above what is scrolled to the top
_END = QTextCursor.MoveOperation.End
_KEEP = QTextCursor.MoveMode.KeepAnchor


class TranscriptView(QTextBrowser):
    """A document that grows at its end.

    The view follows its end while the reader is there, and stays where it is while they are not.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._boxes = BoxPainter(theme)
        self._following = True
        self._rewrap = QTimer(self)
        self._rewrap.setSingleShot(True)
        self._rewrap.setInterval(_REWRAP_MS)
        self._rewrap.timeout.connect(self._wrap)
        self._depth = 0
        self._new_boxes: int | None = None  # where boxes begin that have not got their role yet
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.document().setIndentWidth(24)
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._note_scroll)
        bar.rangeChanged.connect(self._keep_following)
        self._restyle(theme)

    # ---- the document ----

    @property
    def end_position(self) -> int:
        """The position at which the next insertion begins."""
        return self.document().characterCount() - 1

    @contextmanager
    def editing(self) -> Iterator[None]:
        """Make all changes inside appear as one, with one layout."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._depth += 1
        try:
            yield
        finally:
            cursor.endEditBlock()
            self._depth -= 1
        if not self._depth and self._new_boxes is not None:
            # Only now: inside an edit block Qt does not know the new tables yet.
            self._boxes.claim(self.document(), self._new_boxes)
            self._new_boxes = None

    def append_html(self, html: str) -> None:
        """Add HTML as paragraphs of their own at the end.

        A fragment's first paragraph would take on the format of the place it is put into. So it
        is preceded by one that melts into the last paragraph and is taken out again.
        """
        if not html:
            return
        with self.editing():
            self._append(html)

    def _append(self, html: str) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(_END)
        start = cursor.position()
        cursor.insertHtml(f"<p>&#8203;</p>{html}")
        cursor.setPosition(start)
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, _KEEP)
        cursor.removeSelectedText()
        if "<table" in html and self._new_boxes is None:
            self._new_boxes = start

    def cut_from(self, position: int) -> None:
        """Remove everything from ``position`` on."""
        if position >= self.end_position:
            return
        if self._new_boxes is not None:
            self._new_boxes = min(self._new_boxes, position)
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        cursor.movePosition(_END, _KEEP)
        cursor.removeSelectedText()

    # ---- scrolling ----

    @property
    def following(self) -> bool:
        """Whether the view stays at the end while the document grows."""
        return self._following

    def follow(self) -> None:
        """Go to the end and stay there."""
        self._following = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def show_from(self, position: int) -> None:
        """Scroll so that what begins at ``position`` stands at the top, and stay there."""
        self._following = False
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.end_position))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - _TOP_GAP)

    def height_between(self, start: int, end: int) -> int:
        """How far apart two positions stand, in pixels."""
        first, last = QTextCursor(self.document()), QTextCursor(self.document())
        first.setPosition(min(start, self.end_position))
        last.setPosition(min(end, self.end_position))
        return self.cursorRect(last).bottom() - self.cursorRect(first).top()

    @property
    def distance_from_end(self) -> int:
        """How far above the end the view is, in pixels."""
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value()

    def _note_scroll(self, value: int) -> None:
        self._following = value >= self.verticalScrollBar().maximum() - _NEAR_END

    def _keep_following(self, _minimum: int, maximum: int) -> None:
        bar = self.verticalScrollBar()
        if self._following:
            bar.setValue(maximum)
        self._set_margins()

    # ---- look ----

    def _restyle(self, theme: Theme) -> None:
        """Take on a theme; what is already in the document has to be made again."""
        self._boxes = BoxPainter(theme)
        self.document().setDefaultStyleSheet(theme.document_css())

    def _set_margins(self) -> None:
        """Keep the column of text in the middle, wherever the scroll bar comes or goes."""
        bar = self.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.maximum() > 0 else 0
        column = min(_COLUMN, self.width() - 2 * _GUTTER)
        left = max(0, (self.width() - column) // 2)
        right = max(0, self.width() - column - left - taken)
        margins = self.viewportMargins()
        if (margins.left(), margins.right()) != (left, right):
            self.setViewportMargins(left, 0, right, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the column in the middle; wrap long text anew only when the size stays as it is."""
        self._set_margins()
        super().resizeEvent(event)
        if self.document().characterCount() > _LONG and self.isVisible():
            self._rewrap.start()
        else:
            self._wrap()

    def _wrap(self) -> None:
        """Wrap the text to the width of the view."""
        if self.lineWrapColumnOrWidth() != self.viewport().width():
            self.setLineWrapColumnOrWidth(self.viewport().width())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the boxes, then the text over them."""
        painter = QPainter(self.viewport())
        painter.setClipRect(event.rect())
        top = self.verticalScrollBar().value()
        painter.translate(0, -top)
        self._boxes.draw(painter, self.document(), top + event.rect().top(), top + event.rect().bottom())
        painter.end()
        super().paintEvent(event)

    # ---- safety, copying ----

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing, neither from the net nor from the disk; None would not keep Qt from it."""
        return QImage()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy the words alone: the colours of a theme are of no use elsewhere."""
        mime = new_mime_data()
        mime.setText(self.selected_text())
        return mime

    def selected_text(self) -> str:
        """Return the selection without the signs that only lay it out."""
        return _ZERO_WIDTH.sub("", self.textCursor().selection().toPlainText())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer what can be done here."""
        menu = self._context_menu(event.pos())
        menu.exec(event.globalPos())
        menu.deleteLater()

    def _context_menu(self, at: QPoint) -> QMenu:
        """Return Copy, Copy link where it leads out of the program, and Select all."""
        menu = QMenu(self)
        copy = menu.addAction(self.tr("Copy"), self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        address = self.anchorAt(at)
        if address.startswith(("http://", "https://")):
            menu.addAction(self.tr("Copy link"), lambda: QGuiApplication.clipboard().setText(address))
        menu.addAction(self.tr("Select all"), self.selectAll)
        return menu
