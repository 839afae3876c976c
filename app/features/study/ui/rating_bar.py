"""The buttons that say how well a card was known, each with the time until it comes again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLocale, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.features.study.model.reviews import Rating
from app.ui.widgets.building import Cell, hbox
from app.ui.widgets.pane_keys import PaneKey, with_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

tr = partial(QCoreApplication.translate, "RatingBar")

_MINUTE, _HOUR, _DAY, _MONTH, _YEAR = 60.0, 3600.0, 86_400.0, 30.4 * 86_400, 365.25 * 86_400


class RatingBar(QWidget):
    """Four buttons; ``keys`` are the commands of the pane that press them."""

    rated = Signal(object)  # a Rating

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._names = {
            Rating.AGAIN: self.tr("Again"),
            Rating.HARD: self.tr("Hard"),
            Rating.GOOD: self.tr("Good"),
            Rating.EASY: self.tr("Easy"),
        }
        self.buttons: dict[Rating, QPushButton] = {}
        for rating, name in self._names.items():
            button = self.buttons[rating] = QPushButton(f"{name}\n")  # as high as with a time
            button.setMinimumWidth(40)
            button.clicked.connect(partial(self.rated.emit, rating))
            self._add_key(page, rating, button)
        hbox(*(Cell(button, 1) for button in self.buttons.values()), spacing=8, parent=self)
        self.setAccessibleName(self.tr("How well did you know it?"))

    def show_times(self, seconds: Sequence[float]) -> None:
        """Show when the card would come again, for each rating."""
        for (rating, button), time in zip(self.buttons.items(), seconds, strict=True):
            name, when = self._names[rating], interval_text(time)
            button.setText(f"{name}\n{when}")
            button.setAccessibleName(self.tr("{0}, again in {1}").format(name, when))

    def _add_key(self, page: QWidget, rating: Rating, button: QPushButton) -> None:
        name = self._names[rating]
        key = PaneKey(
            page,
            str(int(rating)),
            lambda: self.rated.emit(rating),
            command=f"rate_{rating.name.lower()}",
            text=self.tr("Rate a card: {0}").format(name),
            is_plain=True,
        )

        def show() -> None:
            button.setToolTip(with_keys(name, key.keys()))

        key.changed.connect(show)
        show()


def interval_text(seconds: float) -> str:
    """Return a time until something comes again, such as ``< 1 min``, ``6 min`` or ``4 d``."""
    if seconds < _MINUTE:
        return tr("< 1 min")
    for text, unit, most in (
        (tr("{0} min"), _MINUTE, _HOUR),
        (tr("{0} h"), _HOUR, _DAY),
        (tr("{0} d"), _DAY, _MONTH),
    ):
        if round(seconds / unit) * unit < most:
            return text.format(round(seconds / unit))
    text, unit = (tr("{0} mo"), _MONTH) if seconds < _YEAR else (tr("{0} y"), _YEAR)
    return text.format(QLocale().toString(round(seconds / unit, 1), "f", -128))
