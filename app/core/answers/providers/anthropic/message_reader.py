"""Reads one streamed message of the Messages protocol: events in, reply events, blocks and a stop reason out.

It is read within the limits of the settings, and the key is kept out of it.

Blocks are kept as the dictionaries they are on the wire, so that what a newer API adds to them goes back
unchanged. Nothing that a server sends is taken for what it should be: events that are malformed are skipped,
and what is stored or shown has the right type, a length and whole characters.
"""

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncGenerator, Iterator
from dataclasses import replace
from math import isfinite
from typing import Any

from app.config.redaction import KeyFilter
from app.core.answers.prompts import mend_surrogates
from app.core.answers.providers.anthropic.errors import Fault, trouble
from app.core.answers.providers.base import (
    BlockEnd,
    CitedSentences,
    ModelSettings,
    ReplyEvent,
    TextDelta,
    ToolCall,
    Unseen,
)
from app.domain.conversations import StopReason
from app.domain.errors import ConnectionTrouble
from app.domain.messages import Message
from app.domain.model_servers import Usage

_NO_MORE = object()
_LONGEST_END = 2.0  # seconds between the end of an answer and that of its stream
_COUNTS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_LARGEST_NUMBER = 10**9
_LONGEST_NAME = 200
_DEEPEST = 50  # levels of nesting; JSON that can be read can still be too deep to be written
_SMALLEST = 8  # characters that even an empty value counts for


class MessageReader:
    """Takes the events of one message in order."""

    def __init__(self) -> None:
        self.stop_reason: str | None = None
        self.complete = False  # the message was ended by the server, not by the connection
        self.began = False
        self.over = False  # nothing that comes now belongs to the message
        self.model = ""  # by the server's account; empty until it said so
        self.weight = 0  # of what is kept, in characters or thereabouts
        self._usage: dict[str, int] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._written: defaultdict[int, list[str]] = defaultdict(list)  # of each block, in pieces
        self._called: set[int] = set()
        self._open: set[int] = set()
        self._half = ""

    @property
    def is_cut(self) -> bool:
        """Whether the message lacks its end."""
        return not self.complete or self.stop_reason == StopReason.LENGTH

    @property
    def content(self) -> list[dict[str, Any]]:
        """The blocks as they go back to the model, without empty text and cut calls, which it refuses."""
        blocks = [self._whole(index) for index in sorted(self._blocks)]
        return [block for block in blocks if block.get("type") != "text" or block["text"].strip()]

    def feed(self, event: object) -> list[ReplyEvent]:
        event = mapping(event)
        index = _whole_number(event.get("index"))
        match event.get("type"):
            case "message_start":
                message = mapping(event.get("message"))
                self.began = True
                self.model = _name(message.get("model"))
                return self._count(message.get("usage"))
            case "content_block_start":
                return self._start(index, mapping(event.get("content_block")))
            case "content_block_delta" if index in self._blocks:
                return self._delta(index, mapping(event.get("delta")))
            case "content_block_stop" if index in self._open:
                return self._stop(index)
            case "message_delta":
                self.stop_reason = _name(mapping(event.get("delta")).get("stop_reason")) or self.stop_reason
                self.complete = self.complete or self.stop_reason is not None
                return self._count(event.get("usage"))
            case "message_stop":
                self.complete = self.over = True
        return []

    def _start(self, index: int, block: dict[str, Any]) -> list[ReplyEvent]:
        weight = weight_of(block)
        self.weight += weight or _DEEPEST
        if weight is None or not isinstance(block.get("type"), str):
            return []
        self._blocks[index] = dict(block)
        self._written.pop(index, None)
        self._called.discard(index)
        self._open.add(index)
        if block.get("type") != "text":
            return [Unseen()]
        locations = self._blocks[index]["citations"] = [*map(mapping, _list(block.get("citations")))]
        found = self._text(block.get("text"))
        self._written[index] = [part.text for part in found]
        return [*map(_cited, locations), *found]

    def _delta(self, index: int, delta: dict[str, Any]) -> list[ReplyEvent]:
        block = self._blocks[index]
        is_text = block.get("type") == "text"
        match delta.get("type"):
            case "text_delta" if is_text:
                found = self._text(delta.get("text"))
                for part in found:
                    self._write(index, part.text)
                return [*found]
            case "citations_delta" if is_text:
                location = mapping(delta.get("citation"))
                weight = weight_of(location)
                if weight is None:
                    return []
                self.weight += weight
                block["citations"].append(location)
                return [_cited(location)]
            case "thinking_delta" if block.get("type") != "text":
                return self._write(index, _string(delta.get("thinking")))
            case "signature_delta":
                block["signature"] = _string(delta.get("signature"))
                self.weight += len(block["signature"])
            case "input_json_delta" if index in self._open:
                return self._write(index, _string(delta.get("partial_json")))
        return []

    def _write(self, index: int, piece: str) -> list[ReplyEvent]:
        self.weight += len(piece)
        self._written[index].append(piece)
        return [Unseen(len(piece))]

    def _text(self, text: object) -> list[TextDelta]:
        """Keep half a character at the end of a piece until its other half comes."""
        joined = self._half + (text if isinstance(text, str) else "")
        self._half = joined[-1:] if "\ud800" <= joined[-1:] <= "\udbff" else ""
        whole = mend_surrogates(joined[: len(joined) - len(self._half)])
        return [TextDelta(whole)] if whole else []

    def _stop(self, index: int) -> list[ReplyEvent]:
        self._open.discard(index)
        block = self._blocks[index]
        if block.get("type") == "text":
            return [BlockEnd()]
        if block.get("type") != "tool_use":
            return []
        arguments: object = block.get("input", {})
        written = "".join(self._written[index])
        if written.strip():
            arguments = read_json(written)
        block["input"] = mapping(arguments)
        block["id"] = _name(block.get("id")) or f"call_{index}"  # its result names it
        block["name"] = _name(block.get("name"))
        self._called.add(index)
        return [ToolCall(block["id"], block["name"], arguments)]

    def _whole(self, index: int) -> dict[str, Any]:
        """Return a block with what was written into it; empty for a tool call that was cut."""
        block, written = self._blocks[index], "".join(self._written.get(index, ()))
        match block.get("type"):
            case "text":
                whole = {**block, "text": written}
                if not whole["citations"]:
                    del whole["citations"]
                return whole
            case "thinking":
                return {**block, "thinking": _string(block.get("thinking")) + written}
            case "tool_use" if index not in self._called:
                return {"type": "text", "text": ""}
        return block

    def _count(self, usage: object) -> list[ReplyEvent]:
        # The counts of a message are totals: a later one replaces an earlier one.
        counted = {name: _whole_number(value) for name, value in mapping(usage).items() if name in _COUNTS}
        counted = {name: value for name, value in counted.items() if value >= 0}
        if not counted:
            return []
        self._usage.update(counted)
        return [Usage(*(self._usage.get(name, 0) for name in _COUNTS))]


