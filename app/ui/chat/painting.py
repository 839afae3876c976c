"""Draws boxes, the pills of marks and icons in the conversation, which Qt's rich text lacks."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextTable,
)

from app.markup.citation_marks import MarkForm
from app.ui.markup.rich_text import looks

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from PySide6.QtGui import QTextBlock, QTextDocument, QTextFrame, QTextLine

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


_ICONS = {"copy": "copy", "retry": "regenerate", "edit": "edit"}
_ICON_SIZE, _ICON_WIDTH = 16, 28  # pixels at the usual size of text
_ICON_PIECES = 3  # the text of such a link has as many: a space, the words, a space


def icon_text(words: str, theme: Theme) -> str:
    """Return the HTML of an icon, for its link."""
    pixels = theme.text_size / 100
    hidden = "color:rgba(0,0,0,0); text-decoration:none"
    # The letter spacing is most of the width: what a space takes depends on the font.
    room = (
        f'<span style="font-size:{round(4 * pixels)}px; '
        f'letter-spacing:{round((_ICON_WIDTH / 2 - 1) * pixels)}px; {hidden}">&nbsp;</span>'
    )
    return f'{room}<span style="font-size:1px; {hidden}">{words}</span>{room}'


def draw_icons(
    painter: QPainter,
    document: QTextDocument,
    theme: Theme,
    heights: tuple[float, float],
    exchanges: Collection[int],
) -> None:
    """Draw the icons of some exchanges between two heights."""
    for block in visible_blocks(document, *heights):
        pieces = looks(document, block.position(), block.position() + 1)
        for address, parts in groupby(pieces, lambda piece: piece[2].anchorHref()):
            kind, _, number = address.partition(":")
            link = list(parts)
            if kind not in _ICONS or len(link) != _ICON_PIECES or int(number) not in exchanges:
                continue
            line = block.layout().lineForTextPosition(link[0][0] - block.position())
            if not line.isValid():
                continue
            corner = document.documentLayout().blockBoundingRect(block).topLeft()
            ends = [x_of(line, at - block.position()) for at in (link[0][0], link[-1][1])]
            size = round(_ICON_SIZE * theme.text_size / 100)
            place = QRect(0, 0, size, size)
            place.moveCenter((corner + line.rect().center()).toPoint())
            place.moveLeft(round(corner.x() + sum(ends) / 2 - size / 2))
            theme.icon(_ICONS[kind], theme.text_muted).paint(painter, place)
