"""A whole lesson as plain text with its cited sentences marked; fast even with a megabyte."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QPainter, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit, QTextEdit, QWidget

from app.ui.reading.passage_view import clipped, without_blank_lines
from app.ui.reading.reading_text import ReadingText, set_up

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QTextBlock

    from app.domain.sources import LessonText
    from app.ui.widgets.text_search import Span
    from app.ui.widgets.theme import Theme

# Qt lays out a line as a whole: a line of a megabyte would stall the window for seconds.
_LONGEST_LINE = 4_000
_BREAK_AFTER = 1_200
_BAR = 6  # pixels
_LINE_HEIGHT = 1.55  # of the size of letters, as in typeset lessons
_SENTENCE_END = re.compile(r"[.!?…]['\"”’)\]]* |[。！？]")
_LONG_LINE = re.compile(rf"^[^\n]{{{_LONGEST_LINE},}}", re.MULTILINE)
_NOT_SHOWN = dict.fromkeys((0, 0x0D, 0x2028, 0x2029, 0xFDD0, 0xFDD1, 0xFFFC), " ")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class ShownText:
    """A text for display, with line breaks added to endless lines."""

    def __init__(self, text: str) -> None:
        self._breaks: list[int] = []
        for line in _LONG_LINE.finditer(text):
            self._breaks.extend(_breaks(text, line.start(), line.end()))
        ends = [0, *self._breaks, len(text)]
        # Characters that end a paragraph or stand for a picture in Qt become spaces.
        literal = text.translate(_NOT_SHOWN)
        self.text = "\n".join(literal[start:end] for start, end in zip(ends, ends[1:], strict=False))
        self._wide = [match.start() for match in _ASTRAL.finditer(text)]

    def position(self, position: int) -> int:
        """Return where Qt, which counts UTF-16 code units, shows a character of the given text."""
        return position + bisect_left(self._breaks, position + 1) + bisect_left(self._wide, position)

    def end_position(self, position: int) -> int:
        """Return the same for the end of a span, which stays before an added line break."""
        return position + bisect_left(self._breaks, position) + bisect_left(self._wide, position)

    def given_position(self, shown: int) -> int:
        """Return which character of the given text Qt shows at a position."""
        return bisect_right(range(len(self.text) + 1), shown, key=self.position) - 1


def _breaks(text: str, start: int, end: int) -> list[int]:
    """Return where to break a line: after a sentence, else after a space, else anywhere."""
    found = []
    while end - start > _LONGEST_LINE:
        first, last = start + _BREAK_AFTER, start + _LONGEST_LINE
        if match := _SENTENCE_END.search(text, first, last):
            start = match.end()
        else:
            start = text.rfind(" ", first, last) + 1 or last
        found.append(start)
    return found


class _SpacedLayout(QPlainTextDocumentLayout):
    """Puts more room between lines: the format of a block says nothing to a plain text edit."""

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """Move the lines of a block apart the first time it is asked for, which is when it was laid out."""
        area = super().blockBoundingRect(block)
        lines = block.layout()
        count = lines.lineCount()
        if not count or not block.isVisible():
            return area
        half = max(line_spacing(self.document().defaultFont()) - lines.lineAt(0).height(), 0) / 2
        if lines.lineAt(0).y() < half:
            top = half
            for line in map(lines.lineAt, range(count)):
                line.setPosition(QPointF(line.x(), top))
                top += line.height() + 2 * half
            area = super().blockBoundingRect(block)
        return area.adjusted(0, 0, 0, half)


def line_spacing(font: QFont) -> int:
    """Return how far apart lines are, in pixels."""
    return round(_LINE_HEIGHT * QFontInfo(font).pixelSize())


class LessonView(ReadingText, QPlainTextEdit):
    """Shows a text literally, read-only and selectable; positions are those of the text given."""

    clicked = Signal(int)  # on the character at this position

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent, readOnly=True, undoRedoEnabled=False)
        self._shown = ShownText("")
        self._spoken: Span | None = None
        document = QTextDocument(self)
        self._spacing = _SpacedLayout(document)
        document.setDocumentLayout(self._spacing)
        self.setDocument(document)
        set_up(self)
        self._share(theme, self._scroll)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._mark()

    def set_text(self, text: str) -> None:
        """Show a text from its beginning, with nothing marked."""
        self._target, self._found, self._spoken = None, (), None
        self.set_highlights((), None)
        self._shown = ShownText(text)
        self._text = text
        self.setPlainText(self._shown.text)

    def set_lesson(self, lesson: LessonText) -> None:
        self.set_text(lesson.text)

    def set_spoken(self, span: Span | None, *, go_there: bool = False) -> None:
        """Mark what is being said; keep it in sight unless the reader has scrolled away from it."""
        if span is not None:
            span = span[0], span[0] + len(self._text[max(span[0], 0) : span[1]].rstrip())
        before, self._spoken = (
            self._spoken,
            next(iter(clipped([span] if span else (), 0, len(self._text))), None),
        )
        if self._spoken == before:
            return
        follows = before is not None and self._is_in_sight(before)
        self._mark()
        self.viewport().update()
        if self._spoken is not None and follows:
            self._target = None
            self._keep_in_sight(self._spoken)
        elif self._spoken is not None and go_there and not self._is_in_sight(self._spoken):
            self.show_position(self._spoken[0])

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and not self.textCursor().hasSelection():
            shown = self.cursorForPosition(event.position().toPoint()).position()
            self.clicked.emit(self._shown.given_position(shown))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a bar beside what is being said, to see at a glance."""
        super().paintEvent(event)
        if self._spoken is not None:
            lines = self._lines(self._spoken)
            bar = QRect(_BAR, lines.top(), _BAR // 2, lines.height())
            QPainter(self.viewport()).fillRect(bar, QColor(self._theme.accent))

    def in_sight(self) -> Span:
        area = self.viewport().rect()
        ends = (self.cursorForPosition(corner).position() for corner in (area.topLeft(), area.bottomRight()))
        first, last = map(self._shown.given_position, ends)
        return first, last

    def _scroll(self) -> None:
        if self._target is None or not self.isVisible():
            return
        cursor = self._cursor(self._target, self._target)
        self.setTextCursor(cursor)
        self.centerCursor()
        below = self.cursorRect(cursor).top() - self.viewport().height() // 4
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + below // line_spacing(self.font()))

    def _lines(self, span: tuple[int, int]) -> QRect:
        """Return where the lines of a span stand in the viewport."""
        first, last = (self.cursorRect(self._cursor(one, one)) for one in span)
        return QRect(0, first.top(), self.viewport().width(), last.bottom() - first.top() + 1)

    def _is_in_sight(self, span: tuple[int, int]) -> bool:
        return self.viewport().rect().intersects(self._lines(span))

    def _keep_in_sight(self, span: tuple[int, int]) -> None:
        lines, height = self._lines(span), self.viewport().height()
        if lines.top() < 0 or lines.bottom() > height * 3 // 4:
            bar, below = self.verticalScrollBar(), lines.top() - height // 4
            bar.setValue(bar.value() + below // line_spacing(self.font()))

    def _mark(self) -> None:
        def cursors(start: int, end: int) -> list[QTextCursor]:
            return [self._cursor(*part) for part in without_blank_lines(self._text, (start, end))]

        marks = self._selections(cursors)
        own_colour = QTextFormat.Property.ForegroundBrush  # that found words have
        cited = [mark for mark in marks if not mark.format.hasProperty(own_colour)]
        for mark in cited:
            mark.format.setForeground(QColor(self._theme.text))
        if self._spoken is not None:
            spoken = QTextEdit.ExtraSelection()
            spoken.cursor = self._cursor(*self._spoken)
            spoken.format.setBackground(QColor(self._theme.accent_soft))
            marks.insert(len(cited), spoken)  # above citations, below found words
        self.setExtraSelections(marks)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._shown.position(start))
        if end > start:
            cursor.setPosition(self._shown.end_position(end), QTextCursor.MoveMode.KeepAnchor)
        return cursor
