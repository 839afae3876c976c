from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from app.core.search.lexical import TextIndex
from app.core.search.terms import question_terms
from tests.support.courses import TITLES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem


@pytest.fixture
def index(rag: RAGSystem) -> TextIndex:
    return TextIndex(rag.database)


def found(rag: RAGSystem, index: TextIndex, question: str, courses: Sequence[str] = TITLES) -> list[str]:
    """Return the texts of the passages that hold words of the question; what holds most, first."""
    words = question_terms(question)
    ids = [rag.catalog.courses.ids()[title] for title in courses]
    rows = rag.database.connection.execute(
        f"SELECT min(id), max(id) FROM chunks WHERE course_id IN ({','.join('?' * len(ids))})", ids
    )
    _, by_stem = index.look_up(words, *rows.fetchone())
    keys = Counter(key for keys in by_stem.values() for key in keys.tolist())
    return [rag.catalog.passages.chunk_records([key])[0][2] for key, _ in keys.most_common()]


def test_finds_words_in_any_form(rag: RAGSystem, index: TextIndex) -> None:
    assert "Kneading lines up the gluten" in found(rag, index, "kneaded glutens")[0]


def test_finds_by_the_names_a_passage_is_filed_under(rag: RAGSystem, index: TextIndex) -> None:
    assert "When sun and moon stand in line" in found(rag, index, "neap")[0]
    assert any("kitchen scale" in text for text in found(rag, index, "baking"))


def test_what_is_not_there_is_not_found(rag: RAGSystem, index: TextIndex) -> None:
    assert found(rag, index, "zeppelin") == []
    assert index.look_up({}, 0, 100) == ({}, {})


def test_syntax_in_a_question_is_only_words(rag: RAGSystem, index: TextIndex) -> None:
    assert found(rag, index, '"gluten" NEAR(dough) AND NOT -gas* text:')[0].startswith("Kneading")


def test_looks_only_where_it_is_told_to(rag: RAGSystem, index: TextIndex) -> None:
    assert found(rag, index, "moon", ["Bread Baking at Home"]) == []
    assert found(rag, index, "gluten", ["Bread Baking at Home"])


def test_rare_words_weigh_more(index: TextIndex) -> None:
    weights, _ = index.look_up({word: [word] for word in ("water", "gluten", "unheard")}, 0, 100)
    assert weights["unheard"] > weights["gluten"] > 0
    assert weights["water"] <= weights["gluten"]


def test_the_commonest_words_of_a_big_library_are_not_looked_up(
    rag: RAGSystem, index: TextIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.core.search.lexical._EXAMINED", 2)
    words = question_terms("sourdough starter gluten")
    weights, found = index.look_up(words, 0, 10_000)
    rarest = max(words, key=lambda stem: weights[stem])
    assert rarest in found
    assert len(found) < len(words)


def test_counts_passages(rag: RAGSystem, index: TextIndex) -> None:
    assert index.count() == rag.courses.counts().passages


def test_each_word_of_a_long_text_takes_as_long_as_the_first(index: TextIndex) -> None:
    began = time.thread_time()
    index.look_up({f"word{number}": [f"word{number}"] for number in range(20_000)}, 0, 100)
    assert time.thread_time() - began < 5
