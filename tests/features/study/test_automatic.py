"""Terms and cloze texts that are made without a model, from a real library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.messages import Message
from app.domain.scope import Scope, only_course
from app.features.study import automatic
from app.features.study.automatic import defined_terms
from app.features.study.kinds.cloze import filled, gaps, with_gap
from app.features.study.model.items import QuoteState
from app.features.study.model.making import (
    DropReason,
    ItemMade,
    MakeDone,
    MakeRequest,
    MakeStarted,
)
from app.features.study.model.names import ItemKind
from app.features.study.passages import Passage
from tests.support.courses import ingest
from tests.support.study import study_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.features.study.model.making import MakeEvent

TERMS = ["lava", "magma", "caldera", "geyser", "fumarole", "tephra", "pumice", "obsidian", "basalt"]
KINDS = (ItemKind.TERM, ItemKind.CLOZE)
FILLER = "The slopes above the valley are green in spring, and people graze their goats there until winter."


def lesson(number: int, terms: list[str]) -> str:
    lines = []
    for term in terms:
        lines += [f"The substance that people of the valley fear the most is called {term}."]
        lines += [f"{FILLER} It happened in the year {1700 + len(term)} near {term.title()}ville."] * 8
    return f"Lesson {number}: Part {number}\n{' '.join(lines)}\n"


@pytest.fixture
def volcanoes(rag: RAGSystem, tmp_path: Path) -> RAGSystem:
    folder = tmp_path / "volcanoes"
    folder.mkdir()
    parts = [lesson(1, TERMS[:6]), lesson(2, TERMS[6:8]), lesson(3, TERMS[8:])]
    (folder / "volcanoes.txt").write_text("Course Title: Volcanoes\n\n" + "\n".join(parts), encoding="utf-8")
    ingest(rag, folder)
    return rag


def made(rag: RAGSystem, request: MakeRequest, token: CancelToken | None = None) -> list[MakeEvent]:
    return list(automatic.make(study_of(rag), request, None, token or CancelToken()))


def request(number: int, kinds: tuple[ItemKind, ...] = KINDS, scope: Scope | None = None) -> MakeRequest:
    return MakeRequest(kinds, number, scope or only_course("Volcanoes"), automatic=True)


def test_terms_are_made_with_the_sentence_that_defines_them(volcanoes: RAGSystem) -> None:
    started, *events, done = made(volcanoes, request(20, (ItemKind.TERM,)))
    assert isinstance(started, MakeStarted)
    assert isinstance(done, MakeDone)
    items = [event.item for event in events if isinstance(event, ItemMade)]
    assert [item.text.front for item in items] == TERMS
    for item in items:
        assert item.automatic
        assert item.text.back == item.quote
        text = volcanoes.catalog.documents.text(item.source.hit.document_id).text
        assert text[item.start : item.end] == item.quote
        assert item.source.text(item.start, item.end) == item.quote
        assert item.state is QuoteState.CURRENT
    assert list(study_of(volcanoes).items()) == items
    assert done.made == len(TERMS)
    assert 0 < done.covered <= done.passages


def test_few_items_are_spread_over_the_lessons(volcanoes: RAGSystem) -> None:
    events = made(volcanoes, request(3, (ItemKind.CLOZE,)))
    items = [event.item for event in events if isinstance(event, ItemMade)]
    assert [item.source.hit.lesson_number for item in items] == [1, 2, 3]
    for item in items:
        (gap,) = gaps(item.text.front)
        assert gap in TERMS
        assert filled(item.text.front) == item.quote


def test_nothing_is_made_twice_and_the_rest_comes_the_next_time(volcanoes: RAGSystem) -> None:
    first = {event.item.text.front for event in made(volcanoes, request(4)) if isinstance(event, ItemMade)}
    *_, done = made(volcanoes, request(100))
    items = study_of(volcanoes).items()
    assert len(first) == 4
    assert isinstance(done, MakeDone)
    assert len({(item.kind, item.text.front) for item in items}) == len(items) == 2 * len(TERMS)
    assert done.dropped == ((DropReason.REPEATED, 4),)
    *_, again = made(volcanoes, request(100))
    assert isinstance(again, MakeDone)
    assert (again.made, again.summary) == (0, Message("study.nothing_defined"))


def test_what_was_made_before_a_stop_stays(volcanoes: RAGSystem) -> None:
    token = CancelToken()
    events = automatic.make(study_of(volcanoes), request(9), None, token)
    for event in events:
        if isinstance(event, ItemMade):
            token.cancel()
        last = event
    assert isinstance(last, MakeDone)
    assert last.made == len(study_of(volcanoes).items()) == 1


def test_a_place_without_definitions_says_so(rag: RAGSystem) -> None:
    *_, done = made(rag, request(5, scope=only_course("A Short History of Ink")))
    assert isinstance(done, MakeDone)
    assert (done.made, done.summary) == (0, Message("study.nothing_defined"))
    *_, nothing = made(rag, request(5, scope=only_course("No such course")))
    assert isinstance(nothing, MakeDone)
    assert nothing.summary == Message("study.nothing_to_ask")


def passages(*texts: str, language: str = "en") -> Iterator[Passage]:
    for key, text in enumerate(texts):
        yield Passage(key, 1, "Course", 1, "", 0, len(text), text, ((0, len(text)),), language)


def test_a_term_that_is_not_named_as_one_has_to_be_used() -> None:
    rare, used = (f"The {word} is a small part of a larger machine." for word in ("cam", "gear"))
    course = list(passages(rare, used, *["Each gear turns on its axle."] * 3, *["A rod moves."] * 50))
    found = [term.definition.term for term in defined_terms(course[:2], course)]
    assert found == ["gear"]
    assert len(defined_terms(course[:2], course[:2])) == 2, "a short course uses its terms but once"


@pytest.mark.parametrize(
    ("sentence", "key", "language", "front"),
    [
        (
            "A buffer is a mixture, and buffers keep the pH where it is.",
            ("buffer",),
            "en",
            "A {{c1::buffer}} is a mixture, and {{c1::buffers}} keep the pH where it is.",
        ),
        (
            "Die Primzahl 2 ist die einzige gerade unter allen Primzahlen.",
            ("Primzahl",),
            "de",
            "Die {{c1::Primzahl}} 2 ist die einzige gerade unter allen {{c1::Primzahlen}}.",
        ),
        ("A set {1, 2} is a collection.", ("set",), "en", ""),
        ("Blood pressure is the pressure of the blood on a vessel.", ("blood", "pressur"), "en", ""),
    ],
)
def test_every_form_of_the_term_becomes_a_gap(
    sentence: str, key: tuple[str], language: str, front: str
) -> None:
    assert with_gap(sentence, key, language, lambda text: text) == front
