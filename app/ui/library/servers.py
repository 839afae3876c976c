"""The row of a server in the tree, above the courses that it holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.courses import Course, LessonInfo
    from app.domain.shared import SharedLibrary


class ServerRow(NamedTuple):
    """Stands among courses as one without lessons, under a title that no course has."""

    title: str
    library: SharedLibrary
    lessons: tuple[LessonInfo, ...] = ()

    @classmethod
    def of(cls, library: SharedLibrary) -> ServerRow:
        return cls(f"\0{library.address.key}", library)


def without_doubles(own: Sequence[Course], shared: Sequence[SharedLibrary]) -> tuple[SharedLibrary, ...]:
    """Return libraries without the courses whose title stands before them: a row is known by its title."""
    seen, libraries = {course.title for course in own}, []
    for library in shared:
        new = tuple(course for course in library.courses if course.title not in seen)
        seen.update(course.title for course in new)
        libraries.append(library if len(new) == len(library.courses) else replace(library, courses=new))
    return tuple(libraries)
