"""Builders for what a hostile server sends: events, whole messages, and bytes without end."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from itertools import repeat
from typing import TYPE_CHECKING, Any

from app.domain.conversations import ExchangeState
from tests.support.hostile_server import JSON, NOT_FOUND, Answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

KEY = "sk-hostile-4f1c9a7e55d0"
DONE, FAILED = ExchangeState.DONE, ExchangeState.FAILED

Event = dict[str, Any] | str | bytes  # a string is data as it stands, bytes are a whole frame


@dataclass(frozen=True)
class Case:
    """What a server does, and what has to come of it.

    Attributes:
        answers: to the first request for an answer, to the second, …; the last one is repeated.
        state: of the exchange in the end.
        says: words of the sentence that is shown with it.
        text: what the answer has to be; None for anything.
        limits: of ModelSettings, where those of the test would not show it.
    """

    answers: tuple[Answer, ...]
    state: ExchangeState = FAILED
    says: str = ""
    text: str | None = None
    limits: dict[str, Any] = field(default_factory=dict)
    models: Answer = NOT_FOUND

    @property
    def only_time_ends_it(self) -> bool:
        """Whether the server goes on, or says nothing, until a limit of time is reached."""
        bounded = self.state is DONE or "far too long" in self.says
        return not bounded and any(
            answer.then == "hang" or answer.every or not isinstance(answer.body, bytes)
            for answer in self.answers
        )


def case(
    *answers: Answer,
    state: ExchangeState = FAILED,
    says: str = "",
    text: str | None = None,
    models: Answer = NOT_FOUND,
    **limits: float,
) -> Case:
    return Case(answers, state, says, text, limits, models)


# ---- events ----


def start(**message: object) -> dict[str, Any]:
    whole = {"type": "message", "role": "assistant", "model": "claude-sonnet-5-5", "content": [], **message}
    return {"type": "message_start", "message": whole}


def block(content: object, index: object = 0) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": content}


def delta(change: object, index: object = 0) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": change}


def text(piece: object, index: object = 0) -> dict[str, Any]:
    return delta({"type": "text_delta", "text": piece}, index)


def cited(location: object, index: object = 0) -> dict[str, Any]:
    return delta({"type": "citations_delta", "citation": location}, index)


def stop(index: object = 0) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def end(reason: object = "end_turn", **usage: object) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def error(kind: object, message: object = "Sorry.") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}}


OVER: dict[str, Any] = {"type": "message_stop"}
TEXT_BLOCK = block({"type": "text", "text": ""})
PING = b'event: ping\ndata: {"type": "ping"}\n\n'


def said(*pieces: object) -> list[dict[str, Any]]:
    """The events of a message that is as it should be."""
    return [start(), TEXT_BLOCK, *map(text, pieces), stop(), end(), OVER]


def tool(written: object = None, **changes: object) -> list[dict[str, Any]]:
    """The events of a tool call: a search, unless something else is ``written`` or changed."""
    call = {"type": "tool_use", "id": "t1", "name": "search_course_content", "input": {}, **changes}
    part = '{"query": "tides"}' if written is None else written
    return [
        start(),
        block(call),
        delta({"type": "input_json_delta", "partial_json": part}),
        stop(),
        end("tool_use"),
        OVER,
    ]


# ---- answers ----


def frame(event: Event) -> bytes:
    if isinstance(event, bytes):
        return event
    if isinstance(event, str):
        return f"event: content_block_delta\ndata: {event}\n\n".encode()
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def stream(*events: Event, **how: Any) -> Answer:  # noqa: ANN401
    """Return an answer that streams these events."""
    return Answer(b"".join(map(frame, events)), **how)


def hello(*events: Event, **how: Any) -> Answer:  # noqa: ANN401
    """Return an answer that says "Hello." among which the events come, then ends as it should."""
    return stream(start(), TEXT_BLOCK, text("Hello"), *events, text("."), stop(), end(), OVER, **how)


def endless(*events: Event, before: Iterable[Event] = (), every: float = 0.0, times: int = 1) -> Answer:
    """Return an answer that repeats events for ever; ``times`` makes the pieces that are sent larger."""

    def body() -> Iterable[bytes]:
        yield b"".join(map(frame, before))
        yield from repeat(b"".join(map(frame, events)) * times)

    return Answer(body, every=every)


def forever(piece: bytes, before: bytes = b"", **how: Any) -> Answer:  # noqa: ANN401
    """Return an answer whose body repeats a piece for ever."""

    def body() -> Iterable[bytes]:
        yield before
        yield from repeat(piece)

    return Answer(body, **how)


def whole(message: object, **how: Any) -> Answer:  # noqa: ANN401
    """Return an answer in one piece of JSON; a string is JSON as it stands."""
    data = message if isinstance(message, str) else json.dumps(message)
    return Answer(data.encode(), headers=JSON, **how)


def refused(status: int, message: object = "No.", kind: str = "api_error", **headers: str) -> Answer:
    data = json.dumps({"type": "error", "error": {"type": kind, "message": message}})
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(data.encode(), f"{status} Refused", {**JSON, **named})


def redirected(status: int, to: str, **how: Any) -> Answer:  # noqa: ANN401
    return Answer(b"", f"{status} Elsewhere", {"location": to}, **how)


def raw(data: bytes | Callable[[], Iterable[bytes]], **how: Any) -> Answer:  # noqa: ANN401
    """Return bytes that are sent without a head."""
    return Answer(data, status=None, **how)


def squeezed(megabytes: int) -> Iterable[bytes]:
    """Yield a small archive of as many megabytes, which are made only as they are sent."""
    archive = zlib.compressobj(wbits=31)
    for _ in range(megabytes):
        yield archive.compress(b"data: {}\n\n" * 100_000)
    yield archive.flush()


def nested(depth: int, inside: str = "1") -> str:
    return "[" * depth + inside + "]" * depth
