"""What may become an item: it must agree with the sentence it quotes, in a teacher's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.sources import SourceRegistry
from app.domain.scope import Scope
from app.features.study.item_checks import ItemChecks
from app.features.study.item_writer import DropReason, Refused, read_call
from app.features.study.model.items import Difficulty
from app.features.study.model.names import ItemKind
from tests.support.courses import TITLES, ingest, library

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.features.study.model.items import NewItem
    from tests.support.courses import KeptEmbedder

STARTER = "A sourdough starter is flour and water in which wild yeast and bacteria live."
DOUBLES = "A starter that doubles within six hours is ready to raise a loaf."
SCALE = "A kitchen scale matters more than an expensive oven."
KNEADING = "Kneading lines up the gluten so that the dough can hold gas."
COLD = "Dough proofs slowly in a cold kitchen."
BULGES = "The moon pulls the ocean into two bulges."
SPRING = "When sun and moon stand in line, their pull adds up and spring tides follow."
GALLS = "Iron gall ink was made from oak galls and vitriol."
LAMP = "Lamp black was mixed with gum arabic in ancient Egypt."

Checked = dict[str, Any]


def check(
    rag: RAGSystem,
    embedder: KeptEmbedder,
    kind: str,
    language: str = "",
    courses: tuple[str, ...] = tuple(TITLES),
    **given: object,
) -> NewItem:
    """Check what a model hands in on the passage that holds its quotation, or the first one."""
    registry = SourceRegistry(rag.search)
    registry.add(rag.search.whole(Scope(courses=courses), 10**6))
    quote = str(given["quote"])
    number = next((one.n for one in registry.sources if quote in one.hit.text), 1)
    checks = ItemChecks(registry, Difficulty.MEDIUM, language, embedder)
    return checks.check(read_call(f"make_{kind}", {"passage": number, **given}, tuple(ItemKind)))


def card(quote: str, question: str, answer: str) -> tuple[str, Checked]:
    return "card", {"quote": quote, "question": question, "answer": answer}


def cloze(quote: str, text: str) -> tuple[str, Checked]:
    return "cloze", {"quote": quote, "text": text}


def term(quote: str, name: str, definition: str) -> tuple[str, Checked]:
    return "term", {"quote": quote, "term": name, "definition": definition}


def choice(*wrong: str) -> tuple[str, Checked]:
    given = card(LAMP, "What was mixed with lamp black?", "Gum arabic")[1]
    return "choice", {**given, "wrong_answers": list(wrong), "explanation": LAMP}


def point(quote: str, claim: str) -> tuple[str, Checked]:
    return "point", {"quote": quote, "heading": "What to know", "claim": claim}


GOOD = [
    card(STARTER, "Which organisms raise a sourdough?", "Wild yeast and bacteria"),
    card(STARTER, "What two ingredients make up a sourdough starter?", "Flour and water"),
    card(DOUBLES, "How do you recognise a starter that can raise bread?", "It doubles within six hours"),
    card(DOUBLES, "Within how many hours does a ripe sourdough starter double?", "6"),
    card(KNEADING, "Why is dough kneaded?", "To line up the gluten, so that gas stays in the dough"),
    card(COLD, "How does dough proof where it is cold?", "More slowly"),
    card(SCALE, "What should a home baker buy before a costly oven?", "A kitchen scale"),
    card(BULGES, "What makes the ocean rise in two places at once?", "The pull of the moon"),
    card(BULGES, "Into how many bulges does the moon pull the ocean?", "Two"),
    card(SPRING, "Why are spring tides so high?", "The pull of the sun is added to that of the moon"),
    card(SPRING, "How do sun, moon and earth stand at spring tides?", "In line"),
    card(GALLS, "Which two ingredients does iron gall ink need?", "Oak galls and vitriol"),
    card(LAMP, "Where was lamp black first bound with gum arabic?", "In ancient Egypt"),
    card("in which wild yeast and bacteria live", "What lives in a sourdough starter?", "Yeast and bacteria"),
    term(STARTER, "sourdough starter", "flour and water in which wild yeast and bacteria live"),
    cloze(KNEADING, "Kneading lines up the {{c1::gluten}}, so that dough holds gas."),
    point(SPRING, "Spring tides follow when the sun and the moon stand in line."),
    ("short", {**card(LAMP, "What binds lamp black?", "gum arabic")[1], "also_right": ["acacia gum"]}),
    choice("All other resins", "Linseed oil", "Both egg and milk"),
    choice("C", "C++", "5", "-5"),
]


def test_good_items_are_kept(rag: RAGSystem, embedder: KeptEmbedder) -> None:
    for kind, given in GOOD:
        item = check(rag, embedder, kind, **given)
        text = rag.catalog.documents.text(item.source.hit.document_id).text
        assert text[item.start : item.end] == item.quote
        assert str(given["quote"]) in item.quote
        assert item.quote.endswith("."), "the whole sentence"


def test_a_gap_text_in_a_script_without_spaces_is_kept(tmp_path: Path, embedder: KeptEmbedder) -> None:
    path = tmp_path / "tides.txt"
    path.write_text(
        "Course Title: 潮汐\n\nLesson 1: 月球\n月球的引力使海水隆起。地球每天自转一周。\n", encoding="utf-8"
    )
    with library(tmp_path / "data", embedder) as rag:
        ingest(rag, path)
        item = check(
            rag,
            embedder,
            "cloze",
            courses=("潮汐",),
            quote="月球的引力使海水隆起。",
            text="月球的{{c1::引力}}使海水隆起。",
        )
    assert item.quote == "月球的引力使海水隆起。"


BAD = {
    DropReason.UNSUPPORTED: [
        card(DOUBLES, "Within how many hours does a ripe starter double?", "Eight hours"),
        card(LAMP, "Where was lamp black mixed with gum arabic?", "In ancient Rome"),
        card(KNEADING, "Why is dough kneaded?", "Because salt dissolves faster then"),
        card(GALLS, "What is ink made from?", "Squid"),
        term(STARTER, "sourdough starter", "a living culture that bakers keep"),
        term(STARTER, "poolish", "flour and water"),
        cloze(KNEADING, "Kneading lines up the {{c1::starch}} of it."),
        cloze(COLD, "Dough proofs {{c1::slowly}} in a warm kitchen."),
        card(KNEADING, "What does kneading do?", "It does not line up the gluten"),
        point(SPRING, "Spring tides never follow when sun and moon stand in line."),
    ],
    DropReason.QUOTE: [
        card("A starter doubles within six hours.", "When is a starter ready?", "Six hours"),
        card("arter", "What is a starter?", "Flour and water"),
        card("A", "When is a starter ready?", "Six hours"),
    ],
    DropReason.CHOICES: [
        choice("Oil", "Bee wax", "bee wax."),
        choice("Oil", "Gum arabic."),
    ],
    DropReason.GIVEN_AWAY: [
        card(BULGES, "Does the moon or the sun pull the ocean?", "The moon"),
        cloze(BULGES, "The {{c1::moon}} is the moon of the ocean."),
        ("short", {**card(LAMP, "What binds lamp black?", "gum arabic")[1], "also_right": ["Lamp black"]}),
    ],
    DropReason.FORM: [
        card(" ", "What is a starter?", "Flour and water"),
        card(SCALE, "Which <i>tool</i> matters most?", "A kitchen scale"),
        card(SCALE, "Which tool matters most?", "A [scale](https://example.org)"),
        card(SCALE, "?!", "..."),
        cloze(SCALE, "{{c1::A kitchen scale}}"),
    ],
    DropReason.LANGUAGE: [
        card(
            STARTER,
            "¿Qué organismos viven en una masa madre de harina?",
            "Las levaduras silvestres y las bacterias que viven en la harina y el agua",
        ),
        choice("Leinöl, das man aus den Samen gewinnt", "Wachs, das von den Bienen kommt"),
    ],
}


@pytest.mark.parametrize("reason", BAD)
def test_bad_items_are_refused(rag: RAGSystem, embedder: KeptEmbedder, reason: DropReason) -> None:
    for kind, given in BAD[reason]:
        with pytest.raises(Refused) as refused:
            check(rag, embedder, kind, **given)
        assert refused.value.reason is reason, (given, refused.value)


def test_items_in_another_language_than_the_course_are_kept_if_that_was_asked_for(
    rag: RAGSystem, embedder: KeptEmbedder
) -> None:
    given: Checked = {
        "quote": DOUBLES,
        "question": "Woran erkennt man, dass ein Sauerteig ein Brot heben kann?",
    }
    item = check(rag, embedder, "card", "de", answer="Er verdoppelt sich in sechs Stunden.", **given)
    assert item.language == "de"
    with pytest.raises(Refused) as refused:  # a wrong number is wrong in any language
        check(rag, embedder, "card", "de", answer="Er verdoppelt sich in 17 Stunden.", **given)
    assert refused.value.reason is DropReason.UNSUPPORTED
    english: Checked = {
        "question": "How do you recognise a starter that is ready to raise a loaf?",
        "quote": DOUBLES,
    }
    with pytest.raises(Refused) as refused:
        check(rag, embedder, "card", "de", answer="It doubles within six hours.", **english)
    assert refused.value.reason is DropReason.LANGUAGE
