"""Reads lesson numbers and titles from names and headings, and tells parts of a course from courses."""

import os
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import PurePath

from app.core.documents.document_processor import TITLE_LIMIT
from app.domain.file_paths import lesson_stem
from app.domain.plain_text import one_line, shorten
from app.domain.words import word_set

SEPARATOR = " › "

# Words for a lesson and for a group of lessons; names number both.
_LESSON = r"lesson|lecture|lec|session|class|vorlesung|vl|lektion|sitzung|lección|clase|leçon|séance"
_GROUP = (
    r"week|module|chapter|ch|unit|part|section|topic|woche|kapitel|teil|thema|semana|módulo|capítulo|unidad|tema"
    r"|semaine|chapitre|partie"
)
# Words for what is handed out to be solved. Its number tells it from its kind, and is no part of its title.
_EXERCISE = (
    r"p(?:roblem )?sets?|ps|hw|home ?work|assignment|exercise(?: sheet)?|(?:problem |work)?sheet|solutions?"
    r"|lab|rec(?:itation)?|quiz|tut(?:orial|orium)?|(?:übungs?|aufgaben)?blatt|übung|hausaufgabe|lösung"
    r"|loesung|tarea|hoja|td|tp"
)
# Not the day of a date: "Lecture 01.10.2023".
_NUMBER = r"(?P<number>\d{1,3})(?!\d|\s*[.\-]\s*\d{1,2}\s*[.\-]\s*\d)"
_BETWEEN = r"\s*+[-#.:]?+\s*+"
_LESSON_IN_NAME = re.compile(rf"(?<![^\W_])(?:{_LESSON}){_BETWEEN}{_NUMBER}[a-d]?(?![^\W_])", re.IGNORECASE)
_GROUP_IN_NAME = re.compile(rf"(?<![^\W_])(?:{_GROUP}){_BETWEEN}{_NUMBER}(?![^\W_])", re.IGNORECASE)
_EXERCISE_IN_NAME = re.compile(
    rf"(?<![^\W_])(?:{_EXERCISE}){_BETWEEN}{_NUMBER}(?:[a-d]|[-_ ]?sol\w{{0,8}})?(?![^\W_])", re.IGNORECASE
)
_FIRST = re.compile(
    rf"\s*(?:{_LESSON}|{_GROUP}){_BETWEEN}\d{{1,3}}[a-d]?(?!\w|\.\d)\s*[-–—:.,)|]*\s*", re.IGNORECASE
)
_SECTION = re.compile(rf"(?:{_LESSON}|{_GROUP}){_BETWEEN}\d{{1,3}}(?:$|[\s\-–—:.,)|])", re.IGNORECASE)
# "01 Intro", "1. Intro", "1) Intro", "1-intro", "1.2 Intro"; no year, no "3D", no date.
_LEADING = re.compile(
    r"[\[(]?(?P<number>\d{1,3})(?P<more>(?:[.\-]\d{1,3})*)(?:[\])]|$|(?=[\s._\-–—:,]))\s*[-–—:.,)|]*\s*"
)
_LEADING_IN_HEADING = re.compile(r"(?P<number>\d{1,3})(?:[.)]\s|\s*[:–—]\s|\s+-\s)\s*")
_DATE = re.compile(r"\d{4}|\d{1,2}\s*[.\-]\s*\d{1,2}\s*[.\-]\s*\d{2,4}(?!\d)|\d{6,}")
_BARE_NUMBER = re.compile(r"\W?\d{1,3}(?:[.\-]\d{1,3}){0,3}\W?")
_COPY = re.compile(r" ?\(\d{1,2}\)\Z")  # of a file that was downloaded twice
_ABOUT = frozenset({"readme", "index"})
_TEXT = word_set(".md .markdown .mdx .qmd .rmd .rst .org .adoc .txt .text .html .htm .ipynb") | {""}
_SAYS_NOTHING = frozenset(
    {"about", "contents", "course", "course materials", "course syllabus", "home", "index", "overview"}
    | {"readme", "syllabus", "table of contents", "untitled", "welcome"}
)


