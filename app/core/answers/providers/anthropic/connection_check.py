"""Tries what a model server can do, one thing after another, and says it in plain words.

It takes four or five requests of a few tokens. What turns out to be missing is remembered, so that the
next question works around it from the start.
"""

from __future__ import annotations

from contextlib import aclosing, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.core.answers.providers.anthropic.message_reader import MessageReader, mapping
from app.core.answers.providers.anthropic.server_traits import Capabilities
from app.core.answers.providers.base import CitedSentences, ToolCall
from app.domain.errors import KeyProblem, LecternError, RequestRefused
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.core.answers.providers.anthropic.provider import AnthropicProvider
    from app.core.answers.providers.base import ReplyEvent
    from app.domain.model_servers import ModelInfo

_TOKENS = 300  # room for a model that thinks before it says one word
_TOOL = {
    "name": "lectern_check",
    "description": "Does nothing. Call it once when you are asked to.",
    "input_schema": {
        "type": "object",
        "properties": {"word": {"type": "string", "description": "Any word."}},
        "required": ["word"],
    },
}
_NOTE = {
    "type": "search_result",
    "source": "lectern:check",
    "title": "A note",
    "content": [{"type": "text", "text": "The library of Alder Street opens at nine o'clock."}],
    "citations": {"enabled": True},
}
_ABOUT_NOTE = "When does the library of Alder Street open? Answer from the note."


class _Failed(Exception):
    """A request did not get an answer; ``status`` is the server's, None if it did not answer at all."""

    def __init__(self, error: LecternError, status: int | None) -> None:
        super().__init__(str(error))
        self.error = error
        self.status = status


async def check_connection(
    provider: AnthropicProvider,
) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
    """Yield what works and what does not, and the server's models once they are known.

    Ends early where nothing further can work.
    """
    reached = await _reach(provider)
    yield reached
    if not reached.works:
        return
    with suppress(LecternError):
        yield await provider.list_models()
    for item in await _messages(provider):
        yield item
        if item.works is False and item.topic in ("key", "messages"):
            return
    yield await _tools(provider)
    yield await _citations(provider)
    yield await _counting(provider)


async def _reach(provider: AnthropicProvider) -> ConnectionCheck:
    try:
        await provider.client.open()
    except KeyProblem as error:
        return ConnectionCheck("key", False, error.message)
    except RequestRefused as error:
        return ConnectionCheck("server", False, error.message)
    faults = provider.client.faults
    try:
        await provider.client.get("/v1/models?limit=1")
    except faults.every as error:
        if not faults.reached(error):
            return ConnectionCheck("server", False, faults.mapped(error).message)
    return ConnectionCheck("server", True, Message("answers.check_reached", server=provider.settings.host))


async def _messages(provider: AnthropicProvider) -> list[ConnectionCheck]:
    """Ask for one word: tells about the key, the model and streaming."""
    question = "Reply with the one word: yes."
    try:
        try:
            await _send(provider, question)
        except _Failed as failed:
            if failed.status is None or "stream" not in str(failed).lower():
                raise
            provider.drop("stream")
            await _send(provider, question)
    except _Failed as failed:
        is_key = isinstance(failed.error, KeyProblem)
        return [ConnectionCheck("key" if is_key else "messages", False, failed.error.message)]
    found = []
    if provider.settings.api_key:
        found.append(ConnectionCheck("key", True, Message("answers.check_key")))
    found.append(
        ConnectionCheck("messages", True, Message("answers.check_model", model=provider.settings.model))
    )
    streams = "stream" not in provider.traits.lacking
    said = Message("answers.check_streams") if streams else Message("answers.check_streams_not")
    return [*found, ConnectionCheck("streaming", streams, said)]


async def _tools(provider: AnthropicProvider) -> ConnectionCheck:
    try:
        events = await _send(provider, "Call the tool lectern_check with the word: yes.", tools=[_TOOL])
    except _Failed as failed:
        if failed.status is None:
            return ConnectionCheck("tools", None, failed.error.message)
        provider.drop("tools")
        return ConnectionCheck("tools", False, Message("answers.check_tools_refused"))
    if any(isinstance(event, ToolCall) for event in events):
        return ConnectionCheck("tools", True, Message("answers.check_tools"))
    provider.drop("tools")
    return ConnectionCheck("tools", False, Message("answers.check_tools_unused"))


async def _citations(provider: AnthropicProvider) -> ConnectionCheck:
    try:
        events = await _send(provider, [_NOTE, {"type": "text", "text": _ABOUT_NOTE}])
    except _Failed as failed:
        if failed.status is None:
            return ConnectionCheck("citations", None, failed.error.message)
        provider.drop("citations")
        return ConnectionCheck("citations", False, Message("answers.check_citations_refused"))
    if any(isinstance(event, CitedSentences) for event in events):
        known = provider.traits.capabilities or Capabilities()
        provider.traits.capabilities = replace(known, citations=True)
        return ConnectionCheck("citations", True, Message("answers.check_citations"))
    provider.drop("citations")
    return ConnectionCheck("citations", False, Message("answers.check_citations_unused"))


async def _counting(provider: AnthropicProvider) -> ConnectionCheck:
    body = {"model": provider.settings.model, "messages": [{"role": "user", "content": "yes"}]}
    try:
        found = mapping(await provider.client.post("/v1/messages/count_tokens", body))
    except provider.client.faults.every:
        found = {}
    counts = isinstance(found.get("input_tokens"), int)
    said = Message("answers.check_counts") if counts else Message("answers.check_counts_not")
    return ConnectionCheck("token counting", counts, said)


async def _send(
    provider: AnthropicProvider, content: str | list[dict[str, Any]], **fields: object
) -> list[ReplyEvent]:
    """Return the events of a short reply."""
    messages = [{"role": "user", "content": content}]
    body = {"model": provider.settings.model, "max_tokens": _TOKENS, "messages": messages, **fields}
    reader = MessageReader()
    seen: list[ReplyEvent] = []
    failure: LecternError | None = None
    status: int | None = None
    faults = provider.client.faults
    try:
        async with aclosing(await provider.ask(body)) as events:
            async for event in events:
                seen += reader.feed(event)
    except faults.every as error:
        failure, status = faults.mapped(error), faults.status(error)
    if failure is None and not reader.began:
        failure = faults.garbled()
    if failure:
        raise _Failed(failure, status)
    return seen
