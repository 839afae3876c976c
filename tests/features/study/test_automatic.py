"""Terms and cloze texts that are made without a model, from a real library."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.messages import Message
from app.domain.scope import Scope, only_course
from app.features.study import automatic
from app.features.study.item_writer import DropReason
from app.features.study.kinds import filled, gaps, with_gap
from app.features.study.making import ItemMade, MakeDone, MakeRequest, MakeStarted
from app.features.study.model.items import QuoteState
from app.features.study.model.names import ItemKind
from tests.support.courses import ingest
from tests.support.study import study_of

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.features.study.making import MakeEvent

TERMS = ["lava", "magma", "caldera", "geyser", "fumarole", "tephra", "pumice", "obsidian", "basalt"]
KINDS = (ItemKind.TERM, ItemKind.CLOZE)
FILLER = "The slopes above the valley are green in spring, and people graze their goats there until winter."


def lesson(number: int, terms: list[str]) -> str:
    lines = []
    for term in terms:
        lines += [f"\n\n**{term}**: the substance that people of the valley fear the most\n\n"]
        lines += [f"{FILLER} It happened in the year {1700 + len(term)} near {term.title()}ville."] * 8
    return f"Lesson {number}: Part {number}\n{' '.join(lines)}\n"


@pytest.fixture
def volcanoes(rag: RAGSystem, tmp_path: Path) -> RAGSystem:
    folder = tmp_path / "volcanoes"
    folder.mkdir()
    parts = [lesson(1, TERMS[:6]), lesson(2, TERMS[6:8]), lesson(3, TERMS[8:])]
    (folder / "volcanoes.md").write_text("Course Title: Volcanoes\n\n" + "\n".join(parts), encoding="utf-8")
    ingest(rag, folder)
    return rag


def made(rag: RAGSystem, request: MakeRequest, token: CancelToken | None = None) -> list[MakeEvent]:
    return list(automatic.make(rag, request, token or CancelToken()))


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
        assert item.quote == f"**{item.text.front}**: {item.text.back}"
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
        assert filled(item.text.front) == item.quote.replace("*", "")


def test_nothing_is_made_twice_and_the_rest_comes_the_next_time(volcanoes: RAGSystem) -> None:
    first = {event.item.text.front for event in made(volcanoes, request(4)) if isinstance(event, ItemMade)}
    *_, done = made(volcanoes, request(100))
    items = study_of(volcanoes).items()
    assert len(first) == 4
    assert isinstance(done, MakeDone)
    assert sorted(item.text.front for item in items) == sorted(TERMS), "a card for each, and no gap texts"
    assert done.dropped == ((DropReason.REPEATED, 4),)
    made(volcanoes, request(100))
    items = study_of(volcanoes).items()
    assert len({(item.kind, item.text.front) for item in items}) == len(items) == 2 * len(TERMS)
    *_, again = made(volcanoes, request(100))
    assert isinstance(again, MakeDone)
    assert (again.made, again.summary) == (0, Message("study.nothing_defined"))


def test_few_terms_make_gap_texts_too(volcanoes: RAGSystem) -> None:
    made(volcanoes, request(20, scope=Scope(lessons=(("Volcanoes", 2),))))
    assert sorted(item.kind for item in study_of(volcanoes).items()) == ["cloze", "cloze", "term", "term"]


def test_what_was_made_before_a_stop_stays(volcanoes: RAGSystem) -> None:
    token = CancelToken()
    events = automatic.make(volcanoes, request(9), token)
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


def test_only_teaching_text_is_made_from_and_labels_are_not(rag: RAGSystem, tmp_path: Path) -> None:
    folder = tmp_path / "Rocks"
    folder.mkdir()
    (folder / "README.md").write_text("# Rocks\n\n**Teacher**: a person who knows each of the rocks\n")
    texts = ("a rock that swims on water", "a rock that is as black as glass")
    for name, text in zip(("pumice", "obsidian"), texts, strict=True):
        label = f"- **Slow work with {name}**: it is hard to cut"
        marked = f"**{name}**: {text}\n\n**Found**: near {text}\n\n{label}\n"
        (folder / f"{name}.md").write_text(f"# {name}\n\n{marked}")
    ingest(rag, folder)
    *_, done = made(rag, request(9, (ItemKind.TERM,), only_course("Rocks")))
    assert isinstance(done, MakeDone)
    assert sorted(item.text.front for item in study_of(rag).items()) == ["obsidian", "pumice"]
    estimate = automatic.estimate(rag, request(9, scope=only_course("Rocks")))
    assert estimate.terms == 2


@pytest.mark.parametrize(
    ("sentence", "term", "front"),
    [
        (
            "A buffer is a mixture, and buffers keep the pH where it is.",
            "buffer",
            "A {{c1::buffer}} is a mixture, and {{c1::buffers}} keep the pH where it is.",
        ),
        (
            "Die Primzahl 2 ist die einzige gerade unter allen Primzahlen.",
            "Primzahl",
            "Die {{c1::Primzahl}} 2 ist die einzige gerade unter allen {{c1::Primzahlen}}.",
        ),
        ("A set {1, 2} is a collection.", "set", ""),
        ("Blood pressure is the pressure of the blood on a vessel.", "blood pressure", ""),
    ],
)
def test_every_form_of_the_term_becomes_a_gap(sentence: str, term: str, front: str) -> None:
    assert with_gap(sentence, term) == front


def test_terms_come_from_teaching_texts_alone(rag: RAGSystem, tmp_path: Path) -> None:
    folder = tmp_path / "volcanoes"
    for name, term in (("1 fire.md", "Lava"), ("exercise 1.md", "Tephra"), ("README.md", "Basalt")):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# Part\n\n{FILLER}\n\n**{term}**: what people of the valley fear most\n", "utf-8")
    ingest(rag, folder)
    *events, done = made(rag, request(20, (ItemKind.TERM,), Scope()))
    assert isinstance(done, MakeDone)
    assert [event.item.text.front for event in events if isinstance(event, ItemMade)] == ["Lava"]
