"""Several answers at a time, and answers that cannot be stored."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from app.core.answers.providers.base import ModelSettings
from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerDone, AnswerInterrupted, AnswerStarted
from tests.support.anthropic_server import AnthropicServer
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from tests.support.anthropic_server import AnthropicServer


def connection(server: AnthropicServer, max_tokens: int = 800) -> ModelSettings:
    """Return how to ask for an answer that takes one request."""
    return ModelSettings(
        "claude-sonnet-5-5", server.url, server.key, max_tokens=max_tokens, send_passages=True
    )


async def ask(rag: RAGSystem, question: str, model: ModelSettings, talk: int) -> Exchange:
    """Return how the exchange ended."""
    last: Exchange | None = None
    async for event in rag.answers.query(question, model, conversation_id=talk):
        if isinstance(event, AnswerStarted | AnswerDone | AnswerInterrupted):
            last = event.exchange
    assert last is not None
    return last


def test_new_settings_do_not_cut_an_answer_that_is_being_written(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    gate = Gate()
    server.script(Turn(Text("The moon pulls ", Wait(gate), "the sea.")), Turn(Text("Ground grain.")))
    first, second = rag.conversations.create_session(), rag.conversations.create_session()

    async def both() -> tuple[Exchange, Exchange]:
        slow = asyncio.create_task(ask(rag, "Why are there tides?", connection(server), first))
        await asyncio.to_thread(gate.reached.wait, 60)
        quick = await ask(rag, "What is flour?", connection(server, max_tokens=500), second)
        gate.open()
        ended = await slow
        await rag.answers.disconnect()
        return ended, quick

    slow, quick = asyncio.run(both())
    assert (slow.state, slow.answer) == (ExchangeState.DONE, "The moon pulls the sea.")
    assert (quick.state, quick.answer) == (ExchangeState.DONE, "Ground grain.")
    assert rag.conversations.exchanges(first) == (slow,)
    assert rag.conversations.exchanges(second) == (quick,)
    while server.open_connections:
        assert server.disconnects.acquire(timeout=60)


def test_an_answer_that_does_not_fit_on_the_disk_is_shown_and_said(
    rag: RAGSystem, server: AnthropicServer
) -> None:
    server.script(Turn(Text("The moon pulls the sea. " * 1_500)), Turn(Text("Short.")))
    talk = rag.conversations.create_session()

    def limit(more: int) -> None:
        database = rag.database.connection
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {pages + more}")

    async def run() -> Exchange:
        # A limit is that of a connection, and each thread has its own.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        await asyncio.to_thread(limit, 3)  # room for the question, not the answer
        ended = await ask(rag, "Why are there tides?", connection(server), talk)
        await asyncio.to_thread(limit, 1_000_000)
        assert (await ask(rag, "And now?", connection(server), talk)).state is ExchangeState.DONE
        await rag.answers.disconnect()
        return ended

    ended = asyncio.run(run())
    assert ended.state is ExchangeState.FAILED
    assert "full" in str(ended.error)
    assert ended.answer.startswith("The moon pulls the sea.")
    first, second = rag.conversations.exchanges(talk)
    assert first.question == "Why are there tides?"
    assert second.answer == "Short."
