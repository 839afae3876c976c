"""Plans a run; the plan is shown for review and then carried out."""

import os
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path

from app.config.paths import user_language
from app.core.courses.left_out import Translation, find_translations, may_be_translation, no_lessons
from app.core.courses.placement import FoundFile, RunPlaces
from app.core.documents.formats import is_source_code, why_not_read
from app.core.documents.recordings import is_recording
from app.core.ingest.discovery import discover, has_readable_name, is_gone
from app.core.storage.catalog import Catalog
from app.domain.cancel import CancelToken
from app.domain.courses import (
    Corrections,
    Facts,
    IngestPlan,
    LeftOutFile,
    PlannedCourse,
    PlannedFile,
    PlannedState,
)
from app.domain.errors import UserError
from app.domain.events import FileDone, FileStatus
from app.domain.file_paths import NaturalKey, natural_path, root_of
from app.domain.messages import Message

UNHEARD = Message("ingest.unheard")

_EXCLUDED = Message("ingest.excluded")
_SOURCE_CODE = Message("ingest.source_code")
_TRANSLATION = Message("ingest.translation")
_PROGRAMS = 10  # more files of source code than that are left out if they are a large part of a folder


class RunPlan:
    """The files of chosen paths, which of them to read, and where they belong.

    Uses names, sizes, times and first lines, and writes nothing to the library. New corrections take
    precedence over stored ones. Files to ``leave`` are ignored, with or without a document in the library;
    those to read ``again`` may have failed.
    The first lines of files unchanged since an ``earlier`` plan are not read again.

    Attributes:
        chosen: the paths, absolute and with links resolved.
        found: the files, in the order of reading.
        known: the library's documents by path.
        settled: results for files that are not read, by path.
        fresh: paths of the files to read.
        places: where each file belongs.
    """

    def __init__(
        self,
        catalog: Catalog,
        paths: Sequence[Path],
        found: Sequence[FoundFile],
        token: CancelToken,
        *,
        corrections: Corrections | None = None,
        leave: Collection[str] = (),
        again: Collection[str] = (),
        earlier: "RunPlan | None" = None,
    ) -> None:
        self._paths = paths
        self.chosen = [path for path in map(os.path.realpath, paths) if has_readable_name(path)]
        self.places = RunPlaces(catalog, self.chosen, corrections)
        self.known = self.places.documents
        self._leave, self._heard = leave, catalog.transcripts.sizes()
        known = catalog.failures.known()
        self._failures = {key: reason for key, reason in known.items() if key[0] not in again}
        found = [self._or_unheard(item) for item in found]
        self.found = [item for item in found if str(item.path) not in leave or str(item.path) in self.known]
        # Also by files that are left alone, such as one still being written: they say what the folder is.
        self._versions = self._find_versions(found, token)
        self._no_lessons = self._find_no_lessons(found)
        self.settled = {item.path: done for item in self.found if (done := self._settle(item))}
        self.fresh = {str(item.path) for item in self.found if item.path not in self.settled}
        self._kept = [
            item
            for item in self.found
            if item.path not in self.settled or self.settled[item.path].status is FileStatus.UNCHANGED
        ]
        first_lines = earlier.first_lines() if earlier else {}
        beside = [str(item.path) for item in found]
        self.places.arrange(self._kept, self.fresh, token, first_lines, beside, self._versions)

    def first_lines(self) -> dict[FoundFile, Facts]:
        return {
            item: self.places.facts_of(str(item.path)) for item in self._kept if str(item.path) in self.fresh
        }

    def describe(self) -> IngestPlan:
        courses: dict[str, list[PlannedFile]] = {}
        for item in self._kept:
            courses.setdefault(self.places.title_of(str(item.path)), []).append(self._planned(item))
        titles = {record.course_title for record in self.known.values()}
        planned = [
            PlannedCourse(title, tuple(sorted(files, key=_order)), is_new=title not in titles)
            for title, files in sorted(courses.items(), key=lambda course: course[0].casefold())
        ]
        left_out = [
            LeftOutFile(
                done.path, done.reason, optional=done.reason in (_EXCLUDED, self._no_lessons.get(done.path))
            )
            for done in self.settled.values()
            if done.reason is not None
        ]
        paths, folders = tuple(map(str, self._paths)), tuple(self.places.folders)
        return IngestPlan(paths, tuple(planned), tuple(left_out), folders)

    def _find_no_lessons(self, listed: Sequence[FoundFile]) -> dict[str, Message]:
        """Return why new files of chosen folders are no lessons."""
        programs = sum(is_source_code(item.path) for item in listed)
        has_much_code = programs > max(_PROGRAMS, (len(listed) - programs) // 2)
        found = {path: _TRANSLATION for path, item in self._versions.items() if item.read != path}
        for root in filter(os.path.isdir, self.chosen):
            items = [item for item in listed if root_of(str(item.path), [root])]
            if has_much_code:
                found.update((str(item.path), _SOURCE_CODE) for item in items if is_source_code(item.path))
            sizes = {str(item.path): -1 if item.skipped else item.size for item in items}
            found.update(no_lessons(sizes, root))
        renamed = self._renamed([item for item in listed if str(item.path) in found])
        return {
            path: reason
            for path, reason in found.items()
            if not (path in self.known or path in self.chosen or self.places.is_taken_in(path))
            and path not in renamed
        }

    def _find_versions(self, listed: Sequence[FoundFile], token: CancelToken) -> dict[str, Translation]:
        """Return the files of the chosen folders that are there in several languages."""
        found: dict[str, Translation] = {}
        for root in {root for path in self.chosen if (root := self.places.root_of(path))}:
            items = [item for item in listed if root_of(str(item.path), [root])]
            if root not in self.chosen:
                known = (path for path in self.known if root_of(path, [root]))
                here = (str(item.path) for item in items)
                if any(may_be_translation(path, root) for path in chain(here, known)):
                    with suppress(UserError):  # the folder around what was chosen cannot be listed
                        items = [*items, *discover([Path(root)], token)]
            readable = {str(item.path) for item in items if not item.skipped}
            found.update(find_translations(readable, root, user_language()))
        return found

    def _renamed(self, items: Sequence[FoundFile]) -> set[str]:
        """Return the paths of those that look like documents whose files are gone."""
        stamps = {str(item.path): (item.size, item.mtime_ns) for item in items}
        wanted = set(stamps.values())
        gone = {
            (record.size, record.mtime_ns)
            for path, record in self.known.items()
            if (record.size, record.mtime_ns) in wanted and is_gone(Path(path))
        }
        return {path for path, stamp in stamps.items() if stamp in gone}

    def _or_unheard(self, item: FoundFile) -> FoundFile:
        """Return a file as it is, but mark a recording without a transcript as not read."""
        path, record = str(item.path), self.known.get(str(item.path))
        is_same = record is not None and (record.size, record.mtime_ns) == (item.size, item.mtime_ns)
        has_failed = (path, item.size, item.mtime_ns) in self._failures
        is_read = is_same or has_failed or path in self._leave or item.size in self._heard
        return item if is_read or not is_recording(path) else item._replace(skipped=UNHEARD)

    def _settle(self, item: FoundFile) -> FileDone | None:
        """Return the result for a file that is not read; None for one to read."""
        path, stamp = str(item.path), (item.size, item.mtime_ns)
        record = self.known.get(path)
        if item.skipped:
            return FileDone(path, FileStatus.SKIPPED, reason=item.skipped)
        if item.failed:
            return FileDone(path, FileStatus.FAILED, reason=item.failed)
        if self.places.is_left_out(path):
            return FileDone(path, FileStatus.SKIPPED, reason=_EXCLUDED)
        if reason := self._no_lessons.get(path):
            return FileDone(path, FileStatus.SKIPPED, reason=reason)
        if record and (path in self._leave or (record.size, record.mtime_ns) == stamp):
            return FileDone(path, FileStatus.UNCHANGED, record.course_title, record.passages)
        reason = self._failures.get((path, *stamp))
        if not is_recording(path):
            reason = reason or why_not_read(item.path, item.size)
        return FileDone(path, FileStatus.FAILED, reason=reason) if reason else None

    def _planned(self, item: FoundFile) -> PlannedFile:
        path = str(item.path)
        place, facts = self.places.places.get(path), self.places.facts_of(path)
        state = PlannedState.UNCHANGED
        if path in self.fresh:
            state = PlannedState.CHANGED if path in self.known else PlannedState.NEW
        lesson = None if place is None or (facts.marked and not place.about) else place
        return PlannedFile(
            path,
            item.size,
            state,
            lesson.number if lesson else None,
            lesson.title if lesson else "",
            own_course=facts.claim is not None and place is not None and not place.placed,
            use=self.places.use_of(path),
        )


def _order(file: PlannedFile) -> tuple[int, NaturalKey]:
    return (-1 if file.lesson_number is None else file.lesson_number, natural_path(file.path))
