"""No two items ask the same thing, judged with the real embedding model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import Cancelled, CancelToken
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.service import Duplicates
from tests.support.study import BREAD_TITLE, SCALE, STARTER, item_on, study_of

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

ROSETTA = ItemText("When was the Rosetta Stone found?", "In 1799")


@pytest.fixture
def known(embedder: KeptEmbedder) -> Duplicates:
    return Duplicates(embedder.model_now())


@pytest.mark.parametrize(
    ("kind", "first", "again"),
    [
        (ItemKind.CARD, ROSETTA, ItemText("  when was the ROSETTA stone found", "1799, by soldiers")),
        (ItemKind.CARD, ROSETTA, ItemText("In which year was the Rosetta Stone discovered?", "1799")),
        (ItemKind.TERM, ItemText("plasma membrane", "A."), ItemText("Plasma membranes", "Something else.")),
        (
            ItemKind.CLOZE,
            ItemText("The {{c1::median}} is the middle value of ordered data."),
            ItemText("The {{c1::median}} is the middle value of data that are ordered."),
        ),
        (
            ItemKind.POINT,
            ItemText("Genetics", "Mendel found the laws of inheritance."),
            ItemText("Inheritance", "The laws of inheritance were found by Mendel."),
        ),
    ],
)
def test_the_same_question_is_noticed(
    known: Duplicates, kind: ItemKind, first: ItemText, again: ItemText
) -> None:
    assert known.is_new(kind, first, "en")
    known.add(kind, first, "en")
    assert not known.is_new(kind, again, "en")


@pytest.mark.parametrize(
    ("kind", "first", "other"),
    [
        (ItemKind.CARD, ROSETTA, ItemText("Where was the Rosetta Stone found?", "Near Rashid, in the delta")),
        (ItemKind.CARD, ROSETTA, ItemText("When was the Rosetta Stone deciphered?", "In 1822")),
        (ItemKind.TERM, ItemText("mitosis", "A division."), ItemText("meiosis", "A division.")),
        (
            ItemKind.CLOZE,
            ItemText("The {{c1::median}} is the middle value of ordered data."),
            ItemText("The median is the middle value of {{c1::ordered}} data."),
        ),
    ],
)
def test_a_question_that_differs_in_a_word_is_another(
    known: Duplicates, kind: ItemKind, first: ItemText, other: ItemText
) -> None:
    known.add(kind, first, "en")
    assert known.is_new(kind, other, "en")


def test_a_card_may_ask_what_a_quiz_asks_but_no_two_questions_of_the_quiz(known: Duplicates) -> None:
    known.add(ItemKind.CHOICE, ROSETTA)
    assert known.is_new(ItemKind.CARD, ROSETTA)
    assert not known.is_new(ItemKind.SHORT, ROSETTA)


def test_what_a_deck_asks_is_known_again_and_follows_what_is_edited(rag: RAGSystem) -> None:
    repository = study_of(rag).repository
    deck = repository.deck_of(BREAD_TITLE)
    card = item_on(rag, BREAD_TITLE, STARTER)
    other = item_on(rag, BREAD_TITLE, SCALE, front="What matters most in a kitchen?", back="A scale")
    (key, _) = repository.add(deck, [card, other])
    again = ItemText("Which thing matters most in a kitchen?", other.text.back)
    assert not study_of(rag).duplicates(deck, CancelToken()).is_new(card.kind, card.text)
    assert not study_of(rag).duplicates(deck, CancelToken()).is_new(other.kind, again)
    assert study_of(rag).duplicates(deck, CancelToken(), key).is_new(card.kind, card.text)
    study_of(rag).edit(key, ItemText("What is a starter made of?", "Flour and water"))
    assert study_of(rag).duplicates(deck, CancelToken()).is_new(card.kind, card.text)


def test_learning_what_a_deck_asks_can_be_stopped(rag: RAGSystem) -> None:
    repository = study_of(rag).repository
    deck = repository.deck_of(BREAD_TITLE)
    card = item_on(rag, BREAD_TITLE, STARTER)
    repository.add(deck, [card])
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        study_of(rag).duplicates(deck, token).is_new(card.kind, ItemText("Why is that so?", "Because."))
