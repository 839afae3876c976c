"""Maps questions to lessons and checks courses: the menu commands, and the work behind them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.ui.widgets.desktop import ask_for_file, ask_for_new_file
from app.workers.job import Job, Lane

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMainWindow

    from app.core.rag_system import RAGSystem
    from app.domain.cancel import CancelToken
    from app.domain.search import SearchHit
    from app.domain.sources import Source
    from app.features.teaching.service import TeachingService
    from app.features.teaching.ui.results_window import ResultsWindow
    from app.ui.shell.main_window import MainWindow
    from app.workers.library import LibrarySnapshot
    from app.workers.workers import Workers


class TeachingController(QObject):
    """Shows one window at a time; another file replaces the one before.

    ``chat_on_show`` gives the ID of the chat, None for a new one, and that of its last exchange.
    """

    said = Signal(str)  # a sentence for the status bar
    became_ready = Signal()  # the library can be searched
    source_found = Signal(object)  # the Source of a passage, to be opened
    lesson_requested = Signal(str, object, str)  # course, number, title

    def __init__(
        self, window: QMainWindow, workers: Workers, chat_on_show: Callable[[], tuple[int | None, int]]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._workers = workers
        self._chat_on_show = chat_on_show
        self._titles: tuple[str, ...] = ()
        self._course = ""  # the title of the one that is searched; empty for all
        self._folder = ""
        self._path = Path()  # of the file that is mapped
        self._job: Job[None] | None = None
        self.results: ResultsWindow | None = None
        self.is_ready = False
        workers.opened.connect(self._take_snapshot)
        workers.snapshot.connect(self._take_snapshot)
        workers.ready.connect(self._take_ready)

    def map_questions(self) -> None:
        """Ask for a file with questions or learning goals, and say which lessons teach them."""

        def map_file(path: Path) -> None:
            self._open(self.tr("Map questions"), self.map_questions)
            self._map_file(path)

        self._ask_for_file(self.tr("Map questions"), "", map_file)

    def check(self) -> None:
        """Ask for a course check, and say which passages its questions find no more."""

        def check(path: Path) -> None:
            self._open(self.tr("Check a course"), self.check)
            self._run(
                self._work("Checking a course", lambda teaching, token: teaching.check(path, token)), path
            )

        self._ask_for_file(self.tr("Check a course"), self.tr("Course check (*.jsonl)"), check)

    def make_check(self) -> None:
        """Write the questions of the chat on show, with the passages that they must find, to a file."""
        chat, through = self._chat_on_show()
        if chat is None:
            return
        title, kinds = self.tr("Make a course check"), {self.tr("Course check (*.jsonl)"): ".jsonl"}

        def save(path: Path) -> None:
            self._folder = str(path.parent)

            def make(teaching: TeachingService, token: CancelToken) -> int:
                exchanges = self._workers.rag.conversations.exchanges(chat, through or None)
                return teaching.make_check(exchanges, path, token)

            making = self._work("Making a course check", make)
            making.run(self, success=lambda left_out: self._tell_made(path, left_out))

        ask_for_new_file(self._window, title, self._folder, self.tr("Course check"), kinds, save)

    def _map_file(self, path: Path) -> None:
        assert self.results is not None
        self.results.offer_courses(self._titles, self._course)
        self._path = path
        course = self._course or None

        def map_file(rag: RAGSystem, job: Job[Any]) -> object:
            from app.core.search.exam_map import map_exam  # after the first frame

            return map_exam(rag.search, path, course, job.token)

        self._run(self._workers.job(Lane.READ, "Mapping questions to lessons", map_file, key="long"), path)

    def _choose_course(self, title: str) -> None:
        self._course = title
        self._map_file(self._path)

    def _open(self, title: str, again: Callable[[], None]) -> None:
        # Imported late so that the window paints sooner.
        from app.features.teaching.ui.results_window import ResultsWindow

        if self.results is not None:
            self.results.close()
        self._course = self._course if self._course in self._titles else ""
        self.results = results = ResultsWindow(title, self._window)
        results.finished.connect(self._forget)
        results.course_chosen.connect(self._choose_course)
        results.file_requested.connect(again)
        results.export_requested.connect(self._export)
        results.passage_requested.connect(self._find)
        results.lesson_requested.connect(self.lesson_requested)
        results.show()

    def _run(self, job: Job[Any], path: Path) -> None:
        assert self.results is not None
        if self._job is not None:
            self._job.drop()
        self.results.show_running(str(path))
        self._job = job.run(self.results, event=self.results.show_event, failure=self.results.show_failure)

    def _export(self) -> None:
        if self.results is None or (found := self.results.map) is None:
            return
        # Imported late so that the window paints sooner.
        from app.features.teaching.reports import write_report

        kinds = {self.tr("Table (*.csv)"): ".csv", self.tr("Markdown (*.md)"): ".md"}

        def export(path: Path) -> None:
            done = self.tr("The table was saved as {0}.").format(path)
            is_markdown = path.suffix.lower() in (".md", ".markdown")
            exporting = self._work(
                "Exporting a question map", lambda *_: write_report(found, path, is_markdown=is_markdown)
            )
            exporting.run(self, success=lambda _: self.said.emit(done))

        name = Path(found.file).stem
        ask_for_new_file(self.results, self.tr("Export"), self._folder, name, kinds, export)

    def _work(self, what: str, work: Callable[[TeachingService, CancelToken], object]) -> Job[Any]:
        """Return a job in the thread of other long work: hundreds of questions take seconds."""

        def run(rag: RAGSystem, job: Job[Any]) -> object:
            from app.features.teaching.service import TeachingService  # after the first frame

            return work(rag.service(TeachingService), job.token)

        return self._workers.job(Lane.READ, what, run, key="long")

    def _find(self, hit: SearchHit) -> None:
        finding = self._workers.job(Lane.READ, "Opening a lesson", lambda rag, _: rag.search.source_of(hit))
        finding.run(self, success=self._open_source)

    def _open_source(self, source: Source | None) -> None:
        if source is None:
            self.said.emit(self.tr("This passage is no longer in the library."))
        else:
            self.source_found.emit(source)

    def _tell_made(self, path: Path, left_out: int) -> None:
        text = self.tr("The course check was saved as {0}.").format(path)
        if left_out:
            without = self.tr(
                "%Ln question(s) do not find what their answers cite and were left out.", None, left_out
            )
            text = f"{text} {without}"
        self.said.emit(text)

    def _ask_for_file(self, title: str, kinds: str, then: Callable[[Path], None]) -> None:
        def take(path: Path) -> None:
            self._folder = str(path.parent)
            then(path)

        if self._workers.is_running:
            ask_for_file(self.results or self._window, title, self._folder, kinds, take)

    def _take_snapshot(self, snapshot: LibrarySnapshot) -> None:
        self._titles = tuple(course.title for course in snapshot.courses)

    def _take_ready(self) -> None:
        self.is_ready = True
        self.became_ready.emit()

    def _forget(self) -> None:
        if self._job is not None:
            self._job.drop()
        self._job = self.results = None


tr = partial(QCoreApplication.translate, "Actions")


def add_commands(window: MainWindow) -> None:
    """Offer them in the menu Teacher; they wait for the model."""
    chat = window.chat_controller
    controller = TeachingController(
        window, window.workers, lambda: (chat.conversation_id, chat.last_exchange_id)
    )
    add = partial(window.actions_.add, "teacher/exam")
    maps = add("map_questions", tr("&Map questions…"), controller.map_questions)
    checks = add("check_course", tr("Check a &course…"), controller.check)
    makes = add("make_check", tr("Make a chec&k from this chat…"), controller.make_check)

    def enable() -> None:
        for action in (maps, checks):
            action.setEnabled(controller.is_ready)
        makes.setEnabled(controller.is_ready and chat.conversation_id is not None)

    def show_source(source: Source) -> None:
        window.room.open_sources()
        window.sources.read_quote(source, source.hit.start, source.hit.end, source.hit.text)

    enable()
    controller.became_ready.connect(enable)
    chat.conversation_shown.connect(enable)
    controller.source_found.connect(show_source)
    controller.lesson_requested.connect(window.sources_controller.read_lesson)
    controller.said.connect(window.say)
