"""What the views of a lesson's text have in common: a place to stay at, and marks."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextOption
from PySide6.QtWidgets import QFrame, QTextEdit

from app.ui.reading.passage_view import SELECTABLE, clipped
from app.ui.widgets.building import one_shot
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent, QTextCursor
    from PySide6.QtWidgets import QAbstractScrollArea, QPlainTextEdit

    from app.ui.widgets.text_search import Span
    from app.ui.widgets.theme import Theme

    _View = QAbstractScrollArea
else:
    _View = object  # Qt knows one widget class among the bases only


_MARGIN = 16
_MEASURE = 680 + 2 * _MARGIN  # pixels that a line has at most, and its margins


def set_up(view: QTextEdit | QPlainTextEdit) -> None:
    """Let a view wrap a lesson's text and scroll up and down only."""
    view.setObjectName("lesson")
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setTextInteractionFlags(SELECTABLE)
    view.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    view.document().setDocumentMargin(_MARGIN)


class ReadingText(_View):
    """Stays at a place until the reader scrolls; marks cited sentences, and found words that are in sight.

    Positions are those of the text given. Goes before the widget class among a view's bases.
    """

    def _share(self, theme: Theme, arrange: Callable[[], object]) -> None:
        """Set up what is shared; ``arrange`` shows the target, once the view knows its width."""
        self._theme = theme
        self._text = ""
        self._spans: tuple[Span, ...] = ()
        self._current: Span | None = None
        self._found: Sequence[Span] = ()
        self._found_now: Span | None = None
        self._target: int | None = None
        self._arrange_soon = one_shot(self, 0, arrange)
        self._mark_soon = one_shot(self, 0, self._mark)
        bar = self.verticalScrollBar()
        bar.actionTriggered.connect(self._forget_target)
        bar.valueChanged.connect(lambda _: self._mark_soon.start() if self._found else None)

    def set_highlights(self, spans: Sequence[Span], current: Span | None) -> None:
        """Mark cited sentences, clipped to the text; of several, underline the current one."""
        self._spans, self._current = clipped(spans, 0, len(self._text)), current
        self._mark()

    def set_found(self, found: Sequence[Span], current: Span | None) -> None:
        """Mark words that were searched for, given in order."""
        self._found, self._found_now = found, current
        self._mark()

    def show_position(self, position: int) -> None:
        """Scroll ``position`` into the upper part of the view."""
        self._target = min(max(position, 0), len(self._text))
        self._arrange_soon.start()

    def in_sight(self) -> Span:
        """Return about which part of the text is seen."""
        raise NotImplementedError

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._forget_target()
        super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._arrange_soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep lines short enough to read, and the target in view until the reader scrolls."""
        beside = max((self.width() - scaled(_MEASURE)) // 2, 0)
        if self.viewportMargins().left() != beside:
            self.setViewportMargins(beside, 0, beside, 0)
        super().resizeEvent(event)
        self._arrange_soon.start()

    def _forget_target(self) -> None:
        self._target = None

    def _mark(self) -> None:
        raise NotImplementedError

    def _selections(
        self, cursors: Callable[[int, int], Sequence[QTextCursor]]
    ) -> list[QTextEdit.ExtraSelection]:
        """Return what is to be marked; ``cursors`` gives where a span of the text is shown."""
        marks = []
        for span in self._spans:
            marks += [self._mark_of(cursor, cited=span == self._current) for cursor in cursors(*span)]
        if self._found:
            first, last = self.in_sight()
            begin = max(bisect_left(self._found, (first, 0)) - 1, 0)
            for span in self._found[begin : bisect_left(self._found, (last + 1, 0))]:
                marks += [self._mark_of(cursor, found=span == self._found_now) for cursor in cursors(*span)]
        return marks

    def _mark_of(
        self, cursor: QTextCursor, *, cited: bool = False, found: bool | None = None
    ) -> QTextEdit.ExtraSelection:
        """Return the mark of a cited sentence or of a found word, each perhaps the current one."""
        theme, mark = self._theme, QTextEdit.ExtraSelection()
        mark.cursor = cursor
        if found is not None:
            mark.format.setBackground(QColor(theme.accent if found else theme.selection))
            mark.format.setForeground(QColor(theme.accent_text if found else theme.text))
            return mark
        mark.format = theme.highlighted()
        if not cited and len(self._spans) > 1:
            mark.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        return mark
