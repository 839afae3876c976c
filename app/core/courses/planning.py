"""Says what reading chosen paths would do, from names, sizes, times and first lines."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from app.core.courses.lesson_names import natural_path
from app.core.courses.placement import RunPlaces
from app.core.ingest.discovery import FoundFile, discover
from app.core.ingest.triage import LEFT_OUT, triaged
from app.domain.events import FileStatus
from app.domain.plan import IngestPlan, LeftOutFile, PlannedCourse, PlannedFile, PlannedState

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.core.storage.catalog import Catalog
    from app.domain.cancel import CancelToken
    from app.domain.plan import Corrections


def make_plan(
    catalog: Catalog, paths: Sequence[Path], token: CancelToken, corrections: Corrections | None = None
) -> IngestPlan:
    """Return what would become of paths; nothing is remembered.

    Args:
        catalog: of the library.
        paths: folders and files.
        token: checked at every file.
        corrections: tried out.

    Raises:
        UserError: the only path is gone or can not be listed.
        Cancelled: the token was cancelled.
    """
    found = discover(paths, token)
    places = RunPlaces(catalog, [os.path.realpath(path) for path in paths], corrections)
    known, failures = catalog.documents.files(), catalog.failures.known()
    left_out: list[LeftOutFile] = []
    states: dict[str, PlannedState] = {}
    kept: list[FoundFile] = []
    for item in found:
        path = str(item.path)
        settled = triaged(item, known, failures, places.is_left_out)
        if settled is None:
            states[path] = PlannedState.CHANGED if path in known else PlannedState.NEW
        elif settled.status is FileStatus.UNCHANGED:
            states[path] = PlannedState.UNCHANGED
        else:
            reason = settled.reason or ""
            left_out.append(LeftOutFile(path, reason, by_user=reason == LEFT_OUT))
            continue
        kept.append(item)
    fresh = {path for path, state in states.items() if state is not PlannedState.UNCHANGED}
    places.arrange(kept, fresh, token)
    courses: dict[str, list[PlannedFile]] = {}
    for item in kept:
        path = str(item.path)
        courses.setdefault(places.title_of(path), []).append(_planned(item, states[path], places))
    titles = {record.course_title for record in known.values()}
    planned = [
        PlannedCourse(title, tuple(sorted(files, key=_order)), is_new=title not in titles)
        for title, files in courses.items()
    ]
    planned.sort(key=lambda course: course.title.casefold())
    return IngestPlan(tuple(str(path) for path in paths), tuple(planned), tuple(left_out))


def _planned(item: FoundFile, state: PlannedState, places: RunPlaces) -> PlannedFile:
    path = str(item.path)
    place, facts = places.places.get(path), places.facts_of(path)
    several = facts.marked and not (place is not None and place.about)
    return PlannedFile(
        path,
        item.size,
        state,
        None if place is None or several else place.number,
        "" if place is None or several else place.title,
        own_course=facts.claim is not None and place is not None and not place.placed,
    )


def _order(file: PlannedFile) -> tuple[int, list[tuple[int, tuple[tuple[int, int | str], ...]]]]:
    return (-1 if file.lesson_number is None else file.lesson_number, natural_path(file.path))
