"""Numbers and days, as the locale writes them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale

from app.domain.model_servers import Spending
from app.ui.widgets.numbers import spending_text


@pytest.mark.parametrize(("locale", "day"), [("en_GB", "24/10/2026"), ("de_DE", "24.10.26")])
def test_the_day_of_the_prices_is_written_as_the_locale_has_it(locale: str, day: str) -> None:
    before = QLocale()
    QLocale.setDefault(QLocale(locale))
    try:
        assert f"public list of {day}." in spending_text(Spending(prices="2026-10-24"))
    finally:
        QLocale.setDefault(before)
