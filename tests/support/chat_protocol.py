"""OpenAI's chat completions in the terms of the Messages protocol, so that one script serves both."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.support.message_checks import Rejected
from tests.support.scripted_turns import Thinking

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIELDS = {
    *("model", "messages", "tools", "tool_choice", "stream", "stream_options"),
    *("max_tokens", "max_completion_tokens", "reasoning_effort"),
}
_REASONS = {
    "end_turn": "stop",
    "max_tokens": "length",
    "tool_use": "tool_calls",
    "refusal": "content_filter",
    "model_context_window_exceeded": "model_length",
}
_PICTURE = "data:image/jpeg;base64,"


def as_messages(body: dict[str, Any]) -> dict[str, Any]:
    """Return a request as one of the Messages protocol; raise Rejected for what no server would take."""
    if unknown := body.keys() - _FIELDS:
        raise Rejected(f"Unrecognized request argument supplied: {sorted(unknown)[0]}")
    found: dict[str, Any] = {"model": body["model"], "messages": []}
    found["max_tokens"] = body.get("max_tokens", body.get("max_completion_tokens"))
    if effort := body.get("reasoning_effort"):
        found["output_config"] = {"effort": effort}
    if body.get("stream"):
        found["stream"] = True
    messages = list(body["messages"])
    if messages and messages[0]["role"] == "system":
        found["system"] = [{"type": "text", "text": messages.pop(0)["content"]}]
    for message in messages:
        role, blocks = _blocks(message)
        last = found["messages"][-1] if found["messages"] else {}
        if last.get("role") == role:
            last["content"] += blocks
        else:
            found["messages"].append({"role": role, "content": blocks})
    if tools := body.get("tools"):
        found["tools"] = [_tool(tool) for tool in tools]
        found["tool_choice"] = {"type": body.get("tool_choice", "auto")}
    return found


def _blocks(message: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    content = message.get("content")
    if message["role"] == "tool":
        result = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": content}
        return "user", [result]
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    blocks = [_part(part) for part in parts]
    if message["role"] == "user":
        return "user", blocks
    if not blocks and not message.get("tool_calls"):
        raise Rejected("messages: an assistant message has to have content or tool_calls")
    if thought := message.get("reasoning_content"):
        blocks.insert(0, {"type": "thinking", "thinking": thought, "signature": Thinking("").signature})
    for call in message.get("tool_calls", ()):
        function = call["function"]
        given = json.loads(function["arguments"])
        blocks.append({"type": "tool_use", "id": call["id"], "name": function["name"], "input": given})
    return "assistant", blocks


def _part(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] == "text":
        return part
    data = part["image_url"]["url"].removeprefix(_PICTURE)
    return {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": data}}


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    function = dict(tool["function"])
    function["input_schema"] = function.pop("parameters")
    return function


class Chunks:
    """Makes chunks of the events of one answer."""

    def __init__(self) -> None:
        self._model = ""
        self._calls = -1
        self._usage: dict[str, int] = {}

    def of(self, event: dict[str, Any]) -> Iterator[str]:
        """Yield the data of what is sent for an event."""
        kind, delta = event["type"], event.get("delta", {})
        if kind == "message_start":
            self._model = event["message"]["model"]
            self._usage = event["message"]["usage"]
            yield self._chunk({"role": "assistant", "content": ""})
        elif kind == "content_block_start" and event["content_block"]["type"] == "tool_use":
            self._calls += 1
            block = event["content_block"]
            function = {"name": block["name"], "arguments": ""}
            call = {"index": self._calls, "id": block["id"], "type": "function", "function": function}
            yield self._chunk({"tool_calls": [call]})
        elif kind == "content_block_delta" and delta["type"] == "text_delta":
            yield self._chunk({"content": delta["text"]})
        elif kind == "content_block_delta" and delta["type"] == "thinking_delta":
            yield self._chunk({"reasoning_content": delta["thinking"]})
        elif kind == "content_block_delta" and delta["type"] == "input_json_delta":
            function = {"arguments": delta["partial_json"]}
            yield self._chunk({"tool_calls": [{"index": self._calls, "function": function}]})
        elif kind == "message_delta":
            self._usage = {**self._usage, **event["usage"]}
            reason = event["delta"]["stop_reason"]
            yield self._chunk({}, _REASONS.get(reason, reason))
            yield json.dumps({"choices": [], "usage": self._counted()})
        elif kind == "message_stop":
            yield "[DONE]"
        elif kind == "ping":
            yield self._chunk({})

    def _chunk(self, delta: dict[str, Any], reason: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        return json.dumps({"model": self._model, "choices": [choice], "usage": None})

    def _counted(self) -> dict[str, Any]:
        cached = self._usage["cache_read_input_tokens"]
        prompt = self._usage["input_tokens"] + self._usage["cache_creation_input_tokens"] + cached
        return {
            "prompt_tokens": prompt,
            "completion_tokens": self._usage["output_tokens"],
            "total_tokens": prompt + self._usage["output_tokens"],
            "prompt_tokens_details": {"cached_tokens": cached},
        }


def as_chat(body: bytes) -> bytes:
    """Return a stream of the Messages protocol as one of chat completions, and what is none as it is."""
    chunks, frames = Chunks(), []
    for frame in body.split(b"\n\n"):
        data = frame.rpartition(b"data: ")[2]
        try:
            made = [
                f"data: {chunk}".encode("utf-8", "surrogatepass") for chunk in chunks.of(json.loads(data))
            ]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            made = [b"data: " + data if frame.startswith(b"event: ") else frame]
        frames += made
    return b"\n\n".join(frames)
