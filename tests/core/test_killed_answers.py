"""Killing the program while it answers loses no finished exchange and no question.

``LECTERN_TEST_KILLS=50 pytest tests/core/test_killed_answers.py`` tries it that often.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.core.conversations.session_manager import SessionManager
from app.core.storage.database import Database
from app.domain.conversations import INTERRUPTED, ExchangeState
from tests.support.anthropic_server import AnthropicServer
from tests.support.scripted_turns import Text, Turn

pytestmark = pytest.mark.slow

_KILLS = int(os.environ.get("LECTERN_TEST_KILLS", "4"))
_ANSWER = "The moon pulls the ocean into two bulges. " * 40

# Tells on its output which question it asks, and which answer is complete as the window would show it.
_CHILD = """
import asyncio, sys
from pathlib import Path
from app.config.settings import Settings
from app.core.rag_system import RAGSystem
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from app.domain.events import AnswerDone, AnswerStarted

async def main(data_dir, url, cache):
    rag = RAGSystem(Path(data_dir), Settings(base_url=url), Embedder(None, Path(cache)))
    rag.open()
    rag.prepare_model(CancelToken())
    talk = rag.conversations.create_session()
    connection = rag.answers.connection("test-key")
    for number in range(1000):
        async for event in rag.answers.query(f"Question {number}?", connection, conversation_id=talk):
            if isinstance(event, (AnswerStarted, AnswerDone)):
                print(type(event).__name__, event.exchange.id, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.parametrize("seed", range(_KILLS))
def test_no_question_and_no_finished_answer_is_lost(tmp_path: Path, model_cache: Path, seed: int) -> None:
    moment = random.Random(seed).uniform(0.0, 1.5)
    with AnthropicServer() as server:
        server.script(*(Turn(Text(_ANSWER)) for _ in range(500)))
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD, str(tmp_path), server.url, str(model_cache)],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )
        assert child.stdout is not None
        said = [child.stdout.readline()]
        time.sleep(moment)
        child.kill()
        said += child.stdout.readlines()
        child.wait(60)
        child.stdout.close()
    whole = [line.split() for line in said if line.endswith("\n")]
    asked = {int(number) for kind, number in whole if kind == "AnswerStarted"}
    finished = {int(number) for kind, number in whole if kind == "AnswerDone"}
    assert asked, "it was killed after the first question"
    database = Database(tmp_path)
    database.open()
    try:
        sessions = SessionManager(database)
        sessions.close_interrupted()
        (conversation,) = sessions.all()
        stored = {item.id: item for item in sessions.exchanges(conversation.id)}
        assert asked <= set(stored)
        for number, exchange in enumerate(stored.values()):
            assert exchange.question == f"Question {number}?"
            done = exchange.state is ExchangeState.DONE
            assert done or exchange.id not in finished
            assert done or exchange.stop_reason == INTERRUPTED
            assert _ANSWER.startswith(exchange.answer.rstrip())
            assert not done or exchange.answer.strip() == _ANSWER.strip()
        assert database.connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    finally:
        database.close()
