"""Finds out what a model at a server can do by asking it a few short questions, and says it in plain words.

A question takes some hundred tokens at most and ends as soon as its answer is known. What a server does
not know it often accepts without a word; only what the model makes of it tells. What is found out is kept in
the server's traits.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any

from app.core.answers.prompts import load_prompt
from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.errors import Fault, trouble
from app.core.answers.providers.anthropic.message_reader import MessageReader, read_reply
from app.core.answers.providers.anthropic.reply_text import ReplyText, holds_thoughts
from app.core.answers.providers.base import CitedSentences, ReplyEvent, TextDelta, ToolCall
from app.domain.errors import ConnectionTrouble, KeyProblem, LecternError, RequestRefused
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck, ModelInfo, Topic

# How servers answer to a field, and to a whole way of asking, that they do not know.
UNKNOWN_FIELD = frozenset({400, 422})
UNKNOWN_WAY = UNKNOWN_FIELD | {404, 405, 500, 501}

_TOKENS = 300  # room for a model that thinks before it says one word
_TOOL = {
    "name": "search_library",
    "description": "Searches the notes about the library of Alder Street and returns what they say.",
    "input_schema": {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "What to find."}},
        "required": ["query"],
    },
}
_FACT = "The library of Alder Street opens at nine o'clock."
_QUESTION = "When does the library of Alder Street open?"
_SEARCH = f"{_QUESTION} Look it up in the notes with your tool."
_NOTE = {
    "type": "search_result",
    "source": "lectern:check",
    "title": "A note",
    "content": [{"type": "text", "text": _FACT}],
    "citations": {"enabled": True},
}
_PASSAGE = f"Passage [1]\n[A note]\n{_FACT}"


@dataclass(slots=True)
class ShortReply:
    events: list[ReplyEvent] = field(default_factory=list)
    thought: bool = False
    closes_only: bool = False

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def is_cut(self) -> bool:
        """Whether it only thought, until there was no more room."""
        return self.thought and not self.text.strip() and not self.of(ToolCall)

    def of(self, kind: type[ReplyEvent]) -> list[ReplyEvent]:
        return [event for event in self.events if isinstance(event, kind)]


class AbilityProbe:
    """Asks one model for what is not known of it yet."""

    def __init__(self, client: AnthropicClient) -> None:
        self._client = client
        self._traits = client.traits
        self._thoughts: list[bool] = []
        self._open_questions = 0  # that a reply left open
        self._ended = False  # by trouble of the server, or because it is too slow for the next question too

    async def findings(self) -> AsyncGenerator[ConnectionCheck, None]:
        """Yield what was found out, as it is; a server in trouble, or too slow, ends it."""
        traits = self._traits
        if traits.searches is None and "tools" not in traits.lacking:
            yield await self._tools()
        if not self._ended and traits.cites is None and "citations" not in traits.lacking:
            yield await self._citations()
        if not self._ended and traits.marks is None and not traits.cites:
            yield await self._marks()
        if self._ended:
            return
        if traits.thinks is None and self._thoughts and not self._open_questions:
            traits.thinks = False
        if traits.thinks is not None:
            yield self._thinking()
        traits.probes_left = max(0, traits.probes_left - 1) if self._open_questions else 0

    async def _tools(self) -> ConnectionCheck:
        reply = await self._ask(_SEARCH, ToolCall, tools=[_TOOL])
        if isinstance(reply, Message):
            return self._unknown("tools", reply)
        if isinstance(reply, Fault):
            return self._lacks("tools", "refused")
        calls = [call for call in reply.events if isinstance(call, ToolCall)]
        if not any(isinstance(call.arguments, dict) and call.arguments for call in calls):
            return self._lacks("tools", "unused")
        self._traits.searches = True
        return ConnectionCheck("tools", True, Message("answers.check_tools"))

    async def _citations(self) -> ConnectionCheck:
        content: list[dict[str, Any]] = [_NOTE, {"type": "text", "text": _QUESTION}]
        reply = await self._ask(content, CitedSentences)
        if isinstance(reply, Message):
            return self._unknown("citations", reply)
        if isinstance(reply, Fault):
            return self._lacks("citations", "refused")
        self._traits.cites = bool(reply.of(CitedSentences))
        if not self._traits.cites:
            return ConnectionCheck("citations", False, Message("answers.check_citations_unused"))
        return ConnectionCheck("citations", True, Message("answers.check_citations"))

    async def _marks(self) -> ConnectionCheck:
        system = [{"type": "text", "text": load_prompt("marks")}]
        reply = await self._ask(f"{_PASSAGE}\n\n{_QUESTION}", None, system=system)
        if isinstance(reply, Message | Fault):
            return self._unknown("marks", reply if isinstance(reply, Message) else reply.error.message)
        self._traits.marks = "[1]" in reply.text
        said = "answers.check_marks" if self._traits.marks else "answers.check_marks_unused"
        return ConnectionCheck("marks", self._traits.marks, Message(said))

    def _thinking(self) -> ConnectionCheck:
        said = "answers.check_thinks" if self._traits.thinks else "answers.check_thinks_not"
        return ConnectionCheck("thinking", True, Message(said))

    def _lacks(self, topic: Topic, how: str) -> ConnectionCheck:
        self._client.drop(topic)
        return ConnectionCheck(topic, False, Message(f"answers.check_{topic}_{how}"))

    def _unknown(self, topic: Topic, why: Message) -> ConnectionCheck:
        self._open_questions += 1
        return ConnectionCheck(topic, None, why)

    async def _ask(
        self, content: str | list[dict[str, Any]], wanted: type[ReplyEvent] | None, **fields: object
    ) -> ShortReply | Fault | Message:
        """Return the reply, a refusal of what was sent, or why neither came."""
        reply = await _ask_shortly(
            self._client, content, self._client.settings.timeout_probe, wanted, **fields
        )
        if isinstance(reply, Fault):
            if reply.status in UNKNOWN_WAY:
                return reply
            self._ended = True
            if reply.status is None and reply.reached:  # it was silent or slow, and will be again
                self._traits.probes_left = max(0, self._traits.probes_left - 1)
            return reply.error.message
        self._thoughts.append(reply.thought)
        traits = self._traits
        traits.thinks = reply.thought or traits.thinks
        traits.thinks_first = reply.closes_only or traits.thinks_first
        return Message("answers.check_only_thought") if reply.is_cut else reply


async def _ask_shortly(
    client: AnthropicClient,
    content: str | list[dict[str, Any]],
    seconds: float,
    wanted: type[ReplyEvent] | None = None,
    **fields: object,
) -> ShortReply | Fault:
    """Return a short reply, which ends with the first event of the ``wanted`` kind."""
    messages = [{"role": "user", "content": content}]
    body = {"model": client.settings.model, "max_tokens": _TOKENS, "messages": messages, **fields}
    tools = [str(_TOOL["name"])] if "tools" in fields else []
    try:
        async with asyncio.timeout(seconds):
            return await _read(client, body, ReplyText(tools), wanted)
    except TimeoutError:
        slow = Message("answers.check_slow", server=client.settings.host, n=max(1, round(seconds)))
        return Fault(ConnectionTrouble(slow), reached=True)


async def _read(
    client: AnthropicClient, body: dict[str, Any], text: ReplyText, wanted: type[ReplyEvent] | None
) -> ShortReply | Fault:
    reader, reply = MessageReader(), ShortReply()
    events = await client.ask(body)
    if isinstance(events, Fault):
        return events
    async with aclosing(events), aclosing(read_reply(events, reader, client.settings)) as read:
        async for event in read:
            if isinstance(event, Fault):
                return event
            reply.events += text.take(event)
            if wanted and reply.of(wanted):
                break
    reply.events += text.finish(cut=reader.is_cut)
    reply.thought = text.has_thoughts or holds_thoughts(reader.content)
    reply.closes_only = text.closes_only
    return reply if reader.began else Fault(trouble(client.settings, "answers.not_an_answer"))


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
    reply = await _ask_shortly(client, question, seconds)
    if isinstance(reply, Fault) and reply.status is not None and "stream" in str(reply.error).lower():
        client.drop("stream")
        reply = await _ask_shortly(client, question, seconds)
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
