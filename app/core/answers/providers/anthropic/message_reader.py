"""Reads one streamed message of the Messages protocol: events in, reply events, blocks and a stop reason out.

Blocks are kept as the dictionaries they are on the wire, so that what a newer API adds to them goes back
unchanged. Malformed events are skipped.
"""

import json
from collections.abc import Iterator
from typing import Any

from app.core.answers.prompts import mend_surrogates
from app.core.answers.providers.base import BlockEnd, CitedSentences, ReplyEvent, TextDelta, ToolCall, Unseen
from app.domain.conversations import StopReason
from app.domain.model_servers import Usage


class MessageReader:
    """Takes the events of one message in order."""

    def __init__(self) -> None:
        self.stop_reason: str | None = None
        self.complete = False  # the message was ended by the server, not by the connection
        self.began = False
        self.model = ""  # by the server's account; empty until it said so
        self._usage: dict[str, int] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._arguments: dict[int, str] = {}
        self._called: set[int] = set()
        self._open: set[int] = set()
        self._half = ""

    @property
    def content(self) -> list[dict[str, Any]]:
        """The blocks as they go back to the model, without empty text and cut calls, which it refuses."""
        return [
            block
            for index, block in sorted(self._blocks.items())
            if not (block.get("type") == "text" and not _string(block.get("text")).strip())
            and not (block.get("type") == "tool_use" and index not in self._called)
        ]

    def feed(self, event: object) -> list[ReplyEvent]:
        """Take the next event and return what it means."""
        event = mapping(event)
        index = event.get("index")
        index = index if isinstance(index, int) else -1
        match event.get("type"):
            case "message_start":
                message = mapping(event.get("message"))
                self.began = True
                self.model = _string(message.get("model"))
                return self._count(message.get("usage"))
            case "content_block_start":
                return self._start(index, mapping(event.get("content_block")))
            case "content_block_delta" if index in self._blocks:
                return self._delta(index, mapping(event.get("delta")))
            case "content_block_stop" if index in self._open:
                return self._stop(index)
            case "message_delta":
                reason = mapping(event.get("delta")).get("stop_reason")
                self.stop_reason = reason if isinstance(reason, str) else self.stop_reason
                self.complete = self.complete or self.stop_reason is not None
                return self._count(event.get("usage"))
            case "message_stop":
                self.complete = True
        return []

    def _start(self, index: int, block: dict[str, Any]) -> list[ReplyEvent]:
        self._blocks[index] = dict(block)
        self._open.add(index)
        if block.get("type") != "text":
            return [Unseen()]
        return [*map(_cited, _list(block.get("citations"))), *self._text(block.get("text"))]

    def _delta(self, index: int, delta: dict[str, Any]) -> list[ReplyEvent]:
        block = self._blocks[index]
        is_text = block.get("type") == "text"
        match delta.get("type"):
            case "text_delta" if is_text:
                found = self._text(delta.get("text"))
                block["text"] = _string(block.get("text")) + "".join(part.text for part in found)
                return [*found]
            case "citations_delta" if is_text:
                location = mapping(delta.get("citation"))
                block["citations"] = [*_list(block.get("citations")), location]
                return [_cited(location)]
            case "thinking_delta":
                thought = _string(delta.get("thinking"))
                block["thinking"] = _string(block.get("thinking")) + thought
                return [Unseen(len(thought))]
            case "signature_delta":
                block["signature"] = _string(delta.get("signature"))
            case "input_json_delta":
                part = _string(delta.get("partial_json"))
                self._arguments[index] = self._arguments.get(index, "") + part
                return [Unseen(len(part))]
        return []

    def _text(self, text: object) -> list[TextDelta]:
        """Keep half a character at the end of a piece until its other half comes."""
        joined = self._half + _string(text)
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
        written = self._arguments.get(index, "")
        if written.strip():
            try:
                arguments = json.loads(written)
            except (ValueError, RecursionError):
                arguments = written  # the tool will say that this is no object
        block["input"] = mapping(arguments)
        self._called.add(index)
        return [ToolCall(_string(block.get("id")), _string(block.get("name")), arguments)]

    def _count(self, usage: object) -> list[ReplyEvent]:
        # The counts of a message are totals: a later one replaces an earlier one.
        counted = {name: value for name, value in mapping(usage).items() if isinstance(value, int)}
        if not counted:
            return []
        self._usage.update(counted)
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        return [Usage(*(self._usage.get(name, 0) for name in names))]


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


def _cited(location: object) -> CitedSentences:
    """Read a ``search_result_location``, of which every field may be missing or wrong."""
    found = mapping(location)
    first, last = found.get("start_block_index"), found.get("end_block_index")
    return CitedSentences(
        _string(found.get("source")),
        first if isinstance(first, int) else -1,
        last if isinstance(last, int) else -1,
        _string(found.get("cited_text")),
    )


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
