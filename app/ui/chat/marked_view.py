"""The transcript's view of marks and claims: what is said of them, and the way to them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QTextEdit, QToolTip, QWidget

from app.domain.links import link_to
from app.domain.sources import NO_SOURCE, OUTLINE
from app.ui.chat.painting import draw_icons, x_of
from app.ui.chat.transcript_view import CLAIMS, TranscriptView
from app.ui.markup.rich_text import looks
from app.ui.markup.support_words import claim_words, mark_in_passing, mark_words
from app.ui.widgets.building import one_shot
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import (
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QTextBlock,
        QTextCharFormat,
        QTextCursor,
        QTextDocument,
    )

    from app.domain.conversations import Exchange
    from app.ui.widgets.theme import Theme

_HOVER_MS = 300
_STEPS = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}  # whether they go forwards
_BARE = Qt.KeyboardModifier.NoModifier


class MarkedView(TranscriptView):
    """Explains a mark or a doubtful claim under the mouse, and a mark that gets the keyboard's focus.

    The addresses of marks (``cite:exchange/source/end``) and the names of claims (``claim:exchange/end`` or
    ``outside:exchange/end``, in place of a tool tip) only say which they are, so that what is said of them
    can change without drawing them again.
    """

    mark_pointed = Signal(int, int, int, QRect)  # exchange, source, end of the claim, and where on the screen
    mark_left = Signal()
    source_pointed = Signal(int, int)  # an exchange, and which source is cited there; 0, 0 for none
    mark_entered = Signal()  # its card is wanted with the keyboard

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._pointed = ""  # the address of the mark under the mouse
        self._mouse = QPoint()
        self._hovered = 0  # the exchange under the mouse
        self._point_soon = one_shot(self, _HOVER_MS, self._point_if_there)
        self.selectionChanged.connect(self._note_selection)

    def exchange(self, exchange_id: int) -> Exchange | None:
        """Return an exchange of the conversation."""
        raise NotImplementedError

    def exchange_at(self, position: int) -> int:
        """Return the exchange that a position of the document belongs to; 0 for none."""
        raise NotImplementedError

    def newest_exchange(self) -> int:
        """Return the exchange that the conversation ends with; 0 for none."""
        raise NotImplementedError

    def place_of(self, exchange_id: int) -> QTextCursor | None:
        """Return where the question of an exchange begins; None if it is not on show."""
        raise NotImplementedError

    def light_up(self, exchange_id: int, n: int, end: int = 0) -> None:
        """Mark the claims that cite a source, or the one that ends at ``end``; none for source 0."""
        exchange = self.exchange(exchange_id) if n else None
        lit = []
        for place in claims_of(self, exchange, n, end) if exchange is not None else ():
            one = QTextEdit.ExtraSelection()
            one.cursor, one.format = self.between(*place), self.theme.highlighted()
            lit.append(one)
        self.mark("lit", lit)

    def show_claim(self, exchange_id: int, end: int) -> None:
        """Scroll to the doubtful claim that ends at a position of its answer, and select it."""
        names = [f"{kind}:{exchange_id}/{end}" for kind in CLAIMS]
        places = [look for look in looks(self.document(), 0, self.end_position) if look[2].toolTip() in names]
        if places:
            self.setTextCursor(self.between(places[0][0], places[-1][1]))
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.ensureCursorVisible()

    def link_behind(self, address: str) -> str:
        """Return a link to the sentence that a mark cites, or to its source where none is verified."""
        if not _has_card(address):
            return super().link_behind(address)
        exchange_id, n, end = map(int, address.partition(":")[2].split("/"))
        exchange = self.exchange(exchange_id)
        source = next((one for one in exchange.sources if one.n == n), None) if exchange else None
        if exchange is None or source is None or source.hit.chunk_index == OUTLINE:
            return ""
        cited = (one for one in exchange.citations if (one.source_n, one.answer_end) == (n, end))
        return link_to(source, next(((one.start, one.end) for one in cited if one.verified), None))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._mouse = event.position().toPoint()
        self._hover_exchange(self.exchange_at(self.cursorForPosition(self._mouse).position()))
        self._hover(self.anchorAt(self._mouse) if not event.buttons() else "")

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover("")
        self._hover_exchange(0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the icons of the newest exchange, and of those that mouse and keyboard are at.

        A ring is around the link that has the keyboard.
        """
        super().paintEvent(event)
        cursor = self.textCursor() if self.hasFocus() else None
        focused = self.exchange_at(cursor.position()) if cursor is not None else 0
        shown = {self.newest_exchange(), self._hovered, focused}
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = self.verticalScrollBar().value()
        painter.translate(0, -top)
        heights = top + event.rect().top(), top + event.rect().bottom()
        draw_icons(painter, self.document(), self.theme, heights, shown)
        if cursor is not None and cursor.hasSelection() and _address(cursor):
            painter.setPen(QPen(QColor(self.theme.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ends = cursor.selectionStart(), cursor.selectionEnd()
            around = ring(self.document(), *ends, self.theme.body * 3 // 2)  # the words of icons are tiny
            painter.drawRoundedRect(around, 4, 4)
        painter.end()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from link to link with Left and Right, and on Space from a mark to what is shown of it."""
        cursor = self.textCursor()
        if event.key() in _STEPS and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == _BARE:
            self._step_link(forwards=_STEPS[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Space and cursor.hasSelection() and _has_card(_address(cursor)):
            self.mark_entered.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Go to a link in view when the keyboard comes by Tab: the one nearest to where it was."""
        super().focusInEvent(event)
        forwards = event.reason() == Qt.FocusReason.TabFocusReason
        if (forwards or event.reason() == Qt.FocusReason.BacktabFocusReason) and not self._link_in_view():
            self._step_link(forwards=forwards)

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Leave: a conversation is one stop of Tab, however many links it has."""
        self.mark_left.emit()
        return QWidget.focusNextPrevChild(self, forwards)

    def viewportEvent(self, event: QEvent) -> bool:
        """Explain what is under the mouse."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().viewportEvent(event)
        look = self.cursorForPosition(event.pos()).charFormat()
        QToolTip.showText(event.globalPos(), self._tip(look), self)
        return True

    def _step_link(self, *, forwards: bool) -> None:
        """Go to the next link from the one that has the keyboard, or else to the first one in view."""
        cursor, bottom = self.textCursor(), QPoint(self.viewport().width(), self.viewport().height())
        if self._link_in_view():
            start = cursor.selectionEnd() if forwards else cursor.selectionStart()
        elif cursor.hasSelection() and self._is_in_view(cursor):  # a block that was read
            start = cursor.selectionStart() if forwards else cursor.selectionEnd()
        else:
            start = self.cursorForPosition(QPoint(0, 0) if forwards else bottom).position()
        if (found := next_link(self.document(), start, forwards=forwards)) is not None:
            # Qt draws the focus, and no selection, only around links that it finds itself.
            self.setTextCursor(self.between(max(found[0] - 1, 0), found[0]))
            super().focusNextPrevChild(True)
            self._explain_link()

    def _explain_link(self) -> None:
        """Explain the link that the keyboard has reached; tell screen readers, too."""
        cursor = self.textCursor()
        address = _address(cursor) if cursor.hasSelection() else ""
        words = self.words_of(address)
        self.setAccessibleDescription(words)
        if _has_card(address):
            self._point(address, self.cursorRect(cursor).center())
            return
        self.mark_left.emit()
        if words:
            below = self.viewport().mapToGlobal(self.cursorRect(cursor).bottomLeft() + QPoint(0, 4))
            QToolTip.showText(below, plain_tool_tip(words), self)

    def _link_in_view(self) -> bool:
        """Return whether a link has the keyboard, or would have it, and can be seen."""
        cursor = self.textCursor()
        return cursor.hasSelection() and bool(_address(cursor)) and self._is_in_view(cursor)

    def _is_in_view(self, cursor: QTextCursor) -> bool:
        place = self.cursorRect(cursor)
        return place.bottom() >= 0 and place.top() < self.viewport().height()

    def _note_selection(self) -> None:
        self.viewport().update()  # other icons may be shown now
        address = _address(self.textCursor()) if self.hasFocus() and self.textCursor().hasSelection() else ""
        self._tell_source(address if _has_card(address) else "")

    def _tell_source(self, address: str) -> None:
        """Light up the claim of a mark, and tell which source it cites."""
        exchange_id, n, end = map(int, address.partition(":")[2].split("/")) if address else (0, 0, 0)
        self.light_up(exchange_id, n, end)
        self.source_pointed.emit(exchange_id, n)

    def _hover_exchange(self, exchange_id: int) -> None:
        if exchange_id != self._hovered:
            self._hovered = exchange_id
            self.viewport().update()

    def _hover(self, address: str) -> None:
        """Show what a mark stands for once the mouse has rested on it."""
        address = address if _has_card(address) else ""
        if address != self._pointed:
            self._pointed = address
            self._tell_source(address)
            if address:
                self._point_soon.start()
            else:
                self._point_soon.stop()
                self.mark_left.emit()

    def _point_if_there(self) -> None:
        """Point at the mark under the mouse, unless the text has moved away from there meanwhile."""
        if self.anchorAt(self._mouse) == self._pointed:
            self._point(self._pointed, self._mouse)
        else:
            self._pointed = ""

    def _point(self, address: str, at: QPoint) -> None:
        exchange_id, n, end = map(int, address.partition(":")[2].split("/"))
        line = self.cursorRect(self.cursorForPosition(at))
        self.mark_pointed.emit(
            exchange_id, n, end, QRect(self.viewport().mapToGlobal(line.topLeft()), line.size())
        )

    def _tip(self, look: QTextCharFormat) -> str:
        if _has_card(look.anchorHref()):
            return ""
        words = self.words_of(look.anchorHref()) or self.words_of(look.toolTip())
        return plain_tool_tip(words) or look.toolTip()

    def words_of(self, place: str, *, in_passing: bool = False) -> str:
        """Return what is said of a mark or claim, nothing for other addresses and tool tips."""
        kind, _, path = place.partition(":")
        numbers = path.split("/")
        exchange = self.exchange(int(numbers[0])) if kind in ("cite", *CLAIMS) else None
        if exchange is None:
            return ""
        if kind in CLAIMS:
            return claim_words(exchange, int(numbers[1]))
        say = mark_in_passing if in_passing else mark_words
        return say(exchange, int(numbers[1]), int(numbers[2])) if len(numbers) > 2 else ""


def _address(cursor: QTextCursor) -> str:
    return cursor.charFormat().anchorHref()


def _has_card(address: str) -> bool:
    """Return whether an address is that of a mark which names a source."""
    kind, _, path = address.partition(":")
    numbers = path.split("/")
    return kind == "cite" and len(numbers) == 3 and int(numbers[1]) != NO_SOURCE


_BETWEEN = " \u2060\xa0"  # two marks of one claim


def claims_of(view: MarkedView, exchange: Exchange, n: int, end: int = 0) -> list[tuple[int, int]]:
    """Return the places of the claims that cite source ``n``, or of the one that ends at ``end``."""
    first = view.place_of(exchange.id)
    lengths = {
        one.answer_end: one.answer_end - one.answer_start
        for one in exchange.citations
        if one.source_n == n and end in (0, one.answer_end)
    }
    if first is None or not lengths:
        return []
    block, places = first.block(), []
    while block.isValid() and view.exchange_at(block.position()) == exchange.id:
        for address, claim, mark in _marked(block):
            number, of, its_end = address.partition(":")[2].split("/")
            if (int(number), int(of)) == (exchange.id, n) and int(its_end) in lengths:
                # Markdown is not shorter than its text, so nothing of the claim is left out.
                places.append((max(claim, mark - lengths[int(its_end)]), mark))
        block = block.next()
    return places


def _marked(block: QTextBlock) -> Iterator[tuple[str, int, int]]:
    """Yield each mark of a paragraph: its address, and where the words before it begin and end."""
    claim = end = after = block.position()
    pieces = looks(block.document(), block.position(), block.position() + 1)
    for address, parts in groupby(pieces, lambda piece: piece[2].anchorHref()):
        mark = list(parts)
        if not (address.startswith("cite:") and address.count("/") == 2):
            continue
        start = mark[0][0]
        between = block.text()[after - block.position() : start - block.position()]
        if between.strip(_BETWEEN):
            claim = after + len(between) - len(between.lstrip(_BETWEEN))
            end = after + len(between.rstrip(_BETWEEN))
        after = mark[-1][1]
        yield address, claim, end


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
