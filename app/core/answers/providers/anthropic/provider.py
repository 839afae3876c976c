"""A model behind the Messages protocol, Anthropic's own or a compatible server's.

Which parts of a request a server takes is learned from its list of models and from what it refuses, and
remembered in a :class:`ServerMemory`. A part that an answer can do without is dropped and the request
sent again; nothing is dropped that changes what the user asked for.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from typing import TYPE_CHECKING
from urllib.parse import quote

from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.connection_check import check_connection
from app.core.answers.providers.anthropic.message_reader import MessageReader, mapping
from app.core.answers.providers.anthropic.request_builder import Fields, request_body
from app.core.answers.providers.anthropic.server_traits import Capabilities, field_to_drop, read_model_list
from app.core.answers.providers.base import Abilities, AbilityLost, ReplyEnd
from app.domain.conversations import StopReason

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.core.answers.model_settings import ModelSettings
    from app.core.answers.providers.anthropic.server_traits import ServerMemory
    from app.core.answers.providers.base import ReplyEvent, Turn
    from app.domain.errors import LecternError
    from app.domain.model_servers import ConnectionCheck, ModelInfo

_log = logging.getLogger(__name__)

_MOST_MODELS = 1000
_ABILITIES = frozenset({"tools", "citations"})
# Statuses after which asking for a list again fails too; the question itself will show what is wrong.
_WILL_FAIL_AGAIN = frozenset({401, 402, 403, 429, 500, 502, 503, 504, 529})
# How servers answer to a field, and to a whole way of asking, that they do not know.
_UNKNOWN_FIELD = frozenset({400, 422})
_UNKNOWN_WAY = _UNKNOWN_FIELD | {404, 405, 500, 501}


class AnthropicProvider:
    """Implements :class:`app.core.answers.providers.base.ModelProvider`.

    Args:
        settings: whom to ask.
        memory: of servers; pass the same one to all providers of a program.
    """

    def __init__(self, settings: ModelSettings, memory: ServerMemory) -> None:
        self.settings = settings
        self.client = AnthropicClient(settings)
        self.traits = memory.of(settings.address, settings.model)
        self._memory = memory

    async def abilities(self) -> Abilities:
        await self.client.open()
        await self._learn_capabilities()
        lacking = self.traits.lacking
        return Abilities("tools" not in lacking, "citations" not in lacking and self._knows_search_results())

    async def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        faults = self.client.faults
        reader = MessageReader()
        failure: LecternError | None = None
        try:
            async with aclosing(await self._ask(turn)) as events:
                async for event in events:
                    for meant in reader.feed(event):
                        yield meant
        except faults.every as error:
            failure = faults.mapped(error)
        if failure is None and not reader.complete:
            failure = faults.broken_off() if reader.began else faults.garbled()
        if failure:  # outside the handler: the SDK's error knows more than may be shown
            raise failure
        yield ReplyEnd(reader.stop_reason or StopReason.END, reader.model, reader.content)

    async def list_models(self) -> tuple[ModelInfo, ...]:
        await self.client.open()
        entries: list[object] = []
        after: object = None
        while len(entries) < _MOST_MODELS:
            query = f"?limit=100&after_id={quote(str(after), safe='')}" if after else "?limit=100"
            failure: LecternError | None = None
            try:
                page = mapping(await self.client.get("/v1/models" + query))
            except self.client.faults.every as error:
                failure = self.client.faults.mapped(error)
            if failure:
                raise failure
            data = page.get("data")
            entries += data if isinstance(data, list) else []
            after = page.get("last_id") if data and page.get("has_more") else None
            if not after:
                break
        for entry in map(mapping, entries):
            if isinstance(entry.get("id"), str):
                traits = self._memory.of(self.settings.address, entry["id"])
                traits.capabilities = Capabilities.of(entry)
        return read_model_list(entries)

    def check(self) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        return check_connection(self)

    async def aclose(self) -> None:
        await self.client.aclose()

    def drop(self, name: str) -> None:
        """Do without a field or a way of asking from now on."""
        settings = self.settings
        _log.info("%s does not take %s for %s; it is left out.", settings.host, name, settings.model)
        self.traits.lacking.add(name)

    async def ask(self, body: dict[str, object]) -> AsyncGenerator[object, None]:
        """Send a request and return its events; remembers a server that does not stream."""
        self.client.streams = "stream" not in self.traits.lacking
        events = await self.client.ask(body)
        if not self.client.streams and "stream" not in self.traits.lacking:
            self.drop("stream")
        return events

    async def _ask(self, turn: Turn) -> AsyncGenerator[object, None]:
        """Return the reply's events; what the server does not take is dropped, what fails tried again."""
        faults = self.client.faults
        delays = iter(self.settings.retry_delays)
        while True:
            fields = self._fields()
            try:
                return await self.ask(request_body(turn, fields))
            except faults.every as error:
                refused = self._refused_part(error, fields, turn)
                delay = next(delays, None) if not refused and faults.worth_retrying(error) else None
                failure = faults.mapped(error)
            if refused:
                self.drop(refused)
            elif delay is None:
                raise failure
            if refused in _ABILITIES:
                raise AbilityLost
            await asyncio.sleep(delay or 0)

    def _fields(self) -> Fields:
        """Return what a request may hold, by what is known of the model."""
        settings, lacking = self.settings, self.traits.lacking
        known = self.traits.capabilities or Capabilities()
        offers_effort = known.efforts is None or settings.effort in known.efforts
        limit = settings.max_tokens + (0 if known.thinks is False else settings.thinking_room)
        return Fields(
            model=settings.model,
            max_tokens=min(limit, known.max_tokens or limit),
            effort=settings.effort if offers_effort and "effort" not in lacking else None,
            thinking=known.between_tools and "thinking" not in lacking,
            cache_control="cache_control" not in lacking,
        )

    def _refused_part(self, error: BaseException, fields: Fields, turn: Turn) -> str | None:
        """Return the part of a request that the server refused and an answer can do without."""
        status = self.client.faults.status(error)
        if status not in _UNKNOWN_WAY:
            return None
        sent = {"tools": turn.tools, "stream": "stream" not in self.traits.lacking}
        if status in _UNKNOWN_FIELD:
            sent |= {
                "effort": fields.effort,
                "thinking": fields.thinking,
                "cache_control": fields.cache_control,
                "citations": turn.cites and turn.has_passages,
            }
        return field_to_drop(self.client.faults.said(error), {name for name, value in sent.items() if value})

    async def _learn_capabilities(self) -> None:
        """Ask once what the model can do; a server that has no such list is not asked again."""
        if self.traits.capabilities is not None:
            return
        faults = self.client.faults
        entry: object = None
        failure: LecternError | None = None
        try:
            entry = await self.client.get(f"/v1/models/{quote(self.settings.model, safe='')}")
        except faults.every as error:
            if faults.reached(error):
                if faults.status(error) in _WILL_FAIL_AGAIN:
                    return
            elif faults.worth_retrying(error):
                return
            else:
                failure = faults.mapped(error)
        if failure:
            raise failure
        self.traits.capabilities = Capabilities.of(entry)

    def _knows_search_results(self) -> bool:
        """Whether passages can be sent as ``search_result`` blocks.

        Where the list does not say, the name decides: a server for other models may drop blocks it does
        not know without a word, and the model would answer from nothing.
        """
        listed = self.traits.capabilities.citations if self.traits.capabilities else None
        return "claude" in self.settings.model.lower() if listed is None else listed
