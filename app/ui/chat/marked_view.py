"""The transcript's view of marks and claims: what is said of them, and the way to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip

from app.ui.chat.transcript_view import CLAIMS, TranscriptView
from app.ui.markup.rich_text import looks
from app.ui.markup.support_words import claim_words, mark_words
from app.ui.widgets.text_labels import plain_tool_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QTextCharFormat

    from app.domain.conversations import Exchange


class MarkedView(TranscriptView):
    """Explains a mark or a doubtful claim under the mouse, and a mark that gets the keyboard's focus.

    The addresses of marks (``cite:exchange/source/end``) and the names of claims (``claim:exchange/end`` or
    ``outside:exchange/end``, in place of a tool tip) only say which they are, so that what is said of them
    can change without drawing them again.
    """

    def exchange(self, exchange_id: int) -> Exchange | None:
        """Return an exchange of the conversation."""
        raise NotImplementedError

    def show_claim(self, exchange_id: int, end: int) -> None:
        """Scroll to the doubtful claim that ends at a position of its answer, and select it."""
        names = [f"{kind}:{exchange_id}/{end}" for kind in CLAIMS]
        places = [look for look in looks(self.document(), 0, self.end_position) if look[2].toolTip() in names]
        if places:
            self.setTextCursor(self.between(places[0][0], places[-1][1]))
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.ensureCursorVisible()

    def viewportEvent(self, event: QEvent) -> bool:
        """Explain what is under the mouse."""
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().viewportEvent(event)
        look = self.cursorForPosition(event.pos()).charFormat()
        QToolTip.showText(event.globalPos(), self._tip(look), self)
        return True

    def focusNextPrevChild(self, forwards: bool) -> bool:
        """Explain the mark that the keyboard has reached; tell screen readers, too."""
        moved = super().focusNextPrevChild(forwards)
        cursor = self.textCursor()
        words = self._words(cursor.charFormat().anchorHref()) if moved and cursor.hasSelection() else ""
        self.setAccessibleDescription(words)
        if words:
            below = self.viewport().mapToGlobal(self.cursorRect(cursor).bottomLeft() + QPoint(0, 4))
            QToolTip.showText(below, plain_tool_tip(words), self)
        return moved

    def _tip(self, look: QTextCharFormat) -> str:
        words = self._words(look.anchorHref()) or self._words(look.toolTip())
        return plain_tool_tip(words) or look.toolTip()

    def _words(self, place: str) -> str:
        """Return what is said of a mark or claim, nothing for other addresses and tool tips."""
        kind, _, path = place.partition(":")
        numbers = path.split("/")
        exchange = self.exchange(int(numbers[0])) if kind in ("cite", *CLAIMS) else None
        if exchange is None:
            return ""
        if kind in CLAIMS:
            return claim_words(exchange, int(numbers[1]))
        return mark_words(exchange, int(numbers[1]), int(numbers[2])) if len(numbers) > 2 else ""
