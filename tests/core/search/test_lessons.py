"""Whole lessons, read from a real library."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import UserError
from app.domain.scope import Scope, taught_so_far
from app.domain.search import LessonPart
from tests.support.courses import ingest

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem

BREAD = "Bread Baking at Home"
SENTENCES = [f"Step {n} folds the dough once more before it rests for {n} minutes." for n in range(400)]


def read(
    rag: RAGSystem, course: str, number: int | None, part: int = 1, scope: Scope | None = None
) -> LessonPart:
    found = rag.search.read_lesson(course, number, part, scope or Scope())
    assert isinstance(found, LessonPart), found
    return found


@pytest.fixture
def long_lesson(rag: RAGSystem, tmp_path: Path) -> None:
    file = tmp_path / "long" / "folding.txt"
    file.parent.mkdir()
    lessons = f"Lesson 1: Folds\n{' '.join(SENTENCES)}\n\nLesson 2: Rest\nThe dough rests at last.\n"
    file.write_text(f"Course Title: Folding\n\n{lessons}", encoding="utf-8")
    ingest(rag, file.parent)


@pytest.mark.usefixtures("long_lesson")
def test_a_lesson_is_listed_and_its_parts_are_all_of_its_text_once(rag: RAGSystem) -> None:
    parts = [read(rag, "Folding", 1, part) for part in (1, 2, 3)]
    assert {found.parts for found in parts} == {3}
    for found in parts:
        assert sum(len(hit.text) for hit in found.hits) <= 12_000
        assert all(len(hit.text) <= 2_000 for hit in found.hits)
    hits = [hit for found in parts for hit in found.hits]
    assert " ".join(hit.text for hit in hits) == " ".join(SENTENCES)
    assert {(hit.course_title, hit.lesson_number, hit.lesson_title) for hit in hits} == {
        ("Folding", 1, "Folds")
    }
    sources = [rag.search.make_source(n, hit) for n, hit in enumerate(hits, 1)]
    cited = [text for source in sources for text in source.texts if text.strip()]
    assert cited == SENTENCES
    for part in (0, 4):
        assert rag.search.read_lesson("Folding", 1, part, Scope()) == "Lesson 1 of 'Folding' has 3 parts."
    for course in rag.courses.all():
        for lesson in course.lessons:
            source = rag.search.lesson_source(course.title, lesson.number, lesson.title)
            assert (source.hit.lesson_number, source.hit.lesson_title) == (lesson.number, lesson.title)
            read_text = rag.search.lesson_text(source)
            assert read_text.is_whole
            assert read_text.text.lstrip().startswith(source.hit.text[:40])
    rest = rag.search.lesson_text(rag.search.lesson_source("Folding", 2, "Rest"))
    assert rest.text.strip() == "The dough rests at last."


def test_without_a_number_the_whole_course_is_read_in_order(rag: RAGSystem) -> None:
    found = read(rag, "bread", None)
    assert [hit.lesson_number for hit in found.hits] == [0, 1, 2]
    assert found.parts == 1


def test_only_what_the_question_may_use_is_read(rag: RAGSystem) -> None:
    scope = taught_so_far(BREAD, 1)
    assert [hit.lesson_number for hit in read(rag, BREAD, None, scope=scope).hits] == [0, 1]
    refused = rag.search.read_lesson(BREAD, 2, 1, scope)
    assert refused == f"Lesson 2 of '{BREAD}' has no text that this question may use; " + (
        "the outline lists the lessons."
    )
    elsewhere = rag.search.read_lesson("Tides", 1, 1, scope)
    assert elsewhere == f"The user restricted this question to: {BREAD}."


def test_an_unknown_course_is_refused_in_words(rag: RAGSystem) -> None:
    refused = rag.search.read_lesson("Tax law for farmers", 1, 1, Scope())
    assert isinstance(refused, str)
    assert "Tax law for farmers" in refused


MIXED = """\
# The Kitchen Year

Welcome to the kitchen year. It follows what grows.

## Spring

Asparagus is cut in April. Asparagus wants sandy soil and patience. Rhubarb stalks are pulled, not cut.
Asparagus beds bear for twenty years once they are settled in their soil.

## Winter

