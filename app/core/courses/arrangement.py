"""Assigns the files of chosen folders to courses and lessons, from names, headers and first headings.

A pure function that accesses no files. A chosen folder is one course, or each of its subfolders is, and the
files directly in it form another, named after it. A file whose header names a course belongs to that course
wherever it is. The user's corrections override all of this.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.courses.names import (
    SEPARATOR,
    LessonName,
    Numbered,
    course_name,
    file_title,
    is_about,
    is_section,
    is_structure,
    number_lessons,
    read_heading,
    read_name,
    says_something,
    section_label,
)
from app.domain.courses import Correction, Facts, Place, Use
from app.domain.file_paths import lesson_stem, natural_path, root_of
from app.domain.words import in_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from app.core.courses.left_out import Translation

_NO_NAME = LessonName(None, None, "")
_INTRODUCTION = re.compile(r"intro(?:duction)?|overview|einführung|einleitung|introducci[oó]n", re.IGNORECASE)
_REPEATED = 3  # lessons with one heading, such as their author's name: it is no title


@dataclass(slots=True)
class _Member:
    path: str
    original: str  # the same without codes of languages
    facts: Facts
    folder: str | None
    sections: tuple[str, ...]
    introduces: bool  # a folder, as a README does
    name: LessonName

    @property
    def placed(self) -> bool:
        return self.facts.claim is None or self.introduces

    @property
    def about(self) -> bool:
        """Whether it introduces the course."""
        return self.introduces and all(map(is_structure, self.sections))

    @property
    def lesson_key(self) -> str:
        """What the files of one lesson share; "pdf" and "pptx" may hold two versions of a lecture."""
        *_, name = lesson_stem(self.original).split(os.sep)
        return "/".join([*_labelled(self.sections), name]).casefold()


@dataclass
class _Lesson(Numbered):
    """Files that differ only in their format."""

    members: list[_Member] = field(default_factory=list)
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Arrangement:
    roots: Mapping[str, bool]  # the chosen folders, and whether each is one course
    corrections: Mapping[str, Correction] = field(default_factory=dict)  # by path
    taken: Mapping[str, str] = field(default_factory=dict)  # folders of other courses by title
    versions: Mapping[str, Translation] = field(default_factory=dict)  # by path

    def places(self, files: Mapping[str, Facts], now: Mapping[str, str]) -> dict[str, Place]:
        """Return the places of files by path, except files that are a course of their own.

        ``now`` holds current course titles by path; one of several possible titles is kept.
        """
        followed = {path: read for path in files if (read := self._followed(path, files))}
        members = [self._member(path, facts) for path, facts in files.items() if path not in followed]
        titles = self._titles_of_folders(members, now)
        claims = self._titles_of_claims(members, now)
        courses: dict[str, list[_Member]] = {}
        for member in members:
            course = self._course_of(member, titles, claims)
            if course is not None:
                courses.setdefault(course, []).append(member)
        places: dict[str, Place] = {}
        for title, found in courses.items():
            places.update(_places_in(title, found))
        places.update({path: places[read]._replace(about=False) for path, read in followed.items()})
        return places

    def _followed(self, path: str, files: Mapping[str, Facts]) -> str:
        """Return the file that a file shares its lesson with, being a translation; empty if there is none."""
        version = self.versions.get(path)
        if version is None or version.read == path or version.read not in files:
            return ""
        is_free = self.corrections.get(path, Correction()).course is None
        own = {files[path].claim, files[version.read].claim} != {None}
        return version.read if is_free and not own else ""

    def folder_of(self, path: str) -> str | None:
        """Return the folder whose course a file without a header belongs to; None outside chosen folders."""
        return self._folder_and_sections(path)[0]

    def _member(self, path: str, facts: Facts) -> _Member:
        folder, sections = self._folder_and_sections(path)
        original = self._original(path)
        introduces = folder is not None and is_about(original) and not (facts.claim and facts.marked)
        name = _NO_NAME if introduces else read_name(os.path.basename(lesson_stem(original)))
        return _Member(path, original, facts, folder, sections, introduces, name)

    def _original(self, path: str) -> str:
        version = self.versions.get(path)
        return version.original if version else path

    def _folder_and_sections(self, path: str) -> tuple[str | None, tuple[str, ...]]:
        root = root_of(path, self.roots)
        if root is None:
            return None, ()
        *folders, _ = self._original(path)[len(root) :].lstrip(os.sep).split(os.sep)
        if not folders or self.roots[root] or is_section(folders[0]):
            return root, tuple(folders)
        return os.path.join(root, folders[0]), tuple(folders[1:])

    def _course_of(self, member: _Member, titles: Mapping[str, str], claims: Mapping[str, str]) -> str | None:
        if (course := self.corrections.get(member.path, Correction()).course) is not None:
            return course
        if member.placed:
            return None if member.folder is None else titles[member.folder]
        claim = member.facts.claim
        return claim if claim is None else claims.get(claim, claim)

    def _is_free(self, member: _Member) -> bool:
        return self.corrections.get(member.path, Correction()).course is None

    def _titles_of_claims(self, members: Iterable[_Member], now: Mapping[str, str]) -> dict[str, str]:
        """Return the titles that courses were given instead of those in their files' headers."""
        of_claim: dict[str, list[_Member]] = {}
        for member in members:
            if member.facts.claim and not member.placed:
                of_claim.setdefault(member.facts.claim, []).append(member)
        found = {claim: self._given(of, now) for claim, of in of_claim.items()}
        return {claim: title for claim, title in found.items() if title is not None}

    def _given(self, members: Iterable[_Member], now: Mapping[str, str]) -> str | None:
        """Return the course title that the user gave, if all of these documents in the library have it.

        So a file that is new there finds its course, and so does one that was moved on the disk.
        """
        titles = {now[member.path] for member in members if member.path in now}
        title = titles.pop() if len(titles) == 1 else None
        return title if any(item.course == title for item in self.corrections.values()) else None

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
                if title in held[folder]:
                    taken.setdefault(title, folder)  # but no folder that only happens to be called so
                continue
            if (title := self._given(filter(self._is_free, of_folder[folder]), now)) is not None:
                titles[folder], taken[title] = title, folder  # it had another name on the disk then
                continue
            # A course stays named after its folder, although a syllabus in it could name it.
            names = [*_names_of(folder, of_folder[folder]), course_name(folder)]
            free = [name for name in names if taken.get(name, folder) == folder or name in held[folder]]
            titles[folder] = next((name for name in free if name in held[folder]), free[0])
            taken[titles[folder]] = folder
        return titles


