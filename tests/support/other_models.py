"""Scripts of models that are not Anthropic's, behind servers that list nothing about them.

Each is a script for a server, and answers whatever it is asked in its own way::

    with other_server(writes_calls) as server:
        ask(settings_for(server, model=MODEL))
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.support.anthropic_server import AnthropicServer
from tests.support.message_checks import Model
from tests.support.scripted_turns import (
    Cite,
    Malformed,
    Pings,
    RawBlock,
    Text,
    ToolUse,
    Turn,
    search_results,
)

if TYPE_CHECKING:
    from tests.support.anthropic_server import Script

MODEL = "qwen3:8b"


def other_server(script: Script, *lacks: str) -> AnthropicServer:
    """Return a server for one model that lists nothing of it and answers 400 to what it ``lacks``."""
    models = (Model(MODEL, "Qwen", lacks=frozenset(lacks)),)
    server = AnthropicServer(models=models, lists_models=False)
    server.answer_with(script)
    return server


def follows_everything(body: dict[str, Any]) -> Turn:
    """Search when there are tools and nothing was found yet; then cite or mark what is there."""
    if search_results(body):
        return Turn(Text("It opens at nine.", citations=(Cite(),)))
    if _may_search(body):
        return Turn(ToolUse(body["tools"][0]["name"], {"query": _question(body)}), stop_reason="tool_use")
    return Turn(Text(_answer(body)))


def ignores_tools(body: dict[str, Any]) -> Turn:
    """Talk, whatever is offered and sent."""
    return Turn(Text("It opens at noon, I believe."))


def writes_calls(body: dict[str, Any]) -> Turn:
    """Write tool calls as text, in pieces of a word."""
    if not _may_search(body):
        return Turn(Text(_answer(body)))
    call = {"name": body["tools"][0]["name"], "arguments": {"query": _question(body)}}
    return Turn(Text(json.dumps(call, indent=1)))


def thinks_aloud(body: dict[str, Any]) -> Turn:
    """Think in the text, then do what there is to do."""
    turn = follows_everything(body)
    return Turn(
        Text("<think>\nThe user asks [1] something.\n</think>\n\n"), *turn.items, stop_reason=turn.stop_reason
    )


def only_thinks(body: dict[str, Any]) -> Turn:
    """Think until there is no more room."""
    return Turn(Text("<think>\n" + "Hm. " * 50), stop_reason="max_tokens")


def pings(body: dict[str, Any]) -> Turn:
    """Keep the connection busy and say nothing."""
    return Turn(Pings())


def garbage(body: dict[str, Any]) -> Turn:
    """Send blocks and events that are none."""
    return Turn(
        RawBlock({"type": ["text"], "text": {"a": 1}}),
        RawBlock({"type": "tool_use", "id": 7, "name": None, "input": "no"}),
        Malformed('{"type": "content_block_delta", "index": "x", "delta": []}'),
        Text("�\x00{}[[<tool_call>"),
    )


def _may_search(body: dict[str, Any]) -> bool:
    return bool(body.get("tools")) and "tool_result" not in json.dumps(body["messages"])


def _question(body: dict[str, Any]) -> str:
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else str(content[-1]["text"])


def _answer(body: dict[str, Any]) -> str:
    return "It opens at nine [1]." if "Passage [1]" in json.dumps(body["messages"]) else "Yes."
