"""Chooses the deck that items are moved to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox

from app.domain.plain_text import harmless
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import WheelGuard, choice
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QWidget

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
