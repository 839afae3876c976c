"""Whatever a server sends, the answer ends in a state, in time, and is saved; see hostile_cases.py."""

from __future__ import annotations

import asyncio
import base64
import logging
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from app.core.answers.providers.base import ModelSettings
from app.core.conversations.session_manager import SessionManager
from app.core.storage.database import Database
from app.domain.conversations import Exchange, ExchangeState
from app.domain.events import AnswerText
from tests.support.chat_protocol import as_chat
from tests.support.hostile_asking import answer, events_of
from tests.support.hostile_cases import CASES
from tests.support.hostile_messages import KEY, Case
from tests.support.hostile_server import Answer, HostileServer

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

_LIMIT = 60.0  # seconds for any case, on a busy machine
_KEYS = (KEY, quote(KEY), KEY.encode().hex(), base64.b64encode(KEY.encode()).decode()[:-4])


@pytest.fixture(scope="module")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionManager]:
    with closing(Database(tmp_path_factory.mktemp("hostile"))) as database:
        database.open()
        yield SessionManager(database)


@pytest.mark.parametrize("name", CASES)
def test_every_answer_ends_in_a_state(
    sessions: SessionManager, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    case = CASES[name]
    conversation = sessions.create_session()
    began = time.monotonic()
    with HostileServer(*case.answers, models=case.models) as server:
        exchange = answer(server.url, case, sessions, conversation)
        seconds = time.monotonic() - began
    assert exchange.state is case.state, exchange
    assert case.says in str(exchange.error or ""), exchange.error
    assert case.text is None or exchange.answer == case.text
    assert seconds < _LIMIT
    assert sessions.exchanges(conversation) == (exchange,)
    _check_sentence(exchange)
    told = repr(exchange) + caplog.text
    assert not [spelling for spelling in _KEYS if spelling in told]
    assert "thief.example" not in b"".join(server.requests).decode("latin-1")


def _in_chat(case: Case) -> tuple[Answer, ...]:
    """Return the answers of a case as chat completions; those made while they are sent have no such form."""
    return tuple(
        replace(one, body=as_chat(one.body)) if isinstance(one.body, bytes) else one for one in case.answers
    )


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if _in_chat(case) != case.answers])
def test_every_answer_of_chat_completions_ends_in_a_state(
    sessions: SessionManager, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    case = CASES[name]
    sent = _in_chat(case)
    began = time.monotonic()
    with HostileServer(*sent, models=case.models) as server:
        exchange = answer(server.url, case, sessions, sessions.create_session(), provider="openai")
    assert exchange.state in (ExchangeState.DONE, ExchangeState.FAILED)
    assert time.monotonic() - began < _LIMIT
    _check_sentence(exchange)
    told = repr(exchange) + caplog.text
    assert not [spelling for spelling in _KEYS if spelling in told]
    assert "thief.example" not in b"".join(server.requests).decode("latin-1")


def test_nobody_waits_for_pings_alone_for_longer_than_two_minutes() -> None:
    assert ModelSettings("m").timeout_content <= 120


def _check_sentence(exchange: Exchange) -> None:
    said = str(exchange.error or "")
    assert bool(said) or exchange.state is not ExchangeState.FAILED
    assert "Something went wrong in Lectern" not in said, "foreseen"
    assert said.isprintable()
    assert len(said) < 600
    assert len(exchange.answer) <= 20_000


def test_there_are_enough_cases() -> None:
    assert len(CASES) >= 150


@pytest.mark.parametrize(
    "name",
    [
        "never answers",
        "head that drips",
        "100 for ever",
        "pings for ever",
        "pings as fast as it can",
        "unknown events for ever",
        "comments for ever",
        "words for ever",
        "thoughts for ever",
        "a letter now and then",
        "JSON that drips",
        "error that drips",
        "silence after a word",
    ],
)
def test_stop_takes_effect_at_once(sessions: SessionManager, name: str) -> None:
    case = CASES[name]
    conversation = sessions.create_session()

    async def run(url: str) -> float:
        task = asyncio.create_task(_read(url))
        await asyncio.sleep(0.25)  # the server is in the middle of it
        before = time.monotonic()
        task.cancel()
        await task
        return time.monotonic() - before

    async def _read(url: str) -> None:
        patient = {"timeout_content": 60.0, "longest_answer": 10**9, "most_bytes": 10**12}
        async for event in events_of(url, case, sessions, conversation, patient):
            assert not isinstance(event, AnswerText) or event.text

    with HostileServer(*case.answers) as server:
        seconds = asyncio.run(run(server.url))
    assert seconds < 20  # of the minute that it would take
    (exchange,) = sessions.exchanges(conversation)
    assert exchange.state is ExchangeState.STOPPED


HEAVY = (
    "archive of 200 MB",
    "unknown blocks for ever",
    "unknown events for ever",
    "pings as fast as it can",
    "line without end",
    "one word of 5 MB",
    "citations for ever",
    "calls for ever",
    "JSON without end",
    "events of small things",
    "error without end",
)


@pytest.mark.skipif(sys.platform == "win32", reason="says nothing of the most memory that was used")
def test_no_answer_takes_much_memory() -> None:
    """With the program's own limits on sizes, one after the other in a process of their own."""
    asked = [sys.executable, "-m", "tests.support.hostile_asking", *HEAVY]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=300, check=True)
    lines = done.stdout.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(HEAVY)
    for line in lines:
        state, megabytes = line.rpartition(": ")[2].split()
        assert state in ("done", "failed"), line
        assert int(megabytes) <= 400, line
