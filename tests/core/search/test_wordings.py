"""A question that is asked in several wordings at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.ingest.reindex import VERSION_KEY

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

PLAIN = "a pet by the sea that wants supper"
REWORDED = ("How often is a sourdough starter fed?", "feeding the starter with flour and water", "sourdough")


def titles(rag: RAGSystem, question: str, *rewordings: str) -> list[str]:
    return [hit.lesson_title for hit in rag.search.retrieve(question, rewordings=rewordings).hits]


def test_other_words_find_the_passage_that_the_question_misses(rag: RAGSystem) -> None:
    assert titles(rag, PLAIN)[0] != "Sourdough starters"
    assert titles(rag, PLAIN, *REWORDED)[0] == "Sourdough starters"


def test_the_result_is_no_longer_than_that_of_one_wording(rag: RAGSystem) -> None:
    assert len(rag.search.retrieve(PLAIN, rewordings=REWORDED, limit=2).hits) == 2
    texts = [hit.text for hit in rag.search.retrieve(PLAIN, rewordings=REWORDED, max_chars=200).hits]
    assert 0 < sum(map(len, texts)) <= 200


def test_a_wrong_rewording_does_not_displace_what_the_question_finds(rag: RAGSystem) -> None:
    question = "How often is a sourdough starter fed?"
    assert "Sourdough starters" in titles(rag, question, "the moon pulls the ocean into two bulges")[:2]


def test_the_same_words_again_change_no_score(rag: RAGSystem) -> None:
    question = "When do neap tides come?"
    once = rag.search.retrieve(question)
    twice = rag.search.retrieve(question, rewordings=[question, question])
    assert [hit.text for hit in once.hits] == [hit.text for hit in twice.hits]
    assert [hit.score for hit in once.hits] == pytest.approx([hit.score for hit in twice.hits], abs=1e-5)
    assert twice.covered is once.covered is True


def test_only_the_words_of_the_question_are_missed(rag: RAGSystem) -> None:
    found = rag.search.retrieve("Do spring tides come on Jupiter?", rewordings=["tides on a gas giant"])
    assert found.missing == ("Jupiter",)


def test_words_alone_find_it_while_another_model_takes_over(rag: RAGSystem, embedder: KeptEmbedder) -> None:
    stored = rag.database.meta(VERSION_KEY) or ""
    rag.database.set_meta(VERSION_KEY, stored.replace(embedder.model_id, "another@0"))
    assert titles(rag, "meals of my monster") == []
    assert titles(rag, "meals of my monster", "starter fed once a day")[0] == "Sourdough starters"
