"""Lesson numbers and titles in names of files and folders."""

from __future__ import annotations

import pytest

from app.core.courses.names import (
    is_about,
    is_section,
    read_heading,
    read_name,
    section_label,
)


@pytest.mark.parametrize(
    ("name", "number", "title"),
    [
        ("01 Intro", 1, "Intro"),
        ("10 - Intro", 10, "Intro"),
        ("1. Intro", 1, "Intro"),
        ("(5) Five", 5, "Five"),
        ("[04] Four", 4, "Four"),
        ("00_welcome", 0, "welcome"),
        ("3", 3, ""),
        ("Lecture 2", 2, ""),
        ("Lecture02", 2, ""),
        ("lec-3", 3, ""),
        ("Lecture 2 - Cells", 2, "Cells"),
        ("Lecture 2 - Cells (1)", 2, "Cells"),
        ("Lecture 2a - Cells", 2, "Cells"),
        ("Lecture 2b- Seas", 2, "Seas"),
        ("Lecture 2 (1)", 2, ""),
        ("07 2.1", 7, ""),
        ("Module 2: Cells", 2, "Cells"),
        ("chapter_07_final", 7, "final"),
        ("Vorlesung 3 - Zellen", 3, "Zellen"),
        ("VL03", 3, ""),
        ("Kapitel 2: Meere", 2, "Meere"),
        ("Leccio\u0301n 4", 4, ""),
        ("Biology Lecture 2 Cells", 2, "Biology Lecture 2 Cells"),
        ("1.2 Cells", 1, "1.2 Cells"),
        ("Lecture 1.5 Cells", 1, "Lecture 1.5 Cells"),
        ("intro-to-cells", None, "intro to cells"),
        ("sea_and-sky", None, "sea and-sky"),
        ("12 Фотосинтез", 12, "Фотосинтез"),
        # Not lesson numbers: dates, years, words that begin with a digit, Roman numerals, letters.
        ("2023-10-01 notes", None, "2023-10-01 notes"),
        ("01.10.2023 notes", None, "01.10.2023 notes"),
        ("10-01-2023", None, "10-01-2023"),
        ("20231001", None, "20231001"),
        ("2023 exam", None, "2023 exam"),
        ("Lecture 01.10.2023", None, "Lecture 01.10.2023"),
        ("3D printing", None, "3D printing"),
        ("2nd try", None, "2nd try"),
        ("IV Rome", None, "IV Rome"),
        ("A1", None, "A1"),
        ("part one", None, "part one"),
        # A date does not hide a number given in words.
        ("2023-10-01 Lecture 3", 3, "2023-10-01 Lecture 3"),
    ],
)
def test_names_of_files(name: str, number: int | None, title: str) -> None:
    found = read_name(name)
    assert (found.number, found.title) == (number, title)


@pytest.mark.parametrize(
    ("name", "number", "exercise"),
    [
        ("pset3", None, 3),
        ("pset3sol", None, 3),
        ("Problem Set 5", None, 5),
        ("problem-set-05-sorting", None, 5),
        ("hw01", None, 1),
        ("Homework #2 (1)", None, 2),
        ("Blatt 2", None, 2),
        ("Übung 4", None, 4),
        ("U\u0308bungsblatt_4", None, 4),  # as macOS writes it
        ("cs101-lab3a", None, 3),
        ("MIT6_006F11_ps1_sol", None, 1),
        ("rec02", None, 2),
        ("Quiz 10.12.2024", None, None),
        ("lab", None, None),
        ("label 3", None, None),
        ("chops 2", None, None),
        ("Week 3 - pset 7", 3, None),
        ("04 hw 7", 4, None),
    ],
)
def test_names_of_exercises(name: str, number: int | None, exercise: int | None) -> None:
    found = read_name(name)
    assert (found.number, found.exercise) == (number, exercise)


def test_a_name_with_week_and_lecture_says_both() -> None:
    found = read_name("Week 3 - Lecture 2 - Cells")
    assert (found.group, found.number, found.title) == (3, 2, "Cells")


@pytest.mark.parametrize(
    ("heading", "number", "title"),
    [
        ("Lecture 4: Cells", 4, "Cells"),
        ("3. Cells", 3, "Cells"),
        ("Week 2", 2, ""),
        ("Chapter 4 - 5", 4, ""),
        ("3 Cells", None, "3 Cells"),
        ("10 things to know", None, "10 things to know"),
        ("2023. A year", None, "2023. A year"),
    ],
)
def test_headings(heading: str, number: int | None, title: str) -> None:
    found = read_heading(heading)
    assert (found.number, found.title) == (number, title)


def test_folders_that_are_parts_of_a_course() -> None:
    assert all(is_section(name) for name in ("Week 3", "week3", "Module 2 - Cells", "Chapter_1", "Part 2"))
    assert not any(is_section(name) for name in ("Weekly", "Part A", "Lecture notes", "01 Basics", "CS 101"))
    assert [section_label(name) for name in ("Week 3", "01 Basics", "Extra_reading")] == [
        "Week 3",
        "Basics",
        "Extra reading",
    ]


def test_files_that_describe_their_course() -> None:
    assert is_about("/c/ReadMe.md")
    assert is_about("/c/index.html")
    assert all(is_about(f"/c/{name}") for name in ("README.rst", "README", "index.qmd", "Syllabus.pdf"))
    assert not is_about("/c/readme.pdf")
    assert not is_about("/c/index of names.md")
