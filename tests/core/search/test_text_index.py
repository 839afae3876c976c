from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.search.terms import Terms
from app.core.search.text_index import TextIndex

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem


@pytest.fixture
def index(rag: RAGSystem) -> TextIndex:
    return TextIndex(rag.database)


def found(
    rag: RAGSystem, index: TextIndex, question: str, where: str = "1", values: tuple[int, ...] = ()
) -> list[str]:
    words = Terms().of_question(question)
    keys = index.search(words, index.weights(words), 10, where, values)
    texts = {record.key: record.text for record in rag.catalog.chunk_records(keys)}
    return [texts[key] for key in keys]


def test_finds_words_in_any_form(rag: RAGSystem, index: TextIndex) -> None:
    assert "Kneading lines up the gluten" in found(rag, index, "kneaded glutens")[0]


def test_finds_by_the_names_a_passage_is_filed_under(rag: RAGSystem, index: TextIndex) -> None:
    assert "When sun and moon stand in line" in found(rag, index, "neap")[0]
    assert any("kitchen scale" in text for text in found(rag, index, "baking"))


def test_what_is_not_there_is_not_found(rag: RAGSystem, index: TextIndex) -> None:
    assert found(rag, index, "zeppelin") == []
    assert index.search({}, {}, 10) == []


def test_syntax_in_a_question_is_only_words(rag: RAGSystem, index: TextIndex) -> None:
    assert found(rag, index, '"gluten" NEAR(dough) AND NOT -gas* text:')[0].startswith("Kneading")


def test_a_condition_restricts(rag: RAGSystem, index: TextIndex) -> None:
    bread = rag.catalog.course_ids()["Bread Baking at Home"]
    assert found(rag, index, "moon", "chunks.course_id = ?", (bread,)) == []
    assert found(rag, index, "gluten", "chunks.course_id = ?", (bread,))


def test_rare_words_weigh_more(index: TextIndex) -> None:
    weights = index.weights(["water", "gluten", "unheard"])
    assert weights["unheard"] > weights["gluten"] > 0
    assert weights["water"] <= weights["gluten"]


def test_counts_passages(rag: RAGSystem, index: TextIndex) -> None:
    assert index.count() == rag.counts().passages
