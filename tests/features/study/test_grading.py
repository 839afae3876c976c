"""An answer in own words is graded by the points of the right one, by a model or without."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.base import ModelSettings
from app.features.study.grading import Grade, Grader, is_open, points_of
from app.features.study.model.names import ItemKind
from app.features.study.model.reviews import Rating
from tests.support.scripted_turns import ErrorReply, Text, Turn
from tests.support.study import BREAD_TITLE, STARTER, item_on, study_of

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.features.study.model.items import Item
    from tests.support.anthropic_server import AnthropicServer

QUESTION = "What is a sourdough starter?"
ANSWER = "Flour and water in which wild yeast and bacteria live; it has to be fed with flour every 12 hours."


@pytest.fixture
def item(rag: RAGSystem) -> Item:
    repository = study_of(rag).repository
    new = item_on(rag, BREAD_TITLE, STARTER, front=QUESTION, back=ANSWER)
    (key,) = repository.add(repository.deck_of(BREAD_TITLE), [new])
    found = study_of(rag).item(key)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("reference", "points"),
    [
        ("Nucleus, cytoplasm and cell membrane.", ["Nucleus", "cytoplasm", "cell membrane"]),
        ("Yeast", ["Yeast"]),
        ("Der Zellkern oder das Zytoplasma", ["Der Zellkern", "das Zytoplasma"]),
        ("Heat breaks the bonds. **Salt** draws water.", ["Heat breaks the bonds.", "Salt draws water."]),
        (ANSWER, [*ANSWER.split("; ")]),
        ("In animals, glycogen is stored in the liver.", ["In animals, glycogen is stored in the liver."]),
        ("...", []),
    ],
)
def test_an_answer_has_the_points_it_lists_or_its_clauses(reference: str, points: list[str]) -> None:
    assert [point.text for point in points_of(reference)] == points


def test_without_a_model_its_words_numbers_and_meaning_tell(rag: RAGSystem, item: Item) -> None:
    for answer, there, rating in (
        (ANSWER, [True, True], Rating.GOOD),
        ("Wild yeasts and bacteria that live in water and flour", [True, False], Rating.HARD),
        ("It must be fed with flour every 13 hours.", [False, False], Rating.AGAIN),  # another number
        ("Wild yeast and bacteria do not live in flour and water.", [False, False], Rating.AGAIN),
        ("The moon raises the tides of all oceans.", [False, False], Rating.AGAIN),
        ("", [False, False], Rating.AGAIN),
        ("flour " * 100_000, [False, False], Rating.AGAIN),
    ):
        grade = Grader(rag).compare(item, answer)
        assert [point.is_there for point in grade.points] == there, answer[:80]
        assert grade.suggested is rating
        assert all(point.quote in item.source.hit.text for point in grade.points)


def test_gaps_and_single_words_are_compared_as_before(rag: RAGSystem) -> None:
    assert not is_open(item_on(rag, BREAD_TITLE, STARTER, back="Wild yeast"))  # type: ignore[arg-type]
    cloze = item_on(rag, BREAD_TITLE, STARTER, ItemKind.CLOZE, "{{c1::Yeast}} and {{c1::salt}} matter.", "")
    assert not is_open(cloze)  # type: ignore[arg-type]


def grades(rag: RAGSystem, item: Item, server: AnthropicServer) -> list[Grade]:
    async def run() -> list[Grade]:
        connection = ModelSettings("claude-sonnet-5-5", server.url, server.key, retry_delays=(), second=0.01)
        async with aclosing(Grader(rag).grade(item, "Wild yeast in flour", connection)) as events:
            return [event async for event in events]

    return asyncio.run(run())


def test_a_model_names_the_points_with_their_sentences(
    rag: RAGSystem, item: Item, server: AnthropicServer
) -> None:
    points = [
        {"point": "wild yeast and bacteria live in it", "sentence": 1, "met": True},
        {"point": "it is fed with flour", "sentence": 1, "met": False},
        {"point": "the moon is made of cheese", "sentence": 1, "met": False},  # nobody says that
        {"point": "flour", "sentence": 99, "met": True},  # there is no such sentence
        {"point": "flour", "sentence": 1, "met": "maybe"},
    ]
    server.script(Turn(Text("Nice try! 7 of 10.")), Turn(Text(json.dumps({"points": points}))))
    first, last = grades(rag, item, server)
    assert not first.model
    assert last.model
    assert [(point.text, point.is_there) for point in last.points] == [
        ("wild yeast and bacteria live in it", True),
        ("it is fed with flour", False),
    ]
    assert last.points[0].quote in " ".join(item.source.hit.text.split())


def test_what_a_model_says_instead_of_points_changes_nothing(
    rag: RAGSystem, item: Item, server: AnthropicServer
) -> None:
    for turns in (
        [Turn(Text("Well done, a B plus!")), Turn(Text("[1, {]"))],
        [Turn(Text('{"points": [{"point": "flour", "sentence": 1, "met": true}]}'))] * 2,  # the student's
        [ErrorReply(500)],
        [ErrorReply(401)],
    ):
        server.forget()
        server.script(*turns)
        assert [grade.model for grade in grades(rag, item, server)] == [""]