@dataclass(frozen=True, slots=True)
class LessonName:
    number: int | None  # of the lesson
    group: int | None  # number of its week, module or chapter, if the name gives both
    title: str  # without numbers; may be empty
    exercise: int | None = None  # number of an exercise, if the name says no other number


@lru_cache(maxsize=4096)
def read_name(name: str) -> LessonName:
    """Parse the name of a folder, or of a file without its extension."""
    shown = _shown(name)
    dated = _DATE.match(shown)
    leading = None if dated else _LEADING.match(shown)
    if leading is None:
        shown = shown if dated else _words(shown)
        found, exercise = _in_words(shown), _EXERCISE_IN_NAME.search(shown)
        if exercise is None or found.number is not None:
            return found
        return replace(found, exercise=int(exercise["number"]))
    # "1.2 Cells" keeps its number, which is more precise than the lesson's.
    rest = shown if leading["more"] else _words(shown[leading.end() :])
    return LessonName(int(leading["number"]), None, _in_words(rest).title)


@lru_cache(maxsize=4096)
def read_heading(heading: str) -> LessonName:
    """Parse a document's first heading; only a number separate from the title counts."""
    leading = None if _DATE.match(heading) else _LEADING_IN_HEADING.match(heading)
    if leading:
        return LessonName(int(leading["number"]), None, _title(heading[leading.end() :]))
    return _in_words(heading)


def is_section(folder: str) -> bool:
    """Whether a folder is a part of a course by its name, such as "Week 3" or "Module 2 - Cells"."""
    return _SECTION.match(_shown(folder)) is not None


def section_label(folder: str) -> str:
    """Return a folder's name as part of a lesson title."""
    name = read_name(folder)
    return one_line(folder) if is_section(folder) or not name.title else name.title


def course_name(folder: str) -> str:
    name = os.path.basename(folder) or folder
    return shorten(one_line(name), TITLE_LIMIT) or "Untitled"


def is_about(path: str) -> bool:
    """Whether a file describes its folder, as a README, an index or a syllabus does."""
    stem, suffix = os.path.splitext(os.path.basename(path).casefold())
    return stem == "syllabus" or (stem in _ABOUT and suffix in _TEXT)


def says_something(heading: str) -> bool:
    """Whether the heading of a README or index can be a course title."""
    return bool(heading) and heading.casefold() not in _SAYS_NOTHING


def file_title(path: str) -> str:
    """Return a file's name as a title, including any number."""
    return one_line(PurePath(lesson_stem(path)).name.replace("_", " "))


def _shown(name: str) -> str:
    return one_line(unicodedata.normalize("NFC", name.replace("_", " ")))  # macOS takes "ü" apart


def _words(shown: str) -> str:
    """Split a name such as "intro-to-cells" into words."""
    return shown if " " in shown else shown.replace("-", " ")


def _in_words(shown: str) -> LessonName:
    lesson, group = _LESSON_IN_NAME.search(shown), _GROUP_IN_NAME.search(shown)
    title = shown
    for _ in range(2):  # "Week 3 - Lecture 2 - Cells"
        first = _FIRST.match(title)
        title = title[first.end() :] if first else title
    number = lesson or group
    return LessonName(
        int(number["number"]) if number else None,
        int(group["number"]) if lesson and group else None,
        _title(title),
    )


def _title(text: str) -> str:
    title = _COPY.sub("", text).strip(" -–—:.,|")
    is_title = any(map(str.isalnum, title)) and not _BARE_NUMBER.fullmatch(title)
    return shorten(title, TITLE_LIMIT) if is_title else ""


