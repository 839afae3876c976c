"""The answers a scripted model server can give: blocks, pauses and faults.

A test writes a turn the way a model writes one::

    Turn(Thinking("Where is that?"), ToolUse("search_course_content", {"query": "caching"}),
         stop_reason="tool_use")
    Turn(Text("Caching stores the prefix", citations=(Cite(result=0),)), Text(", so it is cheap."))

A string inside :class:`Text` is streamed word by word; a control such as :class:`Wait` or
:class:`Cut` may stand between two strings, between two blocks, or first of all.
"""

from __future__ import annotations

import itertools
import json
import re
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_ids = itertools.count(1)


class Gate:
    """A point in an answer where the server stops until the test opens the gate."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.opened = threading.Event()

    def open(self) -> None:
        """Let the server go on."""
        self.opened.set()


@dataclass(frozen=True)
class Wait:
    """Say nothing until ``gate`` opens; a gate that never opens is silence."""

    gate: Gate


@dataclass(frozen=True)
class Cut:
    """End the connection here.

    Attributes:
        clean: as a server that ends the body properly (the client sees a short answer), or by
            dropping the connection inside it (the client sees a protocol error).
    """

    clean: bool = False


@dataclass(frozen=True)
class StreamError:
    """An ``error`` event in the middle of an answer."""

    type: str = "overloaded_error"
    message: str = "Overloaded"


@dataclass(frozen=True)
class Malformed:
    """An event whose data is not JSON."""

    data: str = '{"type": "content_block_delta", "ind'


@dataclass(frozen=True)
class Pings:
    """Send nothing but ``ping`` events until the client goes away."""

    seconds: float = 0.01  # between two


Control = Wait | Cut | StreamError | Malformed


@dataclass(frozen=True)
class Cite:
    """A citation of a ``search_result`` of the request; fields set here replace the true ones.

    Attributes:
        result: index among the search results of the whole request.
        start: first cited text block.
        end: one past the last.
        source: another source than the result's, for a false citation.
        cited_text: another text than the blocks', for a false citation.
    """

    result: int = 0
    start: int = 0
    end: int = 1
    source: str | None = None
    cited_text: str | None = None


class Text:
    """A text block."""

    def __init__(self, *parts: str | Control, citations: tuple[Cite, ...] = ()) -> None:
        self.parts = parts
        self.citations = citations


@dataclass(frozen=True)
class Thinking:
    """A thinking block; its signature must come back unchanged."""

    text: str
    signature: str = "c2lnbmF0dXJl"


@dataclass(frozen=True)
class ToolUse:
    """A tool call.

    Attributes:
        cut_after: stop after so many characters of the arguments' JSON, as ``max_tokens`` does.
    """

    name: str
    input: Any
    id: str = ""
    cut_after: int | None = None


@dataclass(frozen=True)
class RawBlock:
    """Any other block, sent whole in its start event."""

    block: dict[str, Any]


Item = Text | Thinking | ToolUse | RawBlock | Pings | Control


class Turn:
    """One answer of the model."""

    def __init__(
        self,
        *items: Item,
        stop_reason: str | None = "end_turn",
        hold: Gate | None = None,
        word_delay: float = 0.0,
        cut_after_bytes: int | None = None,
    ) -> None:
        """Describe the answer.

        Args:
            items: blocks and controls in order.
            stop_reason: as sent in ``message_delta``; None leaves that event out.
            hold: wait at this gate before even the status line is sent.
            word_delay: seconds between two words.
            cut_after_bytes: drop the connection after so many bytes of the event stream.
        """
        self.items = items
        self.stop_reason = stop_reason
        self.hold = hold
        self.word_delay = word_delay
        self.cut_after_bytes = cut_after_bytes


@dataclass(frozen=True)
class ErrorReply:
    """An answer with an error status.

    Attributes:
        body: sent instead of the usual error object, for servers that answer something else.
    """

    status: int
    type: str = "api_error"
    message: str = "Something went wrong"
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None
    content_type: str = "text/html"


Reply = Turn | ErrorReply


@dataclass(frozen=True)
class Pace:
    """Between two words: the server waits so many seconds."""

    seconds: float


Step = dict[str, Any] | Control | Pace
"""What one step of an answer is: an event, a control, or a pause between words."""


def search_results(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the ``search_result`` blocks of a request in the order the API counts them."""
    found = []
    for message in body.get("messages", []):
        content = message.get("content")
        if not isinstance(content, list):
            continue
        for block in content:
            if block.get("type") == "search_result":
                found.append(block)
            elif block.get("type") == "tool_result" and isinstance(block.get("content"), list):
                found.extend(part for part in block["content"] if part.get("type") == "search_result")
    return found


