"""Reads one streamed message of the model: events in, blocks and a stop reason out.

Blocks are kept as the dictionaries they are on the wire. What a newer API adds to them is not lost
when they are sent back, and what is malformed does no harm.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.core.answers.content_words import mend_surrogates
from app.domain.events import AnswerUsage
from app.domain.model_servers import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.answers.citations import AnswerComposer, ComposedEvent


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A complete tool call; ``arguments`` is whatever the model wrote."""

    id: str
    name: str
    arguments: object


class MessageReader:
    """Takes the events of one message in order.

    Attributes:
        stop_reason: why the model stopped; None until it did.
        complete: the message was ended by the server, not by the connection.
        began: anything of a message came.
        model: who writes, by the server's account; empty until it said so.
        characters: of everything that was streamed, thinking included.
    """

    def __init__(self, composer: AnswerComposer, usage_before: Usage) -> None:
        """Prepare to read.

        Args:
            composer: receives the visible text and its citations.
            usage_before: tokens of the answer's earlier requests.
        """
        self.stop_reason: str | None = None
        self.complete = False
        self.began = False
        self.model = ""
        self.characters = 0
        self._composer = composer
        self._usage_before = usage_before
        self._usage: dict[str, int] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._arguments: dict[int, str] = {}
        self._calls: dict[int, ToolCall] = {}
        self._open: set[int] = set()
        self._half = ""

    @property
    def usage(self) -> Usage:
        """Tokens of the answer so far, this message included."""
        return self._usage_before + Usage(
            self._usage.get("input_tokens", 0),
            self._usage.get("output_tokens", 0),
            self._usage.get("cache_read_input_tokens", 0),
            self._usage.get("cache_creation_input_tokens", 0),
        )

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The complete calls in order; one that was cut off is not among them."""
        return [self._calls[index] for index in sorted(self._calls)]

    @property
    def content(self) -> list[dict[str, Any]]:
        """The blocks as they go back to the model: all, unchanged.

        Left out is only what the API would not take back: text without a character in it, and a
        tool call that was cut off.
        """
        return [
            block
            for index, block in sorted(self._blocks.items())
            if not (block.get("type") == "text" and not str(block.get("text", "")).strip())
            and not (block.get("type") == "tool_use" and index not in self._calls)
        ]

    def feed(self, event: object) -> list[ComposedEvent | AnswerUsage]:
        """Take the next event and return what the user gets to see of it."""
        if not isinstance(event, dict):
            return []
        kind = event.get("type")
        if kind == "message_start":
            message = _mapping(event.get("message"))
            self.began = True
            self.model = _string(message.get("model"))
            return self._count(message.get("usage"))
        if kind == "content_block_start":
            return self._start(_index(event), _mapping(event.get("content_block")))
        if kind == "content_block_delta":
            return self._delta(_index(event), _mapping(event.get("delta")))
        if kind == "content_block_stop":
            return self._stop(_index(event))
        if kind == "message_delta":
            reason = _mapping(event.get("delta")).get("stop_reason")
            self.stop_reason = reason if isinstance(reason, str) else self.stop_reason
            self.complete = self.complete or self.stop_reason is not None
            return self._count(event.get("usage"))
        if kind == "message_stop":
            self.complete = True
        return []

    def _start(self, index: int, block: dict[str, Any]) -> list[ComposedEvent | AnswerUsage]:
        self._blocks[index] = dict(block)
        self._open.add(index)
        if block.get("type") != "text":
            if self._composer.length:
                self._composer.begin_paragraph()
            return []
        for location in block.get("citations") or []:
            self._composer.cite(_mapping(location))
        return [*self._composer.write(self._whole(_string(block.get("text"))))]

    def _delta(self, index: int, delta: dict[str, Any]) -> list[ComposedEvent | AnswerUsage]:
        block = self._blocks.get(index)
        if block is None:
            return []
        kind = delta.get("type")
        if kind == "text_delta" and block.get("type") == "text":
            text = self._whole(_string(delta.get("text")))
            self.characters += len(text)
            block["text"] = _string(block.get("text")) + text
            return [*self._composer.write(text)]
        if kind == "citations_delta" and block.get("type") == "text":
            location = _mapping(delta.get("citation"))
            block["citations"] = [*(block.get("citations") or []), location]
            self._composer.cite(location)
        elif kind == "thinking_delta":
            self.characters += len(_string(delta.get("thinking")))
            block["thinking"] = _string(block.get("thinking")) + _string(delta.get("thinking"))
        elif kind == "signature_delta":
            block["signature"] = _string(delta.get("signature"))
        elif kind == "input_json_delta":
            part = _string(delta.get("partial_json"))
            self.characters += len(part)
            self._arguments[index] = self._arguments.get(index, "") + part
        return []

    def _whole(self, text: str) -> str:
        """Keep half a character at the end of a piece until its other half comes."""
        text = self._half + text
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return mend_surrogates(text[: len(text) - len(self._half)])

    def _stop(self, index: int) -> list[ComposedEvent | AnswerUsage]:
        block = self._blocks.get(index)
        if block is None or index not in self._open:
            return []
        self._open.discard(index)
        if block.get("type") == "text":
            return [*self._composer.end_block()]
        if block.get("type") == "tool_use":
            self._finish_call(index, block)
        return []

    def _finish_call(self, index: int, block: dict[str, Any]) -> None:
        arguments: object = block.get("input", {})
        written = self._arguments.get(index, "")
        if written.strip():
            try:
                arguments = json.loads(written)
            except ValueError:
                arguments = written  # the tool will say that this is no object
        block["input"] = arguments if isinstance(arguments, dict) else {}
        self._calls[index] = ToolCall(_string(block.get("id")), _string(block.get("name")), arguments)

    def _count(self, usage: object) -> list[ComposedEvent | AnswerUsage]:
        # The counts of a message are totals: a later one replaces an earlier one.
        counted = {name: value for name, value in _mapping(usage).items() if isinstance(value, int)}
        if not counted:
            return []
        self._usage.update(counted)
        return [AnswerUsage(self.usage)]


def events_of(message: object) -> Iterator[dict[str, Any]]:
    """Yield the events that a whole message would have been streamed as; none for anything else."""
    whole = _mapping(message)
    blocks = whole.get("content")
    if not isinstance(blocks, list) or whole.get("role", "assistant") != "assistant":
        return
    yield {"type": "message_start", "message": {**whole, "content": []}}
    for index, block in enumerate(blocks):
        yield {"type": "content_block_start", "index": index, "content_block": block}
        yield {"type": "content_block_stop", "index": index}
    reason = whole.get("stop_reason") or "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": whole.get("usage")}


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""


def _index(event: dict[str, Any]) -> int:
    index = event.get("index")
    return index if isinstance(index, int) else -1
