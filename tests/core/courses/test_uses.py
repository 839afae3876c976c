from __future__ import annotations

import os

import pytest

from app.core.courses.uses import use_of
from app.domain.courses import Use

PROSE = "A cell is the smallest unit of life that can be on its own.\n"
CODE = "```python\nprint(1)\n```"
PROBLEMS = "1. Name a cell (5 points)\n2. Draw one (10 points)\n3. Count them (3 points)\n" + PROSE


@pytest.mark.parametrize(
    ("path", "use"),
    [
        ("notes/cells.md", Use.TEACHING),
        ("week 3/README.md", Use.TEACHING),
        ("05 numerical solutions of equations.pdf", Use.TEACHING),
        ("07 hypothesis tests.pdf", Use.TEACHING),
        ("example1.md", Use.TEACHING),
        ("README.md", Use.ABOUT),
        ("docs/index.html", Use.ABOUT),
        ("printouts/syllabus-35l.pdf", Use.ABOUT),
        ("Zeitplan.docx", Use.ABOUT),
        ("src/furtherreading.md", Use.ABOUT),
        ("hw3/cells.tex", Use.EXERCISE),
        ("pset1.pdf", Use.EXERCISE),
        ("Week 2/quiz.md", Use.EXERCISE),
        ("labs/lab2.ipynb", Use.EXERCISE),
        ("final.pdf", Use.EXERCISE),
        ("Übungsblatt_04.pdf", Use.EXERCISE),
        ("Altklausuren/2019.pdf", Use.EXERCISE),
        ("ejercicios/tema 3.pdf", Use.EXERCISE),
        ("pset1sol.pdf", Use.SOLUTION),
        ("hw3/solution.ipynb", Use.SOLUTION),
        ("Lösungen/Blatt 3.pdf", Use.SOLUTION),
        ("examen_soluciones.pdf", Use.SOLUTION),
        ("lib/jsonlab/guide.txt", Use.CODE),
        ("example/Makefile-3", Use.CODE),
        ("marks.csv", Use.DATA),
    ],
)
def test_names_and_folders_say_what_a_document_is_for(path: str, use: Use) -> None:
    found = use_of(
        os.path.join(os.sep, "c", *path.split("/")), os.path.join(os.sep, "c"), PROSE, "", is_marked=False
    )
    assert found is use


@pytest.mark.parametrize(
    ("name", "text", "heading", "use"),
    [
        ("a.pdf", PROSE, "Homework 1", Use.EXERCISE),
        ("a.pdf", PROSE, "Homework 1 Solutions", Use.SOLUTION),
        ("a.pdf", PROSE, "Exercise physiology", Use.TEACHING),
        ("a.pdf", PROBLEMS, "", Use.EXERCISE),
        ("a.py", CODE, "", Use.CODE),
        ("a.py", "", "", Use.CODE),
        ("a.ipynb", PROSE + CODE, "", Use.TEACHING),
        ("a.txt", "Ann 12\nBob 17\n", "", Use.DATA),
        ("a.txt", "细胞是生命的最小单位。", "", Use.TEACHING),
        ("novel.txt", PROSE * 5000, "", Use.DATA),
        ("book.txt", PROSE * 5000, "Chapter 1", Use.TEACHING),
        ("a.txt", "", "", Use.TEACHING),
    ],
)
def test_a_heading_and_words_say_what_a_document_is_for(name: str, text: str, heading: str, use: Use) -> None:
    assert use_of(name, None, text, heading, is_marked=False) is use
