"""The browser that shows the conversation: inserts, cuts, scrolls, and loads nothing."""

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFrame,
    QTextTable,
)
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.markup.rich_text import RichTextView, copied_text, looks
from app.ui.widgets.building import one_shot
from app.ui.widgets.theme import Theme, scaled

COLUMN = 760  # longer lines are hard to read
GUTTER = 24
_NEAR_END = 24
_LONG = 20_000  # characters; wrapping more takes longer than a frame
_REWRAP_MS = 150
TOP_GAP = 16  # pixels left above what is scrolled to the top
# Beginnings of the names of doubtful claims: their sources say otherwise, or they come from elsewhere.
CLAIMS = ("claim", "outside")
_LINE = QTextCharFormat.UnderlineStyle
_END = QTextCursor.MoveOperation.End


class TranscriptView(RichTextView):
    """A document that grows at its end, which the view follows while it is in sight."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.following = True  # stay at the end while the document grows
        self._rewrap = one_shot(self, _REWRAP_MS, self._wrap)
        self.setLineWrapMode(RichTextView.LineWrapMode.FixedPixelWidth)
        self.setAcceptDrops(False)
        self.document().setDocumentMargin(0)
        self.verticalScrollBar().valueChanged.connect(self._note_scroll)
        self.verticalScrollBar().rangeChanged.connect(self._keep_following)

    # ---- the document ----

    @contextmanager
    def editing(self) -> Iterator[None]:
        """Apply all changes made inside as one, with one layout."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        try:
            yield
        finally:
            cursor.endEditBlock()

    def append_html(self, html: str) -> None:
        """Add HTML as new paragraphs at the end."""
        self.insert(self.end_position, html)

    def replace_html(self, start: int, end: int, html: str) -> int:
        """Replace the paragraphs between two positions; return how many characters longer the document is."""
        before = self.end_position
        with self.editing():
            self.between(start, end).removeSelectedText()
            self.insert(start, html)
        return self.end_position - before

    def cut_from(self, position: int) -> None:
        if position < self.end_position:
            self.between(position, self.end_position).removeSelectedText()

    def insert(self, position: int, html: str) -> int:
        """Insert HTML behind a paragraph; marks and claims get broken lines, others than web links."""
        with self.editing():
            end = super().insert(position, html)
            for first, last, look in looks(self.document(), position, end) if "underline" in html else ():
                if look.fontUnderline() and not look.anchorHref().startswith(("http:", "https:")):
                    kind = look.toolTip().partition(":")[0]
                    colour = self._claim_colours.get(kind)
                    line = QTextCharFormat()
                    line.setUnderlineStyle(_LINE.DashUnderline if kind == CLAIMS[0] else _LINE.DotLine)
                    line.setUnderlineColor(QColor(colour) if colour else look.foreground().color())
                    self.between(first, last).mergeCharFormat(line)
        return end

    # ---- scrolling ----

    def follow(self) -> None:
        self.following = True
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def show_from(self, position: int, gap: int = TOP_GAP) -> None:
        """Scroll ``position`` to this many pixels below the top, and stay there."""
        self.following = False
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.end_position))
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - gap)

    def show_place(self, position: int) -> None:
        """Scroll ``position`` into the upper part of the view unless it is well in sight."""
        line, height = self.cursorRect(self.between(position, position)), self.viewport().height()
        if line.top() < 0 or line.bottom() > height * 3 // 4:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + line.top() - height // 4)

    def fills_view_from(self, position: int) -> bool:
        """Return whether the document is higher than the view from a position to its end."""
        first, last = QTextCursor(self.document()), QTextCursor(self.document())
        first.setPosition(min(position, self.end_position))
        last.movePosition(_END)
        return self.cursorRect(last).bottom() - self.cursorRect(first).top() > self.viewport().height()

    @contextmanager
    def staying(self, places: list[int]) -> Iterator[None]:
        """Keep the last of the ``places`` that lie above the view at its height while text changes there.

        ``places`` are positions in order; the caller keeps the list up to date.
        """
        if self.following:
            yield
            return
        bar = self.verticalScrollBar()
        top = self.cursorForPosition(QPoint(0, 0)).position()
        at = bisect_right(places, top) - 1

        def offset() -> int:
            here = self.cursorRect(self.between(places[at], places[at])) if at >= 0 else QRect()
            return bar.value() + here.top()

        value, before = bar.value(), offset()
        yield
        # Not relative to where it is now: Qt scrolls to the text cursor when what it selects is replaced.
        bar.setValue(value + offset() - before if at >= 0 else value)

    @property
    def distance_from_end(self) -> int:
        bar = self.verticalScrollBar()
        return bar.maximum() - bar.value()

    def _note_scroll(self, value: int) -> None:
        self.following = value >= self.verticalScrollBar().maximum() - _NEAR_END

    def _keep_following(self, _minimum: int, maximum: int) -> None:
        if self.following:
            self.verticalScrollBar().setValue(maximum)
        self._set_margins()

    # ---- look ----

    def restyle(self, theme: Theme) -> None:
        super().restyle(theme)
        self._claim_colours = dict(zip(CLAIMS, (theme.warning, theme.text_muted), strict=True))

    def _set_margins(self) -> None:
        """Keep the column of text centred as the scroll bar comes and goes."""
        bar = self.verticalScrollBar()
        taken = bar.sizeHint().width() if bar.maximum() > 0 else 0
        column = min(scaled(COLUMN), self.width() - 2 * GUTTER)
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

    @property
    def is_wrapped_otherwise(self) -> bool:
        """Whether lines are not as wide as the view."""
        return self.lineWrapColumnOrWidth() != self.viewport().width()

    def _wrap(self) -> None:
        if self.is_wrapped_otherwise:
            self.setLineWrapColumnOrWidth(self.viewport().width())

    def kind_of_box(self, frame: QTextFrame | None) -> str:
        """Return "code" or "question" for the box of one; nothing for other frames."""
        if not isinstance(frame, QTextTable):
            return ""
        first = frame.firstCursorPosition().block().begin().fragment()
        return next(iter(first.charFormat().anchorNames()), "") if first.isValid() else ""

    # ---- copying ----

    def code_at(self, at: QPoint) -> str:
        """Return the code in whose box a place of the view is; nothing elsewhere."""
        table = self.cursorForPosition(at).currentFrame()
        if not isinstance(table, QTextTable) or self.kind_of_box(table) != "code":
            return ""
        return copied_text(self.between(table.firstPosition(), table.lastPosition()))

    def link_behind(self, address: str) -> str:
        """Return what to copy of an address in the text; an empty string if that leads nowhere."""
        return address if address.startswith(("http://", "https://")) else ""

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), self.copy)
        copy.setEnabled(self.textCursor().hasSelection())
        if link := self.link_behind(self.anchorAt(event.pos())):
            menu.addAction(self.tr("Copy link"), lambda: QGuiApplication.clipboard().setText(link))
        if code := self.code_at(event.pos()):
            menu.addAction(self.tr("Copy code"), lambda: QGuiApplication.clipboard().setText(code))
        menu.addAction(self.tr("Select all"), self.selectAll)
        menu.popup(event.globalPos())
