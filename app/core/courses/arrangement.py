"""Assigns the files of chosen folders to courses and lessons, from names, headers and first headings.

A pure function that accesses no files. Each subfolder of a chosen folder is a course; the files directly
in the folder form another, named after it. A file whose header names a course belongs to that course
wherever it is. The user's corrections override all of this.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.courses.lesson_names import (
    SEPARATOR,
    LessonName,
    course_name,
    file_title,
    is_about,
    is_section,
    read_heading,
    read_name,
    says_something,
    section_label,
)
from app.domain.courses import Correction, Facts, Place
from app.domain.file_paths import lesson_stem, natural_path, root_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    _Area = tuple[tuple[str, ...], int | None]


@dataclass(slots=True)
class _Member:
    """A file being assigned to a course."""

    path: str
    facts: Facts
    folder: str | None
    sections: tuple[str, ...]
    about: bool
    name: LessonName

    @property
    def placed(self) -> bool:
        return self.facts.claim is None or self.about

    @property
    def area(self) -> _Area:
        """The section and group within which its number is unique."""
        return self.sections, self.name.group

    @property
    def area_number(self) -> int | None:
        """The number of the area, such as the week."""
        if self.name.group is not None:
            return self.name.group
        numbers = (read_name(section).number for section in reversed(self.sections))
        return next((number for number in numbers if number is not None), None)


@dataclass(slots=True)
class _Lesson:
    """Files that differ only in their extension."""

    members: list[_Member] = field(default_factory=list)
    number: int | None = None
    heading: str = ""

    @property
    def first(self) -> _Member:
        return self.members[0]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Assigns files to courses."""

    roots: Sequence[str]  # the chosen folders
    corrections: Mapping[str, Correction] = field(default_factory=dict)  # by path
    taken: Mapping[str, str] = field(default_factory=dict)  # folders of other courses by title

    def places(self, files: Mapping[str, Facts], now: Mapping[str, str]) -> dict[str, Place]:
        """Return the places of files by path, except files that are a course of their own.

        ``now`` holds current course titles by path; one of several possible titles is kept.
        """
        members = [self._member(path, facts) for path, facts in files.items()]
        titles = self._titles_of_folders(members, now)
        courses: dict[str, list[_Member]] = {}
        for member in members:
            course = self._course_of(member, titles)
            if course is not None:
                courses.setdefault(course, []).append(member)
        places: dict[str, Place] = {}
        for title, found in courses.items():
            places.update(_places_in(title, found))
        return places

    def folder_of(self, path: str) -> str | None:
        """Return the folder whose course a file without a header belongs to; None outside chosen folders."""
        return self._folder_and_sections(path)[0]

    def _member(self, path: str, facts: Facts) -> _Member:
        folder, sections = self._folder_and_sections(path)
        about = folder is not None and is_about(path) and not (facts.claim and facts.marked)
        name = read_name(os.path.basename(lesson_stem(path)))
        return _Member(path, facts, folder, sections, about, name)

    def _folder_and_sections(self, path: str) -> tuple[str | None, tuple[str, ...]]:
        root = root_of(path, self.roots)
        if root is None:
            return None, ()
        *folders, _ = path[len(root) :].lstrip(os.sep).split(os.sep)
        if not folders or is_section(folders[0]):
            return root, tuple(folders)
        return os.path.join(root, folders[0]), tuple(folders[1:])

    def _course_of(self, member: _Member, titles: Mapping[str, str]) -> str | None:
        if (course := self.corrections.get(member.path, Correction()).course) is not None:
            return course
        if member.placed:
            return None if member.folder is None else titles[member.folder]
        return member.facts.claim

    def _titles_of_folders(self, members: Iterable[_Member], now: Mapping[str, str]) -> dict[str, str]:
        """Return a distinct course title for each folder."""
        of_folder: dict[str, list[_Member]] = {}
        for member in members:
            if member.folder is not None and member.placed:
                of_folder.setdefault(member.folder, []).append(member)
        taken = dict(self.taken)
        titles: dict[str, str] = {}
        held = {folder: {now.get(member.path) for member in found} for folder, found in of_folder.items()}
        # Folders with existing courses come first, so that no new folder takes their titles.
        for folder in sorted(of_folder, key=lambda folder: (held[folder] == {None}, natural_path(folder))):
            if (title := self.corrections.get(folder, Correction()).course) is not None:
                titles[folder] = title  # folders given the same title are one course
                continue
            names = _names_of(folder, of_folder[folder])
            free = [name for name in names if taken.get(name, folder) == folder]
            titles[folder] = next((name for name in free if name in held[folder]), free[0])
            taken[titles[folder]] = folder
        return titles


