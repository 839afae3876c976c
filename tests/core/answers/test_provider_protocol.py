"""A provider of another kind, written here alone, answers through everything above the protocol."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.config.settings import CurrentSettings, Settings
from app.core.answers.providers.base import (
    Abilities,
    AbilityLost,
    BlockEnd,
    CitedSentences,
    ModelProvider,
    ModelSettings,
    ReplyEnd,
    ReplyEvent,
    TextDelta,
    ToolCall,
    Turn,
    Unseen,
)
from app.core.answers.service import AnswerService
from app.domain.conversations import ChatMessage, Exchange, ExchangeState, StopReason
from app.domain.errors import RequestRefused, ServerBusy
from app.domain.events import AnswerDone, AnswerInterrupted, AnswerText, AnswerWaiting, SearchStarted
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck, ModelInfo, Usage
from app.domain.scope import Scope
from tests.support.courses import TITLES

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from app.core.rag_system import RAGSystem
    from app.domain.events import AnswerEvent

TIDES = TITLES[2]
QUESTION = "When do spring tides come?"
CALL = ToolCall("call-1", "search_course_content", {"query": QUESTION})
MODELS = (ModelInfo("parrot-2", "Parrot 2"),)
CHECKS = (ConnectionCheck("server", True, Message("answers.check_key")),)
CONNECTION = ModelSettings("parrot-2", "http://parrot.example", second=0.001)

# Its replies need no calls: it gets the passages along with the question.
ALONG = Abilities(searches=False)

Script = list[ReplyEvent | Exception | asyncio.Event]


def said(*events: ReplyEvent | Exception, reason: str = StopReason.END) -> Script:
    return [*events, ReplyEnd(reason, "parrot-2.1", "opaque")]


class Parrot:
    """Says what its script says, and keeps what it was asked."""

    def __init__(self, *replies: Script, abilities: Abilities | None = None) -> None:
        self.replies = list(replies)
        self.known = abilities or Abilities(searches=True)
        self.turns: list[Turn] = []
        self.closed = 0

    async def abilities(self) -> Abilities:
        return self.known

    async def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        self.turns.append(replace(turn, steps=list(turn.steps)))
        for event in self.replies.pop(0):
            if isinstance(event, AbilityLost):
                self.known = replace(self.known, citations=False)
            if isinstance(event, Exception):
                raise event
            if isinstance(event, asyncio.Event):
                await event.wait()
            else:
                yield event

    def remember(self, *, searches: bool) -> None:
        self.known = replace(self.known, searches=searches)

    async def probe(self, starting: Callable[[], object] = lambda: None) -> None:
        starting()

    async def list_models(self) -> tuple[ModelInfo, ...]:
        return MODELS

    async def check(self) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        for item in (*CHECKS, MODELS):
            yield item

    async def aclose(self) -> None:
        self.closed += 1


class Citing(Parrot):
    """Cites the first sentence of the first passage that it was sent."""

    async def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        async with aclosing(super().reply(turn)) as events:
            async for event in events:
                if isinstance(event, BlockEnd):
                    outcome = turn.given or turn.steps[0].outcomes[0][1]
                    source = outcome.sources[0]
                    yield CitedSentences(source.ref, 0, 1, source.texts[0])
                yield event


@pytest.fixture
def conversation(rag: RAGSystem) -> int:
    return rag.conversations.create_session()


def service(rag: RAGSystem, provider: ModelProvider) -> AnswerService:
    settings = CurrentSettings(Settings(base_url="http://parrot.example", model="parrot-2"))
    return AnswerService(settings, rag.conversations, rag.search, lambda _: provider)


def ask(
    rag: RAGSystem, provider: Parrot, conversation: int | None = None, scope: Scope | None = None
) -> tuple[Exchange, list[AnswerEvent]]:
    answers = service(rag, provider)

    async def run() -> list[AnswerEvent]:
        found = answers.query(QUESTION, CONNECTION, conversation_id=conversation, scope=scope)
        events = [event async for event in found]
        await answers.disconnect()
        return events

    events = asyncio.run(run())
    last = events[-1]
    assert isinstance(last, AnswerDone | AnswerInterrupted)
    assert provider.closed == 1
    return last.exchange, events


def test_a_search_and_a_cited_answer_are_shown_and_saved(rag: RAGSystem, conversation: int) -> None:
    provider = Citing(
        said(Usage(10, 1), Unseen(7), CALL, reason=StopReason.TOOL_CALLS),
        said(Usage(20, 2), TextDelta("At new "), TextDelta("moon."), BlockEnd()),
    )
    exchange, events = ask(rag, provider, conversation)
    assert (exchange.state, exchange.answer) == (ExchangeState.DONE, "At new moon.")
    assert (exchange.model, exchange.stop_reason, exchange.error) == ("parrot-2.1", "end_turn", None)
    assert (exchange.usage.input_tokens, exchange.usage.output_tokens) == (30, 3)
    (citation,) = exchange.citations
    assert citation.verified
    assert exchange.answer[citation.answer_start : citation.answer_end] == "At new moon."
    assert SearchStarted(QUESTION) in events
    assert rag.conversations.exchanges(conversation) == (exchange,)


def test_a_turn_says_everything_in_terms_of_our_own(rag: RAGSystem, conversation: int) -> None:
    ask(rag, Parrot(said(TextDelta("Twice a month.")), abilities=ALONG), conversation)
    provider = Parrot(said(CALL), said(TextDelta("At new moon.")))
    exchange, _ = ask(rag, provider, conversation, Scope(courses=(TIDES,)))
    first, second = provider.turns
    assert [tool.name for tool in first.tools][:2] == ["search_course_content", "get_course_outline"]
    assert first.tools[0].parameters["required"] == ["query"]
    assert first.history == (ChatMessage("user", QUESTION), ChatMessage("assistant", "Twice a month."))
    assert TIDES in first.question[0]
    assert first.question[1] == QUESTION
    assert TIDES in first.preface
    assert not any(title in text for title in TITLES for text in first.system)
    assert first.steps == []
    (step,) = second.steps
    ((call, outcome),) = step.outcomes
    assert (step.reply, call) == ("opaque", CALL)
    assert outcome.sources == exchange.sources
    assert {source.hit.course_title for source in outcome.sources} == {TIDES}
    assert all(
        text == source.hit.text[start - source.hit.start : end - source.hit.start]
        for source in outcome.sources
        for (start, end), text in zip(source.sentences, source.texts, strict=True)
    )


def test_the_last_turn_shows_the_tools_but_none_may_be_called(rag: RAGSystem) -> None:
    provider = Parrot(*[said(CALL)] * 4)
    exchange, _ = ask(rag, provider)
    assert [turn.may_call for turn in provider.turns] == [True, True, True, False]
    assert provider.turns[-1].tools == provider.turns[0].tools
    assert exchange.error == Message("answers.only_searched")


def test_without_citations_of_its_own_the_models_marks_are_checked(rag: RAGSystem) -> None:
    provider = Parrot(
        said(CALL),
        said(TextDelta("When sun and moon stand in line, spring tides follow [1]. Ink is blue [1].")),
        abilities=Abilities(citations=False, searches=True),
    )
    exchange, _ = ask(rag, provider)
    assert exchange.answer == "When sun and moon stand in line, spring tides follow. Ink is blue."
    assert [citation.verified for citation in exchange.citations] == [True, False]
    turn = provider.turns[-1]
    assert not turn.cites
    assert "Marking what you use" in turn.system[-1]
    assert turn.steps[0].outcomes[0][1].plain_text.startswith("Passage [1]\n[")


def test_without_tools_the_passages_go_along_with_the_question(rag: RAGSystem) -> None:
    provider = Citing(said(TextDelta("At new moon."), BlockEnd()), abilities=Abilities(tools=False))
    exchange, events = ask(rag, provider)
    (turn,) = provider.turns
    assert turn.tools == ()
    assert turn.given is not None
    assert turn.given.sources == exchange.sources
    assert SearchStarted(QUESTION) in events
    assert exchange.citations[0].verified


def test_an_ability_that_is_lost_is_done_without_and_nothing_is_searched_twice(rag: RAGSystem) -> None:
    provider = Parrot(said(CALL), said(AbilityLost()), said(TextDelta("At new moon.")))
    exchange, events = ask(rag, provider)
    assert exchange.answer == "At new moon."
    assert [turn.cites for turn in provider.turns] == [True, True, False]
    assert events.count(SearchStarted(QUESTION)) == 1


def test_a_pause_goes_on_from_the_reply_so_far(rag: RAGSystem) -> None:
    replies = said(TextDelta("At new "), reason=StopReason.PAUSED), said(TextDelta("moon."))
    provider = Parrot(*replies, abilities=ALONG)
    assert ask(rag, provider)[0].answer == "At new moon."
    assert [step.reply for step in provider.turns[1].steps] == ["opaque"]


def test_an_answer_without_end_is_ended(rag: RAGSystem) -> None:
    exchange, _ = ask(rag, Parrot(said(*[TextDelta("word " * 10_000)] * 9), abilities=ALONG))
    assert exchange.stop_reason == StopReason.ENDLESS
    assert exchange.error == Message("answers.endless")


def test_a_failure_keeps_the_text_and_says_why(rag: RAGSystem, conversation: int) -> None:
    why = Message("answers.no_credit")
    provider = Parrot(said(TextDelta("At "), RequestRefused(why)), abilities=ALONG)
    exchange, events = ask(rag, provider, conversation)
    assert (exchange.state, exchange.answer, exchange.error) == (ExchangeState.FAILED, "At ", why)
    assert events[-1] == AnswerInterrupted(exchange)
    assert rag.conversations.exchanges(conversation) == (exchange,)


def test_a_busy_server_is_waited_for(rag: RAGSystem) -> None:
    reason = Message("answers.overloaded")
    busy = ServerBusy(reason, 2.0)
    exchange, events = ask(rag, Parrot(said(busy), said(TextDelta("At new moon.")), abilities=ALONG))
    assert exchange.answer == "At new moon."
    waits = [event for event in events if isinstance(event, AnswerWaiting)]
    assert waits == [AnswerWaiting(left, reason) for left in (2, 1, 0)]


def test_a_server_that_is_busy_in_mid_answer_is_not_asked_again(rag: RAGSystem) -> None:
    exchange, _ = ask(rag, Parrot(said(TextDelta("At "), ServerBusy("Busy.", 1.0)), abilities=ALONG))
    assert (exchange.state, exchange.answer) == (ExchangeState.FAILED, "At ")


def test_stop_ends_it_at_once_and_keeps_what_came(rag: RAGSystem, conversation: int) -> None:
    answers = service(rag, Parrot([TextDelta("At new "), asyncio.Event()], abilities=ALONG))
    events: list[AnswerEvent] = []

    async def run() -> None:
        shown = asyncio.Event()

        async def read() -> None:
            async for event in answers.query(QUESTION, CONNECTION, conversation_id=conversation):
                events.append(event)
                if isinstance(event, AnswerText):
                    shown.set()

        task = asyncio.create_task(read())
        await shown.wait()
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await answers.disconnect()

    asyncio.run(run())
    last = events[-1]
    assert isinstance(last, AnswerInterrupted)
    assert (last.exchange.state, last.exchange.answer) == (ExchangeState.STOPPED, "At new ")


def test_models_and_checks_come_from_the_provider_which_is_closed(rag: RAGSystem) -> None:
    provider = Parrot()
    answers = service(rag, provider)
    assert answers.list_models(None) == MODELS

    async def check() -> list[ConnectionCheck | tuple[ModelInfo, ...]]:
        return [item async for item in answers.check_connection(CONNECTION)]

    assert asyncio.run(check()) == [*CHECKS, MODELS]
    assert provider.closed == 2


def test_connections_of_earlier_settings_are_closed_when_they_answer_nothing(rag: RAGSystem) -> None:
    made: list[Parrot] = []
    goes_on = asyncio.Event()

    def make(connection: ModelSettings) -> Parrot:
        waits = [goes_on] if connection.api_key == "first" else []
        made.append(Parrot(said(TextDelta("Yes.")), [*waits, *said(TextDelta("Yes."))], abilities=ALONG))
        return made[-1]

    answers = AnswerService(CurrentSettings(Settings()), rag.conversations, rag.search, make)

    async def query(key: str) -> None:
        connection = replace(CONNECTION, api_key=key, send_passages=True)
        events = [event async for event in answers.query(QUESTION, connection)]
        assert isinstance(events[-1], AnswerDone)

    async def run() -> None:
        await query("first")
        still = asyncio.create_task(query("first"))
        while len(made[0].turns) < 2:
            await asyncio.sleep(0.01)
        await query("second")
        assert [one.closed for one in made] == [0, 0]
        goes_on.set()
        await still
        await query("third")
        assert [one.closed for one in made] == [1, 1, 0]
        await answers.disconnect()
        assert [one.closed for one in made] == [1, 1, 1]

    asyncio.run(run())
