"""A plan that the user corrects, and the resulting corrections."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from itertools import count
from pathlib import PurePath

from app.domain.courses import Corrections, IngestPlan, LeftOutFile, PlannedFile, PlannedState, Use

UNHEARD = "ingest.unheard"  # why a recording without captions is not read
MANY_FILES = 20
"""A plan that reads more files than this is shown first."""

Item = PlannedFile | LeftOutFile
"""A file in the draft: as it would be read, or excluded by the plan."""


@dataclass(slots=True)
class Group:
    """A course of the draft, or files without one.

    Attributes:
        key: a unique number, not 0.
        title: of the course; empty for files without one.
        items: in the order of lessons.
        origins: titles in the plan of the courses that were joined into it.
        is_new: the library has no course of this title.
    """

    key: int
    title: str
    items: list[Item]
    origins: list[str] = field(default_factory=list)
    is_new: bool = True


class EditedPlan:
    """The courses and excluded files of a plan, changed step by step.

    Attributes:
        courses: none is empty.
        included: files that the plan excludes; reading them finds their course.
        excluded: files that the plan excludes and that are not read.
        unticked: paths of files that are not read, but stay in their course, to be ticked again.
        used: what files are for, by path, where the user said it.
        folders: the chosen ones that are one course or several, as the plan has it.
    """

    def __init__(self, plan: IngestPlan) -> None:
        self._keys = keys = count(1)
        self._origins = {file.path: course.title for course in plan.courses for file in course.files}
        self.courses = [
            Group(next(keys), course.title, list(course.files), [course.title], course.is_new)
            for course in plan.courses
        ]
        self.included = Group(next(keys), "", [])
        self.excluded = Group(next(keys), "", list(plan.left_out))
        self.unticked: set[str] = set()
        self.used: dict[str, Use] = {}
        self.folders = plan.folders

    @property
    def groups(self) -> list[Group]:
        """All groups with files, in the order to show them."""
        return [*self.courses, *(group for group in (self.included, self.excluded) if group.items)]

    @property
    def files(self) -> int:
        """How many files the library would hold."""
        return sum(1 for _ in self._ticked())

    @property
    def left_out(self) -> int:
        """How many files would not be read."""
        return len(self.excluded.items) + len(self.unticked)

    @property
    def courses_read(self) -> int:
        return sum(self.is_ticked(group) is not False for group in self.courses)

    @property
    def to_read(self) -> int:
        """How many of these files would be read."""
        return sum(
            isinstance(item, LeftOutFile) or item.state is not PlannedState.UNCHANGED
            for item in self._ticked()
        )

    def is_ticked(self, group: Group) -> bool | None:
        """Return whether all files of a group are read; None if only some are."""
        if group is self.excluded:
            return False
        on = sum(item.path not in self.unticked for item in group.items)
        return None if 0 < on < len(group.items) else bool(on)

    def is_excluded(self, group: Group, item: Item) -> bool:
        return group is self.excluded or item.path in self.unticked

    def use_of(self, item: Item) -> Use | None:
        """Return what a file is for; None for one that the plan excludes."""
        return self.used.get(item.path, item.use) if isinstance(item, PlannedFile) else None

    def use_as(self, paths: Collection[str], use: Use) -> None:
        self.used.update(dict.fromkeys(paths, use))

    def joins(self, key: int, title: str) -> bool:
        other = self._called(title)
        return other is not None and other.key != key

    def rename(self, key: int, title: str) -> None:
        """Rename a course; another course's title joins the two, an empty one is ignored."""
        title = " ".join(title.split())
        group = next((one for one in self.courses if one.key == key), None)
        if group is None or not title or title == group.title:
            return
        group.title = title
        self._join(group)

    def move(self, paths: Collection[str], title: str) -> None:
        """Move files to the course of this title, which may be new."""
        title = " ".join(title.split())
        taken = self._take(paths) if title else []
        if taken:
            self._group(title).items.extend(taken)
            self._drop_empty()

    def exclude(self, paths: Collection[str]) -> None:
        """Untick files; those that the plan excludes go back to the others."""
        self.unticked.update(path for path in paths if path in self._origins)
        strangers = {path for path in paths if path not in self._origins}
        self.excluded.items[:0] = self._take(strangers)
        self._drop_empty()

    def include(self, paths: Collection[str]) -> None:
        """Tick files again, and include those that the plan excludes."""
        self.unticked.difference_update(paths)
        excluded = {item.path for item in self.excluded.items}
        self.included.items += self._take(excluded.intersection(paths))

    def take_over(self, before: "EditedPlan") -> None:
        """Leave out and include what a plan of the same files with other courses does."""
        self.exclude(before.unticked)
        self.include([item.path for item in before.included.items])
        self.used = before.used

    def corrections(self) -> Corrections:
        """Return the user's changes to the plan."""
        origins = self._origins
        courses = [group for group in self.courses if self.is_ticked(group) is not False]
        renamed = {origin: group.title for group in courses for origin in group.origins}
        moved: list[tuple[str, str]] = []
        for group in courses:
            for item in group.items:
                origin = origins.get(item.path)
                is_elsewhere = origin is None or renamed.get(origin, origin) != group.title
                if is_elsewhere and item.path not in self.unticked:
                    moved.append((item.path, group.title))
        return Corrections(
            renamed=tuple((old, new) for old, new in renamed.items() if old != new),
            moved=tuple(moved),
            left_out=tuple(path for path in origins if path in self.unticked),
            taken_in=tuple(item.path for item in self._ticked() if item.path not in origins),
            one_course=tuple((item.path, item.one_course) for item in self.folders if item.is_new),
            used=tuple(self.used.items()),
        )

    def _read(self) -> Iterable[Group]:
        return (*self.courses, self.included)

    def _ticked(self) -> Iterable[Item]:
        items = (item for group in self._read() for item in group.items)
        return (item for item in items if item.path not in self.unticked)

    def _called(self, title: str) -> Group | None:
        wanted = title.casefold()
        return next((group for group in self.courses if group.title.casefold() == wanted), None)

    def _join(self, group: Group) -> None:
        """Join a course to another one of its title, if there is one."""
        title = group.title.casefold()
        for other in self.courses:
            if other is not group and other.title.casefold() == title:
                other.items.extend(group.items)
                other.origins.extend(group.origins)
                self.courses.remove(group)
                return

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
        for group in (*self._read(), self.excluded):
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
    return isinstance(item, PlannedFile) or item.optional


def needs_review(plan: IngestPlan, course_files: Collection[str]) -> bool:
    """Return whether to show a plan first.

    It is big, decides on courses, excludes course files, or has recordings that could be transcribed.
    """
    if plan.to_read > MANY_FILES:
        return True
    if sum(course.is_new for course in plan.courses) > 1 or plan.folders:
        return True
    if any(item.reason.id == UNHEARD for item in plan.left_out):
        return True
    return bool(plan.to_read) and any(
        not item.optional and PurePath(item.path).suffix.lower() in course_files for item in plan.left_out
    )