def events_of(message: object) -> Iterator[dict[str, Any]]:
    """Yield the events that a whole message would have been streamed as; none for anything else."""
    whole = mapping(message)
    blocks = whole.get("content")
    if not isinstance(blocks, list) or whole.get("role", "assistant") != "assistant":
        return
    yield {"type": "message_start", "message": whole}
    for index, block in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    reason = whole.get("stop_reason") or StopReason.END
    yield {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": whole.get("usage")}


def mapping(value: object) -> dict[str, Any]:
    """Return ``value`` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def weight_of(value: object) -> int | None:
    """Return about how many characters a JSON value takes; None if it cannot be sent back.

    It cannot if it is nested too deep, or holds a number that is none.
    """
    total = 0
    level = [value]
    for _ in range(_DEEPEST):
        if not level:
            return total
        if any(isinstance(one, float) and not isfinite(one) for one in level):
            return None
        total += sum(_SMALLEST + (len(one) if isinstance(one, str) else 0) for one in level)
        keys = [key for one in level if isinstance(one, dict) for key in one]
        inside = [list(one.values()) if isinstance(one, dict) else one for one in level]
        level = [*keys, *(part for one in inside if isinstance(one, list) for part in one)]
    return None


def _cited(location: object) -> CitedSentences:
    """Read a ``search_result_location``, of which every field may be missing or wrong."""
    found = mapping(location)
    first, last = _whole_number(found.get("start_block_index")), _whole_number(found.get("end_block_index"))
    return CitedSentences(_string(found.get("source")), first, last, _string(found.get("cited_text")))


def read_json(text: str) -> object:
    """Return the value that a model wrote as JSON, or the text itself if it is none that can be used."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if weight_of(value) is None else value


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _string(value: object) -> str:
    return mend_surrogates(value) if isinstance(value, str) else ""


def _name(value: object) -> str:
    """Return an identifier that can be shown on one line; empty for anything else."""
    return "".join(sign for sign in _string(value)[:_LONGEST_NAME] if sign.isprintable())


def _whole_number(value: object) -> int:
    """Return a whole number from 0 on; -1 for anything else."""
    is_number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST_NUMBER
    return value if is_number and isinstance(value, int) else -1


async def read_reply(
    events: AsyncGenerator[object, None], reader: MessageReader, settings: ModelSettings
) -> AsyncGenerator[ReplyEvent | Fault, None]:
    """Yield what the events of a reply mean to ``reader``; a :class:`Fault` is the last.

    A reply that only grows ends with the stop reason ``ENDLESS``.
    """
    keyless = _KeylessReply(settings.api_key)
    pace = _Pace(settings)
    fault: Fault | None = None
    for _ in range(settings.most_events):
        event = await pace.next(events)
        if event is _NO_MORE or isinstance(event, Fault):
            fault = event if isinstance(event, Fault) and not reader.over else None
            break
        if reader.over:  # the end is read too, so that the connection can be used again
            continue
        for meant in reader.feed(event):
            if isinstance(meant, TextDelta | ToolCall) or (isinstance(meant, Unseen) and meant.characters):
                pace.begin_waiting()
            for shown in keyless.write(meant):
                yield shown
        if reader.weight > 4 * settings.longest_answer:
            reader.stop_reason, reader.complete = StopReason.ENDLESS, True
            break
        if reader.over:
            pace.hurry()
    else:
        fault = Fault(trouble(settings, "answers.too_much"), reached=True)
    reader.model = keyless.key.hide(reader.model)
    reader.stop_reason = keyless.key.hide(reader.stop_reason or "") or None
    for shown in keyless.finish():
        yield shown
    if fault:
        yield fault


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
        """Return the next event, ``_NO_MORE``, or a :class:`Fault` if the time is over."""
        until = min(self._patience, self._end)
        try:
            # Around each step, not around the loop: time that passes between them is not the server's.
            async with asyncio.timeout_at(until):
                event = await anext(events, _NO_MORE)
        except TimeoutError:
            return self._late()
        # Events that have arrived are returned without waiting, however late they are.
        return event if isinstance(event, Fault) or self._now() <= until else self._late()

    def _late(self) -> Fault:
        settings = self._settings
        if self._patience < self._end:
            seconds = max(1, round(settings.timeout_content))
            message = Message("answers.no_content", server=settings.host, n=seconds)
        else:
            minutes = max(1, round(settings.timeout_reply / 60))
            message = Message("answers.too_slow", server=settings.host, n=minutes)
        return Fault(ConnectionTrouble(message), reached=True)


class _KeylessReply:
    """Hides the key in the events of a reply, even if it is spread over several of them.

    While the text so far ends with what may be the beginning of the key, the events behind it wait.
    """

    def __init__(self, key: str) -> None:
        self.key = KeyFilter(key)
        self._waiting: list[ReplyEvent] = []

    def write(self, event: ReplyEvent) -> Iterator[ReplyEvent]:
        """Take the next event and yield those that can be shown."""
        match event:
            case TextDelta(text):
                yield from self._text(text)
                return
            case CitedSentences(quote=quote):
                event = replace(event, quote=self.key.hide(quote))
            case ToolCall(name=name, arguments=arguments):
                hidden = self.key.hide(json.dumps(arguments, ensure_ascii=False))
                event = ToolCall(event.id, self.key.hide(name), read_json(hidden))
        if self.key.held:
            self._waiting.append(event)
        else:
            yield event

    def finish(self) -> Iterator[ReplyEvent]:
        """Yield what waits, since nothing more comes."""
        if held := self.key.finish():
            yield TextDelta(held)
        yield from self._released()

    def _text(self, text: str) -> Iterator[ReplyEvent]:
        before = self.key.held
        shown = self.key.write(text)
        if len(self.key.held) > len(text):  # the key may still be coming
            if shown:
                yield TextDelta(shown)
            return
        # What waited stands between the text held before and this one.
        at = len(before) if shown.startswith(before) else len(shown)
        if shown[:at]:
            yield TextDelta(shown[:at])
        yield from self._released()
        if shown[at:]:
            yield TextDelta(shown[at:])

    def _released(self) -> Iterator[ReplyEvent]:
        released, self._waiting = self._waiting, []
        yield from released
