"""Plans a run; the plan is shown for review and then carried out."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.courses.placement import RunPlaces
from app.core.ingest.availability import has_readable_name
from app.core.ingest.triage import EXCLUDED, triage
from app.domain.events import FileStatus
from app.domain.file_paths import NaturalKey, natural_path
from app.domain.plan import IngestPlan, LeftOutFile, PlannedCourse, PlannedFile, PlannedState

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from app.core.ingest.discovery import FoundFile
    from app.core.storage.catalog import Catalog
    from app.core.storage.documents import FileRecord
    from app.domain.cancel import CancelToken
    from app.domain.courses import Facts
    from app.domain.plan import Corrections


class RunPlan:
    """The files of chosen paths, which of them to read, and where they belong.

    Uses names, sizes, times and first lines, and writes nothing to the library.

    Args:
        catalog: of the library.
        paths: folders and files.
        found: their files, from :func:`app.core.ingest.discovery.discover`.
        token: checked at every file.
        corrections: new ones, which take precedence over stored ones.
        leave: files to ignore, with or without a document in the library.
        earlier: a plan of the same paths; the first lines of unchanged files are not read again.

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
        earlier: RunPlan | None = None,
    ) -> None:
        self._paths = paths
        self.chosen = [path for path in map(os.path.realpath, paths) if has_readable_name(path)]
        self.known = catalog.documents.files()
        self.found = _without(found, leave, self.known) if leave else list(found)
        self.places = RunPlaces(catalog, self.chosen, corrections)
        failures = catalog.failures.known()
        self.settled = {
            item.path: settled
            for item in self.found
            if (settled := triage(item, self.known, failures, self.places.is_left_out))
        }
        self.fresh = {str(item.path) for item in self.found if item.path not in self.settled}
        self._kept = [item for item in self.found if self._is_document(item)]
        self.places.arrange(self._kept, self.fresh, token, {} if earlier is None else earlier.first_lines())

    def first_lines(self) -> Mapping[FoundFile, Facts]:
        """Return the facts from the first lines of the files to read."""
        return {item: self.places.facts_of(str(item.path)) for item in self._kept if self._is_fresh(item)}

    def describe(self) -> IngestPlan:
        """Return the plan for review."""
        courses: dict[str, list[PlannedFile]] = {}
        for item in self._kept:
            courses.setdefault(self.places.title_of(str(item.path)), []).append(self._planned(item))
        titles = {record.course_title for record in self.known.values()}
        planned = [
            PlannedCourse(title, tuple(sorted(files, key=_order)), is_new=title not in titles)
            for title, files in courses.items()
        ]
        planned.sort(key=lambda course: course.title.casefold())
        left_out = [
            LeftOutFile(str(item.path), settled.reason, by_user=settled.reason == EXCLUDED)
            for item in self.found
            if (settled := self.settled.get(item.path)) and settled.reason is not None
        ]
        return IngestPlan(tuple(str(path) for path in self._paths), tuple(planned), tuple(left_out))

    def _is_fresh(self, item: FoundFile) -> bool:
        return str(item.path) in self.fresh

    def _is_document(self, item: FoundFile) -> bool:
        settled = self.settled.get(item.path)
        return settled is None or settled.status is FileStatus.UNCHANGED

    def _planned(self, item: FoundFile) -> PlannedFile:
        path = str(item.path)
        place, facts = self.places.places.get(path), self.places.facts_of(path)
        state = PlannedState.UNCHANGED
        if self._is_fresh(item):
            state = PlannedState.CHANGED if path in self.known else PlannedState.NEW
        several = facts.marked and not (place is not None and place.about)
        is_lesson = place is not None and not several
        return PlannedFile(
            path,
            item.size,
            state,
            place.number if place is not None and is_lesson else None,
            place.title if place is not None and is_lesson else "",
            own_course=facts.claim is not None and place is not None and not place.placed,
        )


def _order(file: PlannedFile) -> tuple[int, NaturalKey]:
    return (-1 if file.lesson_number is None else file.lesson_number, natural_path(file.path))


def _without(
    found: Sequence[FoundFile], leave: Collection[str], known: Mapping[str, FileRecord]
) -> list[FoundFile]:
    """Return the files without those to leave; one with a document gets the stamp of that document."""
    kept = []
    for item in found:
        record = known.get(str(item.path))
        if str(item.path) not in leave:
            kept.append(item)
        elif record is not None:
            kept.append(replace(item, size=record.size, mtime_ns=record.mtime_ns))
    return kept
