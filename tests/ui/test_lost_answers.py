"""Answers whose worker ends without a last event: the window still shows an end and a way to go on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.conversations import ExchangeState
from app.domain.events import AnswerDone, AnswerStarted, AnswerText, SourcesFound
from app.workers.job import Job
from tests.support.chat_builders import exchange, source
from tests.support.conversing import ask, chat_text, click_link

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    from app.domain.events import AnswerEvent
    from app.domain.scope import Scope
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener, RunningWindow

QUESTION = "Why are there tides?"
CAME = (SourcesFound((source(1),)), AnswerText("The moon pulls"))


def lose_answers(
    running: RunningWindow, monkeypatch: pytest.MonkeyPatch, events: Sequence[AnswerEvent], *, raises: bool
) -> None:
    """Let answers begin as they do, but end after some events, as a bug in a worker would end them."""
    workers = running.workers

    def broken(
        question: str, conversation_id: int | None, scope: Scope, parent_id: int | None, kind: str
    ) -> Job[None]:
        async def work(_: Job[None]) -> AsyncGenerator[AnswerEvent, None]:
            sessions = running.rag.conversations
            talk = conversation_id if conversation_id is not None else sessions.create_session(scope)
            yield AnswerStarted(
                sessions.begin_exchange(talk, question, scope, "model", parent_id, kind), talk
            )
            for event in events:
                yield event
            if raises:
                raise RuntimeError("a bug")

        return Job(workers, workers.chat, "Answering", work)

    monkeypatch.setattr(workers.answers, "ask", broken)


@pytest.mark.parametrize("raises", [True, False])
@pytest.mark.parametrize("events", [(), CAME], ids=["at once", "after some text"])
def test_an_answer_without_an_end_is_shown_as_failed_and_can_be_tried_again(
    open_window: Opener,
    server: AnthropicServer,
    monkeypatch: pytest.MonkeyPatch,
    events: Sequence[AnswerEvent],
    raises: bool,
) -> None:
    running = open_window(server)
    with monkeypatch.context() as broken:
        lose_answers(running, broken, events, raises=raises)
        ask(running, QUESTION)
    if raises:
        running.wait_for(lambda: "because of a bug in Lectern" in chat_text(running), "what happened")
    text = chat_text(running)
    assert "Thinking…" not in text
    assert "Writing…" not in text
    assert "The answer could not be completed." in text
    assert ("The moon pulls" in text) == bool(events)
    assert ("1 source" in text) == bool(events)
    assert ("because of a bug in Lectern" in text) == raises
    click_link(running, "Try again")
    running.wait_for(lambda: "could not be completed" not in chat_text(running), "the new attempt")
    running.wait_for(lambda: not running.window.chat_controller.is_answering, "its end")
    assert "Regenerate" in chat_text(running)


def test_an_end_for_another_answer_ends_nothing(open_window: Opener, server: AnthropicServer) -> None:
    """Late events of an answer that is over do not touch the one being written."""
    running = open_window(server)
    transcript = running.window.chat.transcript
    transcript.handle(AnswerStarted(exchange(1, "First?", "", ExchangeState.WRITING), 1))
    transcript.handle(AnswerDone(exchange(1, "First?", "One.")))
    transcript.handle(AnswerStarted(exchange(2, "Second?", "", ExchangeState.WRITING), 1))
    transcript.handle(AnswerDone(replace(exchange(1, "First?", "One again."))))
    assert "Thinking…" in chat_text(running)
    assert "One again." not in chat_text(running)
