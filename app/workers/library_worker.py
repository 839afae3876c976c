"""Opens the library and does the short errands: listing, removing, settings, the key."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.config.secrets import KeyOrigin
from app.config.settings import Settings, save_settings, with_environment
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LecternError, LibraryLocked, ModelMissing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from app.config.secrets import KeyStatus, KeyStore
    from app.core.rag_system import RAGSystem
    from app.domain.courses import Course, LibraryCounts
    from app.domain.sources import Source

_PATIENCE = 5.0  # seconds that somebody else may still hold the library
_LOOK_AGAIN = 0.1

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LibrarySnapshot:
    """What the sidebar shows; ``is_new`` says that this library has never held anything."""

    courses: tuple[Course, ...]
    counts: LibraryCounts
    is_new: bool


def take_snapshot(rag: RAGSystem) -> LibrarySnapshot:
    """Return what is in the library now."""
    return LibrarySnapshot(rag.courses.all(), rag.courses.counts(), rag.ingest.wants_samples())


class LibraryWorker(QObject):
    """Lives in a thread of its own; the window calls its slots through signals."""

    opened = Signal(object)
    """The library is open: a LibrarySnapshot. Not yet ready to search."""
    ready = Signal()
    """The embedding model is loaded: it can be searched and added to."""
    outdated = Signal()
    """After ``ready``, once the index is open: what was cut or embedded was with other settings than now."""
    failed = Signal(str)
    """It can not be opened or used: one sentence."""
    status = Signal(str)
    """What is being done while it opens; empty when it is over."""
    snapshot = Signal(object)
    """A LibrarySnapshot after a change."""
    key_status = Signal(object, bool)
    """The KeyStatus, and whether there is a model to ask."""
    settings_saved = Signal(object, bool)
    """The Settings that hold now, and whether the library must be cut again."""
    model_checked = Signal(str, str)
    """A folder, and one sentence on why it can not be used as embedding model; empty where it can."""
    notice = Signal(str)
    """An errand did not work: one sentence."""
    models = Signal(object)
    """The server's models: tuple of ModelInfo."""
    lesson_read = Signal(object)
    """The text a source is to be read in: a LessonText."""
    sources_checked = Signal(int, object)
    """An exchange, and the SourceState of each of its sources by number."""
    removed = Signal(object)
    """What was just put into the trash: tuple of TrashEntry."""
    failures_listed = Signal(object)
    """The files that could not be read: tuple of FileDone."""
    trash_listed = Signal(object)
    """What is in the trash: tuple of TrashEntry, latest first."""
    crashed = Signal(str)
    """A bug: what was being done."""

    def __init__(self, rag: RAGSystem, keys: KeyStore, settings_file: Path) -> None:
        super().__init__()
        self._rag = rag
        self._keys = keys
        self._settings_file = settings_file
        self._token = CancelToken()
        self._tidying: Iterator[None] = iter(())

    def cancel(self) -> None:
        """Ask running work to stop; may be called from any thread."""
        self._token.cancel()

    @Slot()
    def open(self) -> None:
        """Open step by step, telling each; every step may take seconds the first time."""
        try:
            self._open_library()
            self.opened.emit(take_snapshot(self._rag))
            self._tell_key()
            self._rag.prepare_model(self._token, lambda step: self.status.emit(str(step)))
            self.status.emit("")
            self.ready.emit()
            self.failures_listed.emit(self._rag.ingest.failures())
            self._rag.search.load_vectors()
            for progress in self._rag.open_index(self._token):
                if progress.total > progress.done:
                    percent = 100 * progress.done // progress.total
                    self.status.emit(self.tr("Building the search index… {0} %").format(percent))
            self.status.emit("")
            # Not before: Chroma is built anew after it, which may not happen while it is opened.
            if self._rag.reindex.needed():
                self.outdated.emit()
            self._tidying = self._rag.trash.expire(self._token)
            self._tidy()
        except Cancelled:
            pass
        except LecternError as error:
            self.failed.emit(str(error))
        except Exception:
            _log.exception("Opening the library failed.")
            self.failed.emit(
                self.tr("The library could not be opened because of a fault in Lectern. See the log file.")
            )

    @Slot()
    def refresh(self) -> None:
        """Send a new snapshot."""
        self._errand(self.tr("Listing the courses"), lambda: None)

    @Slot(object)
    def remove_courses(self, titles: tuple[str, ...]) -> None:
        """Put courses into the trash."""
        remove = self._rag.courses.remove_courses
        self._errand(self.tr("Removing a course"), lambda: self.removed.emit(remove(titles, self._token)))

    @Slot(object)
    def remove_files(self, paths: tuple[str, ...]) -> None:
        """Put the documents of files into the trash; the files stay where they are."""
        remove = self._rag.courses.remove_files
        self._errand(self.tr("Removing files"), lambda: self.removed.emit(remove(paths, self._token)))

    @Slot(object)
    def restore_documents(self, documents: tuple[int, ...]) -> None:
        """Bring documents back from the trash."""

        def restore() -> None:
            for _ in self._rag.trash.restore(documents, self._token):
                pass
            self.trash_listed.emit(self._rag.trash.entries())

        self._errand(self.tr("Restoring from the trash"), restore)

    @Slot()
    def list_failures(self) -> None:
        """Tell which files could not be read and are still there."""
        files = self._rag.ingest.failures
        self._tell(self.tr("Listing failed files"), lambda: self.failures_listed.emit(files()))

    @Slot()
    def list_trash(self) -> None:
        """Tell what is in the trash."""
        self._tell(self.tr("Listing the trash"), lambda: self.trash_listed.emit(self._rag.trash.entries()))

    @Slot(object, object, bool)
    def save_settings(self, settings: Settings, new_key: str | None, remove_key: bool) -> None:
        """Store settings and key, and let them hold from now on."""
        changes_model = settings.embedding_model != self._rag.settings.embedding_model
        try:
            if changes_model:
                self._rag.reindex.check_model(
                    settings.embedding_model
                )  # first: nothing is changed if it fails
            if remove_key:
                self._keys.remove(self._rag.settings.base_url)  # of the server the dialog showed
            if new_key:
                self._keys.save(new_key, settings.base_url)
            save_settings(settings, self._settings_file)
            if changes_model:
                self._rag.reindex.choose_model(settings.embedding_model)
            self._rag.settings = with_environment(settings)
            self._tell_key()
            self.settings_saved.emit(settings, self._rag.reindex.needed())
        except OSError as error:
            sentence = self.tr("The settings could not be saved in {0} ({1}).")
            self.notice.emit(sentence.format(self._settings_file, error.strerror))
        except LecternError as error:
            self.notice.emit(str(error))
        except Exception:
            _log.exception("Saving the settings failed.")
            self.crashed.emit(self.tr("Saving the settings"))

    @Slot(str)
    def check_model(self, folder: str) -> None:
        """Tell whether a folder can be used as embedding model."""

        def check() -> None:
            try:
                self._rag.reindex.check_model(folder)
            except ModelMissing as error:
                self.model_checked.emit(folder, str(error))
            else:
                self.model_checked.emit(folder, "")

        self._tell(self.tr("Looking at an embedding model"), check)

    @Slot()
    def list_models(self) -> None:
        """Ask the server which models it has; silence if it does not say."""
        key, _ = self._keys.read(self._rag.settings.base_url)
        try:
            if models := self._rag.answers.list_models(key):
                self.models.emit(models)
        except LecternError as error:
            _log.info("The server's models could not be listed: %s", error)

    @Slot(object)
    def read_lesson(self, source: Source) -> None:
        """Fetch the lesson that a source stands in."""
        self._tell(
            self.tr("Opening a lesson"), lambda: self.lesson_read.emit(self._rag.search.lesson_text(source))
        )

    @Slot(int, object)
    def check_sources(self, exchange_id: int, sources: tuple[Source, ...]) -> None:
        """Look whether the files of an answer's sources have changed or gone since."""

        def check() -> None:
            states = {source.n: self._rag.search.source_state(source) for source in sources}
            self.sources_checked.emit(exchange_id, states)

        self._tell(self.tr("Comparing sources with the library"), check)

    @Slot()
    def _tidy(self) -> None:
        """Take the next step of tidying up; what the window asks for comes between two steps."""
        try:
            next(self._tidying)
        except (StopIteration, Cancelled):
            return
        except LecternError as error:
            _log.warning("The library was not tidied up: %s", error)
            return
        QTimer.singleShot(0, self._tidy)

    def _open_library(self) -> None:
        """Open it; another Lectern that has just been closed may still be putting things in order."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                return self._rag.open(self._tell_unless_cancelled)
            except LibraryLocked:
                if time.monotonic() > deadline:
                    raise
            self._tell_unless_cancelled(self.tr("Waiting for another Lectern to close…"))
            time.sleep(_LOOK_AGAIN)

    def _tell_unless_cancelled(self, what: str) -> None:
        self._token.check()
        self.status.emit(what)

    def _tell_key(self) -> None:
        base_url = self._rag.settings.base_url
        status: KeyStatus = self._keys.status(base_url)
        self.key_status.emit(status, status.origin is not KeyOrigin.NONE or bool(base_url))

    def _errand(self, what: str, work: Callable[[], None]) -> None:
        def work_and_list() -> None:
            work()
            self.snapshot.emit(take_snapshot(self._rag))

        self._tell(what, work_and_list)

    def _tell(self, what: str, work: Callable[[], None]) -> None:
        """Do something short; what goes wrong is told."""
        try:
            work()
        except Cancelled:
            pass
        except LecternError as error:
            self.notice.emit(str(error))
        except Exception:
            _log.exception("%s failed.", what)
            self.crashed.emit(what)