def _names_of(folder: str, members: Collection[_Member]) -> list[str]:
    """Return possible titles of a folder's course, best first; more than can be taken."""
    name = course_name(folder)
    about = [member for member in members if member.about and not member.sections]
    about.sort(key=lambda it: (not os.path.basename(it.path).casefold().startswith("readme"), it.path))
    for facts in (member.facts for member in about):
        if facts.claim or says_something(facts.heading):
            name = facts.claim or facts.heading
            break
    beside = course_name(os.path.dirname(folder))
    apart = f"{name} ({course_name(folder)})" if name != course_name(folder) else f"{name} ({beside})"
    return [name, apart, *(f"{apart} {number}" for number in range(2, len(members) + 1000))]


def _places_in(title: str, members: list[_Member]) -> dict[str, Place]:
    members.sort(key=lambda member: natural_path(member.path))
    places = {}
    lessons: dict[str, _Lesson] = {}
    for member in members:
        if member.about:
            own = member.facts.heading if member.facts.heading != title else ""
            name = _within(member.sections, own if says_something(own) else file_title(member.path))
            places[member.path] = Place(title, None, name, placed=True, about=not member.sections)
        elif member.facts.marked:
            places[member.path] = Place(title, placed=member.placed)
        elif not member.placed:
            # If several files name the same course, file names give the lesson numbers.
            number = member.name.number if len(members) > 1 else None
            places[member.path] = Place(title, number, "" if number is None else member.name.title)
        else:
            lessons.setdefault(lesson_stem(member.path).casefold(), _Lesson()).members.append(member)
    found = list(lessons.values())
    for lesson in found:
        headings = (member.facts.heading for member in lesson.members)
        lesson.heading = next(
            (text for text in headings if text.casefold() not in ("", title.casefold())), ""
        )
    _number(found)
    for lesson in found:
        name = _title(lesson)
        for member in lesson.members:
            places[member.path] = Place(title, lesson.number, name, placed=True)
    return places


def _title(lesson: _Lesson) -> str:
    member = lesson.first
    title = read_heading(lesson.heading).title if lesson.heading else ""
    title = title or member.name.title
    if not title and (member.sections or lesson.number != member.name.number):
        title = file_title(member.path)
    return _within(member.sections, title)


def _within(sections: Sequence[str], title: str) -> str:
    return SEPARATOR.join([*(section_label(section) for section in sections), *([title] if title else [])])


def _number(lessons: list[_Lesson]) -> None:
    """Number the lessons of a course, given in natural order."""
    areas: dict[int, set[_Area]] = {}
    for lesson in lessons:
        lesson.number = lesson.first.name.number
        if lesson.number is None and lesson.heading:
            lesson.number = read_heading(lesson.heading).number
        if lesson.number is not None:
            areas.setdefault(lesson.number, set()).add(lesson.first.area)
    again = {area for found in areas.values() if len(found) > 1 for area in found}
    # Numbers that restart each week are not unique, so the week's number is used instead.
    in_numbered = [lesson for lesson in lessons if lesson.first.area_number is not None]
    of_areas = {lesson.first.area for lesson in in_numbered}
    if again <= of_areas and in_numbered and (again or all(item.number is None for item in in_numbered)):
        for lesson in in_numbered:
            lesson.number = lesson.first.area_number
    elif again:
        for lesson in lessons:
            lesson.number = None
    _fill(lessons)


def _fill(lessons: list[_Lesson]) -> None:
    """Give lessons without a number the next one after the previous lesson if free, else after all others."""
    used = {lesson.number for lesson in lessons if lesson.number is not None}
    last = max(used, default=0)
    following: list[int | None] = []
    for lesson in reversed(lessons):
        nearest = following[-1] if following else None
        following.append(nearest if lesson.number is None else lesson.number)
    before = 0
    for lesson, after in zip(lessons, reversed(following), strict=True):
        if lesson.number is not None:
            before = lesson.number
        elif before + 1 in used or (after is not None and before + 1 >= after):
            lesson.number = last + 1
        else:
            lesson.number = before = before + 1
        used.add(lesson.number)
        last = max(last, lesson.number)
