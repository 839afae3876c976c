"""Finds out what a model at a server can do by asking it a few short questions, and says it in plain words.

A question takes some hundred tokens at most and ends as soon as its answer is known. What a server does
not know it often accepts without a word; only what the model makes of it tells. What is found out is kept in
the server's traits.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Protocol

from app.core.answers.prompts import load_prompt
from app.core.answers.providers.base import (
    CitedSentences,
    ModelSettings,
    ReplyEvent,
    TextDelta,
    ToolCall,
    ToolDefinition,
    ToolOutcome,
    Turn,
)
from app.core.answers.providers.errors import Fault
from app.core.answers.providers.reply_text import ReplyText
from app.core.answers.providers.server_memory import UNKNOWN_WAY, ServerTraits
from app.domain.errors import ConnectionTrouble, KeyProblem, LecternError, RequestRefused
from app.domain.messages import Message
from app.domain.model_servers import ConnectionCheck, ModelInfo, Topic
from app.domain.search import SearchHit
from app.domain.sources import Source

_FACT = "The library of Alder Street opens at nine o'clock."
_QUESTION = "When does the library of Alder Street open?"
_QUERY = {"type": "string", "description": "What to find."}
_TOOL = ToolDefinition(
    "search_library",
    "Searches the notes about the library of Alder Street and returns what they say.",
    {"type": "object", "properties": {"query": _QUERY}, "required": ["query"]},
)
_NOTE = SearchHit(0, 1.0, "A note", None, "", 0, _FACT, "", 0, len(_FACT), None, None, 0)
_GIVEN = ToolOutcome(sources=(Source(1, "lectern:check", _NOTE, ((0, len(_FACT)),), ""),))


class CheckedServer(Protocol):
    """What a check needs of a provider."""

    settings: ModelSettings
    traits: ServerTraits

    async def open(self) -> None:
        """Raises KeyProblem or RequestRefused for settings that cannot be used."""

    async def reach(self) -> None:
        """Connect; raises :class:`Fault` if nobody is there."""

    def read_shortly(self, turn: Turn, text: ReplyText) -> AsyncGenerator[ReplyEvent, None]:
        """Yield a reply of some hundred tokens; raises :class:`Fault`."""

    def drop(self, name: str) -> None:
        """Do without a way of asking from now on."""

    async def list_models(self) -> tuple[ModelInfo, ...]: ...


async def check_connection(
    server: CheckedServer,
) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
    """Yield what works and what does not, and the server's models once they are known.

    Ends early where nothing further can work. What was known of the model before counts for nothing.
    """
    try:
        await server.open()
        await server.reach()
    except (KeyProblem, RequestRefused) as error:
        yield ConnectionCheck("key" if isinstance(error, KeyProblem) else "server", False, error.message)
        return
    except Fault as fault:
        if not fault.reached:
            yield ConnectionCheck("server", False, fault.error.message)
            return
    yield ConnectionCheck("server", True, Message("answers.check_reached", server=server.settings.host))
    server.traits.forget()
    with suppress(LecternError):
        yield await server.list_models()
    trouble = await _answers(server)
    if trouble is not None:
        is_key = isinstance(trouble.error, KeyProblem)
        yield ConnectionCheck("key" if is_key else "messages", False, trouble.error.message)
        return
    if server.settings.api_key:
        yield ConnectionCheck("key", True, Message("answers.check_key"))
    yield ConnectionCheck("messages", True, Message("answers.check_model", model=server.settings.model))
    streams = "stream" not in server.traits.lacking
    said = Message("answers.check_streams" if streams else "answers.check_streams_not")
    yield ConnectionCheck("streaming", streams, said)
    async with aclosing(AbilityProbe(server).findings()) as findings:
        async for finding in findings:
            yield finding


async def _answers(server: CheckedServer) -> Fault | None:
    """Ask for one word: tells about the key, the model and streaming."""
    asked, seconds = Turn(("Reply with the one word: yes.",)), server.settings.timeout_read
    reply = await _ask_shortly(server, asked, seconds)
    if isinstance(reply, Fault) and reply.status is not None and "stream" in str(reply.error).lower():
        server.drop("stream")
        reply = await _ask_shortly(server, asked, seconds)
    return reply if isinstance(reply, Fault) else None


class ShortReply:
    """The events of a reply, and what it shows of the model."""

    def __init__(self, events: list[ReplyEvent], text: ReplyText) -> None:
        self.events = events
        self.thought = text.has_thoughts or text.thinks_apart
        self.closes_only = text.closes_only
        self.text = "".join(event.text for event in events if isinstance(event, TextDelta))

    @property
    def is_cut(self) -> bool:
        """Whether it only thought, until there was no more room."""
        return self.thought and not self.text.strip() and not self.has(ToolCall)

    def has(self, kind: type[ReplyEvent]) -> bool:
        return any(isinstance(event, kind) for event in self.events)


class AbilityProbe:
    """Asks one model for what is not known of it yet."""

    def __init__(self, server: CheckedServer) -> None:
        self._server = server
        self._traits = server.traits
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
            said = "answers.check_thinks" if traits.thinks else "answers.check_thinks_not"
            yield ConnectionCheck("thinking", True, Message(said))
        traits.probes_left = max(0, traits.probes_left - 1) if self._open_questions else 0

    async def _tools(self) -> ConnectionCheck:
        asked = Turn((f"{_QUESTION} Look it up in the notes with your tool.",), tools=(_TOOL,))
        reply = await self._ask(asked, ToolCall)
        if isinstance(reply, ConnectionCheck):
            return reply
        calls = [call for call in reply.events if isinstance(call, ToolCall)] if reply else []
        if not any(isinstance(call.arguments, dict) and call.arguments for call in calls):
            self._server.drop("tools")
            return _found("tools", False, "refused" if reply is None else "unused")
        self._traits.searches = True
        return _found("tools", True)

    async def _citations(self) -> ConnectionCheck:
        reply = await self._ask(Turn((_QUESTION,), given=_GIVEN), CitedSentences)
        if isinstance(reply, ConnectionCheck):
            return reply
        if reply is None:
            self._server.drop("citations")
            return _found("citations", False, "refused")
        self._traits.cites = reply.has(CitedSentences)
        return _found("citations", self._traits.cites)

    async def _marks(self) -> ConnectionCheck:
        asked = Turn((_QUESTION,), system=(load_prompt("marks"),), given=_GIVEN, cites=False)
        reply = await self._ask(asked)
        if isinstance(reply, ConnectionCheck):
            return reply
        self._traits.marks = reply is not None and "[1]" in reply.text
        return _found("marks", self._traits.marks)

    async def _ask(
        self, asked: Turn, wanted: type[ReplyEvent] | None = None
    ) -> ShortReply | ConnectionCheck | None:
        """Return the reply, None if what was sent was refused, or a finding why neither came."""
        topic: Topic = "tools" if asked.tools else "citations" if asked.cites else "marks"
        reply = await _ask_shortly(self._server, asked, self._server.settings.timeout_probe, wanted)
        traits = self._traits
        if isinstance(reply, Fault):
            if reply.status in UNKNOWN_WAY and wanted:
                return None
            self._ended = True
            if reply.status is None and reply.reached:  # it was silent or slow, and will be again
                traits.probes_left = max(0, traits.probes_left - 1)
            why = reply.error.message
        else:
            self._thoughts.append(reply.thought)
            traits.thinks = reply.thought or traits.thinks
            traits.thinks_first = reply.closes_only or traits.thinks_first
            if not reply.is_cut:
                return reply
            why = Message("answers.check_only_thought")
        self._open_questions += 1
        return ConnectionCheck(topic, None, why)


def _found(topic: Topic, works: bool, how: str = "unused") -> ConnectionCheck:
    return ConnectionCheck(topic, works, Message(f"answers.check_{topic}" + ("" if works else f"_{how}")))


async def _ask_shortly(
    server: CheckedServer, asked: Turn, seconds: float, wanted: type[ReplyEvent] | None = None
) -> ShortReply | Fault:
    """Return a short reply, which ends with the first event of the ``wanted`` kind."""
    text, seen = ReplyText([tool.name for tool in asked.tools]), list[ReplyEvent]()
    try:
        async with asyncio.timeout(seconds), aclosing(server.read_shortly(asked, text)) as events:
            async for event in events:
                seen.append(event)
                if wanted and isinstance(event, wanted):
                    break
    except TimeoutError:
        slow = Message("answers.check_slow", server=server.settings.host, n=max(1, round(seconds)))
        return Fault(ConnectionTrouble(slow), reached=True)
    except Fault as fault:
        return fault
    return ShortReply(seen, text)
