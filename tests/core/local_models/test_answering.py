"""A question about the courses is answered by a model on this computer, with checked citations."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from app.domain.conversations import ExchangeState
from app.domain.events import AnswerDone, AnswerText, ModelLoading, SourcesFound
from app.domain.sources import Support
from tests.support.small_gguf import write_gguf

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.events import AnswerEvent

ANSWER = "Spring tides follow when sun and moon stand in line [1]."


def ask(rag: RAGSystem, question: str) -> list[AnswerEvent]:
    async def run() -> list[AnswerEvent]:
        connection = rag.answers.connection("sk-ant-not-for-it")
        assert connection is not None
        assert not connection.api_key
        async with aclosing(rag.answers.query(question, connection)) as events:
            seen = [event async for event in events]
        await rag.answers.disconnect()
        return seen

    return asyncio.run(run())


def test_from_the_choice_of_a_file_to_a_cited_answer(rag: RAGSystem, tmp_path: Path) -> None:
    model = write_gguf(tmp_path / "small.gguf", ANSWER)
    rag.settings = replace(rag.settings, provider="local", model=str(model))
    events = ask(rag, "When do spring tides come?")
    kinds = [type(event) for event in events]
    assert kinds.index(SourcesFound) < kinds.index(ModelLoading) < kinds.index(AnswerText)
    done = events[-1]
    assert isinstance(done, AnswerDone)
    exchange = done.exchange
    assert (exchange.state, exchange.model) == (ExchangeState.DONE, "small")
    assert exchange.answer.startswith("Spring tides follow when sun and moon stand in line")
    (citation,) = exchange.citations
    assert exchange.sources[citation.source_n - 1].hit.course_title == "Tides and Currents"
    assert citation.support is Support.STANDS
    assert exchange.usage.cost is None
