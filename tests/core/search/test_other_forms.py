"""Words of a question that stand in the material in another form, or spelt as they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.ingest.reindex import VERSION_KEY
from app.core.search.lexical import TextIndex
from tests.support.courses import ingest

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem

pytestmark = pytest.mark.slow

HERBS = ("Salbei", "Kerbel", "Liebstöckel", "Beifuß", "Bohnenkraut", "Estragon", "Waldmeister", "Borretsch")
GERMAN = """\
Course Title: Der Kräutergarten

Lesson 1: Das Haus
Vor dem Haus steht die Bank, auf der wir am Abend sitzen und über den Garten sprechen.

Lesson 2: Die Beete
""" + "\n\n".join(f"Der {herb} braucht Sonne und wird im Sommer an jedem Abend gegossen." for herb in HERBS)
SPANISH = """\
Course Title: El huerto

Lesson 1: La canción
La canción del huerto se canta cuando las plantas duermen y la luna sale sobre el campo.
"""


@pytest.fixture
def gardens(rag: RAGSystem, tmp_path: Path) -> RAGSystem:
    for name, text in (("garten.txt", GERMAN), ("huerto.txt", SPANISH)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        ingest(rag, tmp_path / name)
    return rag


@pytest.fixture
def index(gardens: RAGSystem) -> TextIndex:
    return TextIndex(gardens.database)


def test_a_word_is_found_in_the_forms_of_its_language(index: TextIndex) -> None:
    assert index.other_forms(["abenden", "abend"], "de") == {"abenden": ["abend"]}
    assert index.other_forms(["cantar"], "es") == {"cantar": ["canta"]}


def test_english_needs_no_other_forms_nor_does_a_language_of_no_document(index: TextIndex) -> None:
    assert index.other_forms(["abenden"], "en") == {}
    assert index.other_forms(["maisons"], "fr") == {}


def test_a_passage_with_another_form_holds_the_word(index: TextIndex) -> None:
    words, forms = {"abenden": ["Abenden"]}, index.other_forms(["abenden"], "de")
    _, alone = index.look_up(words, 0, 1 << 40)
    _, with_forms = index.look_up(words, 0, 1 << 40, forms)
    assert not len(alone["abenden"])
    assert len(with_forms["abenden"])


@pytest.mark.parametrize("written", ["vitriol", "vitrol", "vitroil", "vitriool", "virtiol"])
def test_a_misspelt_word_is_looked_up_as_it_is_meant(index: TextIndex, written: str) -> None:
    assert index.spellings(written) == ["vitriol"]


@pytest.mark.parametrize("written", ["yest", "zeppelin", "x7741", "vitreous"])
def test_a_short_word_or_another_one_is_not(index: TextIndex, written: str) -> None:
    assert index.spellings(written) == []


def test_the_passage_with_the_misspelt_word_scores_like_that_with_the_right_one(gardens: RAGSystem) -> None:
    right, wrong = (
        gardens.search.retrieve(f"Wann wird der {word} gegossen?", limit=1).hits[0]
        for word in ("Liebstöckel", "Libestöckel")
    )
    assert "Liebstöckel" in right.text
    assert (wrong.start, wrong.end) == (right.start, right.end)


def test_the_common_words_of_a_question_do_not_count(gardens: RAGSystem) -> None:
    plain, wordy = (
        gardens.search.retrieve(question, limit=1).hits[0]
        for question in ("Haus Bank Abend", "Welche Bank ist das, auf der wir vor dem Haus sitzen?")
    )
    assert plain.lesson_title == wordy.lesson_title == "Das Haus"


def test_a_word_in_two_of_its_forms_weighs_as_much_as_in_one(gardens: RAGSystem) -> None:
    stored = gardens.database.meta(VERSION_KEY) or ""
    gardens.database.set_meta(VERSION_KEY, stored.replace("@", "-other@"))  # the words alone count
    once = gardens.search.retrieve("Salbei am Abend")
    twice = gardens.search.retrieve("Salbei am Abend", rewordings=["Salbei an Abenden"])
    assert [hit.text for hit in once.hits] == [hit.text for hit in twice.hits]
    assert [hit.score for hit in once.hits] == pytest.approx([hit.score for hit in twice.hits], abs=1e-5)


def test_a_word_that_is_common_in_a_language_nobody_used_is_searched_for(
    rag: RAGSystem, tmp_path: Path
) -> None:
    law = "Course Title: Law\n\nLesson 1: Theft\nA theft is one of the crimes.\n\nLesson 2: Laws of war\n"
    (tmp_path / "law.txt").write_text(law + "What is forbidden in a war was written down.\n", "utf-8")
    ingest(rag, tmp_path / "law.txt")
    stored = rag.database.meta(VERSION_KEY) or ""
    rag.database.set_meta(VERSION_KEY, stored.replace("@", "-other@"))  # the words alone count
    assert "Laws of war" in [hit.lesson_title for hit in rag.search.retrieve("war crimes").hits]
