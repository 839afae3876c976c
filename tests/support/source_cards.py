"""The cards of a sources pane, and the cited sentences marked in a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.reading.source_card import SourceCard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget


def cards(pane: QWidget) -> list[SourceCard]:
    """Return the cards from top to bottom."""
    found = [card for card in pane.findChildren(SourceCard) if card.isVisibleTo(pane)]
    return sorted(found, key=lambda card: card.y())


def card(pane: QWidget, n: int) -> SourceCard:
    return next(one for one in cards(pane) if one.source.n == n)


def marked(text: QTextEdit | QPlainTextEdit) -> tuple[str, ...]:
    """Return the pieces of a text with a background of their own."""
    selections: list[QTextEdit.ExtraSelection] = text.extraSelections()
    return tuple(one.cursor.selectedText().replace("\u2029", "\n") for one in selections)
