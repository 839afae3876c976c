"""Tries what a model server can do, one thing after another, and says it in plain words.

It takes four or five requests of a few tokens. What turns out to be missing is remembered, so that the
next question works around it from the start.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import replace
from typing import Any, Literal

from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.errors import Fault, trouble
from app.core.answers.providers.anthropic.message_reader import MessageReader, mapping
from app.core.answers.providers.anthropic.server_traits import Capabilities
from app.core.answers.providers.base import CitedSentences, ReplyEvent, ToolCall
from app.domain.errors import KeyProblem, LecternError, RequestRefused
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck, ModelInfo

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


async def check_connection(
    client: AnthropicClient, list_models: Callable[[], Awaitable[tuple[ModelInfo, ...]]]
) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
    """Yield what works and what does not, and the server's models once they are known.

    Ends early where nothing further can work.
    """
    reached = await _reach(client)
    yield reached
    if not reached.works:
        return
    with suppress(LecternError):
        yield await list_models()
    for item in await _messages(client):
        yield item
        if item.works is False and item.topic in ("key", "messages"):
            return
    call = "Call the tool lectern_check with the word: yes."
    yield await _ability(client, "tools", ToolCall, call, tools=[_TOOL])
    yield await _ability(client, "citations", CitedSentences, [_NOTE, {"type": "text", "text": _ABOUT_NOTE}])
    yield await _counting(client)


async def _reach(client: AnthropicClient) -> ConnectionCheck:
    try:
        await client.open()
    except (KeyProblem, RequestRefused) as error:
        return ConnectionCheck("key" if isinstance(error, KeyProblem) else "server", False, error.message)
    found = await client.get("/v1/models?limit=1")
    if isinstance(found, Fault) and not found.reached:
        return ConnectionCheck("server", False, found.error.message)
    return ConnectionCheck("server", True, Message("answers.check_reached", server=client.settings.host))


async def _messages(client: AnthropicClient) -> list[ConnectionCheck]:
    """Ask for one word: tells about the key, the model and streaming."""
    question = "Reply with the one word: yes."
    reply = await _send(client, question)
    if isinstance(reply, Fault) and reply.status is not None and "stream" in str(reply.error).lower():
        client.drop("stream")
        reply = await _send(client, question)
    if isinstance(reply, Fault):
        is_key = isinstance(reply.error, KeyProblem)
        return [ConnectionCheck("key" if is_key else "messages", False, reply.error.message)]
    found = []
    if client.settings.api_key:
        found.append(ConnectionCheck("key", True, Message("answers.check_key")))
    model = Message("answers.check_model", model=client.settings.model)
    streams = "stream" not in client.traits.lacking
    said = Message("answers.check_streams" if streams else "answers.check_streams_not")
    return [*found, ConnectionCheck("messages", True, model), ConnectionCheck("streaming", streams, said)]


async def _ability(
    client: AnthropicClient,
    topic: Literal["tools", "citations"],
    wanted: type[ReplyEvent],
    content: str | list[dict[str, Any]],
    **fields: object,
) -> ConnectionCheck:
    """Try to get an event of the ``wanted`` type; remember whether the model gives it."""
    reply = await _send(client, content, **fields)
    if isinstance(reply, Fault) and reply.status is None:
        return ConnectionCheck(topic, None, reply.error.message)
    if isinstance(reply, Fault) or not any(isinstance(event, wanted) for event in reply):
        client.drop(topic)
        how = "refused" if isinstance(reply, Fault) else "unused"
        return ConnectionCheck(topic, False, Message(f"answers.check_{topic}_{how}"))
    if topic == "citations":
        client.traits.capabilities = replace(client.traits.capabilities or Capabilities(), citations=True)
    return ConnectionCheck(topic, True, Message(f"answers.check_{topic}"))


async def _counting(client: AnthropicClient) -> ConnectionCheck:
    body = {"model": client.settings.model, "messages": [{"role": "user", "content": "yes"}]}
    found = await client.post("/v1/messages/count_tokens", body)
    counts = isinstance(mapping(found).get("input_tokens"), int)
    said = Message("answers.check_counts" if counts else "answers.check_counts_not")
    return ConnectionCheck("token counting", counts, said)


async def _send(
    client: AnthropicClient, content: str | list[dict[str, Any]], **fields: object
) -> list[ReplyEvent] | Fault:
    """Return the events of a short reply."""
    messages = [{"role": "user", "content": content}]
    body = {"model": client.settings.model, "max_tokens": _TOKENS, "messages": messages, **fields}
    reader = MessageReader()
    seen: list[ReplyEvent] = []
    events = await client.ask(body)
    if isinstance(events, Fault):
        return events
    async with aclosing(events):
        async for event in events:
            if isinstance(event, Fault):
                return event
            seen += reader.feed(event)
    return seen if reader.began else Fault(trouble(client.settings, "answers.not_an_answer"))
