"""Draws boxes with round corners in the conversation, which Qt's rich text lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextCursor, QTextFormat, QTextTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextBlock, QTextDocument, QTextFrame

    from app.ui.widgets.theme import Theme

_BOX_ROLE = QTextFormat.Property.UserProperty.value + 1


class BoxPainter:
    """Draws boxes with round corners in a document, which Qt's rich text lacks.

    A one-cell table whose background colour has a meaning gets a role in place of the colour once it is
    inserted; the view draws its box before it draws the text.
    """

    def __init__(self, theme: Theme) -> None:
        self._kinds: dict[object, Literal["code", "question"]] = {
            theme.code_bg: "code",
            theme.user_bubble: "question",
        }
        self._radius = theme.radius
        self._fills = {
            theme.user_bubble: (theme.user_bubble, None),
            theme.code_bg: (theme.code_bg, theme.border),
            theme.surface_alt: (None, theme.border_strong),  # a quote
            theme.accent_soft: (theme.accent_soft, None),
            theme.warning_bg: (theme.warning_bg, theme.warning_border),
            theme.danger_bg: (theme.danger_bg, theme.danger_border),
        }

    def kind_of(self, frame: QTextFrame | None) -> Literal["code", "question", ""]:
        role = frame.format().property(_BOX_ROLE) if isinstance(frame, QTextTable) else None
        return self._kinds.get(role, "")

    def claim(self, document: QTextDocument, start: int) -> None:
        """Give each box from position ``start`` on its role, and remove its square background."""
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for table in tables_from(document.findBlock(start)):
            look = table.format().toTableFormat()
            colour = look.background().color().name()
            if look.background().style() != Qt.BrushStyle.NoBrush and colour in self._fills:
                look.clearBackground()
                look.setProperty(_BOX_ROLE, colour)
                # In a list Qt indents a table by 40 pixels a level, whatever the list's own indent.
                look.setLeftMargin(look.leftMargin() * document.indentWidth() / 40)
                table.setFormat(look)
        cursor.endEditBlock()

    def draw(self, painter: QPainter, document: QTextDocument, top: float, bottom: float) -> None:
        """Draw the boxes between two heights of the document."""
        layout = document.documentLayout()
        position = layout.hitTest(QPointF(0, max(top, 0)), Qt.HitTestAccuracy.FuzzyHit)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for table in tables_from(document.findBlock(max(position, 0)), bottom):
            if table.format().property(_BOX_ROLE) in self._fills:
                self._draw_box(painter, table, layout.frameBoundingRect(table))

    # ---- internals ----

    def _draw_box(self, painter: QPainter, table: QTextTable, outer: QRectF) -> None:
        rect = box_of(table, outer)
        fill, edge = self._fills[table.format().property(_BOX_ROLE)]
        if fill is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(edge))
            painter.drawRoundedRect(QRectF(rect.left(), rect.top(), 3, rect.height()), 1.5, 1.5)
            return
        painter.setPen(QPen(QColor(edge), 1) if edge else QPen(Qt.PenStyle.NoPen))
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), self._radius, self._radius)


def box_of(table: QTextTable, outer: QRectF) -> QRectF:
    """Return the box of a one-cell table, given where Qt has it."""
    look = table.format().toTableFormat()
    # Qt returns the size with its margins, but the position of the first cell's text.
    padding = look.cellPadding()
    width = outer.width() - look.leftMargin() - look.rightMargin()
    height = outer.height() - look.topMargin() - look.bottomMargin()
    return QRectF(outer.left() - padding, outer.top() - padding, width, height)


def tables_from(block: QTextBlock, bottom: float | None = None) -> Iterator[QTextTable]:
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
