"""Quizzes for Moodle, tables, and what is printed."""

from __future__ import annotations

import csv
import xml.etree.ElementTree as ElementTree
from typing import TYPE_CHECKING

import pytest

from app.domain.messages import rendered
from app.features.study.exports.exporter import write_csv
from app.features.study.exports.moodle import write_gift, write_moodle
from app.features.study.exports.sheets import sheet_of
from app.features.study.model.names import ExportFormat, ItemKind
from tests.support.exported import DECK, QUOTE, item, read_gift

if TYPE_CHECKING:
    from pathlib import Path

CHOICE = item(
    ItemKind.CHOICE,
    "What pulls the *ocean*, if $a = \\frac{1}{2}$?",
    "The moon: {always} ~ mostly",
    ("%50% of the wind", "[plain] <b>nobody</b> # at all", "\\neg sun = 3"),
    "Because\n\n- it is near\n- and heavy",
)
SHORT = item(ItemKind.SHORT, "Who? A::B // {", "a*b", ("a -> c", "TRUE"), lesson=(2, "Ebb / flow"), key=2)


def test_moodle_xml_has_the_structure_that_moodle_documents(tmp_path: Path) -> None:
    write_moodle([(DECK, [CHOICE, SHORT])], tmp_path / "quiz.xml")

    quiz = ElementTree.parse(tmp_path / "quiz.xml").getroot()
    kinds = [question.get("type") for question in quiz]
    assert (quiz.tag, kinds) == ("quiz", ["category", "multichoice", "category", "shortanswer"])
    places = [one.findtext("category/text") for one in quiz if one.get("type") == "category"]
    top = "$course$/top/Tides and Currents/"
    assert places == [f"{top}01 Why the sea rises", f"{top}02 Ebb // flow"]
    for question in (quiz[1], quiz[3]):
        for tag in ("name", "questiontext", "generalfeedback"):
            assert (question.findtext(f"{tag}/text") or "").strip()
        assert question.find("questiontext[@format='html']") is not None
        assert QUOTE in (question.findtext("generalfeedback/text") or "")
        assert (question.findtext("defaultgrade"), question.findtext("hidden")) == ("1", "0")
    choice, short = quiz[1], quiz[3]
    settings = [choice.findtext(tag) for tag in ("single", "shuffleanswers", "answernumbering")]
    assert settings == ["true", "true", "abc"]
    fractions = {one.findtext("text"): one.get("fraction") for one in choice.iter("answer")}
    assert sorted(map(str, fractions.values())) == ["0", "0", "0", "100"]
    assert fractions["The moon: {always} ~ mostly"] == "100"
    assert fractions["[plain] &lt;b&gt;nobody&lt;/b&gt; # at all"] == "0"
    assert choice.findtext("questiontext/text") == r"What pulls the <em>ocean</em>, if \(a = \frac{1}{2}\)?"
    assert "<li>it is near</li>" in (choice.findtext("generalfeedback/text") or "")
    assert short.findtext("usecase") == "0"
    assert [one.findtext("text") for one in short.iter("answer")] == [r"a\*b", "a -> c", "TRUE"]
    assert short.findtext("idnumber") == SHORT.uid


def test_gift_says_what_was_asked_whatever_signs_it_holds(tmp_path: Path) -> None:
    write_gift([(DECK, [CHOICE, SHORT])], tmp_path / "quiz.gift")

    choice, short = read_gift((tmp_path / "quiz.gift").read_text(encoding="utf-8"))
    assert choice["category"] == "$course$/top/Tides and Currents/01 Why the sea rises"
    assert choice["question"] == r"What pulls the <em>ocean</em>, if \(a = \frac{1}{2}\)?"
    assert sorted(choice["answers"]) == [  # type: ignore[call-overload]
        ("=", "The moon: {always} ~ mostly"),
        ("~", "%50% of the wind"),
        ("~", "[plain] &lt;b&gt;nobody&lt;/b&gt; # at all"),
        ("~", "\\neg sun = 3"),
    ]
    assert QUOTE in str(choice["feedback"])
    assert short["question"] == "Who? A::B // {"
    assert short["answers"] == [("=", r"a\*b"), ("=", "a → c"), ("=", "a -* c"), ("=", "TRUE")]