def _names_of(folder: str, members: Collection[_Member]) -> list[str]:
    """Return possible titles of a folder's course, best first; more than can be taken."""
    name = course_name(folder)
    about = [member for member in members if member.about]
    for facts in (member.facts for member in sorted(about, key=_as_title)):
        if facts.claim or says_something(facts.heading):
            name = facts.claim or facts.heading
            break
    beside = course_name(os.path.dirname(folder))
    apart = f"{name} ({course_name(folder)})" if name != course_name(folder) else f"{name} ({beside})"
    return [name, apart, *(f"{apart} {number}" for number in range(2, len(members) + 1000))]


def _as_title(member: _Member) -> tuple[int, bool, str]:
    """Sort what introduces a course: on its top a README first, below it an index, the page to begin with."""
    is_readme = os.path.basename(member.original).casefold().startswith("readme")
    return len(member.sections), is_readme == bool(member.sections), member.original


def _places_in(title: str, members: list[_Member]) -> dict[str, Place]:
    members.sort(key=lambda member: natural_path(member.original))
    in_folders = Counter(os.path.dirname(member.original) for member in members)
    places = {}
    lessons: dict[str, _Lesson] = {}
    for member in members:
        is_alone = in_folders[os.path.dirname(member.original)] == 1
        numbered = Numbered(member.sections, member.name.group, None)
        if member.about or (member.introduces and not (is_alone or numbered.steps)):
            own = member.facts.heading if member.facts.heading != title else ""
            name = _within(member.sections, own if says_something(own) else file_title(member.original))
            places[member.path] = Place(title, None, name, placed=True, about=member.about)
        elif member.facts.marked:
            places[member.path] = Place(title, placed=member.placed)
        elif not member.placed:
            # If several files name the same course, file names give the lesson numbers.
            number = member.name.number if len(members) > 1 else None
            name = "" if number is None else _within(member.sections, member.name.title)
            places[member.path] = Place(title, number, name)
        else:
            number, exercise = member.name.number, _exercise(member)
            new = _Lesson(member.sections, member.name.group, number, exercise)
            lessons.setdefault(member.lesson_key, new).members.append(member)
    found = list(lessons.values())
    _choose_headings(found, title)
    for lesson in found:
        if lesson.number is None and lesson.exercise is None and lesson.heading:
            lesson.number = read_heading(lesson.heading).number
    are_counted = any(lesson.steps for lesson in found)
    number_lessons([lesson for lesson in found if not _is_beside(lesson, are_counted)])
    for lesson in found:
        is_alone = in_folders[os.path.dirname(lesson.members[0].original)] == 1
        name = _title(lesson, is_alone=is_alone)
        for member in lesson.members:
            places[member.path] = Place(title, lesson.number, name, placed=True)
    return places


