"""Where the links of a document are, for going from one to the next with the keyboard."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from app.ui.chat.mark_pills import x_of
from app.ui.markup.rich_text import looks

if TYPE_CHECKING:
    from PySide6.QtGui import QTextBlock, QTextDocument

Span = tuple[int, int]
_GAP = 2  # pixels between a link and the ring around it


def next_link(document: QTextDocument, position: int, *, forwards: bool) -> Span | None:
    """Return the first link that begins at a position or later, or the last one that ends before it."""
    block = document.findBlock(min(max(position, 0), document.characterCount() - 1))
    while block.isValid():
        found = _links(block)
        if forwards and (later := [span for span in found if span[0] >= position]):
            return later[0]
        if not forwards and (earlier := [span for span in found if span[1] <= position]):
            return earlier[-1]
        block = block.next() if forwards else block.previous()
    return None


def ring(document: QTextDocument, start: int, end: int, least: int) -> QRectF:
    """Return a rectangle around the text between two positions of a paragraph, at least so high."""
    block = document.findBlock(start)
    corner = document.documentLayout().blockBoundingRect(block).topLeft()
    around = QRectF()
    for at in range(block.layout().lineCount()):
        line = block.layout().lineAt(at)
        first = max(start - block.position(), line.textStart())
        last = min(end - block.position(), line.textStart() + line.textLength())
        if first < last:
            left, right = sorted((x_of(line, first), x_of(line, last)))
            around |= QRectF(corner.x() + left, corner.y() + line.y(), right - left, line.height())
    above = max(least - around.height(), 0) / 2 + _GAP
    around = around.adjusted(-_GAP, -above, _GAP, above)
    around.setRight(min(around.right(), document.textWidth() - 1))  # what is beyond would not be drawn
    return around


def _links(block: QTextBlock) -> list[Span]:
    """Return the links of a paragraph; one may consist of several pieces, as the mark of a citation does."""
    pieces = looks(block.document(), block.position(), block.position() + 1)
    spans: list[Span] = []
    for address, group in groupby(pieces, lambda piece: piece[2].anchorHref()):
        if address:
            parts = list(group)
            spans.append((parts[0][0], parts[-1][1]))
    return spans
