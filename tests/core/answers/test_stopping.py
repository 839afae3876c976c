from __future__ import annotations

import asyncio
import gc
import random
import socket
import threading
import time
from contextlib import aclosing
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.anthropic.client import import_sdk
from app.core.answers.tools import ToolManager
from app.domain.events import AnswerText
from app.domain.scope import Scope
from tests.support.answering import EVERY_PROVIDER, QUESTION, generator_for, settings_for
from tests.support.anthropic_server import AnthropicServer
from tests.support.scripted_turns import ErrorReply, Gate, Text, Thinking, ToolUse, Turn, Wait
from tests.support.small_library import CoveringLibrary, SmallLibrary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.core.answers.citations import GenerationEvent
    from app.core.answers.providers.base import ModelSettings
    from app.domain.search import SearchResults

SEARCH = ToolUse("search_course_content", {"query": "prompt caching"})
ALLOWED = 15.0  # seconds on a busy machine, of the thirty and more that waiting would take


class Stopped:
    """What was seen of an answer that was stopped."""

    def __init__(self) -> None:
        self.events: list[GenerationEvent] = []
        self.seconds = 0.0
        self.tasks_left: set[asyncio.Task[object]] = set()


async def _stop_when(
    reached: threading.Event,
    settings: ModelSettings,
    library: SmallLibrary,
    seen: Stopped,
    shown: tuple[str, threading.Event] | None,
) -> None:
    generator = generator_for(settings)
    import_sdk()

    async def answer() -> None:
        tools = ToolManager(library, Scope())
        async with aclosing(generator.generate(QUESTION, [], Scope(), tools)) as events:
            async for event in events:
                seen.events.append(event)
                if shown and isinstance(event, AnswerText) and event.text.strip() == shown[0]:
                    shown[1].set()

    task = asyncio.create_task(answer())
    assert await asyncio.to_thread(reached.wait, 60)
    began = time.perf_counter()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    seen.seconds = time.perf_counter() - began
    seen.tasks_left = {left for left in asyncio.all_tasks() if left is not asyncio.current_task()}
    library.may_finish.set()
    await generator.aclose()


def stop_when(
    reached: threading.Event,
    settings: ModelSettings,
    library: SmallLibrary | None = None,
    shown: tuple[str, threading.Event] | None = None,
) -> Stopped:
    """Stop an answer as soon as ``reached`` is set; ``shown`` is set when its text arrives."""
    seen = Stopped()
    asyncio.run(_stop_when(reached, settings, library or SmallLibrary(), seen, shown))
    gc.collect()  # an unclosed socket or a forgotten task would complain now
    assert seen.seconds < ALLOWED
    assert not seen.tasks_left
    return seen


@pytest.fixture
def deaf_port() -> Iterator[tuple[int, threading.Event]]:
    """A server that accepts a connection and never says a word."""
    listener = socket.create_server(("127.0.0.1", 0))
    accepted = threading.Event()
    connections: list[socket.socket] = []

    def accept() -> None:
        try:
            while True:
                connection, _ = listener.accept()
                connections.append(connection)
                accepted.set()
        except OSError:
            return

    thread = threading.Thread(target=accept)
    thread.start()
    yield listener.getsockname()[1], accepted
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()
    for connection in connections:
        connection.close()


@EVERY_PROVIDER
def test_while_connecting(server: AnthropicServer, deaf_port: tuple[int, threading.Event]) -> None:
    port, accepted = deaf_port
    assert stop_when(accepted, settings_for(server, base_url=f"http://127.0.0.1:{port}")).events == []


@EVERY_PROVIDER
def test_while_waiting_for_the_answer(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Text("Never."), hold=gate))
    assert stop_when(gate.reached, settings_for(server)).events == []
    assert server.disconnects.acquire(timeout=60)


@EVERY_PROVIDER
def test_while_the_model_thinks(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Thinking("Where would that be?"), Wait(gate), Text("Never.")))
    stop_when(gate.reached, settings_for(server))
    assert server.disconnects.acquire(timeout=60)


class SlowLibrary(CoveringLibrary):
    """One that tells when it is searched for the second time, which takes until the test ends."""

    def __init__(self) -> None:
        super().__init__()
        self.searched_again = threading.Event()

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
        if self.searches:
            self.searched_again.set()
        return super().retrieve(query, course_name, lesson_number, scope, limit, rewordings=rewordings)


@EVERY_PROVIDER
def test_while_the_library_is_searched(server: AnthropicServer) -> None:
    library = SlowLibrary()
    library.may_finish.clear()
    server.script(Turn(SEARCH, stop_reason="tool_use"), Turn(Text("Never.")))
    stop_when(library.searched_again, settings_for(server), library)
    assert len(server.message_requests) == 1


@EVERY_PROVIDER
def test_while_passages_are_searched_to_go_along(server: AnthropicServer, library: SmallLibrary) -> None:
    library.may_finish.clear()
    seen = stop_when(library.entered, settings_for(server, send_passages=True), library)
    assert seen.events == []
    assert server.message_requests == []


