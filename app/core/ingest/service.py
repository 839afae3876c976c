"""Adds folders and files to the library and syncs changes in them."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from app.config.paths import resource_path
from app.core.ingest.discovery import is_gone, is_reachable
from app.domain.errors import UserError
from app.domain.events import CourseRenamed, FolderSettled, IngestEvent
from app.domain.file_paths import root_of
from app.domain.keeping import BackupReason
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from app.core.courses.placement import FoundFile
    from app.core.ingest.plan import RunPlan
    from app.core.ingest.reindex import ReindexService
    from app.core.ingest.watcher import WatchList
    from app.core.search.index import SearchIndex
    from app.core.storage.catalog import Catalog
    from app.core.storage.database import Database
    from app.core.storage.restore import Backups
    from app.domain.cancel import CancelToken
    from app.domain.courses import Corrections, IngestPlan
    from app.domain.documents import DocumentText


class IngestService:
    """Plans and adds. Only one thread may add at a time; everything else is thread-safe."""

    def __init__(
        self,
        database: Database,
        catalog: Catalog,
        index: SearchIndex,
        watch_list: WatchList,
        reindex: ReindexService,
        backups: Backups,
    ) -> None:
        self._db = database
        self._catalog = catalog
        self._index = index
        self._watch_list = watch_list
        self._reindex = reindex
        self._backups = backups
        self._planned: RunPlan | None = None  # the last plan; the next run reuses its first lines
        self.failures = catalog.failures.files  # accesses the disk for each file
        self.folders = catalog.places.folders
        self.watched = watch_list.paths
        self.stop_watching = watch_list.stop

    def plan(
        self, paths: Sequence[Path], token: CancelToken, corrections: Corrections | None = None
    ) -> IngestPlan:
        """Return what :meth:`add_course_folder` would do, without reading the files or storing anything.

        Raises:
            UserError: the only chosen path is missing or cannot be listed.
        """
        self._planned = self._make_plan(paths, self.discovered(paths, token), token, corrections)
        return self._planned.describe()

    def _make_plan(
        self,
        paths: Sequence[Path],
        found: Sequence[FoundFile],
        token: CancelToken,
        corrections: Corrections | None = None,
        leave: Collection[str] = (),
        again: Collection[str] = (),
    ) -> RunPlan:
        # Imported here because the readers of all formats would delay opening a library.
        from app.core.ingest.plan import RunPlan

        return RunPlan(
            self._catalog,
            paths,
            found,
            token,
            corrections=corrections,
            leave=leave,
            again=again,
            earlier=self._planned,
        )

    def add_course_folder(
        self,
        paths: Sequence[Path],
        token: CancelToken,
        *,
        is_sample: bool = False,
        clear: bool = False,
        corrections: Corrections | None = None,
    ) -> Iterator[IngestEvent]:
        """Add or refresh folders and files and start watching them; see :meth:`Ingestion.run`.

        Samples are not watched. ``clear`` first backs the library up, moves all of it to the trash and
        stops watching.
        ``corrections`` are those of the plan of these paths; they are stored.
        """
        ingestion = self._reindex.ingestion(token, samples=is_sample)
        self._watch_list.check(paths)
        yield from self._reindex.ensure_current(token)
        if clear and not any(path.exists() for path in paths):
            raise UserError(Message("ingest.nothing_left"))
        found = self.discovered(paths, token)
        if clear:
            self._backups.make_before(BackupReason.REBUILD, token)
            self._watch_list.clear()
            documents = self._catalog.documents
            documents.trash([record.document_id for record in documents.files().values()])
            self._catalog.places.forget_folders(kept=[os.path.realpath(path) for path in paths])
        if not is_sample:
            # Before reading, so that an interrupted run continues at the next start.
            self._watch_list.add(paths)
        plan = self._make_plan(paths, found, token, corrections)
        self._planned = None
        yield from ingestion.run(plan, is_sample=is_sample)
        yield from self._index.catch_up(token)

    def rename_course(self, old: str, new: str, token: CancelToken) -> Iterator[IngestEvent]:
        """Give a course another title, which it keeps whatever happens to its files.

        Raises:
            UserError: another course has this title, or there is no such course.
        """
        # Imported here for the same reason as RunPlan.
        from app.core.ingest.commit import check_title, rename_course

        title = " ".join(new.split())
        if not title or title == old:
            return
        check_title(self._catalog, old, title)
        yield from self._reindex.ensure_current(token)
        rename_course(self._db, self._catalog, old, title, self._reindex.vector_of(title, token))
        yield CourseRenamed(old, title)
        yield from self._index.catch_up(token)

    def retry(
        self, paths: Sequence[Path], token: CancelToken, *, clear: bool = False
    ) -> Iterator[IngestEvent]:
        """Add folders and files, and read those that failed earlier again although they have not changed."""
        roots = [os.path.realpath(path) for path in paths]
        failures = self._catalog.failures
        failures.forget([path for path, _, _ in failures.known() if root_of(path, roots)])
        yield from self.add_course_folder(paths, token, clear=clear)

    def wants_samples(self) -> bool:
        """Whether this library is new: it has only ever held sample courses."""
        return self._db.meta("samples") is None and all(
            item.is_sample for item in self._catalog.courses.all()
        )

    def add_samples(self, token: CancelToken) -> Iterator[IngestEvent]:
        """Add the sample courses, once per library."""
        yield from self.add_course_folder([resource_path("docs/courses")], token, is_sample=True)
        self._db.set_meta("samples", "added")

    def sync_folders(self, changes: Sequence[FolderSettled], token: CancelToken) -> Iterator[IngestEvent]:
        """Add files changed in watched folders and remove deleted ones.

        Ignores files that are still being written and files that the user removed.
        """
        watched = {item.path for item in self.watched()}  # may have changed since the scan
        changes = [item for item in changes if item.watched.path in watched]
        # Files missing out of reach may be on a disconnected drive.
        settled = (item.watched for item in changes)
        within_reach = [item for item in settled if is_reachable(item.folder, was_mount=item.was_mount)]
        gone = {str(item.path) for item in within_reach if not item.is_folder and is_gone(item.path)}
        there = [item for item in within_reach if str(item.path) not in gone]
        leave = self._watch_list.removed().union(*(item.unsettled for item in changes))
        yield from self._reindex.ensure_current(token)
        paths = [item.path for item in there]
        plan = self._make_plan(paths, self.discovered(paths, token), token, leave=leave)
        undecided = yield from self._reindex.ingestion(token).run(plan, gone=gone)
        for item in there:
            if not any(root_of(path, [str(item.path)]) for path in undecided):  # else the next start syncs it
                self._watch_list.mark_synced(item)
        yield from self._index.catch_up(token)

    def discovered(self, paths: Sequence[Path], token: CancelToken) -> list[FoundFile]:
        """List the files of chosen paths, without captions that were saved from transcripts."""
        # Imported here for the same reason as RunPlan.
        from app.core.ingest.discovery import discover

        return discover(paths, token, self._catalog.transcripts.saved())

    def store_text(self, path: str, text: DocumentText, token: CancelToken) -> Iterator[IngestEvent]:
        """Store the document of a file again with another text; raises KeyError if there is none."""
        yield from self._reindex.ensure_current(token)
        record = self._catalog.documents.files()[path]
        yield (yield from self._reindex.ingestion(token).store_text(record, text))
        yield from self._index.catch_up(token)

    def may_have_scans(self) -> bool:
        """Whether there is anything to :meth:`recognize`."""
        from app.core.ingest.recognition import files_with_scans

        return any(True for _ in files_with_scans(self._catalog))

    def recognize(
        self, token: CancelToken, seconds: float = math.inf, only: Collection[str] | None = None
    ) -> Iterator[IngestEvent]:
        """Add the text of scanned pages, at least of one and then until ``seconds`` have passed.

        ``only`` are the paths of the files to look at, if not all.
        """
        # Imported here for the same reason as RunPlan.
        from app.core.ingest.recognition import Recognition

        def read(path: Path) -> Iterator[IngestEvent]:
            plan = self._make_plan([path], self.discovered([path], token), token, again=[str(path)])
            yield from self._reindex.ingestion(token).run(plan)

        if self._reindex.has_same_model():  # else it is being embedded again
            ingestion = self._reindex.ingestion(token)
            yield from Recognition(self._catalog, ingestion, read, token).run(seconds, only)
            yield from self._index.catch_up(token)