def location(cite: Cite, body: dict[str, Any]) -> dict[str, Any]:
    """Return the citation object of ``cite`` for this request."""
    results = search_results(body)
    result = results[cite.result] if cite.result < len(results) else None
    blocks = [part["text"] for part in result["content"]] if result else []
    true_text = "".join(blocks[cite.start : cite.end])
    return {
        "type": "search_result_location",
        "source": cite.source or (result["source"] if result else "nowhere"),
        "title": result["title"] if result else "Nowhere",
        "cited_text": true_text if cite.cited_text is None else cite.cited_text,
        "search_result_index": cite.result,
        "start_block_index": cite.start,
        "end_block_index": cite.end,
    }


def words(text: str) -> list[str]:
    """Split into words that keep the white space after them."""
    return re.findall(r"\s*\S+\s*", text) or ([text] if text else [])


def steps(turn: Turn, body: dict[str, Any], usage: dict[str, int]) -> Iterator[Step]:
    """Yield the events of a streamed answer with the controls between them."""
    message = {
        "id": f"msg_{next(_ids):06}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", ""),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**usage, "output_tokens": 1},
    }
    yield {"type": "message_start", "message": message}
    written = 0
    index = 0
    for item in turn.items:
        while isinstance(item, Pings):
            yield {"type": "ping"}
            yield Pace(item.seconds)
        if isinstance(item, Control):
            yield item
            continue
        for step in _block_steps(item, index, body, turn.word_delay):
            if isinstance(step, dict):
                written += len(str(step))
            yield step
        index += 1
    if turn.stop_reason is not None:
        delta = {"stop_reason": turn.stop_reason, "stop_sequence": None}
        yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 1 + written // 60}}
    yield {"type": "message_stop"}


def _block_steps(
    item: Text | Thinking | ToolUse | RawBlock, index: int, body: dict[str, Any], word_delay: float
) -> Iterator[Step]:
    def start(block: dict[str, Any]) -> Step:
        return {"type": "content_block_start", "index": index, "content_block": block}

    def delta(kind: str, **fields: Any) -> Step:  # noqa: ANN401 - any JSON
        return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}

    if isinstance(item, Text):
        yield start({"type": "text", "text": ""})
        for part in item.parts:
            if isinstance(part, Control):
                yield part
                continue
            for word in words(part):
                yield delta("text_delta", text=word)
                yield Pace(word_delay)
        for cite in item.citations:
            yield delta("citations_delta", citation=location(cite, body))
    elif isinstance(item, Thinking):
        yield start({"type": "thinking", "thinking": "", "signature": ""})
        for word in words(item.text):
            yield delta("thinking_delta", thinking=word)
        yield delta("signature_delta", signature=item.signature)
    elif isinstance(item, ToolUse):
        call_id = item.id or f"toolu_{next(_ids):06}"
        yield start({"type": "tool_use", "id": call_id, "name": item.name, "input": {}})
        arguments = json.dumps(item.input)[: item.cut_after]
        for at in range(0, len(arguments), 7):
            yield delta("input_json_delta", partial_json=arguments[at : at + 7])
    else:
        yield start(item.block)
    yield {"type": "content_block_stop", "index": index}


class Assembler:
    """Puts the events of an answer together to the message they describe."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {}
        self._arguments = ""

    def add(self, event: dict[str, Any]) -> None:
        """Take the next event."""
        kind = event["type"]
        if kind == "message_start":
            self.message = json.loads(json.dumps(event["message"]))
        elif kind == "content_block_start":
            self.message["content"].append(dict(event["content_block"]))
            self._arguments = ""
        elif kind == "content_block_delta":
            self._apply(self.message["content"][-1], event["delta"])
        elif kind == "content_block_stop" and self._arguments:
            self.message["content"][-1]["input"] = _parsed(self._arguments)
            self._arguments = ""
        elif kind == "message_delta":
            self.message.update(event["delta"])
            self.message["usage"].update(event["usage"])

    def _apply(self, block: dict[str, Any], delta: dict[str, Any]) -> None:
        kind = delta["type"]
        if kind == "text_delta":
            block["text"] += delta["text"]
        elif kind == "thinking_delta":
            block["thinking"] += delta["thinking"]
        elif kind == "signature_delta":
            block["signature"] = delta["signature"]
        elif kind == "citations_delta":
            block.setdefault("citations", []).append(delta["citation"])
        elif kind == "input_json_delta":
            self._arguments += delta["partial_json"]


def _parsed(arguments: str) -> object:
    try:
        return json.loads(arguments)
    except ValueError:
        return {}  # a call cut off by max_tokens
