"""Boxes with round corners in a text document, which Qt's rich text lacks.

A one-cell table whose background colour has a meaning gets a role in place of the colour once it is
inserted; the view draws its box before it draws the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen, QTextCursor, QTextFormat, QTextTable

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

    from app.ui.widgets.theme import Theme

_ROLE = QTextFormat.Property.UserProperty.value + 1
_RADIUS = 8.0


class BoxPainter:
    """Finds the boxes of a document and draws the visible ones."""

    def __init__(self, theme: Theme) -> None:
        self._fills = {
            theme.user_bubble: (theme.user_bubble, None),
            theme.code_bg: (theme.code_bg, theme.border),
            theme.surface_alt: (None, theme.border_strong),
            theme.accent_soft: (theme.accent_soft, None),
            theme.warning_bg: (theme.warning_bg, theme.warning_border),
            theme.danger_bg: (theme.danger_bg, theme.danger_border),
        }
        self._quote = theme.surface_alt

    def claim(self, document: QTextDocument, start: int) -> None:
        """Give each box from position ``start`` on its role, and remove its square background."""
        block = document.findBlock(start)
        seen: set[int] = set()
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        while block.isValid():
            frame = QTextCursor(block).currentFrame()
            while isinstance(frame, QTextTable) and frame.firstPosition() not in seen:
                seen.add(frame.firstPosition())
                self._claim_table(document, frame)
                frame = frame.parentFrame()
            block = block.next()
        cursor.endEditBlock()

    def draw(self, painter: QPainter, document: QTextDocument, top: float, bottom: float) -> None:
        """Draw the boxes between two heights of the document, outer ones first."""
        layout = document.documentLayout()
        position = layout.hitTest(QPointF(0, max(top, 0)), Qt.HitTestAccuracy.FuzzyHit)
        block = document.findBlock(max(position, 0))
        seen: set[int] = set()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        while block.isValid() and layout.blockBoundingRect(block).top() <= bottom:
            nest: list[QTextTable] = []
            frame = QTextCursor(block).currentFrame()
            while isinstance(frame, QTextTable) and frame.firstPosition() not in seen:
                seen.add(frame.firstPosition())
                nest.append(frame)
                frame = frame.parentFrame()
            for table in reversed(nest):
                self._draw_table(painter, table, layout.frameBoundingRect(table))
            block = block.next()

    # ---- internals ----

    def _claim_table(self, document: QTextDocument, table: QTextTable) -> None:
        table_format = table.format().toTableFormat()
        colour = table_format.background().color().name()
        if table_format.background().style() == Qt.BrushStyle.NoBrush or colour not in self._fills:
            return
        table_format.clearBackground()
        table_format.setProperty(_ROLE, colour)
        # In a list Qt indents a table by 40 pixels a level, whatever the list's own indent.
        table_format.setLeftMargin(table_format.leftMargin() * document.indentWidth() / 40)
        table.setFormat(table_format)

    def _draw_table(self, painter: QPainter, table: QTextTable, outer: QRectF) -> None:
        table_format = table.format()
        role = table_format.property(_ROLE)
        if role not in self._fills:
            return
        frame = table_format.toTableFormat()
        # Qt returns the size with its margins, but the position of the first cell's text.
        padding = frame.cellPadding()
        width = outer.width() - frame.leftMargin() - frame.rightMargin()
        height = outer.height() - frame.topMargin() - frame.bottomMargin()
        rect = QRectF(outer.left() - padding, outer.top() - padding, width, height)
        fill, edge = self._fills[role]
        if role == self._quote:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(edge))
            painter.drawRoundedRect(QRectF(rect.left(), rect.top(), 3, rect.height()), 1.5, 1.5)
            return
        painter.setPen(QPen(QColor(edge), 1) if edge else QPen(Qt.PenStyle.NoPen))
        painter.setBrush(QBrush(QColor(fill)))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
