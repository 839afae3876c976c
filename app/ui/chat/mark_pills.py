"""Draws the pills on which citations' marks stand in the conversation.

A mark is text, "[3]", so that it can be copied, found and heard. Its brackets are transparent: they give the
pill its width.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QPainter, QPen, QTextCharFormat

from app.markup.citation_marks import MarkForm
from app.ui.markup.rich_text import looks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextBlock, QTextDocument, QTextLine

    from app.ui.widgets.theme import Theme

_GAP = 4  # pixels between two pills
# In heights of a mark's number, 12 pixels unless another size of text is set:
_HEIGHT = 20 / 12
_BESIDE = 15 / 12  # around a number; its sign stands there too
_ABOVE_BASELINE = 6 / 12  # where the middle of a pill is
_NUMBERS = 3  # in the address of a mark; its text has as many pieces
_BRACKETS = {MarkForm.FOUND: "()", MarkForm.DOUBTFUL: "[]", MarkForm.WRONG: "[]", MarkForm.PLAIN: "[]"}


def mark_text(number: str, form: MarkForm, size: int) -> str:
    """Return the HTML of a mark, for its link.

    All forms are equally wide, so that nothing moves when an answer has been examined.
    """
    brackets = _BRACKETS[form]
    high, room = _padding(size)
    look = f'style="font-size:{high}px; letter-spacing:{room}px; color:rgba(0,0,0,0); text-decoration:none"'
    return f"<span {look}>{brackets[0]}</span>{number}<span {look}>{brackets[1]}</span>"


@lru_cache(maxsize=16)
def _padding(size: int) -> tuple[int, float]:
    """Return the size of the brackets, which lets all of a pill be hit, and what each lacks in width."""
    font = QFont(QGuiApplication.font())
    high = size * 3 // 2
    font.setPixelSize(high)
    return high, round((_BESIDE * size + _GAP - QFontMetricsF(font).horizontalAdvance("[]")) / 2, 1)


def draw_pills(painter: QPainter, document: QTextDocument, theme: Theme, top: float, bottom: float) -> None:
    """Draw the pills between two heights of a document."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for block in visible_blocks(document, top, bottom):
        for place, form, sign in _pills(block):
            _draw(painter, place, form, sign, theme)


def visible_blocks(document: QTextDocument, top: float, bottom: float) -> Iterator[QTextBlock]:
    """Yield the paragraphs between two heights of a document."""
    arrangement = document.documentLayout()
    first = arrangement.hitTest(QPointF(0, max(top, 0)), Qt.HitTestAccuracy.FuzzyHit)
    block = document.findBlock(max(first, 0))
    while block.isValid() and arrangement.blockBoundingRect(block).top() <= bottom:
        yield block
        block = block.next()


def _pills(block: QTextBlock) -> Iterator[tuple[QRectF, MarkForm, float]]:
    """Yield the places of a paragraph's pills in the document, their forms, and where their signs begin."""
    pieces = looks(block.document(), block.position(), block.position() + 1)
    corner = block.document().documentLayout().blockBoundingRect(block).topLeft()
    for address, parts in groupby(pieces, lambda piece: piece[2].anchorHref()):
        if not (address.startswith("cite:") and address.count("/") == _NUMBERS - 1):
            continue
        mark = list(parts)
        line = block.layout().lineForTextPosition(mark[0][0] - block.position())
        if line.isValid() and len(mark) == _NUMBERS:
            ends = [x_of(line, at - block.position()) for at in (mark[0][0], mark[-1][0], mark[-1][1])]
            size = mark[1][2].font().pixelSize()
            height = round(_HEIGHT * size)
            baseline = round(corner.y() + line.y() + line.ascent())
            left = round(corner.x() + min(ends) + _GAP / 2)
            top = baseline - round(_ABOVE_BASELINE * size) - height // 2
            pill = QRectF(left, top, round(max(ends) - min(ends) - _GAP), height)
            is_found = block.text()[mark[0][0] - block.position()] == _BRACKETS[MarkForm.FOUND][0]
            yield pill, _form(mark[1][2], is_found=is_found), corner.x() + ends[1]


def x_of(line: QTextLine, position: int) -> float:
    """Return where a position of a line is, from the left of its paragraph."""
    found: tuple[float, int] = line.cursorToX(position)  # type: ignore[assignment]  # Qt's stubs differ
    return found[0]


def _form(look: QTextCharFormat, *, is_found: bool) -> MarkForm:
    if look.fontStrikeOut():
        return MarkForm.WRONG
    if look.underlineStyle() != QTextCharFormat.UnderlineStyle.NoUnderline:
        return MarkForm.DOUBTFUL
    return MarkForm.FOUND if is_found else MarkForm.PLAIN


def _draw(painter: QPainter, pill: QRectF, form: MarkForm, sign: float, theme: Theme) -> None:
    fill, edge, line = {
        MarkForm.PLAIN: (theme.accent_soft, theme.accent_soft, Qt.PenStyle.SolidLine),
        MarkForm.FOUND: (theme.surface, theme.accent, Qt.PenStyle.SolidLine),
        MarkForm.DOUBTFUL: (theme.warning_bg, theme.warning, Qt.PenStyle.DotLine),
        MarkForm.WRONG: (theme.danger_bg, theme.danger, Qt.PenStyle.SolidLine),
    }[form]
    painter.setPen(QPen(QColor(edge), 1, line))
    painter.setBrush(QColor(fill))
    painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), pill.height() / 2, pill.height() / 2)
    if form is MarkForm.WRONG:
        font = QFont(painter.font())
        font.setPixelSize(theme.caption)
        font.setBold(True)
        painter.setFont(font)
        room = QRectF(sign, pill.top(), pill.right() - sign, pill.height())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter), "!")
