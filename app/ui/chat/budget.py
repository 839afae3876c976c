"""What answers cost this month: in words, and asking once the budget is spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.domain.model_servers import Spending
from app.ui.dialogs import show
from app.ui.widgets.money import dollars

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_WARN_AT = 0.8


def _tr(text: str) -> str:
    return QCoreApplication.translate("Spending", text)


class Budget(QObject):
    """Knows what was spent; warns near the end of the budget and asks once it is spent.

    Signals:
        changed: the Spending that holds now.
        warned: one sentence, once for each month and budget.
    """

    changed = Signal(object)
    warned = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._warned_of = 0
        self.spending = Spending()

    def update(self, spending: Spending) -> None:
        """Take what was spent by now."""
        self.spending = spending
        self.changed.emit(spending)
        if spending.share < _WARN_AT:
            self._warned_of = 0
        elif self._warned_of != spending.budget:
            self._warned_of = spending.budget
            self.warned.emit(
                _tr("{share} % of this month's budget of {budget} is spent ({cost}).").format(
                    share=int(spending.share * 100),
                    budget=dollars(spending.budget),
                    cost=dollars(spending.dollars),
                )
            )

    def allows(self) -> bool:
        """Return whether another question may be sent; asks the user when the budget is spent."""
        if self.spending.share < 1:
            return True
        question = _tr(
            "This month's answers have cost {cost}; your budget is {budget}. Ask this question all the same?"
        ).format(cost=dollars(self.spending.dollars), budget=dollars(self.spending.budget))
        return show.confirm(self._window, _tr("Budget spent"), question, _tr("Ask anyway"))
