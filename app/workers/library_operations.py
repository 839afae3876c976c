"""Quick operations: removing and restoring, sources, watched folders, settings."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QCoreApplication

from app.config.settings import save_settings, with_environment
from app.domain.errors import LecternError, ModelMissing, UserError
from app.domain.messages import Message
from app.workers.job import Operation, QueueThread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from app.config.settings import Settings
    from app.domain.events import FileDone
    from app.domain.model_servers import ModelInfo
    from app.domain.sources import LessonText, Source, SourceState
    from app.domain.trash import TrashEntry
    from app.workers.job import Job
    from app.workers.workers import Workers

_log = logging.getLogger(__name__)
_tr = QCoreApplication.translate

R = TypeVar("R")


class LibraryOperations:
    """Run in the thread that also opens the library."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self.queue = QueueThread("library")

    def remove_courses(self, titles: Sequence[str]) -> Operation[tuple[TrashEntry, ...]]:
        """Move courses to the trash; gives its new entries."""
        return self._changing(
            _tr("Workers", "Removing a course"),
            lambda job: self._workers.rag.courses.remove_courses(titles, job.token),
        )

    def remove_files(self, paths: Sequence[str]) -> Operation[tuple[TrashEntry, ...]]:
        """Move the documents of files to the trash; the files themselves stay."""
        return self._changing(
            _tr("Workers", "Removing files"),
            lambda job: self._workers.rag.courses.remove_files(paths, job.token),
        )

    def restore(self, documents: Sequence[int]) -> Operation[tuple[TrashEntry, ...]]:
        """Restore documents from the trash; gives its remaining entries."""

        def restore(job: Job[Any]) -> tuple[TrashEntry, ...]:
            for _ in self._workers.rag.trash.restore(documents, job.token):
                pass
            return self._workers.rag.trash.entries()

        return self._changing(_tr("Workers", "Restoring from the trash"), restore)

    def list_trash(self) -> Operation[tuple[TrashEntry, ...]]:
        return self._brief(_tr("Workers", "Listing the trash"), lambda: self._workers.rag.trash.entries())

    def list_failures(self) -> Operation[tuple[FileDone, ...]]:
        """List the files that could not be read and still exist."""
        return self._brief(
            _tr("Workers", "Listing failed files"), lambda: self._workers.rag.ingest.failures()
        )

    # Sources

    def read_lesson(self, source: Source) -> Operation[LessonText]:
        return self._brief(
            _tr("Workers", "Opening a lesson"), lambda: self._workers.rag.search.lesson_text(source)
        )

    def check_sources(self, sources: Sequence[Source]) -> Operation[dict[int, SourceState]]:
        """Check whether the files of sources have changed or gone; gives the states by source number."""
        return self._brief(
            _tr("Workers", "Comparing sources with the library"),
            lambda: {source.n: self._workers.rag.search.source_state(source) for source in sources},
        )

    # Watching folders

    def watch(self, wanted: bool) -> Operation[None]:
        """Watch the folders of the current library, or none."""

        def watch() -> None:
            try:
                paths = self._workers.rag.ingest.watched()
            except LecternError as error:
                _log.warning("The watched folders cannot be listed: %s", error)
            else:
                self._workers.folders.watch(paths, wanted=wanted)

        return self._brief(_tr("Workers", "Watching folders"), watch)

    def stop_watching(self, path: Path) -> Operation[None]:
        """Stop watching a folder; its documents stay."""
        return self._brief(
            _tr("Workers", "Watching folders"), lambda: self._workers.rag.ingest.stop_watching(path)
        )

    # Settings

    def save_settings(
        self, settings: Settings, new_key: str | None = None, remove_key: bool = False
    ) -> Operation[None]:
        """Save and apply settings and key; emits ``key_status`` and ``settings_saved``."""

        def save() -> None:
            rag, keys, file = self._workers.rag, self._workers.keys, self._workers.settings_file
            changes_model = settings.embedding_model != rag.settings.embedding_model
            try:
                if changes_model:
                    rag.reindex.check_model(settings.embedding_model)  # first: it may refuse
                if remove_key:
                    keys.remove(rag.settings.base_url)  # of the server shown in the dialog
                if new_key:
                    keys.save(new_key, settings.base_url)
                save_settings(settings, file)
            except OSError as error:
                reason = error.strerror or str(error)
                raise UserError(Message("workers.settings_not_saved", path=file, reason=reason)) from error
            if changes_model:
                rag.reindex.choose_model(settings.embedding_model)
            rag.settings = with_environment(settings)
            self._workers.send_key_status()
            self._workers.send(self._workers.settings_saved.emit, settings, rag.reindex.needed())

        return self._brief(_tr("Workers", "Saving the settings"), save)

    def check_model(self, folder: str) -> Operation[Message | None]:
        """Check a folder as an embedding model; gives what is wrong with it, or None."""

        def check() -> Message | None:
            try:
                self._workers.rag.reindex.check_model(folder)
            except ModelMissing as error:
                return error.message
            return None

        return self._brief(_tr("Workers", "Checking an embedding model"), check)

    def list_models(self) -> Operation[tuple[ModelInfo, ...]]:
        """Ask the model server for its models; gives none if it does not list them."""

        def models() -> tuple[ModelInfo, ...]:
            rag = self._workers.rag
            key, _ = self._workers.keys.read(rag.settings.base_url)
            try:
                return rag.answers.list_models(key)
            except LecternError as error:
                _log.info("The server's models could not be listed: %s", error)
                return ()

        return self._brief(_tr("Workers", "Listing the models"), models)

    def tidy(self, steps: Iterator[None]) -> Operation[None]:
        """Run one short step and queue the next, so that what the window asks for meanwhile comes first."""

        def step() -> None:
            try:
                next(steps)
            except StopIteration:
                return
            except LecternError as error:
                _log.warning("The library could not be tidied up: %s", error)
                return
            self.tidy(steps).run(self._workers)

        return self._brief(_tr("Workers", "Tidying up"), step)

    def _brief(self, what: str, work: Callable[[], R]) -> Operation[R]:
        return Operation(self._workers, self.queue, what, lambda _: work())

    def _changing(self, what: str, work: Callable[[Job[Any]], R]) -> Operation[R]:
        """Make a change, then show the library as it is now."""

        def change(job: Job[R]) -> R:
            result = work(job)
            self._workers.send_snapshot()
            return result

        return Operation(self._workers, self.queue, what, change)
