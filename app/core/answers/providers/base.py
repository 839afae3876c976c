"""What answering needs of a model provider, in Lectern's own terms.

A provider knows how to speak to one kind of server; each has a package beside this module. It is asked one
:class:`Turn` at a time, which holds the whole conversation, and answers with events.
"""

import base64
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from app.core.answers.prompts import load_prompt, one_line
from app.core.answers.sources import full_heading, numbered_text
from app.core.documents.figures import page_of
from app.domain.conversations import ChatMessage
from app.domain.errors import KeyProblem, RequestRefused
from app.domain.events import ModelLoading
from app.domain.messages import Message
from app.domain.model_servers import ANTHROPIC_URL, ConnectionCheck, ModelInfo, Usage, needs_key
from app.domain.sources import Source


class ToolDefinition(NamedTuple):
    """A tool as it is offered to the model; ``parameters`` is the JSON schema of its arguments.

    ``strict`` asks the server to keep the model to the schema, where it can. Such a schema requires all its
    properties, allows no others, and sets no limits to numbers, lengths or counts.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    strict: bool = False


class ToolCall(NamedTuple):
    """A complete tool call; ``arguments`` is whatever the model wrote."""

    id: str
    name: str
    arguments: object


class ToolOutcome(NamedTuple):
    """The result of a tool call, as the model gets it."""

    text: str = ""  # remarks on the sources, or the whole result where there are none
    sources: tuple[Source, ...] = ()  # to answer from
    is_error: bool = False  # the call itself was wrong

    @property
    def plain_text(self) -> str:
        """The outcome for servers without citations of their own: numbered passages, then the text."""
        return "\n\n".join([*map(numbered_text, self.sources), *([self.text] if self.text else [])])


class Step(NamedTuple):
    """A reply that did not end the answer, with the outcomes of its calls; none after a pause.

    ``reply`` is what the provider returned in :class:`ReplyEnd`, and goes back to it unchanged.
    """

    reply: object
    outcomes: tuple[tuple[ToolCall, ToolOutcome], ...] = ()


@dataclass(slots=True)
class Turn:
    """Everything the next reply depends on; the loop adds a step after each reply."""

    question: tuple[str, ...]  # texts of the user's turn
    preface: str = ""  # goes before all that was said, the same for every question, so that it is cached
    history: tuple[ChatMessage, ...] = ()  # earlier turns, alternating, the user's first
    tools: tuple[ToolDefinition, ...] = ()  # in a fixed order, so that servers can cache them
    system: tuple[str, ...] = ()  # texts of the system prompt
    steps: list[Step] = field(default_factory=list)  # of this answer so far
    given: ToolOutcome | None = None  # goes before the question
    may_call: bool = True  # False for the last request: the tools are shown, none may be called
    documents: tuple[Source, ...] = ()  # go behind the preface, to be cached like it
    pages: dict[int, bytes] = field(default_factory=dict)  # as JPEGs, by the numbers of passages on them
    # The provider's own citations are used; else passages are sent as plain_text and the model writes `[n]`
    cites: bool = True

    def has_called(self, tool: str) -> bool:
        """Whether the model has called a tool as it can be called."""
        calls = [called for step in self.steps for called in step.outcomes]
        return any(call.name == tool and not outcome.is_error for call, outcome in calls)

    @property
    def passages(self) -> tuple[Source, ...]:
        outcomes = [outcome for step in self.steps for _, outcome in step.outcomes]
        return tuple(source for one in (self.given, *outcomes) if one for source in one.sources)

    @property
    def has_passages(self) -> bool:
        return bool(self.documents or self.passages)


def page_picture(source: Source, turn: Turn) -> tuple[str, str]:
    """Return what to tell of the picture of the page that a passage is from, and the picture in base64."""
    said = load_prompt("page").replace("{page}", str(page_of(source.hit)))
    said = said.replace("{ref}", source.ref if turn.cites else f"[{source.n}]")
    said = said.replace("{title}", one_line(full_heading(source.hit)))
    return said, base64.b64encode(turn.pages[source.n]).decode("ascii")


class TextDelta(NamedTuple):
    """More of the answer's Markdown."""

    text: str


@dataclass(frozen=True, slots=True)
class CitedSentences:
    """The block of text being written rests on sentences of a source.

    Nothing in it needs to be true: it is checked against the library.
    """

    ref: str  # of the source
    first: int  # index of the first cited sentence; -1 if the provider did not say
    last: int  # one past the last
    quote: str  # the cited text


@dataclass(frozen=True, slots=True)
class BlockEnd:
    """The block of text is complete; its citations cover all of it."""


class Unseen(NamedTuple):
    """The model wrote something that is not shown, such as a thought; later text is a new paragraph."""

    characters: int = 0


class ReplyEnd(NamedTuple):
    stop_reason: str  # a StopReason, or another word
    model: str  # who answered, by the server's account; empty if it does not say
    reply: object  # goes into the next Step


