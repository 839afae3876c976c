"""What the providers of all protocols have in common: learning what a server takes, asking, and checking.

Which parts of a request a server takes is learned from its list of models and from what it refuses, and
remembered in a :class:`ServerMemory`. A part that an answer can do without is dropped and the request
sent again; nothing is dropped that changes what the user asked for.
"""

import asyncio
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing, suppress
from typing import Any, Protocol
from urllib.parse import quote

from app.config.redaction import KeyFilter
from app.core.answers.prompts import mend_surrogates
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
from app.core.answers.providers.reply_stream import ReplyReader, read_reply
from app.core.answers.providers.reply_text import ReplyText
from app.core.answers.providers.server_memory import Capabilities, ServerMemory, field_to_drop
from app.core.answers.providers.wire import mapping, weight_of
from app.domain.conversations import StopReason
from app.domain.errors import LecternError
from app.domain.model_servers import ConnectionCheck, ModelInfo

_log = logging.getLogger(__name__)

_MOST_MODELS = 1000  # of a list
_LARGEST_ENTRY = 10_000  # of the list of models, in characters or thereabouts
_SHORT_REPLY = 300  # tokens: room for a model that thinks before it says one word
# Statuses after which asking for a list again fails too; the question itself will show what is wrong.
_WILL_FAIL_AGAIN = frozenset({401, 402, 403, 429, 500, 502, 503, 504, 529})


class Client(Protocol):
    """One server; belongs to one event loop. :meth:`open` comes before any request."""

    async def open(self) -> None:
        """Import what it needs and check the settings; connects to nothing."""

    async def aclose(self) -> None: ...

    async def get(self, path: str) -> object:
        """Return the answer to a request; raises :class:`Fault`."""

    async def ask(self, body: dict[str, Any]) -> AsyncGenerator[object, None]:
        """Send the request of an answer and return its events; they, too, raise :class:`Fault`."""