@EVERY_PROVIDER
def test_while_an_answer_is_held_back(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Text("Bakers did. ", Wait(gate), "Never.")))
    seen = stop_when(gate.reached, settings_for(server), CoveringLibrary())
    assert not [event for event in seen.events if isinstance(event, AnswerText)]
    assert server.disconnects.acquire(timeout=60)


@EVERY_PROVIDER
def test_while_it_is_not_known_whether_an_answer_may_be_shown(
    server: AnthropicServer, library: SmallLibrary
) -> None:
    gate = Gate()
    library.may_finish.clear()
    server.script(Turn(Text("Bakers did. ", Wait(gate), "Never.")))
    stop_when(gate.reached, settings_for(server), library)
    assert server.disconnects.acquire(timeout=60)


@EVERY_PROVIDER
def test_while_it_is_asked_again_with_passages(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Text("Bakers did.")), Turn(Text("Never."), hold=gate))
    stop_when(gate.reached, settings_for(server), CoveringLibrary())
    assert server.disconnects.acquire(timeout=60)


@EVERY_PROVIDER
def test_while_the_answer_is_written_keeps_what_came(server: AnthropicServer) -> None:
    answer = Turn(Text("It stores ", Wait(Gate()), "never."))
    server.script(Turn(SEARCH, stop_reason="tool_use"), answer)
    shown = threading.Event()
    seen = stop_when(shown, settings_for(server), shown=("stores", shown))
    text = "".join(event.text for event in seen.events if isinstance(event, AnswerText))
    assert text.rstrip() == "It stores"
    assert server.disconnects.acquire(timeout=60)


@EVERY_PROVIDER
def test_while_waiting_to_try_again(server: AnthropicServer) -> None:
    asked = threading.Event()

    def overloaded(body: object) -> ErrorReply:
        asked.set()
        return ErrorReply(529, "overloaded_error")

    server.answer_with(overloaded)
    stop_when(asked, settings_for(server, retry_delays=(30.0,)))
    assert len(server.message_requests) == 1


@EVERY_PROVIDER
def test_reading_no_further_closes_the_connection(server: AnthropicServer) -> None:
    server.script(Turn(Text("word " * 5000), Wait(Gate())))

    async def read_a_little() -> None:
        generator = generator_for(settings_for(server))
        tools = ToolManager(SmallLibrary(), Scope())
        async with aclosing(generator.generate(QUESTION, [], Scope(), tools)) as events:
            async for event in events:
                if isinstance(event, AnswerText):
                    break
        assert asyncio.all_tasks() == {asyncio.current_task()}
        await generator.aclose()

    asyncio.run(read_a_little())
    gc.collect()
    assert server.disconnects.acquire(timeout=60)


@EVERY_PROVIDER
def test_the_generator_answers_again_after_a_stop(server: AnthropicServer) -> None:
    gate = Gate()
    server.script(Turn(Text("First ", Wait(gate))), Turn(Text("Second.")))

    async def stop_then_ask() -> str:
        generator = generator_for(settings_for(server))

        async def answer() -> str:
            text = ""
            tools = ToolManager(SmallLibrary(), Scope())
            async with aclosing(generator.generate(QUESTION, [], Scope(), tools)) as events:
                async for event in events:
                    text += event.text if isinstance(event, AnswerText) else ""
            return text

        task = asyncio.create_task(answer())
        assert await asyncio.to_thread(gate.reached.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        text = await answer()
        await generator.aclose()
        return text

    assert asyncio.run(stop_then_ask()) == "Second."


def test_stopping_at_random_moments_leaves_nothing_behind() -> None:
    """Twenty answers of one generator, each stopped somewhere: no thread, task or socket stays."""
    seconds: list[float] = []
    chance = random.Random(7)

    async def stop_often(server: AnthropicServer) -> None:
        generator = generator_for(settings_for(server))
        import_sdk()
        for _ in range(20):

            async def answer() -> None:
                tools = ToolManager(SmallLibrary(), Scope())
                async with aclosing(generator.generate(QUESTION, [], Scope(), tools)) as events:
                    async for _ in events:
                        pass

            task = asyncio.create_task(answer())
            await asyncio.sleep(chance.uniform(0, 0.08))
            began = time.perf_counter()
            task.cancel()
            await asyncio.wait([task])
            seconds.append(time.perf_counter() - began)
        assert asyncio.all_tasks() == {asyncio.current_task()}
        await generator.aclose()

    threads = set(threading.enumerate())
    with AnthropicServer(word_delay=0.002) as server:
        asyncio.run(stop_often(server))
        deadline = time.monotonic() + 60
        while server.open_connections and time.monotonic() < deadline:
            server.disconnects.acquire(timeout=0.1)
        assert server.open_connections == 0
    gc.collect()
    assert set(threading.enumerate()) <= threads
    assert max(seconds) < ALLOWED
