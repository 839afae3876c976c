"""Reads a reply as its events come: within the limits of the settings, and without the key."""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from typing import Protocol

from app.config.redaction import KeyFilter
from app.core.answers.providers.base import (
    BlockEnd,
    CitedSentences,
    ModelSettings,
    ReplyEvent,
    TextDelta,
    ToolCall,
    Unseen,
)
from app.core.answers.providers.errors import Fault, trouble
from app.core.answers.providers.wire import read_json
from app.domain.conversations import StopReason
from app.domain.errors import ConnectionTrouble
from app.domain.messages import Message

_NO_MORE = object()
_LONGEST_END = 2.0  # seconds between the end of an answer and that of its stream


class ReplyReader(Protocol):
    """Takes the events of one reply in a server's own form."""

    stop_reason: str | None
    complete: bool
    began: bool
    over: bool
    model: str
    weight: int

    @property
    def thinks(self) -> bool:
        """Whether the model thought, and not in its text."""

    def feed(self, event: object) -> list[ReplyEvent]: ...
    def sent_back(self, text: str | None) -> object:
        """Return the reply as it goes back to the model, with its text replaced unless that is None."""


async def read_reply(
    events: AsyncGenerator[object, None], reader: ReplyReader, settings: ModelSettings
) -> AsyncGenerator[ReplyEvent, None]:
    """Yield what the events of a reply mean to ``reader``; raises :class:`Fault` if it has no end.

    A reply that only grows ends with the stop reason ``ENDLESS``.
    """
    keyless, pace = _KeylessReply(settings.api_key), _Pace(settings)
    fault: Fault | None = None
    try:
        for _ in range(settings.most_events):
            event = await pace.next(events)
            if event is _NO_MORE:
                break
            was_over = reader.over  # the end is read too, so that the connection can be used again
            for meant in reader.feed(event):
                if isinstance(meant, TextDelta | ToolCall) or (
                    isinstance(meant, Unseen) and meant.characters
                ):
                    pace.begin_waiting()
                for shown in keyless.write(meant):
                    yield shown
            if reader.weight > 4 * settings.longest_answer:
                reader.stop_reason, reader.complete = StopReason.ENDLESS, True
                break
            if reader.over and not was_over:
                pace.hurry()
        else:
            fault = Fault(trouble(settings, "answers.too_much"), reached=True)
    except Fault as found:
        fault = None if reader.over else found
    reader.model = keyless.key.hide(reader.model)
    reader.stop_reason = keyless.key.hide(reader.stop_reason or "") or None
    for shown in keyless.finish():
        yield shown
    if fault is None and not reader.complete:
        kind = "answers.broken_off" if reader.began else "answers.not_an_answer"
        fault = Fault(trouble(settings, kind, may_pass=reader.began))
    if fault is not None:
        raise fault


class _Pace:
    """Waits for events, as long as they come and bring something."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._now = asyncio.get_running_loop().time
        self._end = self._now() + settings.timeout_reply
        self.begin_waiting()

    def begin_waiting(self) -> None:
        """Something of an answer has come: the time without content begins again."""
        self._patience = self._now() + self._settings.timeout_content

    def hurry(self) -> None:
        """The answer is complete: the stream has to end soon."""
        self._end = self._now() + min(_LONGEST_END, self._settings.timeout_read)

    async def next(self, events: AsyncGenerator[object, None]) -> object:
        """Return the next event or ``_NO_MORE``; raises :class:`Fault` if the time is over."""
        until = min(self._patience, self._end)
        try:
            # Around each step, not around the loop: time that passes between them is not the server's.
            async with asyncio.timeout_at(until):
                event = await anext(events, _NO_MORE)
        except TimeoutError:
            event = None
        # Events that have arrived are returned without waiting, however late they are.
        if self._now() <= until:
            return event
        settings = self._settings
        if self._patience < self._end:
            seconds = max(1, round(settings.timeout_content))
            message = Message("answers.no_content", server=settings.host, n=seconds)
        else:
            minutes = max(1, round(settings.timeout_reply / 60))
            message = Message("answers.too_slow", server=settings.host, n=minutes)
        raise Fault(ConnectionTrouble(message), reached=True)


class _KeylessReply:
    """Hides the key in the events of a reply, even if its text comes in pieces."""

    def __init__(self, key: str) -> None:
        self.key = KeyFilter(key)

    def write(self, event: ReplyEvent) -> Iterator[ReplyEvent]:
        """Take the next event and yield those that can be shown."""
        if isinstance(event, BlockEnd | ToolCall):
            yield from self.finish()
        match event:
            case TextDelta(text):
                if shown := self.key.write(text):
                    yield TextDelta(shown)
                return
            case CitedSentences(quote=quote):
                event = replace(event, quote=self.key.hide(quote))
            case ToolCall(name=name, arguments=arguments):
                hidden = self.key.hide(json.dumps(arguments, ensure_ascii=False))
                event = ToolCall(event.id, self.key.hide(name), read_json(hidden))
        yield event

    def finish(self) -> Iterator[ReplyEvent]:
        """Yield the text that waits, since nothing more comes to it."""
        if held := self.key.finish():
            yield TextDelta(held)