# How material is stored, not what it is about: no part of a lesson's title.
_STRUCTURE_WORDS = """
    book chapters classes contenido contenidos content contents course doc docs documents en html inhalt
    inhalte lecture lectures lessons
    markdown material materials md modules pages pdf pdfs posts ppt pptx public session sessions site source
    sources src static topics units vorlesung vorlesungen weeks
"""
# Kinds of material.
_KIND_WORDS = """
    activities appendices appendix assets assignment assignments blatt blätter captions code cohort cohorts
    coursematerial coursematerials data datasets demo demos discussion discussions example examples exam
    exams exercise exercises extra extras figures files final handouts handson homework homeworks hw hws
    images img ipynb lab labs lecturenotebooks lecturenotes lectureslides media midterm midterms misc notebook
    notebooks notes other practicals presentations problems problemset problemsets project projects ps pset
    psets quiz quizzes reading readings recitation recitations recordings reference references resources
    script scripts section seminar seminars sheets skript slides solution solutions static subtitle subtitles
    supplement supplementary supplements task tasks template templates test tests text texts transcript
    transcripts translations tutorial tutorials video videos worksheets workshop workshops übung übungen
    übungsblatt übungsblätter
    altklausuren aufgaben aufgabenblätter folien hausaufgaben klausur klausuren lösungen praktikum tutorien
    tutorium apuntes diapositivas ejercicios exámenes prácticas soluciones tareas cours diapos examens
    exercices td tp
"""
_STRUCTURE = frozenset(_STRUCTURE_WORDS.split())
_GENERIC = frozenset(_KIND_WORDS.split()) | _STRUCTURE
_INTRODUCTIONS = frozenset({"readme", "index", "syllabus", "lehrplan", "temario"})
_SIGNS = re.compile(r"[\W_]+")
_NUMBER_AT_END = re.compile(r"\d{1,4}$")  # also a year


def is_structure(folder: str) -> bool:
    """Whether a folder's name says only how the material is stored, such as "docs" or "pdf"."""
    return _plain(folder) in _STRUCTURE


def is_generic(folder: str) -> bool:
    """Whether any course could have a folder of this name, such as "slides", "labs" or "pset 3"."""
    name = _plain(folder)
    is_kind = not {name, _NUMBER_AT_END.sub("", name)}.isdisjoint(_GENERIC)
    return is_kind or read_name(folder).exercise is not None


def is_introduction(name: str) -> bool:
    """Whether a file introduces a whole course: a README, an index or a syllabus of any format."""
    return name.split(".", 1)[0].casefold() in _INTRODUCTIONS


def is_one_course(beside: Iterable[str], folders: Sequence[str]) -> bool:
    """Whether a folder is one course, by the names of the files at its top and of its subfolders.

    It is if a file introduces it, or if most subfolders are parts of a course.
    """
    if any(map(is_introduction, beside)):
        return True
    parts = [name for name in folders if is_generic(name) or is_section(name)]
    return 2 * len({*parts, *_counted(folders)}) > len(folders)


def _counted(folders: Sequence[str]) -> list[str]:
    """Return the folders that are counted from 0 or 1, such as "01-intro" and "02-loops"."""
    numbers = {name: read_name(name).number for name in folders if not is_section(name)}
    found = {name: number for name, number in numbers.items() if number is not None}
    is_series = len(found) > 1 and min(found.values()) <= 1 and len({*found.values()}) == len(found)
    return list(found) if is_series and max(found.values()) <= 2 * len(found) else []


def top_folder(path: str, root: str) -> str:
    """Return the name of the subfolder of ``root`` that a path lies in; empty for a file on its top."""
    first, inside, _ = path[len(root) :].lstrip(os.sep).partition(os.sep)
    return first if inside else ""


def _plain(folder: str) -> str:
    return _SIGNS.sub("", unicodedata.normalize("NFC", folder)).casefold()


