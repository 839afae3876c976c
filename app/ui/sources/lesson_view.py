"""A whole lesson as plain text with cited sentences marked; quick with a megabyte of it."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent

    from app.ui.shell.theme import Theme

# A line is laid out as a whole: one of a megabyte would hold up the window for seconds.
_LONGEST_LINE = 4_000
_BREAK_AFTER = 1_200
_SENTENCE_END = re.compile(r"[.!?…]['\"”’)\]]* |[。！？]")
_LONG_LINE = re.compile(rf"[^\n]{{{_LONGEST_LINE},}}")
_NOT_SHOWN = dict.fromkeys((0, 0x0D, 0x2028, 0x2029, 0xFDD0, 0xFDD1, 0xFFFC), " ")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class ShownText:
    """A text as it is shown, with line breaks added to endless lines.

    Attributes:
        text: what is shown.
    """

    def __init__(self, text: str) -> None:
        self._breaks: list[int] = []
        for line in _LONG_LINE.finditer(text):
            self._breaks.extend(_breaks(text, line.start(), line.end()))
        ends = [0, *self._breaks, len(text)]
        # What Qt would take for the end of a paragraph, or for a picture, is shown as a space.
        literal = text.translate(_NOT_SHOWN)
        self.text = "\n".join(literal[start:end] for start, end in zip(ends, ends[1:], strict=False))
        self._wide = [match.start() for match in _ASTRAL.finditer(text)]

    def position(self, position: int) -> int:
        """Return where Qt, which counts UTF-16 code units, shows a character of the text given."""
        return position + bisect_left(self._breaks, position + 1) + bisect_left(self._wide, position)

    def end_position(self, position: int) -> int:
        """Return the same for the end of a span, which lies before a line break that follows it."""
        return position + bisect_left(self._breaks, position) + bisect_left(self._wide, position)


def _breaks(text: str, start: int, end: int) -> list[int]:
    """Return where a line is broken: after a sentence if one ends, else after a space, else anywhere."""
    found = []
    while end - start > _LONGEST_LINE:
        first, last = start + _BREAK_AFTER, start + _LONGEST_LINE
        if match := _SENTENCE_END.search(text, first, last):
            start = match.end()
        else:
            start = text.rfind(" ", first, last) + 1 or last
        found.append(start)
    return found


class LessonView(QPlainTextEdit):
    """Read-only, literal, selectable; scrolls to what it is told to show.

    Positions are those of the text given.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown = ShownText("")
        self._length = 0
        self._spans: tuple[tuple[int, int], ...] = ()
        self._current: tuple[int, int] | None = None
        self._target: int | None = None
        self.setObjectName("lesson")
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.document().setDocumentMargin(16)
        # Shown in the same turn it is filled in, the view does not know its width yet.
        self._scroll_soon = QTimer(self)
        self._scroll_soon.setSingleShot(True)
        self._scroll_soon.setInterval(0)
        self._scroll_soon.timeout.connect(self._scroll)
        self.verticalScrollBar().actionTriggered.connect(self._forget_target)

    def set_theme(self, theme: Theme) -> None:
        """Mark in the colours of ``theme``."""
        self._theme = theme
        self._mark()

    def set_text(self, text: str) -> None:
        """Show a text, nothing marked, from its beginning."""
        self._spans, self._current, self._target = (), None, None
        self.setExtraSelections([])
        self._shown = ShownText(text)
        self._length = len(text)
        self.setPlainText(self._shown.text)

    def set_highlights(self, spans: Sequence[tuple[int, int]], current: tuple[int, int] | None) -> None:
        """Mark cited sentences; of several the current one has a line below as well.

        Args:
            spans: starts and ends; those outside the text are cut.
            current: one of them, or None.
        """
        cut = ((max(start, 0), min(end, self._length)) for start, end in spans)
        self._spans = tuple(sorted({span for span in cut if span[0] < span[1]}))
        self._current = current
        self._mark()

    def show_position(self, position: int) -> None:
        """Scroll so that ``position`` stands in the upper part of the view."""
        self._target = min(max(position, 0), self._length)
        self._scroll_soon.start()

    def highlighted(self) -> tuple[str, ...]:
        """Return the marked pieces of the text, as they are shown."""
        selections: list[QTextEdit.ExtraSelection] = self.extraSelections()
        return tuple(one.cursor.selectedText().replace("\u2029", "\n") for one in selections)

    def showEvent(self, event: QShowEvent) -> None:
        """Scroll to what was to be shown while hidden."""
        super().showEvent(event)
        if self._target is not None:
            self._scroll_soon.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the reader move about."""
        self._forget_target()
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep in view what the reader was led to, until they scroll."""
        super().resizeEvent(event)
        if self._target is not None:
            self._scroll_soon.start()

    def _forget_target(self) -> None:
        self._target = None

    def _scroll(self) -> None:
        if self._target is None or not self.isVisible():
            return
        cursor = self._cursor(self._target, self._target)
        self.setTextCursor(cursor)
        self.centerCursor()
        lines_up = (self.cursorRect(cursor).top() - self.viewport().height() // 4) // max(
            self.fontMetrics().lineSpacing(), 1
        )
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + lines_up)

    def _mark(self) -> None:
        selections = []
        for span in self._spans:
            selection = QTextEdit.ExtraSelection()
            selection.cursor = self._cursor(*span)
            selection.format.setBackground(QColor(self._theme.highlight))
            selection.format.setForeground(QColor(self._theme.text))
            if span == self._current and len(self._spans) > 1:
                selection.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
                selection.format.setUnderlineColor(QColor(self._theme.accent))
            selections.append(selection)
        self.setExtraSelections(selections)

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(self._shown.position(start))
        cursor.setPosition(
            self._shown.end_position(end) if end > start else cursor.position(),
            QTextCursor.MoveMode.KeepAnchor,
        )
        return cursor
