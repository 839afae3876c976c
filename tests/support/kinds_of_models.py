"""Models that do not all search as they should: each is a script for the loopback server.

All of them state :data:`INVENTED` as soon as they have to say something about a course without passages,
as small models do.
"""

from __future__ import annotations

import itertools
import json
import re
import threading
from dataclasses import dataclass
from typing import Any

from tests.support.message_checks import Model
from tests.support.scripted_turns import Cite, Cut, ErrorReply, Reply, Text, ToolUse, Turn

INVENTED = (
    "Lesson 17 of the course says that Professor Quillfeather settled this in 1847 with 93 experiments."
)
SEARCH = "search_course_content"
_PASSAGE = re.compile(r"^Passage \[(\d+)\]\n\[[^\n]*\]\n(.*?)(?=^Passage \[|^\(|\Z)", re.S | re.M)


@dataclass(frozen=True)
class Kind:
    """A model at a server.

    Attributes:
        model: its entry in the server's list.
        lists_models: whether the server has such a list.
        script: how it answers; made anew for each server.
    """

    model: Model
    lists_models: bool
    script: type[ClaudeLike]


class ClaudeLike:
    """Searches for every question, then quotes what was found."""

    def __call__(self, body: dict[str, Any]) -> Reply:
        """Answer one request."""
        return self.quote(body) or self.call(body) or Turn(Text(INVENTED))

    def call(self, body: dict[str, Any]) -> Turn | None:
        """Search for the question."""
        if not body.get("tools") or body["tool_choice"]["type"] == "none":
            return None
        return Turn(ToolUse(SEARCH, {"query": question_of(body)}), stop_reason="tool_use")

    def quote(self, body: dict[str, Any]) -> Turn | None:
        """Quote the first sentence of the first passage; None without passages."""
        content = body["messages"][-1]["content"]
        parts = [part for block in content for part in _parts(block)]
        for part in parts:
            if part["type"] == "search_result":
                return Turn(Text(part["content"][0]["text"], citations=(Cite(0),)))
        passage = _PASSAGE.search("\n\n".join(part["text"] for part in parts if part["type"] == "text"))
        if passage:
            sentence = re.split(r"(?<=[.!?])\s", " ".join(passage[2].split()), maxsplit=1)[0]
            return Turn(Text(f"{sentence.rstrip('.')} [{passage[1]}]."))
        searched = any(block["type"] == "tool_result" for block in content)
        return Turn(Text("The courses do not cover this.")) if searched else None


class IgnoresTools(ClaudeLike):
    """Never calls a tool."""

    def call(self, body: dict[str, Any]) -> Turn | None:
        """Call nothing."""
        return None


class WritesToolsAsText(ClaudeLike):
    """Writes its calls into its text, for a server that does not read them."""

    def call(self, body: dict[str, Any]) -> Turn | None:
        """Write the call."""
        called = super().call(body)
        arguments = {"query": question_of(body)}
        return called and Turn(Text(json.dumps({"name": SEARCH, "arguments": arguments})))


class DropsEveryFifth(ClaudeLike):
    """At a server whose connection breaks in every fifth answer, in the middle or before it."""

    def __init__(self) -> None:
        self._count = itertools.count(1)
        self._lock = threading.Lock()

    def __call__(self, body: dict[str, Any]) -> Reply:
        """Answer or break."""
        with self._lock:
            count = next(self._count)
        if count % 5:
            return super().__call__(body)
        return Turn(Text("The ", Cut())) if count % 2 else ErrorReply(502, "api_error", "Bad gateway")


KINDS = {
    "like Claude": Kind(Model("claude-sonnet-5-5", "Sonnet"), True, ClaudeLike),
    "without tools": Kind(
        Model("plain", "Plain", citations=False, lacks=frozenset({"tools", "citations"})), False, ClaudeLike
    ),
    "ignores tools": Kind(Model("deaf", "Deaf"), True, IgnoresTools),
    "ignores tools, small": Kind(Model("deaf", "Deaf", citations=False), False, IgnoresTools),
    "writes tools as text": Kind(Model("writer", "Writer", citations=False), False, WritesToolsAsText),
    "drops every fifth": Kind(Model("claude-sonnet-5-5", "Sonnet"), True, DropsEveryFifth),
}


def question_of(body: dict[str, Any]) -> str:
    """Return the question of a request, whatever was said after it."""
    asked = [
        block["text"]
        for message in body["messages"]
        if message["role"] == "user"
        for block in message["content"]
        if block["type"] == "text"
    ]
    return str(asked[-1])


def _parts(block: dict[str, Any]) -> list[dict[str, Any]]:
    content = block.get("content") if block["type"] == "tool_result" else None
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content or [block]
