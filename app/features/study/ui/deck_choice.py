"""Choosing a deck, and a course to move items to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from app.domain.plain_text import harmless
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import WheelGuard, choice
from app.ui.widgets.text_labels import ElidedCombo
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtWidgets import QWidget

    from app.features.study.model.items import Deck


_LEAST = 4  # characters in sight, so that large text leaves room for what else is in the row


class DeckChoice(ElidedCombo):
    """Keeps what was chosen while decks come and go; the first entry stands for all of them."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumContentsLength(_LEAST)
        self.setAccessibleName(self.tr("Deck"))

    @property
    def deck_id(self) -> int | None:
        """The deck that is chosen; None for all."""
        chosen: int | None = self.currentData()
        return chosen

    def set_decks(self, decks: Sequence[Deck]) -> None:
        chosen = self.deck_id
        self.clear()
        self.addItem(self.tr("All decks"), None)
        for deck in decks:
            self.addItem(deck.course_title, deck.deck_id)
        self.choose(chosen)
        self.setVisible(len(decks) > 1)

    def choose(self, deck_id: int | None) -> None:
        """Choose a deck, or all if it is gone."""
        self.setCurrentIndex(max(self.findData(deck_id), 0))


_RIGHT = Qt.TextElideMode.ElideRight
_NAME_WIDTH = 300  # of a course


class MoveToDeckDialog(Dialog):
    """Offers courses, whose decks are made if they have none yet; ``title`` is the one chosen."""

    def __init__(self, titles: Iterable[str], parent: QWidget) -> None:
        heading = self.tr("Move to another deck")
        super().__init__(heading, parent, heading=heading)
        metrics, room = self.fontMetrics(), scaled(_NAME_WIDTH)
        names = {title: metrics.elidedText(harmless(title), _RIGHT, room) for title in titles}
        self.decks = choice(names, None)
        self.decks.setAccessibleName(self.tr("Deck"))
        self.decks.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.body.addWidget(self.decks)
        self.add_cancel_and(self.tr("Move"))
        WheelGuard(self)
        self.resize(scaled(400), 0)
        self.decks.setFocus()

    @property
    def title(self) -> str:
        chosen: str = self.decks.currentData()
        return chosen
