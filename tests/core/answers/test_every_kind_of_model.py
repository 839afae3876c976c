"""Fifty questions to every kind of model: nothing is answered from the courses without a search.

What a model invents is shown only as what it is: not from the courses.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.paths import resource_path
from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerDone, AnswerInterrupted, AnswerText, SourcesFound
from app.domain.sources import Support
from tests.support.answering import settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.courses import ingest, library
from tests.support.kinds_of_models import INVENTED, KINDS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

_DATA = Path(__file__).parents[2] / "data"


def questions() -> list[str]:
    """Return 34 questions that the sample courses answer and 16 that they do not."""
    rows = [json.loads(line) for line in (_DATA / "questions_samples.jsonl").read_text("utf-8").splitlines()]
    others = [
        json.loads(line) for line in (_DATA / "questions_unanswerable.jsonl").read_text("utf-8").splitlines()
    ]
    answered = [row["question"] for row in rows if row["kind"] != "unanswerable"][:34]
    return answered + [row["question"] for row in others[:: len(others) // 16][:16]]


QUESTIONS = questions()


@dataclass
class Asked:
    """What came of a question; ``begun`` says whether its first text came before any sources."""

    exchange: Exchange
    begun: bool


@dataclass
class Run:
    """What came of all questions."""

    asked: list[Asked] = field(default_factory=list)
    requests: int = 0


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path_factory.mktemp("samples"), embedder, index=False) as rag:
        ingest(rag, resource_path("docs/courses"))
        yield rag


@contextmanager
def served(kind: Kind) -> Iterator[AnthropicServer]:
    with AnthropicServer(models=(kind.model,), lists_models=kind.lists_models) as server:
        server.answer_with(kind.script())
        yield server


def ask_all(rag: RAGSystem, kind: Kind, *, send_passages: bool = False) -> Run:
    run = Run()
    with served(kind) as server:
        settings = replace(settings_for(server), model=kind.model.id, send_passages=send_passages)

        async def ask(question: str) -> Asked:
            seen = [event async for event in rag.answers.query(question, settings)]
            found = [isinstance(event, SourcesFound) for event in seen]
            text = [isinstance(event, AnswerText) for event in seen]
            begun = True in text and True not in found[: text.index(True)]
            assert isinstance(seen[-1], AnswerDone | AnswerInterrupted)
            return Asked(seen[-1].exchange, begun)

        async def ask_in_turn() -> None:
            run.asked = [await ask(question) for question in QUESTIONS]
            await rag.answers.disconnect()

        asyncio.run(ask_in_turn())
        # Not those that find out once what the model can do.
        asked = [body for body in server.message_requests if "You are Lectern" in str(body.get("system"))]
        run.requests = len(asked)
    return run


def is_flagged(exchange: Exchange) -> bool:
    """Whether an answer is shown as one that the courses do not support."""
    supports = {claim.support for claim in exchange.claims}
    return exchange.covered is not True and bool(supports) and Support.IN_LINE not in supports


@pytest.mark.parametrize("name", KINDS)
def test_nothing_is_answered_from_the_courses_without_a_search(samples: RAGSystem, name: str) -> None:
    assert len(QUESTIONS) == 50
    run = ask_all(samples, KINDS[name])
    unsearched = [one.exchange for one in run.asked if one.begun]
    assert [one.question for one in unsearched if one.covered is True] == []
    for one in run.asked:
        exchange = one.exchange
        assert exchange.state in (ExchangeState.DONE, ExchangeState.FAILED)
        if INVENTED in exchange.answer:
            assert is_flagged(exchange), exchange.question
        if samples.search.retrieve(exchange.question).covered:
            assert not one.begun, exchange.question
            assert INVENTED not in exchange.answer, exchange.question
    answered = [one for one in run.asked if any(c.verified for c in one.exchange.citations)]
    assert len(answered) >= 30


@pytest.mark.parametrize("name", ["like Claude", "ignores tools, small", "without tools"])
def test_with_passages_along_most_questions_take_one_request(samples: RAGSystem, name: str) -> None:
    run = ask_all(samples, KINDS[name], send_passages=True)
    assert run.requests <= 1.2 * len(QUESTIONS)
    assert not [one for one in run.asked if one.begun]
