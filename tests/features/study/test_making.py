"""A model makes items; only what stands in the course is stored and shown."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.base import ModelSettings
from app.domain.cancel import CancelToken
from app.domain.model_servers import Usage
from app.domain.scope import Scope, only_course
from app.features.study import making
from app.features.study.item_writer import DropReason
from app.features.study.making import ItemMade, MakeDone, MakeRequest, MakeStarted, again
from app.features.study.model.names import MADE, ItemKind
from tests.support.anthropic_server import AnthropicServer
from tests.support.courses import document_text, ingest, library
from tests.support.hostile_asking import limits_of
from tests.support.hostile_cases import CASES
from tests.support.hostile_messages import KEY
from tests.support.hostile_server import HostileServer
from tests.support.making import BIRDS, FACTS, Teacher, write_birds
from tests.support.message_checks import DEFAULT_MODELS, Model
from tests.support.scripted_turns import ErrorReply, Gate, Text, ToolUse, Turn, Wait
from tests.support.study import MOON, TIDES_TITLE, add_item, study_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.core.rag_system import RAGSystem
    from app.features.study.making import MakeEvent
    from tests.support.courses import KeptEmbedder

KINDS = (ItemKind.CARD, ItemKind.CLOZE, ItemKind.CHOICE, ItemKind.SHORT, ItemKind.POINT)


@pytest.fixture
def birds(tmp_path_factory: pytest.TempPathFactory, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    place = tmp_path_factory.mktemp("birds")
    with library(place / "data", embedder, index=False) as rag:
        ingest(rag, write_birds(place / "courses"))
        yield rag


def connection_to(server: AnthropicServer) -> ModelSettings:
    return ModelSettings("claude-sonnet-5-5", server.url, server.key, retry_delays=(0.01,), second=0.01)


async def events_of(rag: RAGSystem, request: MakeRequest, connection: ModelSettings) -> list[MakeEvent]:
    async with aclosing(making.make(rag, request, connection)) as events:
        return [event async for event in events]


def make(rag: RAGSystem, server: AnthropicServer, request: MakeRequest) -> list[MakeEvent]:
    return asyncio.run(events_of(rag, request, connection_to(server)))


@pytest.mark.slow
def test_of_200_items_over_five_lessons_only_the_good_ones_are_stored(
    birds: RAGSystem, server: AnthropicServer
) -> None:
    teacher = Teacher(bad=40)
    server.answer_with(teacher)
    events = make(birds, server, MakeRequest(KINDS, 160, only_course(BIRDS)))
    done = events[-1]
    assert isinstance(done, MakeDone)
    dropped = dict(done.dropped)
    alike = dropped.pop(DropReason.REPEATED, 0)  # some of the good ones are, but for the bird
    assert (sum(dropped.values()), teacher.bad) == (40, 0)
    assert len(dropped) >= 6, "bad in many ways"
    assert done.made == teacher.handed_in - 40 - alike
    assert done.made >= 155
    assert not server.rejections

    shown = [event.item for event in events if isinstance(event, ItemMade)]
    assert study_of(birds).items() == tuple(shown)
    assert len(shown) == done.made
    assert {len([item for item in shown if item.kind is kind]) for kind in KINDS} <= set(range(22, 38))
    texts = {item.source.hit.document_id: "" for item in shown}
    texts = {key: document_text(birds, key) for key in texts}
    for item in shown:
        fact = FACTS[item.quote]
        assert texts[item.source.hit.document_id][item.start : item.end] == fact.sentence
        assert fact.answer in " ".join((item.text.front, item.text.back))
        assert len(item.text.others) in ((3,) if item.kind is ItemKind.CHOICE else (0,))

    started = next(event for event in events if isinstance(event, MakeStarted))
    assert str(done.summary).startswith(
        f"{done.made} items made, {done.covered} of {done.passages} passages covered; not kept: "
    )
    places = {(item.source.hit.start, item.source.hit.end) for item in shown}
    assert started.items == 160
    assert done.covered == len(places) == done.passages, "spread over everything"


TIDES = Scope(lessons=((TIDES_TITLE, 1),))  # one passage
COASTS = "Most coasts therefore see two high tides a day."
CARDS = (ItemKind.CARD,)
QUESTION = "Into what does the moon pull the ocean?"
GOOD = {"passage": 1, "quote": MOON, "question": QUESTION, "answer": "Two bulges"}
OTHER = {"passage": 1, "quote": COASTS, "question": "How often is it high tide each day?", "answer": "Twice"}


def ending(events: list[MakeEvent]) -> MakeDone:
    """Return the last event; nothing else says that it is over."""
    done = events.pop()
    assert isinstance(done, MakeDone)
    assert not any(isinstance(event, MakeDone) for event in events)
    return done


def test_items_come_as_json_from_a_model_without_tools(rag: RAGSystem) -> None:
    written = json.dumps({"kind": "card", **GOOD}), json.dumps(OTHER)
    text = f"Here you are:\n```json\n{written[0]}\n```\n{written[1]}\n" + '{"passage": 1, "quote": "The mo'
    models = (replace(DEFAULT_MODELS[0], lacks=frozenset({"tools"})),)
    with AnthropicServer(models=models) as server:
        server.answer_with(lambda _: Turn(Text(text)))
        events = make(rag, server, MakeRequest(CARDS, 2, TIDES))
    done = ending(events)
    assert [item.text.front for item in study_of(rag).items()] == [QUESTION, OTHER["question"]]
    assert done.made == 2
    assert (DropReason.FORM, 1) in done.dropped, "half of one is none"


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        (Turn(Text("I would rather tell you a story about the sea.")), "in the form they were asked for"),
        (Turn(Text("<p>Cards</p>")), "in the form they were asked for"),
        (Turn(stop_reason="refusal"), "in the form they were asked for"),
        (
            Turn(ToolUse("make_card", {**GOOD, "quote": "Fish sing."}), stop_reason="tool_use"),
            "could be kept",
        ),
    ],
)
def test_a_making_of_nothing_says_why(rag: RAGSystem, server: AnthropicServer, turn: Turn, says: str) -> None:
    server.answer_with(lambda _: turn)
    done = ending(make(rag, server, MakeRequest(CARDS, 40, TIDES)))
    assert says in str(done.summary)
    assert "settings" in str(done.summary), "what to do"
    assert done.made == len(study_of(rag).items()) == 0
    assert 0 < len(server.message_requests) <= 9, "it gives up"
    assert done.usage.tokens == rag.answers.spending().tokens > 0


def test_of_500_items_and_of_the_same_one_twenty_times_no_more_is_kept_than_asked(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    same = [ToolUse("make_card", GOOD) for _ in range(20)]
    many = [ToolUse("make_card", {**OTHER, "question": f"What pulls at {n} seas?"}) for n in range(500)]
    server.answer_with(lambda _: Turn(*same, *many, stop_reason="tool_use"))
    events = make(rag, server, MakeRequest(CARDS, 2, TIDES))
    done = ending(events)
    assert done.made == len(study_of(rag).items()) <= 2
    assert dict(done.dropped)[DropReason.REPEATED] >= 7
    assert sum(dict(done.dropped).values()) < 100, "the rest is not even read"


def test_the_model_hears_what_was_wrong_and_what_is_missing(rag: RAGSystem, server: AnthropicServer) -> None:
    wrong = ToolUse("make_card", {**GOOD, "quote": "The moon pulls the ocean into three bulges."})
    server.script(
        Turn(wrong, stop_reason="tool_use"), Turn(ToolUse("make_card", GOOD), stop_reason="tool_use")
    )
    done = ending(make(rag, server, MakeRequest(CARDS, 1, TIDES)))
    assert done.made == 1
    first, second = server.message_requests
    assert [tool["name"] for tool in first["tools"]] == ["make_card"]
    assert "- passage 1: 1 card" in str(first["messages"])
    result = str(second["messages"][-1])
    assert "does not stand in passage 1" in result
    assert "- passage 1: 1 card" in result
    assert not server.rejections


def test_a_server_that_knows_no_strict_tools_is_asked_without(rag: RAGSystem) -> None:
    model = Model("loose", "Loose", lacks=frozenset({"strict"}))
    with AnthropicServer(models=(model, *DEFAULT_MODELS)) as server:
        server.script(
            Turn(ToolUse("make_card", GOOD), stop_reason="tool_use"),
            Turn(ToolUse("make_card", OTHER), stop_reason="tool_use"),
        )
        connection = replace(connection_to(server), model="loose")
        assert ending(asyncio.run(events_of(rag, MakeRequest(CARDS, 1, TIDES), connection))).made == 1
        assert [said.partition(":")[0] for said in server.rejections] == ["tools.0.custom.strict"]
        assert "strict" not in server.message_requests[-1]["tools"][0]
        assert ending(asyncio.run(events_of(rag, MakeRequest(CARDS, 1, TIDES), connection))).made == 1
        assert len(server.rejections) == 1, "it is remembered"


def test_each_tool_is_strict(rag: RAGSystem, server: AnthropicServer) -> None:
    server.answer_with(lambda _: Turn(Text("No.")))
    make(rag, server, MakeRequest(MADE, 6, TIDES))
    assert not server.rejections
    tools = server.message_requests[0]["tools"]
    assert [(tool["name"], tool["strict"]) for tool in tools] == [(f"make_{kind}", True) for kind in MADE]


def test_what_was_made_stays_when_it_is_stopped(rag: RAGSystem, server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(ToolUse("make_card", GOOD), Wait(gate), Text("Next.")))
    events: list[MakeEvent] = []

    async def run() -> None:
        async def read() -> None:
            connection = connection_to(server)
            async with aclosing(making.make(rag, MakeRequest(CARDS, 2, TIDES), connection)) as found:
                async for event in found:
                    events.append(event)  # noqa: PERF401 - as they come

        task = asyncio.create_task(read())
        while not any(isinstance(event, ItemMade) for event in events):
            await asyncio.sleep(0.01)
        task.cancel()
        await task

    asyncio.run(run())
    done = ending(events)
    assert str(done.summary) == "1 item made. Stopped."
    assert done.error is None
    assert [item.text.front for item in study_of(rag).items()] == [QUESTION]
    assert rag.answers.spending().tokens == done.usage.tokens > 0, "what was not read to its end costs, too"


def make_during(
    rag: RAGSystem, server: AnthropicServer, change: Callable[[], object], number: int = 2
) -> list[MakeEvent]:
    """Make cards; change something between the first two."""
    gate = Gate()
    server.script(
        Turn(ToolUse("make_card", GOOD), Wait(gate), ToolUse("make_card", OTHER), stop_reason="tool_use"),
        Turn(Text("No.")),
    )
    events: list[MakeEvent] = []

    async def run() -> None:
        request = MakeRequest(CARDS, number, TIDES)
        async with aclosing(making.make(rag, request, connection_to(server))) as found:
            async for event in found:
                events.append(event)
                if isinstance(event, ItemMade) and not gate.opened.is_set():
                    await asyncio.to_thread(change)
                    gate.open()

    asyncio.run(run())
    return events


def test_a_course_that_is_renamed_meanwhile_keeps_one_deck(rag: RAGSystem, server: AnthropicServer) -> None:
    renamed = partial(rag.ingest.rename_course, TIDES_TITLE, "The Sea", CancelToken())
    done = ending(make_during(rag, server, lambda: list(renamed())))
    assert done.made == 2
    assert [(deck.course_title, deck.items) for deck in study_of(rag).decks()] == [("The Sea", 2)]
    assert {item.source.hit.course_title for item in study_of(rag).items()} == {"The Sea"}


def test_nothing_more_is_made_of_a_course_that_is_removed_meanwhile(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    done = ending(make_during(rag, server, lambda: rag.courses.remove_courses([TIDES_TITLE], CancelToken())))
    assert (done.made, study_of(rag).decks()) == (1, ())
    assert done.dropped == ((DropReason.QUOTE, 1),)
    list(rag.trash.restore(rag.trash.entries()[0].documents, CancelToken()))
    assert len(study_of(rag).items()) == 1


def test_a_server_that_fails_on_the_way_leaves_what_was_made(rag: RAGSystem, server: AnthropicServer) -> None:
    server.script(
        Turn(ToolUse("make_card", GOOD), stop_reason="tool_use"), ErrorReply(401, "authentication_error")
    )
    done = ending(make(rag, server, MakeRequest(CARDS, 3, TIDES)))
    assert done.made == len(study_of(rag).items()) == 1
    assert done.error is not None
    assert "key" in str(done.error)
    assert str(done.summary) == f"1 item made. {done.error}"


def test_nothing_is_asked_once_the_budget_is_spent(rag: RAGSystem, server: AnthropicServer) -> None:
    rag.settings = replace(rag.settings, monthly_budget=1)
    rag.conversations.record_unsaved(Usage(input_tokens=1, cost=2.0))
    server.script()
    done = ending(make(rag, server, MakeRequest(CARDS, 3, TIDES)))
    assert "budget" in str(done.summary)
    assert not server.message_requests


def test_nothing_more_is_asked_once_the_budget_is_spent_on_the_way(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    rag.settings = replace(rag.settings, monthly_budget=1)
    spend = partial(rag.conversations.record_unsaved, Usage(input_tokens=1, cost=2.0))
    done = ending(make_during(rag, server, spend, number=3))
    assert str(done.summary).startswith("2 items made. This month's budget is spent.")
    assert len(server.message_requests) == 1


def test_items_are_made_from_the_passages_that_a_chat_cites(rag: RAGSystem, server: AnthropicServer) -> None:
    conversation = rag.conversations.create_session()
    request = MakeRequest(CARDS, 1, conversation_id=conversation)
    done = ending(make(rag, server, request))
    assert str(done.summary) == "No answer of this chat cites a passage that is still in your own courses."

    async def ask() -> None:
        question = "Why are there two bulges of the ocean?"
        asked = rag.answers.query(question, connection_to(server), conversation_id=conversation)
        async with aclosing(asked) as found:
            assert [event async for event in found]
        await rag.answers.disconnect()

    asyncio.run(ask())
    server.forget()
    server.answer_with(lambda _: Turn(ToolUse("make_card", GOOD), stop_reason="tool_use"))
    events = make(rag, server, request)
    assert TIDES_TITLE in str(server.message_requests[0]["messages"])
    assert ending(events).made <= 1
    connection = connection_to(server)
    assert making.estimate(rag, request, connection).passages == 1


def test_an_item_is_made_again_in_the_place_of_one_whose_sentence_has_changed(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    old = study_of(rag).item(add_item(rag, TIDES_TITLE, MOON))
    assert old is not None
    server.answer_with(lambda _: Turn(ToolUse("make_card", GOOD), stop_reason="tool_use"))
    events = make(rag, server, again(old))
    made = next(event.item for event in events if isinstance(event, ItemMade))
    assert study_of(rag).items() == (made,)
    assert (made.deck_id, made.quote) == (old.deck_id, MOON)
    assert len(server.message_requests) == 1
    server.answer_with(lambda _: Turn(Text("No.")))
    assert ending(make(rag, server, again(made))).made == 0
    assert study_of(rag).items() == (made,), "nothing is lost where nothing better comes"


HOSTILE = ("closes at once", "a page", "longer than it is", "thoughts for ever", "307 to another host")


@pytest.mark.slow
def test_whatever_a_server_sends_the_making_ends_with_a_sentence(
    rag: RAGSystem, caplog: pytest.LogCaptureFixture
) -> None:
    for name in HOSTILE:
        case = CASES[name]
        with HostileServer(*case.answers, models=case.models) as server:
            connection = ModelSettings("claude-sonnet-5-5", server.url, KEY, **limits_of(case))
            done = ending(asyncio.run(events_of(rag, MakeRequest(CARDS, 2, TIDES), connection)))
        assert done.made == 0
        said = str(done.summary)
        assert said.isprintable(), name
        assert 10 < len(said) < 600, name
        assert "Something went wrong in Lectern" not in said, name
        assert KEY not in repr(done) + caplog.text, name