Cabbage is shredded and salted in crocks. Salted cabbage ferments for six weeks in the cellar.
Carrots are kept in boxes of damp sand. Sauerkraut is cabbage that lactic acid bacteria have soured.
"""


def test_a_lesson_in_its_own_words(rag: RAGSystem, tmp_path: Path) -> None:
    file = tmp_path / "year" / "Lesson 4 - The Kitchen Year.md"
    file.parent.mkdir()
    file.write_text(MIXED, encoding="utf-8")
    ingest(rag, file.parent)
    place = rag.search.place_asked_for("Summarise lesson 4", Scope())
    assert place == ("year", 4)
    digest = rag.search.digest("year", 4, Scope())
    assert digest is not None
    assert digest.headings == ("", "Spring", "Winter")
    opening, spring, winter = (hit.text for hit in digest.parts)
    assert opening.startswith("Welcome to the kitchen year.")
    assert spring.startswith("Asparagus is cut in April.")
    assert winter.startswith("Cabbage is shredded and salted in crocks.")
    assert rag.search.digest("year", 5, Scope()) is None


@pytest.mark.usefixtures("long_lesson")
def test_the_central_sentences_do_not_repeat_each_other(rag: RAGSystem, tmp_path: Path) -> None:
    """One sentence of another kind among four hundred alike is not drowned by them."""
    file = tmp_path / "odd" / "odd.txt"
    file.parent.mkdir()
    odd = " ".join(
        f"Volcanoes number {n} throw ash and lava into the sky above the island." for n in range(30)
    )
    half = len(SENTENCES) // 4
    text = " ".join([*SENTENCES[:half], odd, *SENTENCES[half : 2 * half]])
    file.write_text(f"Course Title: Odd\n\nLesson 1: Both\n{text}\n", encoding="utf-8")
    ingest(rag, file.parent)
    digest = rag.search.digest("Odd", 1, Scope())
    assert digest is not None
    assert any("Volcanoes" in hit.text for hit in digest.parts[1:])
    assert any("dough" in hit.text for hit in digest.parts[1:])
    assert len(digest.parts) == 5


@pytest.mark.parametrize(
    ("question", "scope", "place"),
    [
        ("Summarise lesson 2 of Bread Baking at Home", Scope(), (BREAD, 2)),
        ("What is lesson 0 about?", Scope(), (BREAD, 0)),
        ("Summarise lesson 1 of tides", Scope(), ("Tides and Currents", 1)),
        ("What is lesson 1 of the bread baking course about?", Scope(), (BREAD, 1)),
        ("Fasse Lektion 1 von Tides zusammen", Scope(), ("Tides and Currents", 1)),
        (
            "Give me the key points of lesson 2",
            Scope(courses=("Tides and Currents",)),
            ("Tides and Currents", 2),
        ),
        ("Fasse Lektion 0 zusammen", Scope(), (BREAD, 0)),
        ("Worum geht es in Lektion 0?", Scope(), (BREAD, 0)),
        ("Resume la lección 0", Scope(), (BREAD, 0)),
        ("Summarize this", Scope(lessons=((BREAD, 1),)), (BREAD, 1)),
        ("Can you summarise the bread baking course?", Scope(), (BREAD, None)),
        ("Give me an overview", Scope(courses=(BREAD,)), (BREAD, None)),
        ("Summarise the lesson on the baker's scale and flour", Scope(), (BREAD, 0)),
        ("Summarise the lecture on the stars of Orion", Scope(), None),
        ("Summarise lesson 2", Scope(courses=("A Short History of Ink",)), None),
        ("Summarise lesson 9", Scope(), None),
        ("Summarise", Scope(), None),
        ("What does lesson 0 say about flour?", Scope(), None),
        ("Summarise what lesson 0 says about scales", Scope(), None),
        ("What is a sourdough starter?", Scope(lessons=((BREAD, 1),)), None),
    ],
)
def test_the_place_of_which_a_question_asks_for_all(
    rag: RAGSystem, question: str, scope: Scope, place: tuple[str, int | None] | None
) -> None:
    assert rag.search.place_asked_for(question, scope) == place


def test_a_lesson_that_several_courses_have_is_asked_back_for(rag: RAGSystem) -> None:
    message = rag.search.place_asked_for("Summarise lesson 1", Scope())
    assert str(message) == (
        f"Several courses have a lesson 1: {BREAD}; Tides and Currents. "
        "Name the course too, or restrict the question to the lesson."
    )


@pytest.mark.parametrize(
    "question", ["what " * 100_000, f"Summarise lesson 0 of {'.' * 500_000}x", "fass " * 100_000]
)
def test_a_long_question_is_told_from_a_request_for_a_summary_at_once(rag: RAGSystem, question: str) -> None:
    began = time.thread_time()
    assert rag.search.place_asked_for(question, Scope()) is None
    assert time.thread_time() - began < 2


def test_a_lesson_that_is_not_there_any_more_is_said(rag: RAGSystem) -> None:
    with pytest.raises(UserError, match="no text to read"):
        rag.search.lesson_source(BREAD, 7, "Ovens")


def test_a_lesson_is_read_from_any_of_its_files(rag: RAGSystem, tmp_path: Path) -> None:
    folder = tmp_path / "Kneading"
    folder.mkdir()
    (folder / "01 Dough.md").write_text("# Dough\n\nDough is flour and water.\n", encoding="utf-8")
    cue = "1\n00:00:01,000 --> 00:00:04,000\nToday we knead the dough for ten minutes.\n"
    (folder / "01 Dough.srt").write_text(cue, encoding="utf-8")
    ingest(rag, folder)
    course = next(course for course in rag.courses.all() if course.title == "Kneading")
    (lesson,) = course.lessons
    assert len(lesson.files) == 2
    for path in lesson.files:
        source = rag.search.lesson_source(course.title, lesson.number, lesson.title, path)
        assert source.hit.path == path
