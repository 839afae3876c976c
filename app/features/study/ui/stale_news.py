"""Tells of answers and items whose sentences have changed or are gone, in a bar that leads to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from app.features.study.model.items import StaleCounts
    from app.ui.widgets.offer_bar import OfferBar
    from app.workers.workers import Workers


class StaleNews(QObject):
    """Shows a bar when more is stale than before, until there is nothing or it is dismissed."""

    show_requested = Signal()  # what is stale

    def __init__(self, bar: OfferBar, workers: Workers) -> None:
        super().__init__(bar)
        self._bar = bar
        bar.accepted.connect(self.show_requested)
        workers.stale_counted.connect(self._tell)

    def _tell(self, counts: StaleCounts, is_news: bool) -> None:
        sentence = self._sentence(counts)
        if is_news or (counts and not self._bar.isHidden() and sentence != self._bar.text.text()):
            self._bar.offer(sentence, self.tr("Show"))
        elif not counts:
            self._bar.hide()

    def _sentence(self, counts: StaleCounts) -> str:
        if not counts.items:
            return self.tr(
                "The sentences behind %Ln answer(s) have changed or are gone", None, counts.answers
            )
        if not counts.answers:
            return self.tr("The sentences behind %Ln item(s) have changed or are gone", None, counts.items)
        answers = self.tr("%Ln answer(s)", None, counts.answers)
        items = self.tr("%Ln item(s)", None, counts.items)
        return self.tr("The sentences behind {answers} and {items} have changed or are gone").format(
            answers=answers, items=items
        )
