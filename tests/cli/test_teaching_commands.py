"""``lectern map`` and ``lectern check``."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING

import docx
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.commands import Commands


pytestmark = pytest.mark.usefixtures("kept_model")


def test_map_says_what_is_taught_of_an_exam(run: Commands, tmp_path: Path) -> None:
    exam = docx.Document()
    exam.add_heading("Exam", 1)
    exam.add_paragraph("What lives in a sourdough starter?", style="List Number")
    exam.add_paragraph("Which treaty ended the Thirty Years' War?", style="List Number")
    exam.save(str(tmp_path / "exam.docx"))
    table = tmp_path / "map.csv"
    ran = run("map", tmp_path / "exam.docx", "--csv", table, "--markdown", tmp_path / "map.md")
    assert ran.code == 0
    assert "Bread Baking at Home, Lesson 1: Sourdough starters" in ran.out
    assert "  Not in the material\n  The nearest passages:\n  " in ran.out
    assert "bread.txt: “A sourdough" in ran.out, "a position is no line"
    assert "Taught: 1 of 2 questions in exam.docx" in ran.out
    assert "  Bread Baking at Home, Lesson 2: Kneading and proofing\n" in ran.out
    assert len(list(csv.reader(table.read_text(encoding="utf-8-sig").splitlines()))) > 2
    assert "# What was taught" in (tmp_path / "map.md").read_text(encoding="utf-8")

    assert run("map", tmp_path / "none.docx").err == "none.docx cannot be read: No such file or directory.\n"

    found = run("map", tmp_path / "exam.docx", "--course", "bread", "--json").json
    assert [question["taught"] for question in found["questions"]] == [True, False]
    lesson = found["questions"][0]["lessons"][0]
    assert (lesson["number"], lesson["passages"][0]["rank"]) == (1, 1)
    assert {"course_title": "Bread Baking at Home", "number": 0, "title": "Before you start"} in found[
        "unasked"
    ]


def test_check_fails_when_a_passage_is_found_no_more(run: Commands, tmp_path: Path) -> None:
    check = tmp_path / "check.jsonl"
    good = {"question": "How often is a starter fed?", "passages": [{"quote": "It is fed once a day."}]}
    check.write_text(json.dumps(good) + "\n", encoding="utf-8")
    ran = run("check", check)
    assert (ran.code, ran.out) == (0, "Questions that find all their passages: 1 of 1\n")

    bad = {
        "question": "Who feeds it?",
        "passages": [{"quote": "It is fed by nobody.", "course_title": "Bread"}],
    }
    check.write_text(f"{json.dumps(good)}\n{json.dumps(bad)}\n", encoding="utf-8")
    ran = run("check", check)
    assert ran.code == 1
    assert ran.out == (
        "Who feeds it?\n  “It is fed by nobody.” (Bread)\n  It is no longer in the material.\n"
        "Questions that find all their passages: 1 of 2\n"
    )
    assert [one["found"] for one in run("check", check, "--json").json["questions"]] == [True, False]
    with pytest.raises(SystemExit, match="2"):
        run("check")
