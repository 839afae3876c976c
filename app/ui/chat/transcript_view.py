"""The browser that shows the conversation: inserts, cuts, scrolls, and loads nothing."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage, QPainter, QTextCursor
from PySide6.QtWidgets import QFrame, QMenu, QTextBrowser, QWidget

from app.ui.chat.boxes import BoxPainter
from app.ui.widgets.building import one_shot
from app.ui.widgets.clipboard import new_mime_data

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QContextMenuEvent, QPaintEvent, QResizeEvent

    from app.ui.widgets.theme import Theme

_COLUMN = 760  # longer lines are hard to read
_GUTTER = 24
_NEAR_END = 24
_LONG = 20_000  # characters; wrapping more takes longer than a frame
_REWRAP_MS = 150
_ZERO_WIDTH = re.compile("[\u200b\u2060]")
_TOP_GAP = 16  # pixels left above what is scrolled to the top
_END = QTextCursor.MoveOperation.End
_KEEP = QTextCursor.MoveMode.KeepAnchor


class TranscriptView(QTextBrowser):
    """A document that grows at its end, which the view follows while it is in sight."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, openLinks=False)
        self.following = True  # stay at the end while the document grows
        self._rewrap = one_shot(self, _REWRAP_MS, self._wrap)
        self._depth = 0  # of nested edits
        self._new_boxes: int | None = None  # position of the first box without a role
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
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
        """The position of the next insertion."""
        return self.document().characterCount() - 1

    @contextmanager
    def editing(self) -> Iterator[None]:
        """Apply all changes made inside as one, with one layout."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        self._depth += 1
        try:
            yield
        finally:
            cursor.endEditBlock()
            self._depth -= 1
        if not self._depth and self._new_boxes is not None:
            # Only now, because Qt does not know the new tables inside an edit block.
            self._boxes.claim(self.document(), self._new_boxes)
            self._new_boxes = None

    def append_html(self, html: str) -> None:
        """Add HTML as new paragraphs at the end.

        The first paragraph of a fragment loses its format to the paragraph it is inserted into, so
        it is preceded by a paragraph of one character, which is then removed.
        """
        if not html:
            return
        cursor = QTextCursor(self.document())
        with self.editing():
            cursor.movePosition(_END)
            start = cursor.position()
            cursor.insertHtml(f"<p>&#8203;</p>{html}")
            cursor.setPosition(start)
            cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, _KEEP)
            cursor.removeSelectedText()
            if "<table" in html and self._new_boxes is None:
                self._new_boxes = start

    def cut_from(self, position: int) -> None:
        if position >= self.end_position:
            return
        if self._new_boxes is not None:
            self._new_boxes = min(self._new_boxes, position)
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        cursor.movePosition(_END, _KEEP)
        cursor.removeSelectedText()

    # ---- scrolling ----

    def follow(self) -> None:
        self.following = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def show_from(self, position: int) -> None:
        """Scroll ``position`` to the top and stay there."""
        self.following = False
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.end_position))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - _TOP_GAP)

    def fills_view_from(self, position: int) -> bool:
        """Return whether the document is higher than the view from a position to its end."""
        first, last = QTextCursor(self.document()), QTextCursor(self.document())
        first.setPosition(min(position, self.end_position))
        last.movePosition(_END)
        return self.cursorRect(last).bottom() - self.cursorRect(first).top() > self.viewport().height()

    @property
    def distance_from_end(self) -> int:
        """How far the view is from the end, in pixels."""
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value()

    def _note_scroll(self, value: int) -> None:
        self.following = value >= self.verticalScrollBar().maximum() - _NEAR_END

    def _keep_following(self, _minimum: int, maximum: int) -> None:
        if self.following:
            self.verticalScrollBar().setValue(maximum)
        self._set_margins()

    # ---- look ----

    def _restyle(self, theme: Theme) -> None:
        """Adopt a theme; existing content has to be drawn again."""
        self._boxes = BoxPainter(theme)
        self.document().setDefaultStyleSheet(theme.document_css())

    def _set_margins(self) -> None:
        """Keep the column of text centred as the scroll bar comes and goes."""
        bar = self.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.maximum() > 0 else 0
        column = min(_COLUMN, self.width() - 2 * _GUTTER)
        left = max(0, (self.width() - column) // 2)
        right = max(0, self.width() - column - left - taken)
        margins = self.viewportMargins()
        if (margins.left(), margins.right()) != (left, right):
            self.setViewportMargins(left, 0, right, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the column centred; rewrap long text only once the size has settled."""
        self._set_margins()
        super().resizeEvent(event)
        if self.document().characterCount() > _LONG and self.isVisible():
            self._rewrap.start()
        else:
            self._wrap()

    def _wrap(self) -> None:
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
        """Load nothing from network or disk; returning None would not stop Qt."""
        return QImage()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text: a theme's colours are of no use elsewhere."""
        mime = new_mime_data()
        mime.setText(_ZERO_WIDTH.sub("", self.textCursor().selection().toPlainText()))
        return mime

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        copy = menu.addAction(self.tr("Copy"), self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        address = self.anchorAt(event.pos())
        if address.startswith(("http://", "https://")):
            menu.addAction(self.tr("Copy link"), lambda: QGuiApplication.clipboard().setText(address))
        menu.addAction(self.tr("Select all"), self.selectAll)
        menu.exec(event.globalPos())
        menu.deleteLater()
