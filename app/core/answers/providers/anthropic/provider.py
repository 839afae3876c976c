"""A model behind the Messages protocol, Anthropic's own or a compatible server's.

Which parts of a request a server takes is learned from its list of models and from what it refuses, and
remembered in a :class:`ServerMemory`. A part that an answer can do without is dropped and the request
sent again; nothing is dropped that changes what the user asked for.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from typing import Any
from urllib.parse import quote

from app.config.redaction import KeyFilter
from app.core.answers.prompts import mend_surrogates
from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.connection_check import (
    UNKNOWN_FIELD,
    UNKNOWN_WAY,
    AbilityProbe,
    check_connection,
)
from app.core.answers.providers.anthropic.errors import Fault, trouble
from app.core.answers.providers.anthropic.message_reader import MessageReader, mapping, read_reply, weight_of
from app.core.answers.providers.anthropic.reply_text import ReplyText, holds_thoughts
from app.core.answers.providers.anthropic.request_builder import request_body
from app.core.answers.providers.anthropic.server_memory import (
    Capabilities,
    ServerMemory,
    field_to_drop,
    read_model_list,
)
from app.core.answers.providers.base import (
    Abilities,
    AbilityLost,
    ModelSettings,
    ReplyEnd,
    ReplyEvent,
    Retrying,
    TextDelta,
    ToolCall,
    Turn,
    Unseen,
)
from app.domain.conversations import StopReason
from app.domain.errors import LecternError
from app.domain.model_servers import ConnectionCheck, ModelInfo, Usage

_MOST_MODELS = 1000
_LARGEST_ENTRY = 10_000  # of the list of models, in characters or thereabouts
_WAYS = frozenset({"tools", "strict", "stream", "pictures"})  # that a server fails at, not knowing them
# Statuses after which asking for a list again fails too; the question itself will show what is wrong.
_WILL_FAIL_AGAIN = frozenset({401, 402, 403, 429, 500, 502, 503, 504, 529})


class AnthropicProvider:
    """Implements :class:`ModelProvider`; all providers of a program share one ``memory``."""

    def __init__(self, settings: ModelSettings, memory: ServerMemory) -> None:
        self._settings = settings
        self._traits = memory.of(settings.address, settings.model)
        self._client = AnthropicClient(settings, self._traits)
        self._memory = memory

    async def abilities(self) -> Abilities:
        await self._client.open()
        await self._learn_capabilities()
        await asyncio.to_thread(self._memory.save)
        lacking = self._traits.lacking
        cites = "citations" not in lacking and self._knows_search_results()
        searches = self._traits.searches
        if searches is None and self._is_known_to_search():
            searches = True
        listed = self._traits.capabilities.pictures if self._traits.capabilities else None
        sees = "pictures" not in lacking and listed is not False
        return Abilities("tools" not in lacking, cites, searches, sees)

    async def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        delays = iter(self._settings.retry_delays)
        while True:
            reader, text = MessageReader(), self._reply_text(turn)
            early: list[ReplyEvent] = []  # kept until there is something to show: the reply may begin anew
            shown = False
            fault: Fault | None = None
            async with aclosing(self._read(turn, reader, text)) as events:
                async for event in events:
                    if isinstance(event, Fault):
                        fault = event
                        break
                    if early and isinstance(event, Unseen | Usage) and isinstance(early[-1], type(event)):
                        early.pop()  # the later one says it all
                    early.append(event)
                    shown = shown or isinstance(event, TextDelta | ToolCall)
                    if shown:
                        for known in early:
                            yield known
                        early.clear()
            if fault is None:
                for event in early:
                    yield event
                self._learn_from(reader, text)
                blocks = text.as_sent_back(reader.content)
                yield ReplyEnd(reader.stop_reason or StopReason.END, reader.model, blocks)
                return
            if shown:
                raise fault.error
            if self._may_drop(fault, turn):
                continue
            delay = next(delays, None) if fault.worth_retrying else None
            if delay is None:
                raise fault.error
            yield Retrying(fault.error.message)
            await asyncio.sleep(delay)

    async def _read(
        self, turn: Turn, reader: MessageReader, text: ReplyText
    ) -> AsyncGenerator[ReplyEvent | Fault, None]:
        """Ask once; a :class:`Fault` is the last event."""
        found = await self._client.ask(self._body(turn))
        if isinstance(found, Fault):
            yield found
            return
        async with aclosing(found), aclosing(read_reply(found, reader, self._settings)) as events:
            async for event in events:
                if isinstance(event, Fault):
                    for seen in text.finish(cut=True):
                        yield seen
                    yield event
                    return
                for seen in text.take(event):
                    yield seen
        for seen in text.finish(cut=reader.is_cut):
            yield seen
        if not reader.complete:
            kind = "answers.broken_off" if reader.began else "answers.not_an_answer"
            yield Fault(trouble(self._settings, kind), worth_retrying=reader.began)

    def _may_drop(self, fault: Fault, turn: Turn) -> bool:
        """Drop what the server does not take, if it says so; return whether to ask again."""
        refused = self._refused_part(fault, turn)
        if refused:
            self._client.drop(refused)
            if refused in ("tools", "citations", "pictures"):
                raise AbilityLost
        return refused is not None

    def _reply_text(self, turn: Turn) -> ReplyText:
        return ReplyText([tool.name for tool in turn.tools], thinks_first=self._traits.thinks_first)

    def _learn_from(self, reader: MessageReader, text: ReplyText) -> None:
        """Keep what a reply shows of the model, so that it need not be asked for it."""
        traits = self._traits
        if text.has_thoughts or holds_thoughts(reader.content):
            traits.thinks = True
            traits.thinks_first = text.closes_only or (traits.thinks_first and text.has_thoughts)

    def remember(self, *, searches: bool) -> None:
        self._traits.searches = searches

    async def list_models(self) -> tuple[ModelInfo, ...]:
        await self._client.open()
        entries: list[dict[str, Any]] = []
        after: object = None
        while len(entries) < _MOST_MODELS:
            query = f"?limit=100&after_id={quote(str(after), safe='')}" if after else "?limit=100"
            page = await self._client.get("/v1/models" + query)
            if isinstance(page, Fault):
                raise page.error
            data = mapping(page).get("data")
            found = [self._listed(entry) for entry in data] if isinstance(data, list) else []
            entries += found[: _MOST_MODELS - len(entries)]
            after = mapping(page).get("last_id") if found and mapping(page).get("has_more") else None
            if not after:
                break
        for entry in entries:
            capabilities = Capabilities.of(entry)
            if isinstance(entry.get("id"), str) and capabilities.listed:
                self._memory.of(self._settings.address, entry["id"]).capabilities = capabilities
        return read_model_list(entries)

    async def probe(self, starting: Callable[[], object] = lambda: None) -> None:
        with suppress(LecternError):  # the next question will show what is wrong
            await self._client.open()
            await self._learn_capabilities()
            if self._is_known_to_search() or not self._traits.probes_left:
                return
            starting()
            async with aclosing(AbilityProbe(self._client).findings()) as findings:
                async for _ in findings:
                    pass
            await asyncio.to_thread(self._memory.save)

    def check(self) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        return check_connection(self._client, self.list_models)

    async def aclose(self) -> None:
        self._memory.save()  # a few kilobytes, and nothing is being answered
        await self._client.aclose()

    def _body(self, turn: Turn) -> dict[str, Any]:
        return request_body(turn, self._fields(), strict="strict" not in self._traits.lacking)

    def _fields(self) -> dict[str, Any]:
        """Return what a request holds beside the conversation, by what is known of the model."""
        settings = self._settings
        known = self._traits.capabilities or Capabilities()
        limit = settings.max_tokens + (settings.thinking_room if self._thinks() else 0)
        fields = {"model": settings.model, "max_tokens": min(limit, known.max_tokens or limit)}
        if settings.effort and (known.efforts is None or settings.effort in known.efforts):
            fields["output_config"] = {"effort": settings.effort}
        if known.between_tools:
            fields["thinking"] = {"type": "between_tools"}  # none before the first word
        fields["cache_control"] = {"type": "ephemeral"}
        return {name: value for name, value in fields.items() if name not in self._traits.lacking}

    def _thinks(self) -> bool:
        """Whether the model needs room for thoughts beside the answer; by its name where no list says so."""
        listed = self._traits.capabilities.thinks if self._traits.capabilities else None
        seen = self._traits.thinks if listed is None else listed
        return "claude" in self._settings.model.lower() if seen is None else seen

    def _refused_part(self, fault: Fault, turn: Turn) -> str | None:
        """Return the part of a request that the server refused and an answer can do without."""
        if fault.status not in UNKNOWN_WAY:
            return None
        sent = {*self._body(turn), *self._fields(), "stream"}
        if any(tool.strict for tool in turn.tools):
            sent.add("strict")
        if turn.cites and turn.has_passages:
            sent.add("citations")
        if turn.pages:
            sent.add("pictures")
        sent -= self._traits.lacking
        return field_to_drop(fault.said, sent if fault.status in UNKNOWN_FIELD else sent & _WAYS)

    def _listed(self, entry: object) -> dict[str, Any]:
        """Return an entry of the list of models as it can be kept; an empty one if it is too large."""
        size = weight_of(entry)
        if size is None or size > _LARGEST_ENTRY:
            return {}
        text = mend_surrogates(json.dumps(entry, ensure_ascii=False))
        return mapping(json.loads(KeyFilter(self._settings.api_key).hide(text)))

    async def _learn_capabilities(self) -> None:
        """Ask once what the model can do; a server that has no such list is not asked again."""
        if self._traits.capabilities is not None:
            return
        entry = await self._client.get(f"/v1/models/{quote(self._settings.model, safe='')}")
        if isinstance(entry, Fault):
            if entry.status in _WILL_FAIL_AGAIN or (entry.worth_retrying and not entry.reached):
                return
            if not entry.reached:
                raise entry.error
        self._traits.capabilities = Capabilities.of(self._listed(mapping(entry)))

    def _is_known_to_search(self) -> bool:
        """Whether it is one of Anthropic's models: there, or at a server that lists models as they do."""
        listed = self._traits.capabilities is not None and self._traits.capabilities.listed
        return listed or not self._settings.is_own_server

    def _knows_search_results(self) -> bool:
        """Whether passages can be sent as ``search_result`` blocks.

        A server that does not know these may drop them without a word, and the model would answer from
        nothing: one that neither lists them nor was tried gets plain text.
        """
        listed = self._traits.capabilities.citations if self._traits.capabilities else None
        tried = self._traits.cites if listed is None or self._traits.cites is not None else listed
        return not self._settings.is_own_server if tried is None else tried
