"""Sums of money, and what answers have cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale

if TYPE_CHECKING:
    from app.domain.model_servers import Spending

_SMALLEST = 0.001


def dollars(amount: float) -> str:
    """Return US dollars, with as many digits as tell something: ``$0.003``, ``$1.20``."""
    if 0 < amount < _SMALLEST:
        return f"< ${_SMALLEST}"
    return f"${amount:.3f}" if 0 < amount < 0.1 else f"${amount:.2f}"


def spending_text(spending: Spending) -> str:
    """Return what this month has cost so far, in a sentence or two."""
    number = QLocale().toString
    if not spending.answers:
        text = _tr("Nothing was spent this month.")
    else:
        count = spending.answers
        answers = _tr("1 answer") if count == 1 else _tr("{n} answers").format(n=number(count))
        text = _tr("This month: {cost} for {answers}; {tokens} tokens, {cached} of them from the cache.")
        text = text.format(
            cost=dollars(spending.dollars),
            answers=answers,
            tokens=number(spending.tokens),
            cached=number(spending.cached_tokens),
        )
    if spending.prices:
        text += " " + _tr("Prices: {0}; models that are not on it count nothing.").format(spending.prices)
    return text


def _tr(text: str) -> str:
    return QCoreApplication.translate("Spending", text)
