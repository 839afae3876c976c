"""Decks and items are kept, changed, deleted and brought back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.features.study.model.items import QuoteState
from app.features.study.model.names import ItemKind, ItemText
from tests.support.courses import ingest, library, write_courses
from tests.support.study import BREAD_TITLE, MOON, SCALE, STARTER, TIDES_TITLE, add_item, item_on, study_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "data", embedder, index=False) as opened:
        ingest(opened, write_courses(tmp_path / "courses"))
        yield opened


def test_an_item_is_kept_with_the_sentence_it_rests_on(
    rag: RAGSystem, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    wrong = ("Only water", "Vinegar")
    new = item_on(rag, BREAD_TITLE, STARTER, ItemKind.CHOICE, others=wrong)
    repository = study_of(rag).repository
    repository.add(repository.deck_of(BREAD_TITLE), [new])
    rag.close()
    with library(tmp_path / "data", embedder, index=False) as again:
        (deck,) = study_of(again).decks()
        (item,) = study_of(again).items(deck.deck_id)
        text = again.catalog.documents.text(item.source.hit.document_id).text
    assert (deck.course_title, deck.items) == (BREAD_TITLE, 1)
    assert item.text == ItemText("What lives in a sourdough starter?", "Wild yeast and bacteria", wrong)
    assert text[item.start : item.end] == item.quote == STARTER
    assert item.source.text(item.start, item.end) == STARTER
    assert item.source.hit.lesson_number == 1
    assert item.state is QuoteState.CURRENT
    assert not item.edited


def test_a_course_has_one_deck(rag: RAGSystem) -> None:
    repository = study_of(rag).repository
    assert repository.deck_of(BREAD_TITLE) == repository.deck_of(BREAD_TITLE)
    assert repository.deck_of(BREAD_TITLE) != repository.deck_of(TIDES_TITLE)


def test_only_items_of_the_wanted_kinds_are_listed(rag: RAGSystem) -> None:
    add_item(rag, BREAD_TITLE, STARTER)
    term = add_item(rag, TIDES_TITLE, MOON, ItemKind.TERM)
    assert [item.item_id for item in study_of(rag).items(kinds=(ItemKind.TERM, ItemKind.CHOICE))] == [term]


def test_an_edited_item_says_something_else_and_keeps_its_source(rag: RAGSystem) -> None:
    key = add_item(rag, BREAD_TITLE, STARTER)
    study_of(rag).edit(
        key, ItemText("What is in a starter?", "Yeast and bacteria", explanation="They live there.")
    )
    (item,) = study_of(rag).items()
    assert item.text == ItemText("What is in a starter?", "Yeast and bacteria", (), "They live there.")
    assert item.edited
    assert item.quote == STARTER


def test_a_deleted_item_comes_back_until_the_next_start(
    rag: RAGSystem, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    kept, deleted = add_item(rag, BREAD_TITLE, STARTER), add_item(rag, BREAD_TITLE, SCALE)
    study_of(rag).delete([kept, deleted])
    assert study_of(rag).items() == ()
    assert study_of(rag).decks() == ()
    study_of(rag).restore([kept])
    assert [item.item_id for item in study_of(rag).items()] == [kept]
    rag.close()
    with library(tmp_path / "data", embedder, index=False) as again:
        study_of(again).restore([deleted])
        assert [item.item_id for item in study_of(again).items()] == [kept]


def test_an_item_moves_to_the_deck_of_another_course(rag: RAGSystem) -> None:
    key = add_item(rag, BREAD_TITLE, STARTER)
    study_of(rag).move([key], TIDES_TITLE)
    counts = {deck.course_title: deck.items for deck in study_of(rag).decks()}
    assert counts == {TIDES_TITLE: 1}
    assert study_of(rag).items()[0].source.hit.course_title == BREAD_TITLE
