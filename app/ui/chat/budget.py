"""The monthly budget: warns when it is nearly spent, asks once it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.model_servers import Spending
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.numbers import dollars

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WARN_AT = 0.8


class Budget(QObject):
    """Keeps what was spent this month."""

    changed = Signal(object)  # the current Spending
    warned = Signal(str)  # one sentence, once for each month and budget

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._warned_budget = 0
        self.spending = Spending()

    def update(self, spending: Spending) -> None:
        self.spending = spending
        self.changed.emit(spending)
        if spending.share < _WARN_AT:
            self._warned_budget = 0
        elif self._warned_budget != spending.budget:
            self._warned_budget = spending.budget
            text = self.tr("You have spent {share}% of this month's budget of {budget} ({cost}).")
            cost, budget = dollars(spending.dollars), dollars(spending.budget)
            self.warned.emit(text.format(share=int(spending.share * 100), budget=budget, cost=cost))

    def allows(self) -> bool:
        """Return whether another question may be sent; asks the user once the budget is spent."""
        if self.spending.share < 1:
            return True
        question = self.tr(
            "This month's answers have cost {cost} of your budget of {budget}. Ask this question anyway?"
        ).format(cost=dollars(self.spending.dollars), budget=dollars(self.spending.budget))
        return show.confirm(self._window, self.tr("Budget spent"), question, self.tr("Ask anyway"))
