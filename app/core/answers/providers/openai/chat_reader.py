"""Reads one reply of chat completions: chunks in, reply events, a message and a stop reason out.

What a server adds to a call or its thoughts goes back unchanged: some take no call without.
"""

import json
from typing import Any

from app.core.answers.providers.base import ReplyEvent, TextDelta, ToolCall, Unseen
from app.core.answers.providers.wire import (
    WholeText,
    mapping,
    read_json,
    short_name,
    string,
    weight_of,
    whole_number,
)
from app.domain.conversations import StopReason
from app.domain.model_servers import Usage

_REASONS = {
    "stop": StopReason.END,
    "eos": StopReason.END,
    "length": StopReason.LENGTH,
    "model_length": StopReason.CONTEXT_FULL,
    "tool_calls": StopReason.TOOL_CALLS,
    "function_call": StopReason.TOOL_CALLS,
    "content_filter": StopReason.REFUSED,
}
_DONE = "[DONE]"
_MALFORMED = 50  # the weight of what is not kept


class ChatReader:
    """Takes the chunks of one reply in order."""

    def __init__(self) -> None:
        self.stop_reason: str | None = None
        self.complete = False
        self.began = False
        self.over = False
        self.model = ""
        self.weight = 0
        self.thinks = False
        self._text = WholeText()
        self._said: list[str] = []
        self._thoughts: list[str] = []
        self._details: list[object] = []  # OpenRouter's form of thoughts
        self._calls: list[_Call] = []
        self._by_index: dict[int, _Call] = {}

    def sent_back(self, text: str | None) -> dict[str, Any]:
        """Return the message, with its text replaced unless that is None."""
        text, calls = "".join(self._said) if text is None else text, [call.on_wire for call in self._calls]
        message: dict[str, Any] = {"role": "assistant", "content": text if text.strip() else None}
        if self._thoughts:
            message["reasoning_content"] = "".join(self._thoughts)
        if self._details:
            message["reasoning_details"] = self._details
        return {**message, "tool_calls": calls} if calls else message

    def feed(self, event: object) -> list[ReplyEvent]:
        if event == _DONE:
            return [] if self.over else self._end("stop")
        event = mapping(event)
        counted = self._count(mapping(event.get("usage")))
        choices = event.get("choices")
        if self.over or not isinstance(choices, list):
            return counted
        self.began = True
        self.model = self.model or short_name(event.get("model"))
        choice = mapping(choices[0]) if choices else {}
        seen = self._take(mapping(choice.get("delta")))
        if reason := short_name(choice.get("finish_reason")):
            seen += self._end(reason)
        return [*seen, *counted]

    def _take(self, delta: dict[str, Any]) -> list[ReplyEvent]:
        seen: list[ReplyEvent] = []
        thought = string(delta.get("reasoning_content"))
        self._thoughts += [thought] if thought else []
        self._details += filter(self._weigh, _listed(delta.get("reasoning_details")))
        content = delta.get("content")
        parts = _listed(content)  # Mistral's, of a model that thinks
        for part in map(mapping, parts):
            thought += "".join(string(mapping(one).get("text")) for one in _listed(part.get("thinking")))
        texts = [part.get("text") for part in map(mapping, parts)] if parts else [content]
        if thought := thought or string(delta.get("reasoning")):
            self.thinks = True
            self.weight += len(thought)
            seen.append(Unseen(len(thought)))
        if text := "".join(map(self._text.take, texts)):
            self.weight += len(text)
            self._said.append(text)
            seen.append(TextDelta(text))
        pieces = filter(self._weigh, _listed(delta.get("tool_calls")))
        return [*seen, *(self._add_to_call(mapping(piece)) for piece in pieces)]

    def _weigh(self, value: object) -> bool:
        """Count a value that is kept; return whether it can be."""
        weight = weight_of(value)
        self.weight += weight or _MALFORMED
        return weight is not None

    def _add_to_call(self, piece: dict[str, Any]) -> Unseen:
        """Take a piece of a call; Gemini's have no index, and others' all the same one."""
        index, call_id = whole_number(piece.get("index")), short_name(piece.get("id"))
        function = mapping(piece.get("function"))
        call = self._by_index.get(index) if index >= 0 else next(reversed(self._calls), None)
        if (
            call is None
            or (call_id and call_id != call.id)
            or (index < 0 and not call_id and function.get("name"))
        ):
            call = _Call(call_id or f"call_{len(self._calls)}")
            self._calls.append(call)
        self._by_index[index] = call
        call.name = call.name or short_name(function.get("name"))
        written = function.get("arguments")
        call.written.append(json.dumps(written) if isinstance(written, dict) else string(written))
        call.extras |= {name: piece[name] for name in piece.keys() - {"index", "id", "type", "function"}}
        return Unseen(len(call.written[-1]))

    def _end(self, reason: str) -> list[ReplyEvent]:
        self.complete = self.over = True
        self.stop_reason = _REASONS.get(reason, reason)
        if self.stop_reason == StopReason.LENGTH:  # the last one is cut
            self._calls.clear()
        return [ToolCall(call.id, call.name, call.arguments) for call in self._calls]

    def _count(self, usage: dict[str, Any]) -> list[ReplyEvent]:
        if not usage:
            return []
        prompt, written, total = (
            max(0, whole_number(usage.get(f"{name}_tokens"))) for name in ("prompt", "completion", "total")
        )
        cached = max(0, whole_number(mapping(usage.get("prompt_tokens_details")).get("cached_tokens")))
        thought = whole_number(mapping(usage.get("completion_tokens_details")).get("reasoning_tokens"))
        self.thinks = self.thinks or thought > 0 or total > prompt + written  # Gemini counts thoughts apart
        return [Usage(max(0, prompt - cached), max(written, total - prompt), cached)]


class _Call:
    def __init__(self, call_id: str) -> None:
        self.id = call_id
        self.name = ""
        self.written: list[str] = []
        self.extras: dict[str, Any] = {}

    @property
    def arguments(self) -> object:
        written = "".join(self.written)
        return read_json(written) if written.strip() else {}

    @property
    def on_wire(self) -> dict[str, Any]:
        function = {"name": self.name, "arguments": json.dumps(mapping(self.arguments), ensure_ascii=False)}
        return {**self.extras, "id": self.id, "type": "function", "function": function}


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