def test_a_table_holds_every_field_and_no_formula_of_a_spreadsheet(tmp_path: Path) -> None:
    risky = item(ItemKind.CARD, "=HYPERLINK(1)", '-1 "quoted",\nsecond line', explanation="@SUM\x1b[1m\ud800")
    write_csv([(DECK, [risky, CHOICE])], tmp_path / "deck.csv")

    assert (tmp_path / "deck.csv").read_bytes().startswith(b"\xef\xbb\xbfcourse,lesson,")
    with (tmp_path / "deck.csv").open(encoding="utf-8-sig", newline="") as file:
        first, second = csv.DictReader(file, strict=True)
    assert first["front"] == "'=HYPERLINK(1)"
    assert first["back"] == '\'-1 "quoted",\nsecond line'
    assert first["explanation"] == "'@SUM\ufffd[1m\ufffd"
    assert (second["course"], second["lesson"], second["lesson_title"]) == (
        DECK.course_title,
        "1",
        "Why the sea rises",
    )
    assert second["others"].split("\n") == list(CHOICE.text.others)
    assert second["quote"] == QUOTE


@pytest.mark.parametrize("with_answers", [True, False])
def test_a_quiz_to_print_has_its_answers_and_sources_on_a_page_of_their_own(with_answers: bool) -> None:
    sheet = sheet_of([(DECK, [CHOICE, SHORT])], ExportFormat.QUIZ, rendered, with_answers=with_answers)

    assert len(sheet.parts) == 1 + with_answers
    questions = sheet.parts[0]
    assert "**1.** What pulls the *ocean*" in questions and "**2.** Who?" in questions
    assert all(f"- {letter}) " in questions for letter in "ABCD")
    assert QUOTE not in questions and "&lt;b>nobody" in questions
    if with_answers:
        (right,) = (line[2] for line in questions.split("\n") if line.endswith("The moon: {always} ~ mostly"))
        assert f"**1.** {right}) The moon" in sheet.parts[1]
        assert "**2.** a*b / a -> c / TRUE [^2]" in sheet.parts[1]
        assert f"[^1]: Tides and Currents, Lesson 1: Why the sea rises. “{QUOTE}”" in sheet.parts[1]


def test_a_question_with_code_stays_whole_on_paper() -> None:
    asked = ("Which?\n\n```\nprint(1)\n```", "```\nprint(2)")
    made = [item(ItemKind.SHORT, front, "1", key=key) for key, front in enumerate(asked, 1)]
    (text,) = sheet_of([(DECK, made)], ExportFormat.QUIZ, rendered, with_answers=False).parts
    assert "**1.** Which?\n\n```\nprint(1)\n```\n\n\\_" in text
    assert "**2.**\n\n```\nprint(2)\n```\n\n\\_" in text


def test_a_study_guide_has_lessons_sections_and_cited_claims() -> None:
    points = [
        item(ItemKind.POINT, "The pull", "The moon pulls the sea.[^9]", key=1),
        item(ItemKind.POINT, "The pull", "Twice a day.", key=2),
        item(ItemKind.POINT, "Neaps", "They come later.", lesson=(2, "Neap tides"), key=3, quote="Later."),
    ]
    (text,) = sheet_of([(DECK, points)], ExportFormat.GUIDE, rendered, with_answers=True).parts

    assert text == (
        "# Tides and Currents\n\n*Study guide*\n\n## Lesson 1: Why the sea rises\n\n### The pull\n\n"
        "- The moon pulls the sea.\\[^9] [^1]\n- Twice a day. [^1]\n\n"
        "## Lesson 2: Neap tides\n\n### Neaps\n\n- They come later. [^2]\n\n"
        f"[^1]: Tides and Currents, Lesson 1: Why the sea rises. “{QUOTE}”\n\n"
        "[^2]: Tides and Currents, Lesson 2: Neap tides. “Later.”\n"
    )
