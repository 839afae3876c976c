"""Tries what a model server can do, one thing after another, and says it in plain words.

It takes four or five requests of a few tokens. What turns out to be missing is remembered, so that the
next question works around it from the start.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from app.core.answers.providers.anthropic.server_traits import Capabilities
from app.domain.errors import KeyProblem, LecternError, RequestRefused
from app.domain.model_servers import ConnectionCheck

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.core.answers.ai_generator import AIGenerator
    from app.core.answers.providers.anthropic.client import AnthropicClient
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
_FACT = "The library of Alder Street opens at nine o'clock."


class _Failed(Exception):
    """The request did not come through; ``error`` says why, ``part`` what the server refused of it."""

    def __init__(self, error: LecternError, status: int | None) -> None:
        super().__init__(str(error))
        self.error = error
        self.status = status


async def check(
    generator: AIGenerator,
) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
    """Yield what works and what does not, and the server's models once they are known.

    Ends early where nothing further can work.
    """
    server = generator.server
    try:
        await server.ready()
    except KeyProblem as error:
        yield ConnectionCheck("key", False, str(error))
        return
    except RequestRefused as error:
        yield ConnectionCheck("server", False, str(error))
        return
    reached = await _reach(server)
    yield reached
    if not reached.works:
        return
    with suppress(LecternError):
        yield await generator.list_models()
    for item in await _messages(server):
        yield item
        if item.works is False and item.topic in ("key", "messages"):
            return
    yield await _tools(server)
    yield await _citations(server)
    yield await _counting(server)


async def _reach(server: AnthropicClient) -> ConnectionCheck:
    name = server.settings.host
    try:
        await server.get("/v1/models?limit=1")
    except server.faults.every as error:
        if not server.faults.reached(error):
            return ConnectionCheck("server", False, str(server.faults.mapped(error)))
    return ConnectionCheck("server", True, f"{name} answers.")


async def _messages(server: AnthropicClient) -> list[ConnectionCheck]:
    """Ask for one word: tells about the key, the model and streaming."""
    body = _body(server, "Reply with the one word: yes.")
    streams = True
    try:
        try:
            await _send(server, body)
        except _Failed as failed:
            if failed.status is None or "stream" not in str(failed).lower():
                raise
            server.drop("stream")
            await _send(server, body)
    except _Failed as failed:
        if isinstance(failed.error, KeyProblem):
            return [ConnectionCheck("key", False, str(failed.error))]
        return [ConnectionCheck("messages", False, str(failed.error))]
    found = []
    if server.settings.api_key:
        found.append(ConnectionCheck("key", True, "The server accepts the key."))
    found.append(ConnectionCheck("messages", True, f"{server.settings.model} answers."))
    streams = not server.lacks("stream")
    sentence = "Answers appear word by word."
    if not streams:
        sentence = "This server does not stream: answers appear when they are complete."
    return [*found, ConnectionCheck("streaming", streams, sentence)]


async def _tools(server: AnthropicClient) -> ConnectionCheck:
    instead = "Lectern searches first and sends the passages along."
    body = _body(server, "Call the tool lectern_check with the word: yes.") | {"tools": [_TOOL]}
    try:
        blocks = await _send(server, body)
    except _Failed as failed:
        if failed.status is None:
            return ConnectionCheck("tools", None, str(failed.error))
        server.drop("tools")
        return ConnectionCheck("tools", False, f"The model can not search by itself. {instead}")
    if any(block.get("type") == "tool_use" for block in blocks):
        return ConnectionCheck("tools", True, "The model can search your courses by itself.")
    server.drop("tools")
    return ConnectionCheck("tools", False, f"The model does not search when it should. {instead}")


async def _citations(server: AnthropicClient) -> ConnectionCheck:
    instead = "Lectern numbers the passages and checks the numbers in the answer."
    passage = {
        "type": "search_result",
        "source": "lectern:check",
        "title": "A note",
        "content": [{"type": "text", "text": _FACT}],
        "citations": {"enabled": True},
    }
    question = {"type": "text", "text": "When does the library of Alder Street open? Answer from the note."}
    body = _body(server, [passage, question])
    try:
        blocks = await _send(server, body)
    except _Failed as failed:
        if failed.status is None:
            return ConnectionCheck("citations", None, str(failed.error))
        server.drop("citations")
        return ConnectionCheck("citations", False, f"The server knows no citations. {instead}")
    settings, memory = server.settings, server.memory
    if any(block.get("citations") for block in blocks):
        known = memory.capabilities(settings.address, settings.model) or Capabilities()
        memory.learn(settings.address, settings.model, replace(known, citations=True))
        return ConnectionCheck("citations", True, "The model marks the sentences it answers from.")
    server.drop("citations")
    return ConnectionCheck("citations", False, f"The model marks no sentences of its own. {instead}")


async def _counting(server: AnthropicClient) -> ConnectionCheck:
    body = {"model": server.settings.model, "messages": [{"role": "user", "content": "yes"}]}
    try:
        found = await server.post("/v1/messages/count_tokens", body)
    except server.faults.every:
        found = None
    if isinstance(found, dict) and isinstance(found.get("input_tokens"), int):
        return ConnectionCheck("token counting", True, "The server counts tokens ahead of a question.")
    sentence = "The server does not count tokens ahead of a question; nothing depends on it."
    return ConnectionCheck("token counting", False, sentence)


def _body(server: AnthropicClient, content: str | list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "model": server.settings.model,
        "max_tokens": _TOKENS,
        "messages": [{"role": "user", "content": content}],
    }


async def _send(server: AnthropicClient, body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the blocks of an answer with their citations."""
    blocks: dict[int, dict[str, Any]] = {}
    failure: LecternError | None = None
    status: int | None = None
    began = False
    try:
        stream = await server.ask(body)
        try:
            async for event in stream:
                began = began or isinstance(event, dict) and event.get("type") == "message_start"
                _collect(blocks, event)
        finally:
            await stream.close()
    except server.faults.every as error:
        failure, status = server.faults.mapped(error), server.faults.status(error)
    if failure is None and not began:
        failure = RequestRefused(
            f"{server.faults.server.name} sent something that is not an answer. "
            "Check the base URL and the model."
        )
    if failure:
        raise _Failed(failure, status)
    return list(blocks.values())


def _collect(blocks: dict[int, dict[str, Any]], event: object) -> None:
    if not isinstance(event, dict):
        return
    index = event.get("index", -1)
    if event.get("type") == "content_block_start" and isinstance(event.get("content_block"), dict):
        blocks[index] = dict(event["content_block"])
    delta = event.get("delta")
    if isinstance(delta, dict) and delta.get("type") == "citations_delta" and index in blocks:
        blocks[index]["citations"] = [delta.get("citation")]
