"""Quick operations: removing and restoring, sources, watched folders, settings, files of text."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from PySide6.QtCore import QCoreApplication, QThread, Signal

from app.config.settings import save_settings, with_environment
from app.domain.errors import LecternError, UserError
from app.domain.messages import Message
from app.domain.scope import scope_parts
from app.workers.job import Job, Lane, Operations

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from app.config.settings import Settings
    from app.core.rag_system import RAGSystem
    from app.domain.events import FileDone
    from app.domain.keeping import Backup, TrashEntry
    from app.domain.model_servers import ModelInfo, WholeScope
    from app.domain.scope import Scope
    from app.domain.sources import LessonText, QuotePlace, Source, SourceState
    from app.workers.workers import Workers


_log = logging.getLogger(__name__)

R = TypeVar("R")


_QUESTIONS = 5  # looked at for their language


class ModelNeeds(NamedTuple):
    """What the library needs of the models for searching."""

    reindex: bool  # it is not embedded with the chosen one yet
    all_languages: bool  # the one in use is for English, and the library or its questions are not


class LibraryOperations(Operations):
    """Run in the thread that also opens the library."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "library")

    def remove_courses(self, titles: Sequence[str]) -> Job[tuple[TrashEntry, ...]]:
        """Move courses to the trash; gives its new entries."""
        return self._changing(
            "Removing a course", lambda job: self._rag.courses.remove_courses(titles, job.token)
        )

    def remove_files(self, paths: Sequence[str]) -> Job[tuple[TrashEntry, ...]]:
        """Move the documents of files to the trash; the files themselves stay."""
        return self._changing("Removing files", lambda job: self._rag.courses.remove_files(paths, job.token))

    def restore(self, documents: Sequence[int]) -> Job[tuple[TrashEntry, ...]]:
        """Restore documents from the trash; gives its remaining entries."""

        def restore(job: Job[Any]) -> tuple[TrashEntry, ...]:
            for _ in self._rag.trash.restore(documents, job.token):
                pass
            return self._rag.trash.entries()

        return self._changing("Restoring from the trash", restore)

    def list_trash(self) -> Job[tuple[TrashEntry, ...]]:
        return self._job("Listing the trash", lambda _: self._rag.trash.entries())

    def list_backups(self) -> Job[tuple[Backup, ...]]:
        """List the backups, newest first, whether the library could be opened or not."""
        return self._job("Listing the backups", lambda _: self._rag.backups.all())

    def list_failures(self) -> Job[tuple[FileDone, ...]]:
        """List the files that could not be read and still exist."""
        return self._job("Listing failed files", lambda _: self._rag.ingest.failures())

    def find_lesson(self, course_title: str, number: int | None, title: str) -> Job[Source]:
        """Give the beginning of a lesson; its text is read with :meth:`read_lesson`."""
        is_shared = course_title in self._workers.remote.titles
        return self._opening(
            lambda _: self._rag.search.lesson_source(course_title, number, title), is_shared=is_shared
        )

    def find_link(self, link: str) -> Job[QuotePlace]:
        """Give the place that a link leads to, maybe on a server; it begins and ends at once for a lesson."""
        return self._opening(lambda job: self._rag.links.find(link, job.token), is_shared=True)

    def read_lesson(self, source: Source, cited: tuple[int, int] | None = None) -> Job[LessonText]:
        """Give the lesson of a source, as far as the library has it; ``cited`` is the sentence to show."""
        is_shared = bool(source.hit.server)
        return self._opening(lambda _: self._rag.search.lesson_text(source, cited), is_shared=is_shared)

    def check_sources(self, exchange_id: int, sources: Sequence[Source]) -> Job[dict[int, SourceState]]:
        """Check whether what an answer rests on has changed or gone; gives the states by source number."""

        def check(_: Job[Any]) -> dict[int, SourceState]:
            states = {source.n: self._rag.search.source_state(source) for source in sources}
            for correct in self._rag.hooks.sources_checked:
                correct(exchange_id, states)
            return states

        return self._job("Comparing sources with the library", check)

    def price_scope(self, scope: Scope) -> Job[WholeScope | None]:
        """Give what will be sent along with each question of a scope, and its price; None if nothing."""

        def price(rag: RAGSystem, _: Job[Any]) -> WholeScope | None:
            if scope.is_everything or not rag.settings.whole_scope_tokens:
                return None
            connection = rag.answers.connection(self._workers.keys.read(rag.settings.base_url)[0])
            return None if connection is None else rag.answers.whole_scope(scope, connection)

        titles, what = self._workers.remote.titles, "Pricing what is sent along"
        is_shared = any(part.title in titles for part in scope_parts(scope))  # its server is asked
        lane, key = (Lane.NETWORK, "shared reading") if is_shared else (Lane.READ, "library")
        return self._workers.job(lane, what, price, key=key)

    def price_page(self, model: str) -> Job[float | None]:
        """Give about what a page costs that a model sees in a request; None if the price is unknown."""
        return self._job("Pricing what is sent along", lambda _: self._rag.answers.price_of_page(model))

    def watch(self, wanted: bool) -> Job[None]:
        """Watch the folders of the current library, or none."""

        def watch(_: Job[None]) -> None:
            try:
                paths = self._rag.ingest.watched()
            except LecternError as error:
                _log.warning("The watched folders cannot be listed: %s", error)
            else:
                self._workers.folders.watch(paths, wanted=wanted)

        return self._job("Watching folders", watch)

    def stop_watching(self, path: Path) -> Job[None]:
        """Stop watching a folder; its documents stay."""
        return self._job("Watching folders", lambda _: self._rag.ingest.stop_watching(path))

    def save_settings(
        self, settings: Settings, new_key: str | None = None, remove_key: bool = False
    ) -> Job[None]:
        """Save and apply settings and key; emits ``key_status`` and ``settings_saved``."""

        def save(_: Job[None]) -> None:
            rag, keys, file = self._rag, self._workers.keys, self._workers.settings_file
            changes_model = settings.embedding_model != rag.settings.embedding_model
            try:
                if changes_model:
                    rag.reindex.check_model(settings.embedding_model)  # first: it may refuse
                if remove_key:
                    keys.remove(rag.settings.base_url)  # of the server shown in the dialog
                if new_key:
                    keys.save(new_key, with_environment(settings).base_url)
                save_settings(settings, file)
            except OSError as error:
                reason = error.strerror or str(error)
                raise UserError(Message("config.settings_not_saved", path=file, reason=reason)) from error
            if changes_model:
                rag.reindex.choose_model(settings.embedding_model)
            rag.settings = with_environment(settings)
            self._workers.send_key_status()
            is_open = rag.database.is_open  # not if it could not be opened
            needs_work = is_open and rag.reindex.needed()
            self._workers.send(self._workers.settings_saved.emit, settings, needs_work)

        return self._job("Saving the settings", save)

    def check_model(self, setting: str) -> Job[None]:
        """Check an embedding model as far as that needs no network; fails with the reason."""
        return self._job("Checking an embedding model", lambda _: self._rag.reindex.check_model(setting))

    def model_needs(self) -> Job[ModelNeeds]:

        def needs(_: Job[Any]) -> ModelNeeds:
            reindex, questions = self._rag.reindex, self._rag.conversations.last_questions(_QUESTIONS)
            return ModelNeeds(reindex.needed(), reindex.wants_all_languages(questions))

        return self._job("Looking at the library", needs)

    def list_models(self) -> Job[tuple[ModelInfo, ...]]:
        """Ask the model server for its models; gives none if it does not list them."""

        def models(rag: RAGSystem, _: Job[Any]) -> tuple[ModelInfo, ...]:
            key = self._workers.keys.read(rag.settings.base_url)[0]
            try:
                return rag.answers.list_models(key)
            except LecternError as error:
                _log.info("The server's models could not be listed: %s", error)
                return ()

        return self._workers.job(Lane.NETWORK, "Listing the models", models)

    def _opening(self, work: Callable[[Job[R]], R], *, is_shared: bool = False) -> Job[R]:
        """Read a lesson in a thread that does not wait for the start, which loads the model for seconds.

        One on a server keeps no other waiting, and what it has told of the server is shown.
        """
        remote = self._workers.remote

        def open_shared(_: RAGSystem, job: Job[R]) -> R:
            try:
                return work(job)
            finally:
                remote.send_changed()

        what = "Opening a lesson"
        if is_shared:
            return self._workers.job(Lane.NETWORK, what, open_shared, key="shared reading")
        return self._workers.job(Lane.READ, what, lambda _, job: work(job), key="conversations")

    def _changing(self, what: str, work: Callable[[Job[Any]], R]) -> Job[R]:
        """Make a change, then show the library as it is now."""

        def change(job: Job[R]) -> R:
            result = work(job)
            self._workers.send_snapshot()
            return result

        return self._job(what, change)


class TextFileThread(QThread):
    """Reads one of the program's own files, then deletes itself."""

    read = Signal(str)  # The text; empty if the file cannot be read

    def __init__(self, path: Path) -> None:
        # Not a child of the dialog, which may close before the disk responds.
        application = QCoreApplication.instance()
        assert application is not None
        super().__init__(application)
        self.setObjectName("text file")
        self._path = path
        self.finished.connect(self.deleteLater)
        application.aboutToQuit.connect(self.await_end)

    def run(self) -> None:
        try:
            self.read.emit(self._path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            self.read.emit("")

    def await_end(self) -> None:
        # A slot of this object, so that the connection ends with it.
        self.wait()


def read_text_file(path: Path, receiver: Callable[[str], None]) -> None:
    """Pass the text to ``receiver``, a method of a Qt object, unless the object is gone by then."""
    thread = TextFileThread(path)
    thread.read.connect(receiver)
    thread.start()
