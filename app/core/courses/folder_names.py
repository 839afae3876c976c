"""Tells folders that are parts of one course, such as "slides" or "Week 3", from folders that are courses."""

from __future__ import annotations

import os
import re
import unicodedata
from typing import TYPE_CHECKING

from app.core.courses.lesson_names import is_section, read_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# How material is stored, not what it is about: no part of a lesson's title.
_STRUCTURE_WORDS = """
    book chapters classes content contents course doc docs documents en html lecture lectures lessons
    markdown material materials md modules pages pdf pdfs posts ppt pptx public session sessions site source
    sources src topics units vorlesung vorlesungen weeks
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
    """Whether a folder is one course, by the names of the files on its top and of its subfolders.

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
