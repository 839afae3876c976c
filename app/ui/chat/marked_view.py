"""The marks and claims in the transcript: their explanations, and moving between them."""

import re
from collections import deque
from itertools import groupby
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLocale, QPoint, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QToolTip, QWidget

from app.domain.conversations import Exchange
from app.domain.documents import becomes_markdown
from app.domain.links import link_to
from app.domain.plain_text import harmless, shorten
from app.domain.sources import NO_SOURCE, OUTLINE, Citation, Source
from app.markup.formulas import one_line
from app.ui.chat.answer_stream import Entries, Notice, ShownAnswer
from app.ui.chat.transcript_view import TranscriptView
from app.ui.markup.rich_text import looks
from app.ui.markup.support_words import claim_words, mark_in_passing, mark_words
from app.ui.widgets.source_labels import place_name, source_label
from app.ui.widgets.text_labels import plain_tool_tip

_LONGEST_TIP = 600  # characters of what is cited
_STEPS = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}  # whether they go forwards
_BARE = Qt.KeyboardModifier.NoModifier
_ADDRESS = re.compile(
    r"(?:cite:(?=\d+/\d+/)|claim:|outside:)(?P<exchange>\d+)(?:/(?P<n>\d+)(?=/))?/(?P<end>\d+)", re.ASCII
)


class Address(NamedTuple):
    """What names a mark (``cite:exchange/source/end``) or a doubtful claim (``claim:`` or ``outside:``)."""

    exchange: int
    n: int | None  # the source of a mark; None for a claim
    end: int  # of the claim in the answer


class MarkedView(TranscriptView):
    """Explains a mark or a doubtful claim under the mouse, and a mark that gets the keyboard's focus.

    The addresses of marks, and of claims in place of their tool tips, only say which they are, so that what
    is said of them can change without drawing them again.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries = Entries()
        self.first = 0  # index of the first entry shown
        self.queue: deque[ShownAnswer | Notice] = deque()  # still to draw

    # ---- the conversation ----

    @property
    def is_building(self) -> bool:
        """Whether a conversation is still being drawn, a part each turn of the event loop."""
        return bool(self.queue)

    @property
    def drawn(self) -> list[ShownAnswer]:
        shown = self.entries[self.first :]
        return [one for one in shown if isinstance(one, ShownAnswer) and one not in self.queue]

    def exchange(self, exchange_id: int) -> Exchange | None:
        entry = self.entries.answer(exchange_id)
        return None if entry is None else entry.exchange

    def place_of(self, exchange_id: int) -> tuple[int, int] | None:
        """Return where an exchange begins and ends in the document; None if it is not on show."""
        drawn = self.drawn
        at = next((at for at, one in enumerate(drawn) if one.exchange.id == exchange_id), None)
        if at is None:
            return None
        end = drawn[at + 1].start if at + 1 < len(drawn) else self.end_position
        return drawn[at].start + 1, end  # behind the paragraph at whose end it was inserted

    # ---- marks and claims ----

    def show_claim(self, exchange_id: int, end: int) -> None:
        """Scroll to the doubtful claim that ends at a position of its answer, and select it."""
        place, wanted = self.place_of(exchange_id), Address(exchange_id, None, end)
        pieces = looks(self.document(), *place) if place else []
        places = [look for look in pieces if address_of(look[2].toolTip()) == wanted]
        if places:
            self.setTextCursor(self.between(places[0][0], places[-1][1]))
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.ensureCursorVisible()

    def _cited(self, mark: Address) -> tuple[Source | None, list[Citation]]:
        """Return the source of a mark (None if unknown) and the citations of it."""
        exchange = self.exchange(mark.exchange)
        if exchange is None:
            return None, []
        cited = (one for one in exchange.citations if (one.source_n, one.answer_end) == mark[1:])
        source = next((one for one in exchange.sources if one.n == mark.n), None)
        return source, [one for one in cited if one.verified]

    def link_behind(self, address: str) -> str:
        """Return a link to the sentence that a mark cites, or to its source where none is verified."""
        mark = _source_in(address)
        if mark is None:
            return super().link_behind(address)
        source, cited = self._cited(mark)
        if source is None or source.hit.chunk_index == OUTLINE:
            return ""
        return link_to(source, (cited[0].start, cited[0].end) if cited else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from link to link with Left and Right."""
        if event.key() in _STEPS and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == _BARE:
            self._step_link(forwards=_STEPS[Qt.Key(event.key())])
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
        """Explain the link that the keyboard has reached, also to screen readers."""
        cursor = self.textCursor()
        address = _address(cursor) if cursor.hasSelection() else ""
        self.setAccessibleDescription(self.words_of(address))
        below = self.viewport().mapToGlobal(self.cursorRect(cursor).bottomLeft() + QPoint(0, 4))
        QToolTip.showText(below, plain_tool_tip(self._explanation(address)), self)

    def _link_in_view(self) -> bool:
        """Return whether a link has the keyboard, or would have it, and can be seen."""
        cursor = self.textCursor()
        return cursor.hasSelection() and bool(_address(cursor)) and self._is_in_view(cursor)

    def _is_in_view(self, cursor: QTextCursor) -> bool:
        place = self.cursorRect(cursor)
        return place.bottom() >= 0 and place.top() < self.viewport().height()

    def _tip(self, look: QTextCharFormat) -> str:
        words = self._explanation(look.anchorHref()) or self.words_of(look.toolTip())
        return plain_tool_tip(words) or look.toolTip()

    def _explanation(self, address: str) -> str:
        """Return what a mark cites, its place, and whether it is in line with the claim."""
        mark, words = _source_in(address), self.words_of(address)
        source, cited = self._cited(mark) if mark else (None, [])
        if source is None:
            return words
        text = " ".join(source.text(one.start, one.end) for one in cited) or source.hit.text
        if becomes_markdown(source.hit.path):
            text = one_line(text)
        place = ", ".join(filter(None, (source_label(source.hit), place_name(source.hit))))
        quotation = QLocale().quoteString(shorten(harmless(text), _LONGEST_TIP))
        return "\n".join(filter(None, (quotation, place, words)))

    def words_of(self, place: str, *, in_passing: bool = False) -> str:
        """Return what is said of a mark or claim, nothing for other addresses and tool tips."""
        address = address_of(place)
        exchange = self.exchange(address.exchange) if address else None
        if address is None or exchange is None:
            return ""
        if address.n is None:
            return claim_words(exchange, address.end)
        return (mark_in_passing if in_passing else mark_words)(exchange, address.n, address.end)


def address_of(text: str) -> Address | None:
    """Return what the address of a link, or the tool tip of a claim, names; None for others."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        return None
    exchange, n, end = found["exchange"], found["n"], found["end"]
    return Address(int(exchange), int(n) if n else None, int(end))


def _address(cursor: QTextCursor) -> str:
    return cursor.charFormat().anchorHref()


def _source_in(text: str) -> Address | None:
    """Return the mark that an address names, if that names a source."""
    address = address_of(text)
    return address if address is not None and address.n not in (None, NO_SOURCE) else None


Span = tuple[int, int]


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


def _links(block: QTextBlock) -> list[Span]:
    """Return the links of a paragraph; one may consist of several pieces, as the mark of a citation does."""
    pieces = looks(block.document(), block.position(), block.position() + 1)
    spans: list[Span] = []
    for address, group in groupby(pieces, lambda piece: piece[2].anchorHref()):
        if address:
            parts = list(group)
            spans.append((parts[0][0], parts[-1][1]))
    return spans
