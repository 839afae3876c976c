"""RAGSystem: opens a library, and holds the services that work on it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from app.config.files import sweep
from app.config.paths import user_cache_dir
from app.config.settings import CurrentSettings, Settings
from app.core.conversations.session_manager import SessionManager
from app.core.courses.service import CourseService
from app.core.documents.figures import FigureService
from app.core.documents.page_process import PageProcess, PictureProcess
from app.core.formulas import FormulaService
from app.core.ingest.reindex import ReindexService
from app.core.ingest.service import IngestService
from app.core.ingest.trash import TrashService, expired
from app.core.ingest.watcher import WatchList
from app.core.links import LinkFinder
from app.core.sandbox import Sandbox
from app.core.search.index import SearchIndex
from app.core.search.service import SearchService
from app.core.storage.backups import sweep_unfinished
from app.core.storage.catalog import Catalog
from app.core.storage.database import Database
from app.core.storage.restore import Backups, replace_content, restore_closed, staged
from app.domain.keeping import Backup, BackupReason

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.answers.service import AnswerService, Writer
    from app.core.embedding.embedder import Embedder
    from app.core.hearing.service import HearingService
    from app.core.local_models.service import LocalModels
    from app.domain.cancel import CancelToken
    from app.domain.events import IndexProgress
    from app.domain.messages import Message


S = TypeVar("S")
AddServices = Callable[["RAGSystem"], None]
"""Adds the services of a feature to a library that has been built, and joins those it extends."""


class RAGSystem:
    """A library of courses.

    It opens in steps: after :meth:`open` courses and conversations can be listed, after
    :meth:`prepare_model` it can be searched and added to, and :meth:`open_index` opens Chroma.
    A ``read_only`` one works beside another process that writes; it adds nothing and opens no Chroma.
    ``services`` are added by features, in this order, and found by :meth:`service`.
    ``now`` is the clock by which the trash is emptied and items fall due, in seconds since the epoch.
    """

    def __init__(
        self,
        data_dir: Path,
        settings: Settings,
        embedder: Embedder,
        services: Iterable[AddServices] = (),
        *,
        read_only: bool = False,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.current_settings = current = CurrentSettings(settings)
        self.embedder = embedder
        self.database = database = Database(data_dir, read_only=read_only)
        self.hooks = database.hooks
        self.catalog = catalog = Catalog(database)
        self.index = index = SearchIndex(catalog, data_dir / "chroma")
        self.backups = backups = Backups(database, current)
        watch_list = WatchList(database)
        self.reindex = reindex = ReindexService(database, catalog, index, embedder, current)
        self.search = SearchService(database, catalog, index, embedder, reindex.has_same_model, current)
        self.now = now
        self.trash = TrashService(database, catalog, index, watch_list, reindex, now)
        self.ingest = IngestService(database, catalog, index, watch_list, reindex, backups)
        self.courses = CourseService(
            catalog,
            watch_list.exclude,
            index.catch_up,
            self.trash.entries,
        )
        self.links = LinkFinder(database, catalog.passages, self.search, self.prepare_model)
        self._sandbox = sandbox = Sandbox("pages")  # for what somebody is looking at
        self.pages = PageProcess(sandbox, catalog.recognized.lines)
        self.figures = FigureService(sandbox)
        self.pictures = PictureProcess(sandbox, catalog.places.folders)
        self.conversations = SessionManager(database)
        self.formulas = FormulaService(sandbox)

        self.writers: dict[str, Writer] = {}  # of features, which fill it in
        self._services: dict[str, Callable[[], object]] = {}
        for add_services in services:
            add_services(self)

    def add(self, name: str, make: Callable[[], object]) -> None:
        """Add a feature's service by the name of its class; it is made when it is first asked for."""
        self._services[name] = cache(make)

    def service(self, kind: type[S]) -> S:
        return cast("S", self._services[kind.__name__]())

    @cached_property
    def answers(self) -> AnswerService:
        # Imported when the first question comes, or after the library is ready.
        from app.core.answers.service import AnswerService

        return AnswerService(
            self.current_settings,
            self.conversations,
            self.search,
            servers_file=self.database.data_dir / "model-servers.json",
            embedder=self.embedder,
            see=self.figures.pages_seen,
            local_models=lambda: self.local_models,
            writers=self.writers,
        )

    @cached_property
    def local_models(self) -> LocalModels:
        """What Lectern runs itself, which is nothing until it is asked."""
        from app.core.local_models.service import LocalModels

        return LocalModels(user_cache_dir())

    @cached_property
    def hearing(self) -> HearingService:
        """What makes text of recordings, which is nothing until it is asked."""
        from app.core.hearing.service import HearingService

        return HearingService(self.database, self.catalog, self.ingest, user_cache_dir())

    @property
    def settings(self) -> Settings:
        """The settings in force; what is set here reaches every service."""
        return self.current_settings.value

    @settings.setter
    def settings(self, settings: Settings) -> None:
        self.current_settings.value = settings

    def open(self, progress: Callable[[Message], None] = lambda _: None) -> None:
        """Open the library file; ``progress`` receives slow steps, such as upgrading an earlier library.

        Raises:
            LibraryLocked: another Lectern writes to it.
            LibraryUnusable: the directory or the file cannot be used.
        """
        self.database.open(progress)
        if not self.database.read_only:
            try:
                for place in (self.database.data_dir, user_cache_dir()):
                    sweep(place)
                sweep_unfinished(self.database.data_dir)
                self.conversations.close_interrupted()
                self.conversations.empty_trash(*expired(self.now()))
                for follow in self.hooks.opened:
                    follow()
            except BaseException:
                self.database.close()
                raise

    def prepare_model(self, token: CancelToken, progress: Callable[[Message], None] = lambda _: None) -> None:
        """Load the embedding model, which is exported the first time; see :meth:`Embedder.prepare`."""
        self.embedder.prepare(token, progress)

    def open_index(self, token: CancelToken) -> Iterator[IndexProgress]:
        """Open Chroma and tell it what it has missed."""
        if not self.database.read_only:
            self.index.open()
            yield from self.index.catch_up(token)

    def restore(self, backup: Backup, token: CancelToken) -> Iterator[IndexProgress]:
        """Put a backup in the place of the library, which is kept as another backup first.

        A library that is not open, because it is damaged or gone, stays closed; :meth:`open` it afterwards.

        Raises:
            LibraryUnusable: the backup cannot be restored; nothing was changed.
        """
        if not self.database.is_open:
            restore_closed(self.database.data_dir, backup)
            return
        with staged(self.database.data_dir, backup) as path:
            self.backups.make_before(BackupReason.RESTORE, token)
            replace_content(self.database, path)
        self.search.forget()
        self.index.rebuild()
        yield from self.index.catch_up(token)

    def close(self) -> None:
        """Close everything in order. Idempotent; nothing else may be running."""
        if "local_models" in vars(self):
            self.local_models.close()
        self.search.remote.close()
        self._sandbox.close()
        self.index.close()
        self.embedder.close()
        self.database.close()