@dataclass
class Numbered:
    """Where a lesson lies: ``sections`` are its folders within the course, from outer to inner.

    ``number`` is what its name or heading says, and becomes its number in the course. ``exercise`` is the
    number of the exercise that its file or folder is named after, such as "pset3".
    """

    sections: tuple[str, ...]
    group: int | None
    number: int | None
    exercise: int | None = None

    @cached_property
    def folders(self) -> tuple[str, ...]:
        """Its folders except the generic ones: "slides" and "labs" share the numbers of their lessons."""
        return tuple(name for name in self.sections if is_section(name) or not is_generic(name))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The numbers of its folders, such as the week's, from outer to inner."""
        numbers = [read_name(name).number for name in self.folders]
        return tuple(number for number in (*numbers, self.group) if number is not None)


def number_lessons(lessons: Sequence[Numbered]) -> None:
    """Number the lessons of a course, given in natural order of their paths.

    Their own numbers hold if they go on from each numbered folder to the next. Otherwise, as where they
    restart each week, a lesson has the number of its folder. Numbers that restart in folders without a
    number give way to the position. Exercises have their own numbers, unless they lie in such folders.
    """
    exercises = [lesson for lesson in lessons if lesson.exercise is not None and not lesson.folders]
    for lesson in exercises:
        lesson.number = lesson.exercise
    _number_in_order([lesson for lesson in lessons if lesson.exercise is None or lesson.folders])


def _number_in_order(lessons: Sequence[Numbered]) -> None:
    in_numbered = [lesson for lesson in lessons if lesson.steps]
    by_themselves = _ascend(
        (lesson.steps, (lesson.folders, lesson.group), lesson.number) for lesson in lessons
    )
    if in_numbered and not (by_themselves and _most_have_numbers(in_numbered)):
        innermost = [(lesson.steps, lesson.steps, lesson.steps[-1]) for lesson in in_numbered]
        level = -1 if _ascend(innermost) else 0
        for lesson in lessons:
            if lesson.steps:
                lesson.number = lesson.steps[level]
            elif lesson.folders:
                lesson.number = None
    elif not by_themselves:
        for lesson in lessons:
            lesson.number = None
    else:
        _fill_numbered_folders(in_numbered)
    _fill(lessons)


def _ascend(found: Iterable[tuple[tuple[int, ...], Hashable, int | None]]) -> bool:
    """Whether numbers are unique to their areas and go up from one numbered folder to the next.

    ``found`` has the steps, the area and the number of each lesson.
    """
    areas: dict[Hashable, set[int]] = {}
    spans: dict[tuple[int, ...], list[int]] = {}
    for steps, area, number in found:
        if number is not None:
            areas.setdefault(area, set()).add(number)
            spans.setdefault(steps, []).append(number)
    # Folders that repeat the numbers of the lessons beside them belong to those, such as "clean".
    main = areas.pop(((), None), set())
    apart = [numbers for area, numbers in areas.items() if not numbers <= main]
    if sum(map(len, apart)) > len(set().union(*apart)) or not main.isdisjoint(set().union(*apart)):
        return False
    spans.pop((), None)
    ordered = [numbers for _, numbers in sorted(spans.items())]
    return all(max(before) <= min(after) for before, after in zip(ordered, ordered[1:], strict=False))


def _most_have_numbers(lessons: Sequence[Numbered]) -> bool:
    having = {lesson.steps for lesson in lessons if lesson.number is not None}
    return 2 * len(having) >= len({lesson.steps for lesson in lessons})


def _fill_numbered_folders(lessons: Sequence[Numbered]) -> None:
    """Give lessons without a number the last one of their folder, or of the folder before."""
    known = sorted((lesson.steps, lesson.number) for lesson in lessons if lesson.number is not None)
    for lesson in lessons:
        if lesson.number is None:
            before = bisect_right(known, lesson.steps, key=lambda item: item[0])
            lesson.number = known[max(before - 1, 0)][1]


def _fill(lessons: Sequence[Numbered]) -> None:
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
