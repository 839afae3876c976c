"""A plan as a person corrects it, and the corrections that come of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from pathlib import PurePath
from typing import TYPE_CHECKING

from app.domain.plan import Corrections, LeftOutFile, PlannedFile, PlannedState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from app.domain.plan import IngestPlan

MANY_FILES = 20
"""A plan with more files to read than this is shown before they are read."""

Item = PlannedFile | LeftOutFile
"""A file in the draft: as it would be read, or one the plan leaves out, of which nothing is known."""


@dataclass(slots=True)
class Group:
    """A course of the draft, or files without one.

    Attributes:
        key: a number that no other group ever has, not 0.
        title: of the course; empty where the files have none.
        items: in the order of lessons.
        origins: titles that courses which are part of it have in the plan.
        is_new: the library has no course of this title.
    """

    key: int
    title: str
    items: list[Item]
    origins: list[str] = field(default_factory=list)
    is_new: bool = True


class EditedPlan:
    """The courses and left-out files of a plan, changed step by step.

    Attributes:
        courses: none of them empty.
        taken_in: files an earlier correction left out that are to be read now; their course is found
            when they are.
        left_out: all that is not read.
    """

    def __init__(self, plan: IngestPlan) -> None:
        self._plan = plan
        self._keys = keys = count(1)
        self._origin_of: dict[str, str] = {}
        self.courses = [
            Group(next(keys), course.title, list(course.files), [course.title], course.is_new)
            for course in plan.courses
        ]
        self.taken_in = Group(next(keys), "", [])
        self.left_out = Group(next(keys), "", list(plan.left_out))

    @property
    def groups(self) -> list[Group]:
        """All groups with files, in the order to show them."""
        return [*self.courses, *(group for group in (self.taken_in, self.left_out) if group.items)]

    @property
    def files(self) -> int:
        """How many files the library would hold."""
        return sum(len(group.items) for group in self._read())

    @property
    def to_read(self) -> int:
        """How many of these files would be read."""
        unchanged = PlannedState.UNCHANGED
        return sum(
            not (isinstance(item, PlannedFile) and item.state is unchanged)
            for group in self._read()
            for item in group.items
        )

    def joins(self, key: int, title: str) -> bool:
        """Whether this title would join the course to another one."""
        other = self._called(title)
        return other is not None and other.key != key

    def rename(self, key: int, title: str) -> None:
        """Rename a course; another course's title joins the two, an empty one is ignored."""
        title = " ".join(title.split())
        group = next((one for one in self.courses if one.key == key), None)
        if group is None or not title or title == group.title:
            return
        other = self._called(title)
        if other is None or other is group:
            group.title = title
            return
        other.items.extend(group.items)
        other.origins.extend(group.origins)
        self.courses.remove(group)

    def move(self, paths: Collection[str], title: str) -> None:
        """Move files to the course of this title, which may be new."""
        title = " ".join(title.split())
        taken = self._take(paths) if title else []
        if taken:
            self._group(title).items.extend(taken)
            self._drop_empty()

    def leave_out(self, paths: Collection[str]) -> None:
        self.left_out.items[:0] = self._take(paths)
        self._drop_empty()

    def take_in(self, paths: Collection[str]) -> None:
        """Include excluded files, each in its earlier course."""
        origins = self._origins()
        for item in self._take(paths):
            origin = origins.get(item.path)
            if origin is None:
                self.taken_in.items.append(item)
                continue
            group = next((one for one in self.courses if origin in one.origins), None)
            group = group or self._group(origin)
            if origin not in group.origins:
                group.origins.append(origin)
            group.items.append(item)

    def corrections(self) -> Corrections:
        """Return the user's changes to the plan."""
        origins = self._origins()
        renamed = {origin: group.title for group in self.courses for origin in group.origins}
        moved: list[tuple[str, str]] = []
        for group in self.courses:
            for item in group.items:
                origin = origins.get(item.path)
                if origin is None or renamed.get(origin, origin) != group.title:
                    moved.append((item.path, group.title))
        return Corrections(
            renamed=tuple((old, new) for old, new in renamed.items() if old != new),
            moved=tuple(moved),
            left_out=tuple(item.path for item in self.left_out.items if item.path in origins),
            taken_in=tuple(
                item.path for group in self._read() for item in group.items if item.path not in origins
            ),
        )

    # Internals

    def _read(self) -> Iterable[Group]:
        return (*self.courses, self.taken_in)

    def _origins(self) -> dict[str, str]:
        """Return each planned file's course in the plan."""
        if not self._origin_of:
            self._origin_of = {
                file.path: course.title for course in self._plan.courses for file in course.files
            }
        return self._origin_of

    def _called(self, title: str) -> Group | None:
        wanted = title.casefold()
        return next((group for group in self.courses if group.title.casefold() == wanted), None)

    def _group(self, title: str) -> Group:
        """Return the course of this title, which may be new."""
        group = self._called(title)
        if group is None:
            group = Group(next(self._keys), title, [])
            self.courses.append(group)
        return group

    def _take(self, paths: Collection[str]) -> list[Item]:
        """Remove files from their groups, except those that cannot be read, and return them."""
        wanted = set(paths)
        taken: list[Item] = []
        for group in (*self._read(), self.left_out):
            kept: list[Item] = []
            for item in group.items:
                (taken if item.path in wanted and is_free(item) else kept).append(item)
            if len(kept) < len(group.items):
                group.items = kept
        return taken

    def _drop_empty(self) -> None:
        self.courses = [group for group in self.courses if group.items]


def is_free(item: Item) -> bool:
    """Whether the user decides if a file is read; a file that cannot be read stays excluded."""
    return isinstance(item, PlannedFile) or item.by_user


def deserves_a_look(plan: IngestPlan, course_files: Collection[str]) -> bool:
    """Return whether a plan is to be shown before anything is read.

    It is where it is big, makes more than one course, or leaves out what a person would expect to be read.

    Args:
        plan: in question.
        course_files: endings of the files that are read, with the dot.
    """
    if plan.to_read > MANY_FILES:
        return True
    if sum(course.is_new for course in plan.courses) > 1:
        return True
    return bool(plan.to_read) and any(
        not item.by_user and PurePath(item.path).suffix.lower() in course_files for item in plan.left_out
    )
