"""The choice of a deck on a page without a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.widgets.elided_combo import ElidedCombo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.features.study.model.items import Deck


_LEAST = 4  # characters in sight, so that large text leaves room for what else is in the row


class DeckChoice(ElidedCombo):
    """Keeps what was chosen while decks come and go; the first entry may stand for all of them."""

    def __init__(self, *, with_all: bool) -> None:
        super().__init__()
        self._with_all = with_all
        self.setMinimumContentsLength(_LEAST)
        self.setAccessibleName(self.tr("Deck"))

    @property
    def deck_id(self) -> int | None:
        """The deck that is chosen; None for all, or if there is none."""
        chosen: int | None = self.currentData()
        return chosen

    def set_decks(self, decks: Sequence[Deck]) -> None:
        chosen = self.deck_id
        self.clear()
        if self._with_all:
            self.addItem(self.tr("All decks"), None)
        for deck in decks:
            self.addItem(deck.course_title, deck.deck_id)
        self.choose(chosen)
        self.setVisible(len(decks) > 1)

    def choose(self, deck_id: int | None) -> None:
        """Choose a deck, or the first entry if it is gone."""
        self.setCurrentIndex(max(self.findData(deck_id), 0) if self.count() else -1)
