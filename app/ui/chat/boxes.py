"""Boxes with round corners in a text document, which Qt's rich text lacks.

A one-cell table whose background colour has a meaning gets a role in place of the colour once it is
inserted; the view draws its box before it draws the text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextCursor, QTextFormat, QTextTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextBlock, QTextDocument

    from app.ui.widgets.theme import Theme

_ROLE = QTextFormat.Property.UserProperty.value + 1
_RADIUS = 8.0


class BoxPainter:
    """Finds the boxes of a document and draws the visible ones."""

    def __init__(self, theme: Theme) -> None:
        self._fills = {
            theme.user_bubble: (theme.user_bubble, None),
            theme.code_bg: (theme.code_bg, theme.border),
            theme.surface_alt: (None, theme.border_strong),  # a quote
            theme.accent_soft: (theme.accent_soft, None),
            theme.warning_bg: (theme.warning_bg, theme.warning_border),
            theme.danger_bg: (theme.danger_bg, theme.danger_border),
        }

    def claim(self, document: QTextDocument, start: int) -> None:
        """Give each box from position ``start`` on its role, and remove its square background."""
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for table in _tables_from(document.findBlock(start)):
            look = table.format().toTableFormat()
            colour = look.background().color().name()
            if look.background().style() != Qt.BrushStyle.NoBrush and colour in self._fills:
                look.clearBackground()
                look.setProperty(_ROLE, colour)
                # In a list Qt indents a table by 40 pixels a level, whatever the list's own indent.
                look.setLeftMargin(look.leftMargin() * document.indentWidth() / 40)
                table.setFormat(look)
        cursor.endEditBlock()

    def draw(self, painter: QPainter, document: QTextDocument, top: float, bottom: float) -> None:
        """Draw the boxes between two heights of the document."""
        layout = document.documentLayout()
        position = layout.hitTest(QPointF(0, max(top, 0)), Qt.HitTestAccuracy.FuzzyHit)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for table in _tables_from(document.findBlock(max(position, 0)), bottom):
            if table.format().property(_ROLE) in self._fills:
                self._draw_box(painter, table, layout.frameBoundingRect(table))

    # ---- internals ----

    def _draw_box(self, painter: QPainter, table: QTextTable, outer: QRectF) -> None:
        look = table.format().toTableFormat()
        # Qt returns the size with its margins, but the position of the first cell's text.
        padding = look.cellPadding()
        width = outer.width() - look.leftMargin() - look.rightMargin()
        height = outer.height() - look.topMargin() - look.bottomMargin()
        rect = QRectF(outer.left() - padding, outer.top() - padding, width, height)
        fill, edge = self._fills[look.property(_ROLE)]
        if fill is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(edge))
            painter.drawRoundedRect(QRectF(rect.left(), rect.top(), 3, rect.height()), 1.5, 1.5)
            return
        painter.setPen(QPen(QColor(edge), 1) if edge else QPen(Qt.PenStyle.NoPen))
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)


def _tables_from(block: QTextBlock, bottom: float | None = None) -> Iterator[QTextTable]:
    """Yield the tables from a block on, down to a height of the document; outer ones before inner ones."""
    seen: set[int] = set()
    while block.isValid():
        layout = block.document().documentLayout()
        if bottom is not None and layout.blockBoundingRect(block).top() > bottom:
            return
        nest: list[QTextTable] = []
        frame = QTextCursor(block).currentFrame()
        while isinstance(frame, QTextTable) and frame.firstPosition() not in seen:
            seen.add(frame.firstPosition())
            nest.append(frame)
            frame = frame.parentFrame()
        yield from reversed(nest)
        block = block.next()
