"""How much is due: beside each course, on the Study button, and counted again when a day begins."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication

from app.features.study.model.reviews import end_of
from app.ui.widgets.building import one_shot
from app.ui.widgets.numbers import number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from app.features.study.model.items import Deck
    from app.ui.library.sidebar import CourseSidebar
    from app.workers.workers import Workers

_LONGEST_MS = 3_600_000  # a timer does not count while the computer sleeps


class DueCounts(QObject):
    """Shows what is due in the decks; ``study`` is the action with a button that says so."""

    def __init__(self, sidebar: CourseSidebar, study: QAction, workers: Workers) -> None:
        super().__init__(sidebar)
        self._sidebar, self._study, self._workers = sidebar, study, workers
        self._name = study.iconText()
        self._next_day = one_shot(self, 0, self._count)
        workers.decks_listed.connect(self._show)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._look)

    def _show(self, decks: Sequence[Deck]) -> None:
        self._sidebar.set_due({deck.course_title: deck.due for deck in decks})
        due = sum(deck.due for deck in decks)
        with_due = self.tr("{study} ({due})").format(study=self._name, due=number_text(due))
        self._study.setIconText(with_due if due else self._name)
        self._next_day.start(until_next_day(time.time()))

    def _look(self, state: Qt.ApplicationState) -> None:
        """Count again when the window is turned to, which may be on another day."""
        if state == Qt.ApplicationState.ApplicationActive and self._next_day.isActive():
            self._count()  # not before the library is open

    def _count(self) -> None:
        self._workers.study.list_decks().run(self, failure=lambda _: None)  # what is due can wait


def until_next_day(now: float) -> int:
    """Return milliseconds until the next day of study has begun; an hour at most."""
    return min(int((end_of(now) - now + 1) * 1000), _LONGEST_MS)
