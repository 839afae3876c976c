"""Opens the files of lessons, and looks up in them what their pages ask for."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from app.domain.pages import Strip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.messages import Message
    from app.domain.pages import Mark, PagedFile
    from app.domain.sources import LessonText
    from app.ui.reading.pages_pane import PagesPane, Span
    from app.workers.job import Job
    from app.workers.workers import Workers

R = TypeVar("R")

_PAGES_AT_ONCE = 16  # searched before a picture may come between


class PagesController(QObject):
    """One file at a time; what comes for another one is dropped.

    Pictures and places are asked for one by one: by the time one has come, the reader may be elsewhere.
    """

    def __init__(self, pane: PagesPane, workers: Workers) -> None:
        super().__init__(pane)
        self._pane, self._operations = pane, workers.pages
        self._lesson: LessonText | None = None
        self._is_open = self._asks = False
        self._is_first = True  # the span that is asked for next is the place to go to
        self._spans: deque[Span] = deque()
        self._words = ""
        self._to_search: deque[range] = deque()
        pane.view.wanted.connect(self._ask)
        pane.marks_requested.connect(self._mark)
        pane.find_requested.connect(self._find)

    def open(
        self,
        lesson: LessonText,
        success: Callable[[PagedFile], object],
        failure: Callable[[Message], object],
    ) -> None:
        """Open the file of a lesson."""
        self._lesson, self._is_open, self._is_first = lesson, False, True
        self._spans.clear()
        self._to_search.clear()

        def opened(file: PagedFile) -> None:
            if lesson is self._lesson:
                self._is_open = True
                self._pages = range(1, len(file.sizes) + 1)
                success(file)

        def refused(message: Message) -> None:
            if lesson is self._lesson:
                failure(message)

        self._operations.open(lesson).run(self, success=opened, failure=refused)

    def close(self) -> None:
        """Let go of the file."""
        if self._lesson is not None:
            self._lesson, self._is_open = None, False
            self._spans.clear()
            self._to_search.clear()
            self._operations.close().run(self)

    def _mark(self, span: Span) -> None:
        self._spans.append(span)
        self._ask()

    def _ask(self) -> None:
        """Ask for one thing: where to go first of all, then what is in sight, then the other marks."""
        view = self._pane.view
        if not self._is_open or self._asks:
            return
        if self._spans and (self._is_first or not view.has_gap()):
            self._is_first = False
            self._look_up(self._spans.popleft())
        elif (wanted := view.next_wanted()) is not None:
            self._fetch(wanted)

    def _look_up(self, span: Span) -> None:
        assert self._lesson is not None
        show = partial(self._pane.show_marks, span)
        self._start(self._operations.marks(self._lesson, span), show, lambda: show(()))

    def _fetch(self, wanted: Strip | int) -> None:
        view, give_up = self._pane.view, partial(self._pane.view.give_up, wanted)
        if isinstance(wanted, Strip):
            self._start(self._operations.picture(wanted), view.add_picture, give_up)
        else:
            self._start(self._operations.text(wanted), view.add_text, give_up)

    def _start(self, job: Job[R], show: Callable[[R], object], give_up: Callable[[], object]) -> None:
        """Run a job about the open file, and then ask for more."""
        lesson, self._asks = self._lesson, True

        def if_open(act: Callable[..., object], *found: object) -> None:
            if lesson is self._lesson:
                act(*found)

        def go_on() -> None:
            self._asks = False
            self._ask()

        job.run(self, success=partial(if_open, show), failure=lambda _: if_open(give_up), finished=go_on)

    def _find(self, words: str) -> None:
        """Search from the page in sight to the end, then from the beginning."""
        self._words = words
        self._to_search.clear()
        if words and self._is_open:
            here = self._pane.view.page
            for start, end in ((here, self._pages.stop), (1, here)):
                starts = range(start, end, _PAGES_AT_ONCE)
                self._to_search.extend(range(one, min(one + _PAGES_AT_ONCE, end)) for one in starts)
            self._search_next(words)

    def _search_next(self, words: str) -> None:
        pages, lesson = self._to_search.popleft(), self._lesson

        def show(hits: Sequence[tuple[Mark, ...]]) -> None:
            if lesson is self._lesson and words == self._words:
                self._pane.add_hits(hits, done=not self._to_search)
                if self._to_search:
                    self._search_next(words)

        job = self._operations.find(words, pages)
        job.run(self, success=show, failure=partial(_as_nothing, show))


def _as_nothing(show: Callable[[Sequence[tuple[Mark, ...]]], object], _: Message) -> None:
    show(())
