"""Tables that are wider than the column of text: each scrolls in itself, and the page stays.

Qt scrolls a document as a whole only. Such a table therefore gets the width that its columns need, and its
left margin is moved out of the view; the view's edges cut it off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QLinearGradient,
    QMouseEvent,
    QTextCursor,
    QTextLength,
    QTextTable,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollBar
from shiboken6 import isValid

from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QPainter

    from app.ui.chat.transcript_view import TranscriptView

_COLUMN, _WORD = 120, 240  # pixels: what a column of text needs, and at most for its longest word
_MOST_ROWS = 20  # looked at
_BAR, _EDGE = 12, 24
_NOTCH = 120  # of a mouse wheel
_KINDS = QTextLength.Type


class _Table(NamedTuple):
    table: QTextTable
    width: int  # that its columns need
    margin: float  # on its left before it is moved


class WideTables(QObject):
    """Widens and moves the tables of a view; a bar appears below the one under the mouse."""

    def __init__(self, view: TranscriptView) -> None:
        super().__init__(view)
        self._view = view
        self._tables: list[_Table] = []
        self._shown: _Table | None = None  # whose bar is shown
        self.bar = QScrollBar(Qt.Orientation.Horizontal, view.viewport())
        self.bar.setAccessibleName(self.tr("Scroll the table"))
        self.bar.setCursor(Qt.CursorShape.ArrowCursor)
        self.bar.hide()
        self.bar.valueChanged.connect(self._follow_bar)
        page = view.horizontalScrollBar()
        page.rangeChanged.connect(lambda *_: page.setRange(0, 0))
        view.verticalScrollBar().valueChanged.connect(lambda _: self._show_bar(None))
        view.selectionChanged.connect(self._reveal_selection)
        view.viewport().installEventFilter(self)

    def claim(self, tables: Iterable[QTextTable]) -> None:
        """Take care of new tables of the document."""
        self._tables = [one for one in self._tables if isValid(one.table)]
        known = {one.table for one in self._tables}
        root = self._view.document().rootFrame()
        for table in tables:
            if table.columns() > 1 and table.parentFrame() is root and table not in known:
                width = _needed(table, self._view.fontMetrics())
                self._tables.append(_Table(table, width, table.format().toTableFormat().leftMargin()))
        self.fit()

    def fit(self) -> None:
        """Widen the tables that the column has become too narrow for, and no others."""
        for one in self._tables:
            if isValid(one.table):
                look = one.table.format().toTableFormat()
                if self._is_wide(one):
                    self._move(one, self._offset(one))
                elif look.width().type() == _KINDS.FixedLength:
                    look.setWidth(QTextLength(_KINDS.VariableLength, 0))
                    look.setLeftMargin(one.margin)
                    one.table.setFormat(look)

    def draw_edges(self, painter: QPainter) -> None:
        """Let the text of a table fade out where there is more of it."""
        ground, room = QColor(self._view.theme.surface), self._view.viewport().width()
        clear = QColor(ground)
        clear.setAlpha(0)
        for one in self._wide():
            place, offset = self._place(one), self._offset(one)
            for is_there, edge, inner in (
                (offset > 0, 0, _EDGE),
                (offset < self._most(one), room, room - _EDGE),
            ):
                if is_there and place.bottom() > 0 and place.top() < self._view.viewport().height():
                    fade = QLinearGradient(edge, 0, inner, 0)
                    fade.setColorAt(0, ground)
                    fade.setColorAt(1, clear)
                    painter.fillRect(QRect(min(edge, inner), place.top(), _EDGE, place.height()), fade)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QWheelEvent):
            turned = event.angleDelta()
            by = turned.y() if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else turned.x()
            one = self._at(event.position().toPoint()) if by else None
            if one is not None:
                self._move(one, self._offset(one) - scaled(_COLUMN) * by // _NOTCH)
                self._show_bar(one)
                return True
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove and not event.buttons():
            self._show_bar(self._at(event.position().toPoint()))
        elif event.type() == QEvent.Type.Leave:
            self._show_bar(None)
        return False

    # ---- internals ----

    def _wide(self) -> list[_Table]:
        return [one for one in self._tables if isValid(one.table) and self._is_wide(one)]

    def _is_wide(self, one: _Table) -> bool:
        return one.width > self._view.lineWrapColumnOrWidth() - one.margin

    def _most(self, one: _Table) -> int:
        return round(one.width + one.margin - self._view.lineWrapColumnOrWidth())

    def _offset(self, one: _Table) -> int:
        return round(one.margin - one.table.format().toTableFormat().leftMargin())

    def _move(self, one: _Table, offset: int) -> None:
        look = one.table.format().toTableFormat()
        margin = one.margin - min(max(offset, 0), self._most(one))
        width = QTextLength(_KINDS.FixedLength, one.width + margin)  # in which Qt counts the margin
        if (margin, width) != (look.leftMargin(), look.width()):
            look.setLeftMargin(margin)
            look.setWidth(width)
            one.table.setFormat(look)

    def _at(self, at: QPoint) -> _Table | None:
        return next((one for one in self._wide() if self._place(one).contains(0, at.y())), None)

    def _place(self, one: _Table) -> QRect:
        """Return the rows of the viewport that a table takes, from edge to edge."""
        outer = self._view.document().documentLayout().frameBoundingRect(one.table)
        look = one.table.format().toTableFormat()
        top = outer.top() - look.cellPadding() - self._view.verticalScrollBar().value()
        height = outer.height() - look.topMargin() - look.bottomMargin()
        return QRect(0, round(top), self._view.viewport().width(), round(height))

    def _show_bar(self, one: _Table | None) -> None:
        self._shown = one
        if one is not None:
            self.bar.blockSignals(True)
            self.bar.setRange(0, self._most(one))
            self.bar.setPageStep(self._view.viewport().width())
            self.bar.setValue(self._offset(one))
            self.bar.blockSignals(False)
            place = self._place(one)
            self.bar.setGeometry(0, place.bottom() + 1, place.width(), _BAR)
        self.bar.setVisible(one is not None)

    def _follow_bar(self, offset: int) -> None:
        if self._shown is not None and isValid(self._shown.table):
            self._move(self._shown, offset)

    def _reveal_selection(self) -> None:
        """Move a table so that what the keyboard or a search has selected in it can be seen."""
        cursor, room = self._view.textCursor(), self._view.viewport().width()
        table = cursor.currentTable()
        one = next((one for one in self._wide() if one.table == table), None)
        if one is None or not cursor.hasSelection():
            return
        start = QTextCursor(cursor)
        start.setPosition(cursor.selectionStart())
        left, right = self._view.cursorRect(start).left(), self._view.cursorRect(cursor).right()
        if right > room - _EDGE:
            self._move(one, self._offset(one) + right - room + 2 * _EDGE)
        elif left < _EDGE:
            self._move(one, self._offset(one) + left - 2 * _EDGE)


def _needed(table: QTextTable, metrics: QFontMetrics) -> int:
    """Return the width in which a table can be read: its columns need not be squeezed."""
    total = 0.0
    padding = 2 * table.format().toTableFormat().cellPadding() + 1
    for column in range(table.columns()):
        wanted = 0
        for row in range(min(table.rows(), _MOST_ROWS)):
            cell = table.cellAt(row, column)
            cursor = cell.firstCursorPosition()
            cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
            text = cursor.selectedText()
            longest = max(map(metrics.horizontalAdvance, text.split()), default=0)
            needed = min(metrics.horizontalAdvance(text), scaled(_COLUMN))
            wanted = max(wanted, needed, min(longest, scaled(_WORD)))
        total += wanted + padding
    return round(total)
