"""Writes a turn as a request of the Messages protocol, with the fields that the server takes."""

from typing import Any

from app.core.answers.providers.base import Step, ToolDefinition, ToolOutcome, Turn, page_picture
from app.core.answers.providers.wire import sendable
from app.core.answers.sources import full_heading
from app.domain.sources import Source


def request_body(
    turn: Turn, fields: dict[str, Any], *, strict: bool = True, offers_tools: bool = True
) -> dict[str, Any]:
    cached = {name: value for name, value in fields.items() if name == "cache_control"}
    body = {**fields, "messages": _messages(turn, cached)}
    # To cache a whole request pays only if the next one begins with it, as after a tool call. The next
    # question does not: passages and calls are not sent again with it. What the first request has cached
    # is read only up to a place that is marked for the cache again.
    if turn.given or turn.steps or not turn.tools:
        body.pop("cache_control", None)
    if turn.system:
        body["system"] = [_text(text) for text in turn.system]
        body["system"][-1] |= cached
    if turn.tools and offers_tools:
        body["tools"] = [_tool(tool, strict=strict) for tool in turn.tools]
        body["tool_choice"] = {"type": "auto" if turn.may_call else "none"}
    return sendable(body)


def _messages(turn: Turn, cached: dict[str, Any]) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [
        {"role": said.role, "content": [_text(said.content)]} for said in turn.history
    ]
    given = _blocks(turn.given, turn) if turn.given else []
    messages.append({"role": "user", "content": [*given, *map(_text, turn.question)]})
    if turn.steps and not turn.given:
        messages[-1]["content"][-1] |= cached
    if opening := _opening(turn):
        opening[-1] |= cached
        messages[0]["content"][:0] = opening
    for step in turn.steps:
        reply = _reply(step, turn)
        if messages[-1]["role"] == "assistant":  # it went on after a pause
            messages[-1]["content"] += reply
        elif reply:
            messages.append({"role": "assistant", "content": reply})
        if step.outcomes:
            results = [_result(call.id, outcome, turn) for call, outcome in step.outcomes]
            messages.append({"role": "user", "content": results})
    return messages


def _opening(turn: Turn) -> list[dict[str, Any]]:
    """Return what goes before all that was said, the same from one question to the next."""
    preface = [_text(turn.preface)] if turn.preface else []
    documents = _blocks(ToolOutcome(sources=turn.documents), turn) if turn.documents else []
    return [*preface, *documents]


def _reply(step: Step, turn: Turn) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = step.reply  # type: ignore[assignment]  # as MessageReader.content gave it
    if turn.cites:
        return list(blocks)
    # Citations of blocks that are no longer sent would point nowhere.
    return [{name: block[name] for name in block if name != "citations"} for block in blocks]


def _result(call_id: str, outcome: ToolOutcome, turn: Turn) -> dict[str, Any]:
    blocks = _blocks(outcome, turn)
    content = blocks if turn.cites or len(blocks) > 1 else outcome.plain_text
    block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {**block, "is_error": True} if outcome.is_error else block


def _blocks(outcome: ToolOutcome, turn: Turn) -> list[dict[str, Any]]:
    pages = [block for source in outcome.sources for block in _page(source, turn)]
    if not turn.cites:
        return [_text(outcome.plain_text), *pages]
    return [*map(_search_result, outcome.sources), *pages, *([_text(outcome.text)] if outcome.text else [])]


def _page(source: Source, turn: Turn) -> list[dict[str, Any]]:
    """Return the picture of the page that a passage is from, if there is one, and what it shows."""
    if source.n not in turn.pages:
        return []
    said, data = page_picture(source, turn)
    picture = {"type": "base64", "media_type": "image/jpeg", "data": data}
    return [_text(said), {"type": "image", "source": picture}]


def _search_result(source: Source) -> dict[str, Any]:
    """Return a passage as a block that the model can cite sentence by sentence."""
    return {
        "type": "search_result",
        "source": source.ref,
        "title": full_heading(source.hit),
        "content": [_text(text) for text in source.texts],
        "citations": {"enabled": True},
    }


def _tool(tool: ToolDefinition, *, strict: bool) -> dict[str, Any]:
    offered = {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
    return {**offered, "strict": True} if tool.strict and strict else offered


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
