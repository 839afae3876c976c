"""Finds out what a model at a server can do by asking it a few short questions, and says it in plain words.

A question takes some hundred tokens at most and ends as soon as its answer is known. What a server does
not know it often accepts without a word; only what the model makes of it tells. What is found out is kept in
the server's traits.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import NamedTuple, Protocol

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
_QUESTIONS: tuple[tuple[Turn, type[ReplyEvent]], ...] = (
    (Turn((f"{_QUESTION} Look it up in the notes with your tool.",), tools=(_TOOL,)), ToolCall),
    (Turn((_QUESTION,), given=_GIVEN), CitedSentences),
)


class CheckedServer(Protocol):
    """What a check needs of a provider; what connects raises :class:`Fault`."""

    settings: ModelSettings
    traits: ServerTraits
    can_cite: bool

    async def open(self) -> None: ...
    async def reach(self) -> None: ...
    def read_shortly(self, turn: Turn, text: ReplyText) -> AsyncGenerator[ReplyEvent, None]: ...
    def drop(self, name: str) -> None: ...
    async def list_models(self) -> tuple[ModelInfo, ...]: ...


async def check_connection(
    server: CheckedServer,
) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
    """Yield what works and what does not, and the server's models once they are known.

    Ends early if nothing further can work. Ignores what was known of the model before.
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
    reply = await _ask_shortly(server, Turn(("Reply with the one word: yes.",)), server.settings.timeout_read)
    if isinstance(reply, Fault):
        is_key = isinstance(reply.error, KeyProblem)
        yield ConnectionCheck("key" if is_key else "messages", False, reply.error.message)
        return
    server.traits.thinks = reply.thought or None
    if server.settings.api_key:
        yield ConnectionCheck("key", True, Message("answers.check_key"))
    yield ConnectionCheck("messages", True, Message("answers.check_model", model=server.settings.model))
    async with aclosing(found_abilities(server)) as findings:
        async for finding in findings:
            yield finding


async def found_abilities(server: CheckedServer) -> AsyncGenerator[ConnectionCheck, None]:
    """Ask a model for what is not known of it yet; a server in trouble, or too slow, ends it."""
    traits, is_open = server.traits, False
    for asked, wanted in _QUESTIONS:
        topic: Topic = "tools" if asked.tools else "citations"
        if not asked.tools and not server.can_cite:
            yield ConnectionCheck(topic, False, Message("answers.check_citations_refused"))
            continue
        if topic in traits.lacking or (traits.searches if asked.tools else traits.cites) is not None:
            continue
        reply = await _ask_shortly(server, asked, server.settings.timeout_probe, wanted)
        if isinstance(reply, Fault) and reply.status not in UNKNOWN_WAY:
            if reply.status is None and reply.reached:  # it was silent or slow, and will be again
                traits.probes_left = max(0, traits.probes_left - 1)
            yield ConnectionCheck(topic, None, reply.error.message)
            return
        works, how = False, "_refused"
        if not isinstance(reply, Fault):
            traits.thinks = reply.thought or traits.thinks
            works, how = any(map(_counts, reply.events)), "_unused"
            if reply.thought and not works and not reply.has_text:  # it had no room for more than a thought
                is_open = True
                yield ConnectionCheck(topic, None, Message("answers.check_only_thought"))
                continue
        if topic == "citations" and how == "_unused":
            traits.cites = works
        elif works:
            traits.searches = True
        else:
            server.drop(topic)
        yield ConnectionCheck(topic, works, Message(f"answers.check_{topic}{'' if works else how}"))
    if traits.thinks is None and not is_open:
        traits.thinks = False
    if traits.thinks is not None:
        said = "answers.check_thinks" if traits.thinks else "answers.check_thinks_not"
        yield ConnectionCheck("thinking", True, Message(said))
    traits.probes_left = max(0, traits.probes_left - 1) if is_open else 0


def _counts(event: ReplyEvent) -> bool:
    """Whether an event shows what was asked for; a call without arguments is none."""
    is_call = isinstance(event, ToolCall) and isinstance(event.arguments, dict) and bool(event.arguments)
    return is_call or isinstance(event, CitedSentences)


class _ShortReply(NamedTuple):
    events: list[ReplyEvent]
    thought: bool

    @property
    def has_text(self) -> bool:
        return any(isinstance(event, TextDelta) and event.text.strip() for event in self.events)


async def _ask_shortly(
    server: CheckedServer, asked: Turn, seconds: float, wanted: type[ReplyEvent] | None = None
) -> _ShortReply | Fault:
    """Return a short reply, which ends with the first event of the ``wanted`` kind."""
    text, seen = ReplyText(), list[ReplyEvent]()
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
    return _ShortReply(seen, text.has_thoughts or text.thinks_apart)
