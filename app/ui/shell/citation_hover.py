"""What happens while the mouse or the keyboard is at a citation's mark, or at the card of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

    from app.ui.chat.marked_view import MarkedView
    from app.ui.reading.citation_card import CitationCard
    from app.ui.reading.sources_pane import SourcesPane


def show_cards(card: CitationCard, transcript: MarkedView, sources: SourcesPane) -> None:
    """Connect a card with the marks of a transcript; ``sources`` knows those of a running answer."""

    def show(exchange_id: int, n: int, end: int, at: QRect) -> None:
        exchange = transcript.exchange(exchange_id)
        if exchange is not None:
            card.formulas = sources.list.formulas
            card.show_mark(sources.completed(exchange), n, end, at)

    transcript.mark_pointed.connect(show)
    transcript.mark_left.connect(card.leave)
    transcript.anchorClicked.connect(lambda _: card.hide())  # the source opens, and takes the focus
    transcript.mark_entered.connect(card.enter)


def light_up(transcript: MarkedView, sources: SourcesPane) -> None:
    """Let a claim and its source light up together, whichever of them is pointed at."""
    transcript.source_pointed.connect(sources.list.light_up)
    sources.list.source_pointed.connect(transcript.light_up)
