"""The cards of a sources pane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.sources.source_card import SourceCard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def cards(pane: QWidget) -> list[SourceCard]:
    """Return the cards from top to bottom."""
    found = [card for card in pane.findChildren(SourceCard) if card.isVisibleTo(pane)]
    return sorted(found, key=lambda card: card.y())


def card(pane: QWidget, n: int) -> SourceCard:
    return next(one for one in cards(pane) if one.source.n == n)
