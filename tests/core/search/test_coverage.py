"""Whether a search says that the courses do not cover a question, and which words they lack."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from app.core.answers.passage_answer import passage_answer
from app.core.answers.tools import SEARCH_TOOL, ToolManager
from app.core.search.coverage import CoverageEvidence, absent_words, is_covered
from app.domain.scope import Scope
from app.domain.search import are_covered
from tests.support.courses import ingest
from tests.support.pace import slowness

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem

BREAD = Scope(courses=("Bread Baking at Home",))


@pytest.mark.parametrize(
    "question",
    [
        "How does photosynthesis turn light into sugar?",
        "Who led the Babylonian army against Jerusalem?",
        "How is rye malt prepared for Danish pumpernickel?",
    ],
)
def test_what_no_lesson_answers_is_flagged(rag: RAGSystem, question: str) -> None:
    assert rag.search.retrieve(question).covered is False


@pytest.mark.parametrize(
    "question",
    [
        "What is a sourdough starter?",
        "Why do spring tides come about?",
        "How did they make black ink along the Nile?",
        "Which pull makes the sea go up twice daily?",
    ],
)
def test_what_a_lesson_answers_is_not(rag: RAGSystem, question: str) -> None:
    assert rag.search.retrieve(question).covered is True


def test_a_large_library_answers_what_one_piece_is_much_nearer_to_than_others() -> None:
    found = CoverageEvidence(0.5, 3000, (), name_missing=False, coverage=0.5, same_language=True)
    assert is_covered(found)
    assert is_covered(found._replace(passages=1_000_000))
    assert not is_covered(found._replace(meaning=0.4, coverage=0.4)), "some piece comes as near by chance"
    assert not is_covered(found._replace(meaning=0.45, name_missing=True))


def test_a_few_courses_answer_what_is_asked_in_other_words_than_theirs() -> None:
    found = CoverageEvidence(0.38, 173, ("stuff",), name_missing=False, coverage=0.2, same_language=True)
    assert is_covered(found)
    assert not is_covered(found._replace(passages=3000))
    assert not is_covered(found._replace(name_missing=True))


def test_the_words_that_stand_nowhere_are_named(rag: RAGSystem) -> None:
    assert rag.search.retrieve("How does photosynthesis feed a sourdough?").missing[0] == "photosynthesis"
    assert rag.search.retrieve("Do spring tides come on Jupiter?").missing == ("Jupiter",)


@pytest.mark.parametrize("question", ["parchement ink", "lampblack", "kneaded doughs", "Neap-tides"])
def test_another_spelling_or_form_is_not_missing(rag: RAGSystem, question: str) -> None:
    assert rag.search.retrieve(question).missing == ()


def test_words_outside_the_scope_are_missing(rag: RAGSystem) -> None:
    question = "When do neap tides follow?"
    assert rag.search.retrieve(question).covered is True
    scoped = rag.search.retrieve(question, scope=BREAD)
    assert scoped.covered is False
    assert {"neap", "tides"} <= set(scoped.missing)


def test_a_word_of_a_title_is_not_missing(rag: RAGSystem) -> None:
    assert rag.search.retrieve("A short history of ink").missing == ()


def test_another_language_than_the_material_lacks_nothing(rag: RAGSystem) -> None:
    found = rag.search.retrieve("Warum gibt es am Meer zweimal am Tag Hochwasser durch den Mond?")
    assert found.missing == ()


def test_german_material_is_judged_by_its_own_words(rag: RAGSystem, tmp_path: Path) -> None:
    (tmp_path / "zellen.txt").write_text(
        "Course Title: Die Zelle\n\nLesson 1: Teilung\nBei der Mitose entstehen aus einer Zelle zwei gleiche "
        "Tochterzellen. Die Chromosomen werden dabei verdoppelt und auf beide verteilt.\n",
        encoding="utf-8",
    )
    ingest(rag, tmp_path / "zellen.txt")
    scope = Scope(courses=("Die Zelle",))
    found = rag.search.retrieve("Was geschieht bei der Mitose mit den Chromosomen?", scope=scope)
    assert found.covered is True
    assert (
        "Chloroplasten" in rag.search.retrieve("Was sind die Chloroplasten der Zelle?", scope=scope).missing
    )


def test_a_question_of_bytes_that_are_no_text(rag: RAGSystem) -> None:
    assert rag.search.retrieve("tides of the caf\udce9").hits


def test_the_scores_of_the_hits_say_the_same(rag: RAGSystem) -> None:
    """They are stored with an answer, and tell it again when the chat is opened."""
    for question in ("When do neap tides follow?", "How high are the tides at Mont-Saint-Michel?"):
        found = rag.search.retrieve(question)
        assert are_covered(found.hits) is found.covered
        scores = [hit.score for hit in found.hits]
        assert scores == sorted(scores, reverse=True)
        assert {hit.missing for hit in found.hits} == {found.missing}


def test_an_answer_without_a_model_names_the_words(rag: RAGSystem) -> None:
    found = rag.search.retrieve("How does photosynthesis turn light into sugar?")
    sources = [rag.search.make_source(n, hit) for n, hit in enumerate(found.hits, 1)]
    text, _ = passage_answer(found, sources)
    assert text.startswith("In none of the lessons searched: ")
    assert "photosynthesis" in text.splitlines()[0]


def test_an_answer_without_a_model_never_claims_to_be_one(rag: RAGSystem) -> None:
    """What is nearly answered looks the same as what is."""
    for question in ("Why do spring tides come about?", "How high are the tides at Mont-Saint-Michel?"):
        found = rag.search.retrieve(question)
        sources = [rag.search.make_source(n, hit) for n, hit in enumerate(found.hits, 1)]
        assert passage_answer(found, sources)[0].startswith("Nearest passages:\n\n> ")


def test_the_model_is_told_which_words_no_passage_contains(rag: RAGSystem) -> None:
    outcome = ToolManager(rag.search, Scope()).execute_tool(
        SEARCH_TOOL, {"query": "photosynthesis of the green algae"}
    )
    assert "No passage contains 'photosynthesis' or 'green' or 'algae'." in outcome.text


def test_a_blob_that_is_pasted_as_a_question_is_weighed_at_once(rag: RAGSystem) -> None:
    rag.search.retrieve("tides")
    began = time.thread_time()
    rag.search.retrieve("qx" * 40_000)
    assert time.thread_time() - began < 1 * slowness()


def test_of_a_text_that_is_pasted_few_words_are_looked_up() -> None:
    asked: list[str] = []

    def stands(word: str, *, begins: bool) -> bool:
        asked.append(word)
        return begins and not word

    absent_words({f"word{n}": [f"word{n}"] for n in range(1000, 7000)}, stands)
    assert 0 < len(asked) < 500
