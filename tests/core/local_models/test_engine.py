"""A model that Lectern runs itself, from a question to the words of its answer; and all that goes wrong."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import subprocess
import sys
import time
from contextlib import aclosing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import pytest

from app.core.answers.providers.base import OWN_COMPUTER, ModelSettings, ReplyEnd, TextDelta, Turn
from app.core.answers.providers.local import LocalProvider
from app.core.answers.side_request import look_again
from app.core.local_models.service import LocalModels
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import StopReason
from app.domain.errors import ConnectionTrouble, UserError
from app.domain.events import ModelLoading
from app.domain.model_servers import ConnectionCheck, Usage
from app.domain.sources import Claim, Support
from tests.support import chat_builders
from tests.support.chat_builders import source
from tests.support.small_gguf import write_gguf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.core.answers.providers.base import ReplyEvent

ANSWER = "The front element leaves the queue first, as the notes say [1]."
TURN = Turn(("Which element leaves a queue first?",), system=("Be brief.",))


@pytest.fixture
def models(tmp_path: Path) -> Iterator[LocalModels]:
    models = LocalModels(tmp_path / "cache")
    yield models
    models.close()


@pytest.fixture
def small(tmp_path: Path) -> str:
    return str(write_gguf(tmp_path / "small.gguf", ANSWER))


def ask(
    models: LocalModels, model: str, seen: Callable[[ReplyEvent], object] = lambda _: None
) -> list[ReplyEvent]:
    """Return the events of a reply; ``seen`` is called with each."""

    async def run() -> list[ReplyEvent]:
        events = []
        provider = LocalProvider(ModelSettings(model), models)
        async with aclosing(provider), aclosing(provider.reply(TURN)) as reply:
            async for event in reply:
                events.append(event)
                seen(event)
        return events

    return asyncio.run(run())


def said(events: list[ReplyEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta)).strip()


def children() -> list[multiprocessing.process.BaseProcess]:
    """Return the processes in which this one runs models."""
    return [child for child in multiprocessing.active_children() if child.name == "lectern-model"]


def test_a_question_loads_the_model_which_answers_this_program_alone(models: LocalModels, small: str) -> None:
    assert not children()
    events = ask(models, small)
    assert isinstance(events[0], ModelLoading)
    assert said(events) == ANSWER
    end = events[-1]
    assert isinstance(end, ReplyEnd)
    assert (end.stop_reason, end.model) == (StopReason.END, "small")
    assert any(isinstance(event, Usage) and event.output_tokens for event in events)
    assert not any(isinstance(event, ModelLoading) for event in ask(models, small)), "it is loaded"
    speed = models.speed(small)
    assert speed is not None
    assert min(speed) > 0
    endpoint = models.begin(small, CancelToken())
    for key in ("", "another"):
        asked = httpx2.post(f"{endpoint.address}/v1/messages", headers={"x-api-key": key}, json={})
        assert asked.status_code == 401
    models.end()


def test_a_second_look_names_the_model_and_no_path(models: LocalModels, tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "judge.gguf", "1 yes")
    settings = ModelSettings(str(path), base_url=OWN_COMPUTER, short=True)
    claim = Claim(0, 14, Support.NOT_FOUND)
    exchange = replace(
        chat_builders.exchange(answer="The tide rises."), sources=(source(1),), claims=(claim,)
    )
    judged = asyncio.run(look_again(exchange, settings, lambda asked: LocalProvider(asked, models)))
    assert judged is not None
    assert str(judged[0].claims[0].reason) == "A second look by judge confirmed this."


def test_it_gives_way_to_the_window(models: LocalModels, small: str) -> None:
    models.begin(small, CancelToken())
    (child,) = children()
    if sys.platform != "win32":
        assert os.getpriority(os.PRIO_PROCESS, child.pid or 0) > os.getpriority(os.PRIO_PROCESS, 0)


def test_a_model_killed_while_it_answers_leaves_what_came_and_is_loaded_anew(
    models: LocalModels, tmp_path: Path
) -> None:
    endless = str(write_gguf(tmp_path / "endless.gguf", ANSWER, endless=True))
    seen: list[ReplyEvent] = []

    def kill(event: ReplyEvent) -> None:
        seen.append(event)
        if isinstance(event, TextDelta):
            for child in children():
                child.kill()

    with pytest.raises(ConnectionTrouble, match="endless broke off its answer"):
        ask(models, endless, kill)
    assert ANSWER.startswith(said(seen)[:10])
    again = ask(models, endless)
    assert isinstance(again[0], ModelLoading)
    assert said(again).startswith(ANSWER)


@pytest.mark.parametrize("cut", [0, 3, 100, 20_000, -100])
def test_a_file_that_is_no_whole_model_is_refused_in_one_sentence(
    models: LocalModels, small: str, tmp_path: Path, cut: int
) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(Path(small).read_bytes()[:cut])
    with pytest.raises(UserError, match=r"broken\.gguf cannot be used"):
        ask(models, str(broken))
    assert not children()
    assert said(ask(models, small)) == ANSWER


def test_a_file_that_is_something_else_or_missing_is_refused(models: LocalModels, tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("no model", encoding="utf-8")
    with pytest.raises(UserError, match=r"notes\.txt cannot be used"):
        ask(models, str(other))
    with pytest.raises(UserError, match="There is no file"):
        ask(models, str(tmp_path / "gone.gguf"))
    with pytest.raises(UserError, match="Qwen3 4B Instruct has not been downloaded"):
        ask(models, "qwen3-4b")


def test_a_model_that_nobody_asks_is_unloaded(tmp_path: Path, small: str) -> None:
    models = LocalModels(tmp_path, idle_seconds=0.2)
    models.begin(small, CancelToken())
    models.begin(small, CancelToken())
    (child,) = children()
    models.end()
    child.join(0.6)
    assert child.is_alive(), "somebody still waits for an answer"
    models.end()
    child.join(5)
    assert not models.is_loaded(small)
    assert said(ask(models, small)) == ANSWER
    models.close()


def test_loading_is_stopped_and_the_next_question_loads(models: LocalModels, small: str) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        models.begin(small, token)
    assert not children()
    assert said(ask(models, small)) == ANSWER


def test_an_answer_stopped_while_the_model_is_loaded_keeps_no_hold_of_it(tmp_path: Path, small: str) -> None:
    models = LocalModels(tmp_path, idle_seconds=0.1)

    async def run() -> None:
        async with aclosing(LocalProvider(ModelSettings(small), models)) as provider:
            reply = provider.reply(TURN)
            assert isinstance(await anext(reply), ModelLoading)
            waiting = asyncio.ensure_future(anext(reply))
            await asyncio.sleep(0)
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting

    asyncio.run(run())
    for child in children():
        child.join(5)
    assert not children()


def test_two_programs_run_a_model_each(models: LocalModels, tmp_path: Path, small: str) -> None:
    others = LocalModels(tmp_path / "other")
    first, second = models.begin(small, CancelToken()), others.begin(small, CancelToken())
    assert first.address != second.address
    others.close()
    assert said(ask(models, small)) == ANSWER


@pytest.mark.slow
def test_another_model_takes_the_place_of_the_one_that_is_loaded(
    models: LocalModels, tmp_path: Path, small: str
) -> None:
    other = str(write_gguf(tmp_path / "other.gguf", "Nothing is known of queues."))
    assert said(ask(models, small)) == ANSWER
    assert said(ask(models, other)) == "Nothing is known of queues."
    assert len(children()) == 1


def test_checking_the_connection_loads_the_model(models: LocalModels, small: str) -> None:
    async def run(model: str) -> list[object]:
        return [found async for found in LocalProvider(ModelSettings(model), models).check()]

    *_, works = asyncio.run(run(small))
    assert isinstance(works, ConnectionCheck)
    assert works.works
    *_, fails = asyncio.run(run("qwen3-4b"))
    assert isinstance(fails, ConnectionCheck)
    assert fails.works is False


@pytest.mark.slow
def test_it_ends_with_the_program_also_when_that_is_killed(small: str, tmp_path: Path) -> None:
    script = (
        "import multiprocessing, os, signal, sys; from pathlib import Path\n"
        "from app.core.local_models.service import LocalModels; from app.domain.cancel import CancelToken\n"
        f"LocalModels(Path({str(tmp_path)!r})).begin({small!r}, CancelToken())\n"
        "print(multiprocessing.active_children()[0].pid, flush=True); os.kill(os.getpid(), signal.SIGTERM)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    pid, until = int(done.stdout), time.monotonic() + 10
    while _runs(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
