"""A model behind the Messages protocol, Anthropic's own or a compatible server's.

Which parts of a request a server takes is learned from its list of models and from what it refuses, and
remembered in a :class:`ServerMemory`. A part that an answer can do without is dropped and the request
sent again; nothing is dropped that changes what the user asked for.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any
from urllib.parse import quote

from app.core.answers.model_settings import ModelSettings
from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.connection_check import check_connection
from app.core.answers.providers.anthropic.errors import Fault, trouble
from app.core.answers.providers.anthropic.message_reader import MessageReader, mapping
from app.core.answers.providers.anthropic.request_builder import request_body
from app.core.answers.providers.anthropic.server_memory import ServerMemory
from app.core.answers.providers.anthropic.server_traits import Capabilities, field_to_drop, read_model_list
from app.core.answers.providers.base import Abilities, AbilityLost, ReplyEnd, ReplyEvent, Turn
from app.domain.conversations import StopReason
from app.domain.model_servers import ConnectionCheck, ModelInfo

_MOST_MODELS = 1000
# Statuses after which asking for a list again fails too; the question itself will show what is wrong.
_WILL_FAIL_AGAIN = frozenset({401, 402, 403, 429, 500, 502, 503, 504, 529})
# How servers answer to a field, and to a whole way of asking, that they do not know.
_UNKNOWN_FIELD = frozenset({400, 422})
_UNKNOWN_WAY = _UNKNOWN_FIELD | {404, 405, 500, 501}


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
        return Abilities("tools" not in lacking, cites, searches)

    async def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        reader = MessageReader()
        async with aclosing(await self._ask(turn)) as events:
            async for event in events:
                if isinstance(event, Fault):
                    raise event.error
                for meant in reader.feed(event):
                    yield meant
        if not reader.complete:
            raise trouble(self._settings, "answers.broken_off" if reader.began else "answers.not_an_answer")
        yield ReplyEnd(reader.stop_reason or StopReason.END, reader.model, reader.content)

    def remember(self, *, searches: bool) -> None:
        self._traits.searches = searches

    async def list_models(self) -> tuple[ModelInfo, ...]:
        await self._client.open()
        entries: list[object] = []
        after: object = None
        while len(entries) < _MOST_MODELS:
            query = f"?limit=100&after_id={quote(str(after), safe='')}" if after else "?limit=100"
            page = await self._client.get("/v1/models" + query)
            if isinstance(page, Fault):
                raise page.error
            data = mapping(page).get("data")
            entries += data if isinstance(data, list) else []
            after = mapping(page).get("last_id") if data and mapping(page).get("has_more") else None
            if not after:
                break
        for entry in map(mapping, entries):
            if isinstance(entry.get("id"), str):
                traits = self._memory.of(self._settings.address, entry["id"])
                traits.capabilities = Capabilities.of(entry)
        return read_model_list(entries)

    def check(self) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        return check_connection(self._client, self.list_models)

    async def aclose(self) -> None:
        self._memory.save()  # a few kilobytes, and nothing is being answered
        await self._client.aclose()

    async def _ask(self, turn: Turn) -> AsyncGenerator[object, None]:
        """Return the reply's events; what the server does not take is dropped, what fails tried again."""
        delays = iter(self._settings.retry_delays)
        while True:
            fields = self._fields()
            body = request_body(turn, fields)
            found = await self._client.ask(body)
            if not isinstance(found, Fault):
                return found
            refused = self._refused_part(found, {*body, *fields}, turn)
            if refused:
                self._client.drop(refused)
                if refused in ("tools", "citations"):
                    raise AbilityLost
                continue
            delay = next(delays, None) if found.worth_retrying else None
            if delay is None:
                raise found.error
            await asyncio.sleep(delay)

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

    def _refused_part(self, fault: Fault, parts: set[str], turn: Turn) -> str | None:
        """Return the part of a request that the server refused and an answer can do without."""
        if fault.status not in _UNKNOWN_WAY:
            return None
        sent = {*parts, "stream"} - self._traits.lacking
        if turn.cites and turn.has_passages:
            sent.add("citations")
        return field_to_drop(
            fault.said, sent if fault.status in _UNKNOWN_FIELD else sent & {"tools", "stream"}
        )

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
        self._traits.capabilities = Capabilities.of(entry)

    def _is_known_to_search(self) -> bool:
        """Whether it is one of Anthropic's models: there, or at a server that lists models as they do."""
        listed = self._traits.capabilities is not None and self._traits.capabilities.listed
        return listed or not self._settings.is_own_server

    def _knows_search_results(self) -> bool:
        """Whether passages can be sent as ``search_result`` blocks.

        Where the list does not say, the name decides: a server for other models may drop blocks it does
        not know without a word, and the model would answer from nothing.
        """
        listed = self._traits.capabilities.citations if self._traits.capabilities else None
        return "claude" in self._settings.model.lower() if listed is None else listed
