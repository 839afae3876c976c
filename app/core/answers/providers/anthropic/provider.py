"""A model behind the Messages protocol, Anthropic's own or a compatible server's.

Which parts of a request a server takes is learned from its list of models and from what it refuses, and
remembered in a :class:`ServerMemory`. A part that an answer can do without is dropped and the request
sent again; nothing is dropped that changes what the user asked for.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing, suppress
from typing import Any
from urllib.parse import quote

from app.config.redaction import KeyFilter
from app.core.answers.prompts import mend_surrogates
from app.core.answers.providers.anthropic.client import AnthropicClient
from app.core.answers.providers.anthropic.message_reader import MessageReader
from app.core.answers.providers.anthropic.request_builder import request_body
from app.core.answers.providers.base import (
    Abilities,
    AbilityLost,
    ModelSettings,
    ReplyEnd,
    ReplyEvent,
    TextDelta,
    ToolCall,
    Turn,
)
from app.core.answers.providers.connection_check import check_connection, found_abilities
from app.core.answers.providers.errors import Fault
from app.core.answers.providers.reply_stream import read_reply
from app.core.answers.providers.reply_text import ReplyText
from app.core.answers.providers.server_memory import Capabilities, ServerMemory, field_to_drop
from app.core.answers.providers.wire import mapping, weight_of
from app.domain.conversations import StopReason
from app.domain.errors import LecternError
from app.domain.model_servers import ConnectionCheck, ModelInfo


def capabilities_of(entry: object) -> Capabilities:
    """Read an entry of the list; whatever is missing or odd counts as unknown."""
    found = mapping(entry)
    listed = mapping(found.get("capabilities"))
    effort = mapping(listed.get("effort"))
    thinking = mapping(listed.get("thinking"))
    efforts = frozenset(level for level in effort if _supported(effort) and _supported(effort[level]))
    limit = found.get("max_tokens")
    return Capabilities(
        efforts=efforts if effort else None,
        thinks=_supported(thinking) if thinking else None,
        between_tools=_supported(mapping(thinking.get("types")).get("between_tools")),
        citations=_supported(listed.get("citations")) if "citations" in listed else None,
        pictures=_supported(listed.get("image_input")) if "image_input" in listed else None,
        max_tokens=limit if isinstance(limit, int) and limit > 0 else None,
        listed="citations" in listed and "thinking" in listed,
    )


def read_model_list(entries: Iterable[object]) -> tuple[ModelInfo, ...]:
    """Return a list's models in its order, in which Anthropic's newest comes first, without retired ones."""
    found: dict[str, ModelInfo] = {}
    for entry in map(mapping, entries):
        model = entry.get("id")
        if isinstance(model, str) and model and entry.get("lifecycle") != "retired":
            found.setdefault(model, _info(model, entry))
    return tuple(found.values())


def _info(model: str, entry: dict[str, Any]) -> ModelInfo:
    name, retires = entry.get("display_name"), entry.get("retires_at")
    name = name if isinstance(name, str) and name else model
    day = retires[:10] if isinstance(retires, str) else None
    return ModelInfo(model, name, entry.get("lifecycle") == "deprecated", day)


def _supported(value: object) -> bool:
    return mapping(value).get("supported") is True


_MOST_MODELS = 1000  # the most that a page holds
_LARGEST_ENTRY = 10_000  # of the list of models, in characters or thereabouts
_SHORT_REPLY = 300  # tokens: room for a model that thinks before it says one word
# Statuses after which asking for a list again fails too; the question itself will show what is wrong.
_WILL_FAIL_AGAIN = frozenset({401, 402, 403, 429, 500, 502, 503, 504, 529})


class AnthropicProvider:
    """Implements :class:`ModelProvider`; all providers of a program share one ``memory``."""

    def __init__(self, settings: ModelSettings, memory: ServerMemory) -> None:
        self.settings = settings
        self.traits = memory.of(settings.address, settings.model)
        self._client = AnthropicClient(settings, self.traits)
        self._memory = memory
        self.open = self._client.open
        self.drop = self._client.drop

    async def abilities(self) -> Abilities:
        await self.open()
        await self._learn_capabilities()
        await asyncio.to_thread(self._memory.save)
        lacking, searches = self.traits.lacking, self.traits.searches
        cites = "citations" not in lacking and self._knows_search_results()
        if searches is None and self._is_known_to_search():
            searches = True
        sees = "pictures" not in lacking and self._listed.pictures is not False
        return Abilities("tools" not in lacking, cites, searches, sees)

    async def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        text = ReplyText([tool.name for tool in turn.tools])
        reader, failure, shown = MessageReader(), None, False
        body = request_body(turn, self._fields(), strict="strict" not in self.traits.lacking)
        try:
            async with aclosing(self._read(body, reader, text)) as events:
                async for event in events:
                    shown = shown or isinstance(event, TextDelta | ToolCall)
                    yield event
        except Fault as fault:
            if not shown:
                self._drop_refused(fault, body)
            failure = fault.error
        if failure is not None:
            raise failure
        if text.has_thoughts or text.thinks_apart:  # what a reply shows of the model need not be asked for
            self.traits.thinks = True
        blocks = text.as_sent_back(reader.content)
        yield ReplyEnd(reader.stop_reason or StopReason.END, reader.model, blocks)

    async def _read(
        self, body: dict[str, Any], reader: MessageReader, text: ReplyText
    ) -> AsyncGenerator[ReplyEvent, None]:
        """Ask once; raises :class:`Fault` behind everything that came."""
        fault: Fault | None = None
        answer = await self._client.ask(body)
        try:
            async with aclosing(answer), aclosing(read_reply(answer, reader, self.settings)) as events:
                async for event in events:
                    for seen in text.take(event):
                        yield seen
        except Fault as found:
            fault = found
        finally:
            text.thinks_apart = reader.thinks
        for seen in text.finish(cut=fault is not None or reader.stop_reason == StopReason.LENGTH):
            yield seen
        if fault is not None:
            raise fault

    def _drop_refused(self, fault: Fault, body: dict[str, Any]) -> None:
        """Drop what the server does not take, if it says so; raises AbilityLost to be asked again."""
        written = json.dumps(body["messages"])
        parts = {"citations": '"search_result"' in written, "pictures": '"type": "image"' in written}
        parts["strict"] = any("strict" in tool for tool in body.get("tools", ()))
        parts |= dict.fromkeys([*body, *self._fields()], True)
        sent = {name for name, is_sent in parts.items() if is_sent} - self.traits.lacking
        if refused := field_to_drop(fault.said, sent, fault.status):
            self.drop(refused)
            raise AbilityLost from None

    def remember(self, *, searches: bool) -> None:
        self.traits.searches = searches

    async def list_models(self) -> tuple[ModelInfo, ...]:
        await self.open()
        page = await self._got(f"/v1/models?limit={_MOST_MODELS}")
        if isinstance(page, Fault):
            raise page.error
        data = mapping(page).get("data")
        entries = [self._kept(entry) for entry in data[:_MOST_MODELS]] if isinstance(data, list) else []
        for entry in entries:
            capabilities = capabilities_of(entry)
            if isinstance(entry.get("id"), str) and capabilities.listed:
                self._memory.of(self.settings.address, entry["id"]).capabilities = capabilities
        return read_model_list(entries)

    async def probe(self, starting: Callable[[], object] = lambda: None) -> None:
        with suppress(LecternError):  # the next question will show what is wrong
            await self.open()
            await self._learn_capabilities()
            if self._is_known_to_search() or not self.traits.probes_left:
                return
            starting()
            async with aclosing(found_abilities(self)) as findings:
                async for _ in findings:
                    pass
            await asyncio.to_thread(self._memory.save)

    def check(self) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        return check_connection(self)

    async def reach(self) -> None:
        """Connect; raises :class:`Fault` if nobody is there."""
        await self._client.get("/v1/models?limit=1")

    def read_shortly(self, turn: Turn, text: ReplyText) -> AsyncGenerator[ReplyEvent, None]:
        """Yield a reply of some hundred tokens; raises :class:`Fault`."""
        fields = {"model": self.settings.model, "max_tokens": _SHORT_REPLY}
        return self._read(request_body(turn, fields), MessageReader(), text)

    async def aclose(self) -> None:
        self._memory.save()  # a few kilobytes, and nothing is being answered
        await self._client.aclose()

    @property
    def _listed(self) -> Capabilities:
        return self.traits.capabilities or Capabilities()

    def _fields(self) -> dict[str, Any]:
        """Return what a request holds beside the conversation, by what is known of the model."""
        settings, known = self.settings, self._listed
        limit = settings.max_tokens + (settings.thinking_room if self._thinks() else 0)
        fields = {"model": settings.model, "max_tokens": min(limit, known.max_tokens or limit)}
        if settings.effort and (known.efforts is None or settings.effort in known.efforts):
            fields["output_config"] = {"effort": settings.effort}
        if known.between_tools:
            fields["thinking"] = {"type": "between_tools"}  # none before the first word
        fields["cache_control"] = {"type": "ephemeral"}
        return {name: value for name, value in fields.items() if name not in self.traits.lacking}

    def _thinks(self) -> bool:
        """Whether the model needs room for thoughts beside the answer; by its name where no list says so."""
        seen = self.traits.thinks if self._listed.thinks is None else self._listed.thinks
        return "claude" in self.settings.model.lower() if seen is None else seen

    def _kept(self, entry: object) -> dict[str, Any]:
        """Return an entry of the list of models as it can be kept; an empty one if it is too large."""
        size = weight_of(entry)
        if size is None or size > _LARGEST_ENTRY:
            return {}
        text = mend_surrogates(json.dumps(entry, ensure_ascii=False))
        return mapping(json.loads(KeyFilter(self.settings.api_key).hide(text)))

    async def _got(self, path: str) -> object:
        """Return the answer to a request, or the fault: what is raised for it is not linked to it."""
        try:
            return await self._client.get(path)
        except Fault as fault:
            return fault

    async def _learn_capabilities(self) -> None:
        """Ask once what the model can do; a server that has no such list is not asked again."""
        if self.traits.capabilities is not None:
            return
        entry = await self._got(f"/v1/models/{quote(self.settings.model, safe='')}")
        if isinstance(entry, Fault):
            if entry.status in _WILL_FAIL_AGAIN or (entry.may_pass and not entry.reached):
                return
            if not entry.reached:
                raise entry.error
        self.traits.capabilities = capabilities_of(self._kept(mapping(entry)))

    def _is_known_to_search(self) -> bool:
        """Whether it is one of Anthropic's models: there, or at a server that lists models as they do."""
        return self._listed.listed or not self.settings.is_own_server

    def _knows_search_results(self) -> bool:
        """Whether passages can be sent as ``search_result`` blocks.

        A server that does not know these may drop them without a word, and the model would answer from
        nothing: one that neither lists them nor was tried gets plain text.
        """
        tried = self._listed.citations if self.traits.cites is None else self.traits.cites
        return not self.settings.is_own_server if tried is None else tried