class ServerProvider(ABC):
    """Implements :class:`ModelProvider` but for the form of requests; all providers share one ``memory``."""

    can_cite = False  # by the protocol
    models_path = "/models"
    listing = ""  # the query for all models

    def __init__(self, settings: ModelSettings, memory: ServerMemory, client: Client) -> None:
        self.settings = settings
        self.traits = memory.of(settings.address, settings.model)
        self._client = client
        self._memory = memory
        self.open = client.open

    @abstractmethod
    def make_reader(self) -> ReplyReader:
        """Return what reads one reply."""

    @abstractmethod
    def limit(self, tokens: int) -> dict[str, Any]:
        """Return the field that limits a reply."""

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """Return what else a request holds beside the conversation, by what is known of the model."""

    @abstractmethod
    def request(self, turn: Turn, fields: dict[str, Any]) -> dict[str, Any]: ...

    @abstractmethod
    def capabilities_of(self, entry: dict[str, Any]) -> Capabilities:
        """Read an entry of the list of models; whatever is missing or odd counts as unknown."""

    @abstractmethod
    def thinks_by_name(self) -> bool:
        """Whether to leave a model room for thoughts of which nothing is known yet."""

    def is_known_to_search(self) -> bool:
        return False

    def knows_citations(self) -> bool:
        """Whether passages can be sent in a form that the model can cite."""
        return False

    async def abilities(self) -> Abilities:
        await self.open()
        await self._learn_capabilities()
        await asyncio.to_thread(self._memory.save)
        lacking, searches = self.traits.lacking, self.traits.searches
        if searches is None and self.is_known_to_search():
            searches = True
        sees = "pictures" not in lacking and self.listed.pictures is not False
        cites = "citations" not in lacking and self.knows_citations()
        return Abilities("tools" not in lacking, cites, searches, sees)

    async def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        reader, text, failure, shown = self.make_reader(), ReplyText(), None, False
        body = self.request(turn, self._usual_fields())
        try:
            async with aclosing(self._read(body, reader, text)) as events:
                async for event in events:
                    shown = shown or isinstance(event, TextDelta | ToolCall)
                    yield event
        except Fault as fault:
            if not shown and self._drop_refused(fault, body):
                raise AbilityLost from None
            failure = fault.error
        if failure is not None:
            raise failure
        if text.has_thoughts or text.thinks_apart:  # what a reply shows of the model need not be asked for
            self.traits.thinks = True
        reply = reader.sent_back(text.without_thoughts)
        yield ReplyEnd(reader.stop_reason or StopReason.END, reader.model, reply)

    async def _read(
        self, body: dict[str, Any], reader: ReplyReader, text: ReplyText
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

    def drop(self, name: str) -> None:
        """Do without a field or a way of asking from now on."""
        settings = self.settings
        _log.info("%s does not take %s for %s; it is left out.", settings.host, name, settings.model)
        self.traits.lacking.add(name)

    def _drop_refused(self, fault: Fault, body: dict[str, Any]) -> bool:
        """Drop what the server does not take, if it says so."""
        written, tools = json.dumps(body["messages"]), json.dumps(body.get("tools"))
        parts = {"citations": '"search_result"' in written, "pictures": '"type": "image' in written}
        parts |= {"strict": '"strict": true' in tools, "toolless": "tools" not in body}
        parts |= dict.fromkeys([*body, *self._usual_fields()], True)
        sent = {name for name, is_sent in parts.items() if is_sent} - self.traits.lacking
        refused = field_to_drop(fault.said, sent, fault.status)
        if refused:
            self.drop(refused)
        return refused is not None

    def remember(self, *, searches: bool) -> None:
        self.traits.searches = searches

    async def list_models(self) -> tuple[ModelInfo, ...]:
        await self.open()
        page = await self._got(f"{self.models_path}{self.listing}")
        if isinstance(page, Fault):
            raise page.error
        data = mapping(page).get("data")
        entries = [self._kept(entry) for entry in data[:_MOST_MODELS]] if isinstance(data, list) else []
        for entry in entries:
            capabilities = self.capabilities_of(entry)
            if isinstance(entry.get("id"), str) and capabilities.listed:
                self._memory.of(self.settings.address, entry["id"]).capabilities = capabilities
        return read_model_list(entries)

    async def probe(self, starting: Callable[[], object] = lambda: None) -> None:
        with suppress(LecternError):  # the next question will show what is wrong
            await self.open()
            await self._learn_capabilities()
            if self.is_known_to_search() or not self.traits.probes_left:
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
        await self._client.get(f"{self.models_path}?limit=1")

    async def read_shortly(self, turn: Turn, text: ReplyText) -> AsyncGenerator[ReplyEvent, None]:
        """Yield a reply of some hundred tokens; raises :class:`Fault`."""
        for is_second in (False, True):
            body = self.request(turn, {"model": self.settings.model, **self.limit(_SHORT_REPLY)})
            try:
                async with aclosing(self._read(body, self.make_reader(), text)) as events:
                    async for event in events:
                        yield event
                return
            except Fault as fault:
                if is_second or not field_to_drop(fault.said, {"max_tokens"}, fault.status):
                    raise
            self.drop("max_tokens")

    async def aclose(self) -> None:
        self._memory.save()  # a few kilobytes, and nothing is being answered
        await self._client.aclose()

    @property
    def listed(self) -> Capabilities:
        return self.traits.capabilities or Capabilities()

    def _usual_fields(self) -> dict[str, Any]:
        settings, known = self.settings, self.listed
        thinks = self.traits.thinks if known.thinks is None else known.thinks
        has_room = self.thinks_by_name() if thinks is None else thinks
        limit = settings.max_tokens + (settings.thinking_room if has_room else 0)
        fields = {
            "model": settings.model,
            **self.limit(min(limit, known.max_tokens or limit)),
            **self.options(),
        }
        return {name: value for name, value in fields.items() if name not in self.traits.lacking}

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
        entry = await self._got(f"{self.models_path}/{quote(self.settings.model, safe='')}")
        if isinstance(entry, Fault):
            if entry.status in _WILL_FAIL_AGAIN or (entry.may_pass and not entry.reached):
                return
            if not entry.reached:
                raise entry.error
        self.traits.capabilities = self.capabilities_of(self._kept(mapping(entry)))


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
