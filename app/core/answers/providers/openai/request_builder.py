"""Writes a turn as a request of chat completions, with the fields that the server takes."""

from typing import Any

from app.core.answers.providers.base import Step, ToolDefinition, ToolOutcome, Turn, page_picture
from app.core.answers.providers.wire import sendable
from app.domain.sources import Source


def request_body(
    turn: Turn, fields: dict[str, Any], *, strict: bool = True, offers_tools: bool = True
) -> dict[str, Any]:
    body = {**fields, "messages": _messages(turn)}
    if turn.tools and offers_tools:
        body["tools"] = [_tool(tool, strict=strict) for tool in turn.tools]
        if not turn.may_call:
            body["tool_choice"] = "none"
    return sendable(body)


def _messages(turn: Turn) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = []
    if turn.system:
        messages.append({"role": "system", "content": "\n\n".join(turn.system)})
    opening = [turn.preface] if turn.preface else []
    opening += [ToolOutcome(sources=turn.documents).plain_text] if turn.documents else []
    said = [(one.role, [one.content]) for one in turn.history]
    given = [turn.given.plain_text] if turn.given else []
    said.append(("user", [*given, *turn.question]))
    said[0][1][:0] = opening  # the same from one question to the next
    messages += [_message(role, texts) for role, texts in said[:-1]]
    pictures = _pictures([*turn.documents, *(turn.given.sources if turn.given else ())], turn)
    messages.append(_message("user", said[-1][1], pictures))
    for step in turn.steps:
        messages += _step(step, turn)
    return messages


def _step(step: Step, turn: Turn) -> list[dict[str, Any]]:
    reply: dict[str, Any] = step.reply  # type: ignore[assignment]  # as ChatReader.sent_back gave it
    messages = [reply]
    for call, outcome in step.outcomes:
        content = outcome.plain_text
        messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    # The result of a tool cannot hold pictures.
    pictures = _pictures([source for _, outcome in step.outcomes for source in outcome.sources], turn)
    return [*messages, _message("user", [], pictures)] if pictures else messages


def _message(role: str, texts: list[str], pictures: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """Return a message; one of text alone in the form that every server takes."""
    text = "\n\n".join(texts)
    if not pictures:
        return {"role": role, "content": text}
    return {"role": role, "content": [*pictures, *([{"type": "text", "text": text}] if text else [])]}


def _pictures(sources: list[Source], turn: Turn) -> list[dict[str, Any]]:
    """Return the pictures of the pages that passages are from, each behind what it shows."""
    parts: list[dict[str, Any]] = []
    for source in sources:
        if source.n in turn.pages:
            said, data = page_picture(source, turn)
            parts.append({"type": "text", "text": said})
            parts.append({"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{data}"}})
    return parts


def _tool(tool: ToolDefinition, *, strict: bool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    kept = {"strict": True} if tool.strict and strict else {}
    return {"type": "function", "function": {**function, **kept}}