def _is_beside(lesson: _Lesson, are_counted: bool) -> bool:
    """Whether it has no place in the order of a course, as a preface and a list of books have none.

    Where the others are counted by their folders, nor have an introduction and the programs above them.
    """
    if lesson.number is not None or lesson.steps:
        return False
    uses = {member.facts.use for member in lesson.members}
    is_above = are_counted and (uses == {Use.CODE} or _INTRODUCTION.fullmatch(lesson.members[0].name.title))
    return uses == {Use.ABOUT} or bool(is_above)


def _exercise(member: _Member) -> int | None:
    """Return the number of the exercise that a file or the folders around it are called by."""
    numbers = (read_name(section).exercise for section in reversed(member.sections))
    return next((number for number in numbers if number is not None), member.name.exercise)


def _choose_headings(lessons: Sequence[_Lesson], title: str) -> None:
    """Set the first heading of each lesson that is its own: not the course's, nor one of many lessons."""
    members = [member for lesson in lessons for member in lesson.members]
    own = {member.path: _without(title, member.facts.heading) for member in members}
    every = [{own[member.path].casefold() for member in lesson.members} for lesson in lessons]
    counts = Counter(heading for headings in every for heading in headings)
    no_title = {"", title.casefold(), *(heading for heading, n in counts.items() if n >= _REPEATED)}
    for lesson in lessons:
        headings = (own[member.path] for member in lesson.members)
        lesson.heading = next((text for text in headings if text.casefold() not in no_title), "")


def _without(title: str, heading: str) -> str:
    """Return a heading without the course's title behind it, which pages of a website have."""
    page = heading.removesuffix(title)
    return page.rstrip(" -–—|·:") if page != heading and page.rstrip() != page else heading


def _title(lesson: _Lesson, *, is_alone: bool) -> str:
    member = lesson.members[0]
    title = read_heading(lesson.heading).title if lesson.heading else ""
    if member.introduces:  # its folder has the name of the lesson
        *outer, own = member.sections
        return _within(outer, title or section_label(own))
    title = title or member.name.title
    if not title and (member.sections or lesson.number != member.name.number):
        title = file_title(member.original)
    # A folder for one lesson says in short what the heading says.
    is_short = is_alone and lesson.heading and member.sections and not is_section(member.sections[-1])
    return _within(member.sections[:-1] if is_short else member.sections, title)


def _within(sections: Sequence[str], title: str) -> str:
    labels = [section_label(section) for section in _labelled(sections)]
    if labels and in_words(labels[-1]) == in_words(title):
        labels.pop()
    return SEPARATOR.join([*labels, *([title] if title else [])])


def _labelled(sections: Sequence[str]) -> list[str]:
    return [section for section in sections if not is_structure(section)]
