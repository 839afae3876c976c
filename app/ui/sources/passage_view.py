"""The text of one passage, literal and selectable, with its cited sentences marked."""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent, QTextBlockFormat, QTextCursor, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from app.ui.widgets.theme import Theme

SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
COLLAPSED_LINES = 3
# Hiding a single line saves nothing.
_WHOLE_UP_TO = COLLAPSED_LINES + 1
_LINE_HEIGHT_PERCENT = 135
_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*+\n)++[^\S\n]*+")


def clipped(spans: Iterable[tuple[int, int]], first: int, length: int) -> tuple[tuple[int, int], ...]:
    """Return spans in order, relative to ``first`` and clipped to a text of ``length`` from there on."""
    cut = {(max(start - first, 0), min(end - first, length)) for start, end in spans}
    return tuple(sorted(span for span in cut if span[0] < span[1]))


def without_blank_lines(text: str, span: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a span between blank lines, of each of which Qt would paint a sliver."""
    start, end = span
    for gap in _BLANK_LINES.finditer(text, start, end):
        if start < gap.start():
            yield start, gap.start()
        start = gap.end()
    if start < end:
        yield start, end


def utf16_offset(text: str, position: int) -> int:
    """Return a character position of ``text`` in UTF-16 code units, which Qt counts."""
    return len(text[: max(position, 0)].encode("utf-16-le", "surrogatepass")) // 2


class _Text(QTextEdit):
    """The whole text, read-only; never scrolls, since it is always as high as it needs to be."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent, readOnly=True, undoRedoEnabled=False)
        self.setProperty("plain", True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(SELECTABLE)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Qt does not know the widget's width until the widget is shown.
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDocumentMargin(0)
        self.setPlainText(text)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(_LINE_HEIGHT_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(spaced)

    def lines(self) -> list[tuple[float, float, int]]:
        """Return the laid-out lines: their tops and bottoms in pixels, and their end positions."""
        lines = []
        arrangement = self.document().documentLayout()
        block = self.document().begin()
        while block.isValid():
            layout, block_top = block.layout(), arrangement.blockBoundingRect(block).top()
            for line in map(layout.lineAt, range(layout.lineCount())):
                top = block_top + line.y()
                end = block.position() + line.textStart() + line.textLength()
                lines.append((top, top + line.height(), end))
            block = block.next()
        return lines

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave scrolling to the pane."""
        event.ignore()


class PassageView(QWidget):
    """A passage, either expanded or collapsed to a few lines from the first cited sentence on."""

    collapsible_changed = Signal(bool)  # whether it has more lines than it shows when collapsed

    def __init__(self, text: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.expanded = False
        self.collapsible = False
        self._theme = theme
        self._spans: tuple[tuple[int, int], ...] = ()
        self._fitted_width = -1
        # Readers do not see the white space around the passage; the spans are shifted by it.
        self._skipped = len(text) - len(text.lstrip())
        self._text = text.strip()
        self.edit = _Text(self._text, self)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._mark_spans()

    def set_expanded(self, expanded: bool) -> None:
        self.expanded = expanded
        self._fit()

    def set_highlights(self, spans: Sequence[tuple[int, int]]) -> None:
        """Mark character spans of the text given (end exclusive); spans are clipped to it."""
        self._spans = clipped(spans, self._skipped, len(self._text))
        self._mark_spans()
        self._fit()

    def first_highlight(self) -> tuple[int, int] | None:
        """Return top and bottom of the first highlight in this widget, in pixels."""
        if not self._spans:
            return None
        rects = [self.edit.cursorRect(self._cursor(position, position)) for position in self._spans[0]]
        return self.edit.y() + rects[0].top(), self.edit.y() + rects[1].bottom()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._fitted_width:
            self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _mark_spans(self) -> None:
        selections = []
        for part in (part for span in self._spans for part in without_blank_lines(self._text, span)):
            selection = QTextEdit.ExtraSelection()
            selection.cursor = self._cursor(*part)
            selection.format.setBackground(QColor(self._theme.highlight))
            selections.append(selection)
        self.edit.setExtraSelections(selections)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.edit.document())
        cursor.setPosition(utf16_offset(self._text, start))
        cursor.setPosition(utf16_offset(self._text, end), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _fit(self) -> None:
        """Lay out the text for the current width and adopt the height of its visible part."""
        self._fitted_width = self.width()
        self.edit.setLineWrapColumnOrWidth(self.width())
        whole = ceil(self.edit.document().size().height())
        lines = self.edit.lines()
        collapsible = len(lines) > _WHOLE_UP_TO
        top, height = 0, whole
        if collapsible and not self.expanded:
            start = utf16_offset(self._text, self._spans[0][0]) if self._spans else 0
            first = next((at for at, (_, _, end) in enumerate(lines) if end > start), 0)
            first = min(first, len(lines) - COLLAPSED_LINES)
            top = round(lines[first][0])
            height = ceil(lines[first + COLLAPSED_LINES - 1][1]) - top
        self.edit.setGeometry(0, -top, self.width(), whole)
        self.setFixedHeight(height)
        if collapsible != self.collapsible:
            self.collapsible = collapsible
            self.collapsible_changed.emit(collapsible)