ReplyEvent = TextDelta | CitedSentences | BlockEnd | Unseen | ToolCall | Usage | ModelLoading | ReplyEnd
"""``Usage`` counts the tokens of this reply so far; a later one replaces an earlier one."""


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the model is known to be able to do at this server."""

    tools: bool = True  # it can call tools
    citations: bool = True  # the provider reports CitedSentences
    searches: bool | None = None  # it searches by itself when a question needs it; None while unknown
    pictures: bool = True  # it takes pictures


class AbilityLost(Exception):
    """The server refused a part of the turn. Nothing was answered: ask again by the new abilities."""


class ModelProvider(Protocol):
    """One model at one server; belongs to one event loop.

    Every method that connects raises :class:`app.domain.errors.LecternError` for whatever the server or
    the network does wrong. No error may hold the API key, or the exception it was made from.
    """

    async def abilities(self) -> Abilities:
        """Return what is known now; may ask the server."""

    def reply(self, turn: Turn) -> AsyncGenerator[ReplyEvent, None]:
        """Ask once and yield the model's reply, at the end :class:`ReplyEnd`. Cancelling stops it at once.

        Raises:
            AbilityLost: before the first event.
            TemporaryError: with ``may_pass`` if it may be tried again at once.
            ServerBusy: with ``retry_after`` when the server says how long to wait.
        """

    def remember(self, *, searches: bool) -> None:
        """Keep for the model at this server whether it searches by itself."""

    async def probe(self, starting: Callable[[], object] = lambda: None) -> None:
        """Find out what the model can do if that is not known; takes a minute at most and raises nothing.

        ``starting`` is called before the first request of it.
        """

    async def list_models(self) -> tuple[ModelInfo, ...]:
        """Return the models in the server's order, without retired ones; Anthropic's newest comes first."""

    def check(self) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
        """Try what the server can do; yield findings, and its models once they are known."""

    async def aclose(self) -> None:
        """Close all connections. The provider can be used again afterwards."""


OWN_COMPUTER = "http://127.0.0.1"  # where the models run that Lectern runs itself, on a port of that day


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Whom to ask and how."""

    model: str  # the model's id as the server knows it
    base_url: str | None = None  # of the server; None or empty for the provider's own
    api_key: str = field(default="", repr=False)  # never shown; may be empty for a server that needs none
    provider: str = "anthropic"  # one of app.config.settings.PROVIDERS
    max_tokens: int = 800  # for the visible answer
    thinking_room: int = 2000  # tokens added for what the model thinks
    effort: str = "low"  # how hard it works: `low`, `medium`, `high`; empty for the server's default
    max_rounds: int = 3  # times it may search before it has to answer
    send_passages: bool = False  # with the question, instead of when the model asks for them
    short: bool = False  # ask as a small model can follow, and a slow computer can read in seconds
    send_pages: bool = False  # pictures of the pages that passages are from, to a model that sees
    timeout_read: float = 60.0  # seconds without data before giving up
    timeout_connect: float = 5.0  # seconds to wait for a connection
    retry_delays: tuple[float, ...] = (0.5, 1.5)  # seconds before each new attempt at an unanswered request
    longest_answer: int = 200_000  # characters after which an answer is cut
    timeout_content: float = 120.0  # seconds without a word, thought or tool call; pings do not count
    timeout_reply: float = 1800.0  # seconds one streamed reply may take, however it trickles
    most_events: int = 400_000  # of one streamed reply
    most_bytes: int = 64_000_000  # of one streamed reply
    largest_event: int = 2_000_000  # bytes of one event of a stream
    largest_body: int = 4_000_000  # bytes of any other response, such as the list of models
    timeout_probe: float = 20.0  # seconds for one question that only finds out what the model can do
    longest_wait: float = 300.0  # seconds a server may ask to be left alone before the user is asked instead
    second: float = 1.0  # how long one second of such a wait lasts

    @property
    def address(self) -> str:
        """The base URL in use, with ``/v1`` or without: Anthropic's SDK adds that, others have own paths."""
        address = (self.base_url or ANTHROPIC_URL).strip().rstrip("/")
        if self.provider != "openai":
            return address.removesuffix("/v1")
        address = address.removesuffix("/chat/completions")
        return address if "/" in address.partition("://")[2] else f"{address}/v1"

    @property
    def is_own_server(self) -> bool:
        """Whether it is a server the user chose, not Anthropic's."""
        return self.address != ANTHROPIC_URL

    @property
    def may_read_long(self) -> bool:
        """Whether minutes may pass before its first byte: small computers read prompts slowly."""
        return self.short or self.host.startswith(("localhost", "127.0.0.1", "::1"))

    @property
    def host(self) -> str:
        """Host and port without user and password; empty if the base URL is no web address."""
        try:
            parts = urlsplit(self.address)
            port = f":{parts.port}" if parts.port else ""
        except ValueError:
            return ""
        return f"{parts.hostname}{port}" if parts.scheme in ("http", "https") and parts.hostname else ""

    def check(self) -> None:
        """Raise KeyProblem for a key that is missing or none, RequestRefused for a base URL that is none."""
        if not self.api_key and needs_key(self.base_url or ""):
            raise KeyProblem(Message("answers.no_key"))
        if not self.api_key.isascii() or not self.api_key.isprintable() or " " in self.api_key:
            raise KeyProblem(Message("answers.key_malformed"))
        if not self.host:
            raise RequestRefused(Message("answers.base_url_malformed"))
