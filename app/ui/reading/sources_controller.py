"""Fetches what the pane on the right shows: lessons, pages, figures, and the states of sources."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.domain.pages import Mark, PagedFile, Strip
from app.domain.plain_text import harmless
from app.ui.widgets.building import one_shot
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import numbered_lesson
from app.workers.job import Job, Lane

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.figures import FigurePicture
    from app.domain.messages import Message
    from app.domain.sources import LessonText, QuotePlace, Source
    from app.ui.reading.pages_pane import PagesPane, Span
    from app.ui.reading.reading_view import ReadingView
    from app.ui.reading.sources_pane import SourcesPane
    from app.workers.library import Function
    from app.workers.workers import Workers

R = TypeVar("R")

_PAGES_AT_ONCE = 16  # searched before a picture may come between


class PagesController(QObject):
    """One file at a time; what comes for another one is dropped.

    Pictures and places are asked for one by one: by the time one has come, the reader may be elsewhere.
    """

    def __init__(self, pane: PagesPane, workers: Workers) -> None:
        super().__init__(pane)
        self._pane, self._workers = pane, workers
        self._lesson: LessonText | None = None
        self._is_open = self._asks = False
        self._is_first = True  # the span that is asked for next is the place to go to
        self._spans: deque[Span] = deque()
        self._pages = range(0)
        self._to_search: deque[range] = deque()
        self._finding: Job[list[tuple[Mark, ...]]] | None = None
        pane.view.wanted.connect(self._ask)
        pane.marks_requested.connect(self._mark)
        pane.find_requested.connect(self._find)

    def open(
        self, lesson: LessonText, success: Callable[[PagedFile], object], failure: Callable[[Message], object]
    ) -> None:
        self._lesson, self._is_open, self._is_first = lesson, False, True
        self._spans.clear()
        self._find("")

        def opened(file: PagedFile) -> None:
            if lesson is self._lesson:
                self._is_open = True
                self._pages = range(1, len(file.sizes) + 1)
                success(file)

        def refused(message: Message) -> None:
            if lesson is self._lesson:
                failure(message)

        sha256 = lesson.source.document_sha256
        self._job("Opening a file", lambda rag, job: rag.pages.open(lesson.path, sha256, job.token)).run(
            self, success=opened, failure=refused
        )

    def close(self) -> None:
        if self._lesson is not None:
            self._lesson, self._is_open = None, False
            self._spans.clear()
            self._find("")

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
        around = self._lesson.around(*span)
        if around is None:
            show(())
            self._ask()
            return
        inside = (span[0] - around.start, span[1] - around.start)
        looking = self._job(
            "Looking for a sentence on its page",
            lambda rag, job: rag.pages.marks(around.pages, around.text, [inside], job.token)[0],
        )
        self._start(looking, show, lambda: show(()))

    def _fetch(self, wanted: Strip | int) -> None:
        view, give_up = self._pane.view, partial(self._pane.view.give_up, wanted)
        if isinstance(wanted, Strip):
            drawing = self._job("Drawing a page", lambda rag, job: rag.pages.picture(wanted, job.token))
            self._start(drawing, view.add_picture, give_up)
        else:
            reading = self._job("Reading a page", lambda rag, job: rag.pages.text(wanted, job.token))
            self._start(reading, view.add_text, give_up)

    def _job(self, what: str, function: Function[R]) -> Job[R]:
        return self._workers.job(Lane.READ, what, function, key="pages")

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
        """Search from the page in sight to the end, then from the beginning; no longer for other words."""
        if self._finding is not None:
            self._finding.drop()
            self._finding = None
        self._to_search.clear()
        if words and self._is_open:
            here = self._pane.view.page
            for start, end in ((here, self._pages.stop), (1, here)):
                starts = range(start, end, _PAGES_AT_ONCE)
                self._to_search.extend(range(one, min(one + _PAGES_AT_ONCE, end)) for one in starts)
            if not self._to_search:
                self._pane.add_hits((), done=True)
            self._search_next(words)

    def _search_next(self, words: str) -> None:
        def show(hits: Sequence[tuple[Mark, ...]]) -> None:
            self._pane.add_hits(hits, done=not self._to_search)
            self._search_next(words)

        if self._to_search:
            pages = self._to_search.popleft()
            job = self._job("Searching pages", lambda rag, job: rag.pages.find(words, pages, job.token))
            self._finding = job.run(self, success=show, failure=lambda _: show(()))


class Figures(QObject):
    """Looks for those of one answer at a time."""

    def __init__(self, pane: SourcesPane, workers: Workers) -> None:
        super().__init__(pane)
        self._pane, self._workers = pane, workers
        self._job: Job[dict[int, FigurePicture]] | None = None
        pane.figures_requested.connect(self._find)

    def _find(self, exchange_id: int, sources: tuple[Source, ...]) -> None:
        if self._job is not None:
            self._job.drop()
        show = partial(self._pane.show_figures, exchange_id)
        # A source without its figure is still complete.
        own = [source for source in sources if not source.hit.server]
        job = self._workers.job(
            Lane.READ,
            "Looking for figures",
            lambda rag, job: rag.figures.figures(own, job.token),
            key="figures",
        )
        self._job = job.run(self, success=show, failure=lambda _: None)


_PATIENCE_MS = 150  # before the pane says that a lesson is being opened


class SourcesController(QObject):
    """Answers the requests of the pane, and opens lessons in it; ``show`` shows the pane."""

    said = Signal(str)  # why a lesson was not opened

    def __init__(self, pane: SourcesPane, workers: Workers, show: Callable[[], None]) -> None:
        super().__init__(pane)
        self._pane = pane
        self._workers = workers
        self._show = show
        self._awaited = "", ""  # course and lesson to open
        self._patience = one_shot(self, _PATIENCE_MS, self._say_it_opens)
        self._link = ""  # to follow
        self._following: Job[QuotePlace] | None = None
        self._is_open = False
        self._follow_soon = one_shot(self, _PATIENCE_MS, self._follow)
        workers.opened.connect(self._begin)
        pane.check_requested.connect(self._check)
        pane.reading_built.connect(self._connect_reading)

    def read_lesson(self, course_title: str, number: int | None, title: str, path: str = "") -> None:
        """Read a lesson from its beginning, or from the beginning of one of its files."""
        self._awaited = harmless(course_title), numbered_lesson(number, title)
        self._patience.start()
        finding = self._workers.library.open_lesson(
            lambda rag, _: rag.search.lesson_source(course_title, number, title, path),
            is_shared=course_title in self._workers.remote.titles,
        )
        finding.run(self, success=self._read, failure=self._refuse)

    def follow_link(self, link: str) -> None:
        """Show the target of a link once the library is open; of several at once, that of the last."""
        self._link = link
        if self._is_open:
            self._follow_soon.start()

    def _connect_reading(self, reading: ReadingView) -> None:
        pages = PagesController(reading.pages, self._workers)
        reading.lesson_requested.connect(self._fetch)
        reading.pages_requested.connect(partial(self._open_pages, pages))
        reading.pages_left.connect(pages.close)
        reading.correction_made.connect(self._correct)
        reading.captions_requested.connect(self._save_captions)

    def _begin(self) -> None:
        self._is_open = True
        if self._link:
            self._follow_soon.start()

    def _follow(self) -> None:
        link, self._link = self._link, ""
        if self._following is not None:
            self._following.drop()
        self._following = self._workers.library.open_lesson(
            lambda rag, token: rag.links.find(link, token), is_shared=True
        )
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
        self._workers.library.open_lesson(
            lambda rag, _: rag.search.lesson_text(source, cited), is_shared=bool(source.hit.server)
        ).run(self, success=self._pane.reading.show_lesson)

    def _correct(self, lesson: LessonText, start: int, end: int, text: str) -> None:
        """Correct a transcript, and show it again where it was corrected."""
        correcting = self._workers.ingest.correct(lesson.source.hit.document_id, start, end, text)
        correcting.run(self, success=lambda _: self._read_again(lesson, start), failure=self._refuse)

    def _read_again(self, lesson: LessonText, position: int) -> None:
        """Show a document whose text is another one now."""
        hit = lesson.source.hit
        finding = self._workers.library.open_lesson(
            lambda rag, _: rag.search.source_at(hit, position),
        )
        show = partial(self._pane.reading.read_lesson, position=position)
        finding.run(self, success=show, failure=self._refuse)

    def _save_captions(self, lesson: LessonText) -> None:
        saving = self._workers.library.save_captions(lesson.source.hit.document_id)
        said = self.tr("Saved {0} beside the recording.")
        saving.run(self, success=lambda path: self.said.emit(said.format(path.name)), failure=self._refuse)

    def _check(self, exchange_id: int, sources: tuple[Source, ...]) -> None:
        show_states = partial(self._pane.show_states, exchange_id)
        self._workers.library.check_sources(exchange_id, sources).run(self, success=show_states)

    def _open_pages(self, pages: PagesController, lesson: LessonText) -> None:
        reading = self._pane.reading
        pages.open(
            lesson,
            partial(reading.show_pages, lesson),
            lambda message: reading.refuse_pages(lesson, shown(message)),
        )
