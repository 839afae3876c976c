"""Reads one message of the Messages protocol: events in, reply events, blocks and a stop reason out.

Blocks are kept as the dictionaries they are on the wire, so that what a newer API adds to them goes back
unchanged. Events that are malformed are skipped, since compatible servers send them.
"""

from collections import defaultdict
from typing import Any

from app.core.answers.providers.base import (
    BlockEnd,
    CitedSentences,
    ReplyEvent,
    TextDelta,
    ToolCall,
    Unseen,
)
from app.core.answers.providers.wire import (
    WholeText,
    mapping,
    read_json,
    short_name,
    string,
    weight_of,
    whole_number,
)
from app.domain.model_servers import Usage

_COUNTS = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
# The field of a delta that goes on with the block, by the delta's type.
_WRITTEN = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "partial_json",
}
_MALFORMED = 50  # the weight of what is not kept


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
        self._written: defaultdict[tuple[int, str], list[str]] = defaultdict(list)  # by block and field
        self._open: set[int] = set()
        self._text = WholeText()

    @property
    def content(self) -> list[dict[str, Any]]:
        """The blocks as they go back to the model, without empty text and cut calls, which it refuses."""
        whole = [self._whole(index) for index in sorted(self._blocks)]
        return [block for block in whole if block.get("type") != "text" or block["text"].strip()]

    @property
    def thinks(self) -> bool:
        """Whether a model thought in blocks of their own."""
        return any(block["type"] in ("thinking", "redacted_thinking") for block in self._blocks.values())

    def sent_back(self, text: str | None) -> list[dict[str, Any]]:
        """Return the reply's blocks, with their text replaced unless that is None."""
        if text is None:
            return self.content
        texts = [{"type": "text", "text": text}] if text else []
        return [*texts, *(block for block in self.content if block["type"] != "text")]

    def feed(self, event: object) -> list[ReplyEvent]:
        event = {} if self.over else mapping(event)
        index = whole_number(event.get("index"))
        match event.get("type"):
            case "message_start":
                message = mapping(event.get("message"))
                self.began = True
                self.model = short_name(message.get("model"))
                return self._count(message.get("usage"))
            case "content_block_start":
                return self._start(index, mapping(event.get("content_block")))
            case "content_block_delta" if index in self._blocks:
                return self._delta(index, mapping(event.get("delta")))
            case "content_block_stop" if index in self._open:
                return self._stop(index)
            case "message_delta":
                reason = short_name(mapping(event.get("delta")).get("stop_reason"))
                self.stop_reason = reason or self.stop_reason
                self.complete = self.complete or self.stop_reason is not None
                return self._count(event.get("usage"))
            case "message_stop":
                self.complete = self.over = True
        return []

    def _start(self, index: int, block: dict[str, Any]) -> list[ReplyEvent]:
        weight = weight_of(block)
        self.weight += weight or _MALFORMED
        if weight is None or not isinstance(block.get("type"), str):
            return []
        self._blocks[index] = block = dict(block)
        self._open.add(index)
        for name in _WRITTEN.values():
            self._written.pop((index, name), None)
        if block["type"] != "text":
            return [Unseen()]
        given = block.get("citations")
        block["citations"] = [mapping(one) for one in given] if isinstance(given, list) else []
        return [*map(_cited, block["citations"]), *self._show(index, block.get("text"))]

    def _delta(self, index: int, delta: dict[str, Any]) -> list[ReplyEvent]:
        kind, is_text = delta.get("type"), self._blocks[index]["type"] == "text"
        if kind == "citations_delta" and is_text:
            location = mapping(delta.get("citation"))
            weight = weight_of(location)
            self.weight += weight or _MALFORMED
            if weight is None:
                return []
            self._blocks[index]["citations"].append(location)
            return [_cited(location)]
        name = _WRITTEN.get(kind) if isinstance(kind, str) else None
        if (
            name is None
            or is_text != (name == "text")
            or (name == "partial_json" and index not in self._open)
        ):
            return []
        piece = delta.get(name)
        if is_text:  # a character can come in two halves, in a piece each
            return self._show(index, piece)
        self._write(index, name, string(piece))
        return [] if name == "signature" else [Unseen(len(string(piece)))]

    def _write(self, index: int, name: str, piece: str) -> None:
        self.weight += len(piece)
        self._written[index, name].append(piece)

    def _show(self, index: int, piece: object) -> list[ReplyEvent]:
        whole = self._text.take(piece)
        self._write(index, "text", whole)
        return [TextDelta(whole)] if whole else []

    def _stop(self, index: int) -> list[ReplyEvent]:
        self._open.discard(index)
        block = self._blocks[index]
        if block["type"] == "text":
            return [BlockEnd()]
        if block["type"] != "tool_use":
            return []
        written = self._joined(index, "partial_json")
        arguments: object = read_json(written) if written.strip() else block.get("input", {})
        block["input"] = mapping(arguments)
        block["id"] = short_name(block.get("id")) or f"call_{index}"  # its result names it
        block["name"] = short_name(block.get("name"))
        return [ToolCall(block["id"], block["name"], arguments)]

    def _joined(self, index: int, name: str) -> str:
        return "".join(self._written.get((index, name), ()))

    def _whole(self, index: int) -> dict[str, Any]:
        """Return a block with what was written into it; empty text for a tool call that was cut."""
        block = self._blocks[index]
        match block["type"]:
            case "text":
                whole = {**block, "text": self._joined(index, "text")}
                return (
                    whole if whole["citations"] else {key: whole[key] for key in whole if key != "citations"}
                )
            case "thinking":
                signature = self._joined(index, "signature") or block.get("signature", "")
                thought = string(block.get("thinking")) + self._joined(index, "thinking")
                return {**block, "thinking": thought, "signature": signature}
            case "tool_use" if index in self._open:
                return {"type": "text", "text": ""}
        return block

    def _count(self, usage: object) -> list[ReplyEvent]:
        # The counts of a message are totals: a later one replaces an earlier one.
        counted = {name: whole_number(value) for name, value in mapping(usage).items() if name in _COUNTS}
        counted = {name: value for name, value in counted.items() if value >= 0}
        self._usage |= counted
        return [Usage(*(self._usage.get(name, 0) for name in _COUNTS))] if counted else []


def _cited(location: dict[str, Any]) -> CitedSentences:
    """Read a ``search_result_location``, of which every field may be missing or wrong."""
    first, last = (whole_number(location.get(f"{edge}_block_index")) for edge in ("start", "end"))
    return CitedSentences(string(location.get("source")), first, last, string(location.get("cited_text")))
