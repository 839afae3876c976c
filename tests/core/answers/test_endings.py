"""Every end of an answer is a state, also one that nobody foresaw."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from app.config.redaction import RedactingFormatter, hide
from app.config.settings import CurrentSettings, Settings
from app.core.answers.providers.base import CitedSentences, TextDelta, ToolCall
from app.core.answers.service import AnswerService
from app.domain.conversations import Exchange, ExchangeState, StopReason
from app.domain.errors import LecternError
from app.domain.events import AnswerDone, AnswerInterrupted, AnswerText
from tests.core.answers.test_provider_protocol import CALL, CONNECTION, QUESTION, Parrot, said
from tests.support.small_library import SmallLibrary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.rag_system import RAGSystem
    from app.domain.events import AnswerEvent
    from app.domain.scope import Scope
    from app.domain.search import SearchResults

KEY = "sk-planted-4f1c9a7e55d0"


class FailingLibrary(SmallLibrary):
    """A library whose searches end in an error that no search should end in."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def retrieve(
        self,
        query: str,
        course_name: str | None,
        lesson_number: int | None,
        scope: Scope,
        limit: int | None,
        *,
        rewordings: Sequence[str] = (),
    ) -> SearchResults:
        raise self._error


def ask(rag: RAGSystem, provider: Parrot, library: SmallLibrary | None = None) -> Exchange:
    """Ask, and check that what is told is what is saved."""
    conversation = rag.conversations.create_session()
    settings = CurrentSettings(Settings(base_url="http://parrot.example", model="parrot-2"))
    answers = AnswerService(settings, rag.conversations, library or SmallLibrary(), lambda _: provider)

    async def run() -> list[AnswerEvent]:
        found = answers.query(QUESTION, CONNECTION, conversation_id=conversation)
        return [event async for event in found]

    last = asyncio.run(run())[-1]
    assert isinstance(last, AnswerDone | AnswerInterrupted)
    (saved,) = rag.conversations.exchanges(conversation)
    assert saved.state is last.exchange.state is ExchangeState.FAILED
    assert saved.error == last.exchange.error
    return saved


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (sqlite3.OperationalError("database disk image is malformed"), "The library couldn't be read"),
        (sqlite3.InterfaceError("Error binding parameter"), "The library couldn't be read"),
        (MemoryError(), "ran out of memory"),
        (RecursionError("maximum recursion depth exceeded"), "Something went wrong in Lectern"),
        (OverflowError("int too large to convert to float"), "Something went wrong in Lectern"),
        (ValueError("Exceeds the limit for integer string conversion"), "Something went wrong in Lectern"),
        (KeyError(KEY), "Something went wrong in Lectern"),
        (AssertionError(), "Something went wrong in Lectern"),
    ],
)
def test_a_search_that_fails_ends_the_answer_with_a_sentence(
    rag: RAGSystem, caplog: pytest.LogCaptureFixture, error: Exception, sentence: str
) -> None:
    hide(KEY)
    caplog.handler.setFormatter(RedactingFormatter())
    exchange = ask(
        rag, Parrot(said(TextDelta("Let me see."), CALL, reason=StopReason.TOOL_CALLS)), FailingLibrary(error)
    )
    assert sentence in str(exchange.error)
    logged = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(logged) == 1
    told = caplog.handler.format(logged[0])
    assert "Traceback" in told
    assert type(error).__name__ in told
    assert KEY not in told


def test_what_came_before_a_bug_is_kept(rag: RAGSystem) -> None:
    exchange = ask(rag, Parrot(said(TextDelta("At new moon."), RuntimeError())))
    assert exchange.answer == "At new moon."


def test_what_cannot_be_stored_is_left_out_and_the_text_kept(rag: RAGSystem) -> None:
    half = CitedSentences("nowhere", 0, 1, "\ud83d")  # of a character, which no file can hold
    exchange = ask(rag, Parrot(said(TextDelta("At new moon."), half)))
    assert exchange.answer == "At new moon."
    assert exchange.citations == ()


def test_an_answer_that_is_listened_to_no_more_is_stopped(rag: RAGSystem) -> None:
    conversation = rag.conversations.create_session()
    settings = CurrentSettings(Settings(base_url="http://parrot.example", model="parrot-2"))
    provider = Parrot([TextDelta("At new "), asyncio.Event()])
    answers = AnswerService(settings, rag.conversations, SmallLibrary(), lambda _: provider)

    async def run() -> None:
        async with aclosing(answers.query(QUESTION, CONNECTION, conversation_id=conversation)) as events:
            async for event in events:
                if isinstance(event, AnswerText):
                    return

    asyncio.run(run())
    (saved,) = rag.conversations.exchanges(conversation)
    assert (saved.state, saved.answer) == (ExchangeState.STOPPED, "At new ")


def test_a_question_that_cannot_be_begun_is_refused_with_a_sentence(rag: RAGSystem) -> None:
    settings = CurrentSettings(Settings(base_url="http://parrot.example", model="parrot-2"))
    answers = AnswerService(settings, rag.conversations, SmallLibrary(), lambda _: Parrot())

    async def run() -> None:
        async for _ in answers.query(QUESTION, CONNECTION, conversation_id=10**6):  # there is no such one
            pass

    with pytest.raises(LecternError, match="The library couldn't be read"):
        asyncio.run(run())


def test_a_question_with_half_a_character_is_asked(rag: RAGSystem) -> None:
    conversation = rag.conversations.create_session()
    settings = CurrentSettings(Settings(base_url="http://parrot.example", model="parrot-2"))
    provider = Parrot(said(ToolCall("1", "x", {})), said(TextDelta("Yes.")))
    answers = AnswerService(settings, rag.conversations, SmallLibrary(), lambda _: provider)

    async def run() -> None:
        async for _ in answers.query("Why \ud83d?", CONNECTION, conversation_id=conversation):
            pass

    asyncio.run(run())
    (saved,) = rag.conversations.exchanges(conversation)
    assert (saved.state, saved.question) == (ExchangeState.DONE, "Why \ufffd?")
