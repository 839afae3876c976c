"""Asks for a file of questions, has it mapped or checked, and shows what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from app.features.teaching.ui.operations import TeachingOperations
from app.ui.widgets.folders import start_folder

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QMainWindow

    from app.domain.search import SearchHit
    from app.domain.sources import Source
    from app.features.teaching.ui.results_window import ResultsWindow
    from app.workers.job import Job
    from app.workers.workers import LibrarySnapshot, Workers

_ENDING = ".jsonl"


class TeachingController(QObject):
    """Shows one window at a time; another file takes the place of the one before.

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
        self.operations = TeachingOperations(workers)
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
        if path := self._ask_for_file(self.tr("Map questions"), ""):
            self._open(self.tr("Map questions"), self.map_questions)
            self._map_file(path)

    def check(self) -> None:
        """Ask for a course check, and say which passages its questions find no more."""
        files = self.tr("Course check (*.jsonl)")
        if path := self._ask_for_file(self.tr("Check a course"), files):
            self._open(self.tr("Check a course"), self.check)
            self._run(self.operations.check(path), path)

    def make_check(self) -> None:
        """Write the questions of the chat on show, with the passages that they must find, to a file."""
        chat, through = self._chat_on_show()
        if chat is None:
            return
        place = str(Path(start_folder(self._folder), self.tr("Course check") + _ENDING))
        title, files = self.tr("Make a course check"), self.tr("Course check (*.jsonl)")
        chosen, _ = QFileDialog.getSaveFileName(self._window, title, place, files)
        if chosen:
            path = Path(chosen)
            path = path if path.suffix else path.with_name(path.name + _ENDING)
            self._folder = str(path.parent)
            making = self.operations.make_check(chat, through, path)
            making.run(self, success=lambda left_out: self._tell_made(path, left_out))

    def _map_file(self, path: Path) -> None:
        assert self.results is not None
        self.results.offer_courses(self._titles, self._course)
        self._path = path
        mapping = self.operations.map_questions(path, self._course or None)
        self._run(mapping, path)

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

    def _run(self, job: Job[None], path: Path) -> None:
        assert self.results is not None
        if self._job is not None:
            self._job.drop()
        self.results.show_running(str(path))
        self._job = job.run(self.results, event=self.results.show_event, failure=self.results.show_failure)

    def _export(self) -> None:
        """Write the map to a file that the user chooses."""
        if self.results is None or (found := self.results.map) is None:
            return
        kinds = {self.tr("Table (*.csv)"): ".csv", self.tr("Markdown (*.md)"): ".md"}
        place = str(Path(start_folder(self._folder), f"{Path(found.file).stem}.csv"))
        title = self.tr("Export")
        chosen, kind = QFileDialog.getSaveFileName(self.results, title, place, ";;".join(kinds))
        if chosen:
            path = Path(chosen)
            if path.suffix.lower() not in (*kinds.values(), ".markdown"):
                path = path.with_name(path.name + kinds.get(kind, ".csv"))
            done = self.tr("The table was saved as {0}.").format(path)
            exporting = self.operations.write_report(found, path)
            exporting.run(self, success=lambda _: self.said.emit(done))

    def _find(self, hit: SearchHit) -> None:
        self.operations.find(hit).run(self, success=self._open_source)

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

    def _ask_for_file(self, title: str, files: str) -> Path | None:
        if not self._workers.is_running:
            return None
        chosen, _ = QFileDialog.getOpenFileName(
            self.results or self._window, title, start_folder(self._folder), files
        )
        if not chosen:
            return None
        self._folder = str(Path(chosen).parent)
        return Path(chosen)

    def _take_snapshot(self, snapshot: LibrarySnapshot) -> None:
        self._titles = tuple(course.title for course in snapshot.courses)

    def _take_ready(self) -> None:
        self.is_ready = True
        self.became_ready.emit()

    def _forget(self) -> None:
        if self._job is not None:
            self._job.drop()
        self._job = self.results = None
