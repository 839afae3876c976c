"""Tries what a model server can do, one thing after another, and says it in plain words.

It takes five or six requests of a few tokens. What is found out is remembered, so that the next question
works around what is missing from the start.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress

from app.core.answers.providers.anthropic.ability_probe import AbilityProbe, ask_shortly
from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.errors import Fault
from app.core.answers.providers.anthropic.message_reader import mapping
from app.domain.errors import KeyProblem, LecternError, RequestRefused
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck, ModelInfo


async def check_connection(
    client: AnthropicClient, list_models: Callable[[], Awaitable[tuple[ModelInfo, ...]]]
) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
    """Yield what works and what does not, and the server's models once they are known.

    Ends early where nothing further can work. What was known of the model before counts for nothing.
    """
    reached = await _reach(client)
    yield reached
    if not reached.works:
        return
    client.traits.forget()
    with suppress(LecternError):
        yield await list_models()
    for item in await _messages(client):
        yield item
        if item.works is False and item.topic in ("key", "messages"):
            return
    async with aclosing(AbilityProbe(client).findings()) as findings:
        async for finding in findings:
            yield finding
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
    question, seconds = "Reply with the one word: yes.", client.settings.timeout_read
    reply = await ask_shortly(client, question, seconds)
    if isinstance(reply, Fault) and reply.status is not None and "stream" in str(reply.error).lower():
        client.drop("stream")
        reply = await ask_shortly(client, question, seconds)
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


async def _counting(client: AnthropicClient) -> ConnectionCheck:
    body = {"model": client.settings.model, "messages": [{"role": "user", "content": "yes"}]}
    found = await client.post("/v1/messages/count_tokens", body)
    counts = isinstance(mapping(found).get("input_tokens"), int)
    said = Message("answers.check_counts" if counts else "answers.check_counts_not")
    return ConnectionCheck("token counting", counts, said)
