"""Fetches what the pane on the right shows: lessons, pages, and how sources stand to the library."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.domain.plain_text import harmless
from app.ui.reading.pages_controller import PagesController
from app.ui.widgets.building import one_shot
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import numbered_lesson

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.messages import Message
    from app.domain.sources import LessonText, Source
    from app.domain.stale import QuotePlace
    from app.ui.reading.sources_pane import SourcesPane
    from app.workers.job import Job
    from app.workers.workers import Workers


_PATIENCE_MS = 150  # before the pane says that a lesson is being opened


class SourcesController(QObject):
    """Answers the requests of the pane, and opens lessons in it; ``show`` shows the pane."""

    said = Signal(str)  # why a lesson was not opened

    def __init__(self, pane: SourcesPane, workers: Workers, show: Callable[[], None]) -> None:
        super().__init__(pane)
        self._pane = pane
        self._library = workers.library
        self._show = show
        self._awaited = "", ""  # course and lesson to open
        self._patience = one_shot(self, _PATIENCE_MS, self._say_it_opens)
        self._link = ""  # to follow
        self._following: Job[QuotePlace] | None = None
        self._is_open = False
        self._follow_soon = one_shot(self, _PATIENCE_MS, self._follow)
        workers.opened.connect(self._begin)
        self._pages = PagesController(pane.reading.pages, workers)
        pane.lesson_requested.connect(self._fetch)
        pane.check_requested.connect(self._check)
        pane.reading.pages_requested.connect(self._open_pages)
        pane.reading.pages_left.connect(self._pages.close)

    def read_lesson(self, course_title: str, number: int | None, title: str) -> None:
        """Open a lesson of the library at its beginning."""
        self._awaited = harmless(course_title), numbered_lesson(number, title)
        self._patience.start()
        finding = self._library.find_lesson(course_title, number, title)
        finding.run(self, success=self._read, failure=self._refuse)

    def follow_link(self, link: str) -> None:
        """Show what a link leads to, once the library is open; of many at once, what the last one does."""
        self._link = link
        if self._is_open:
            self._follow_soon.start()

    def _begin(self) -> None:
        self._is_open = True
        if self._link:
            self._follow_soon.start()

    def _follow(self) -> None:
        link, self._link = self._link, ""
        if self._following is not None:
            self._following.drop()
        self._following = self._library.find_link(link)
        self._following.run(self, success=self._show_place, failure=self._refuse)

    def _show_place(self, place: QuotePlace) -> None:
        if place.start == place.end:  # a lesson
            self._read(place.source)
        else:
            self._show()
            self._pane.read_quote(place.source, place.start, place.end, place.quote)

    def _say_it_opens(self) -> None:
        self._show()
        self._pane.expect_lesson(*self._awaited)

    def _refuse(self, message: Message) -> None:
        self._patience.stop()
        self.said.emit(shown(message))

    def _read(self, beginning: Source) -> None:
        self._patience.stop()
        self._show()
        self._pane.read_lesson(beginning)

    def _fetch(self, source: Source) -> None:
        cited = self._pane.reading.cited
        self._library.read_lesson(source, cited).run(self, success=self._pane.show_lesson)

    def _check(self, exchange_id: int, sources: tuple[Source, ...]) -> None:
        show_states = partial(self._pane.show_states, exchange_id)
        self._library.check_sources(exchange_id, sources).run(self, success=show_states)

    def _open_pages(self, lesson: LessonText) -> None:
        reading = self._pane.reading
        self._pages.open(
            lesson,
            partial(reading.show_pages, lesson),
            lambda message: reading.refuse_pages(lesson, shown(message)),
        )
