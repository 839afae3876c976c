"""Whom to ask, and how: what a provider and a generator are given."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from app.domain.errors import KeyProblem, RequestRefused
from app.domain.messages import Message

ANTHROPIC_URL = "https://api.anthropic.com"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Whom to ask and how."""

    model: str  # the model's id as the server knows it
    base_url: str | None = None  # of an Anthropic-compatible server; None or empty for Anthropic's own
    api_key: str = field(default="", repr=False)  # never shown; may be empty for a server that needs none
    max_tokens: int = 800  # for the visible answer
    thinking_room: int = 2000  # tokens added for what the model thinks
    effort: str = "low"  # how hard it works: `low`, `medium`, `high`; empty for the server's default
    max_rounds: int = 3  # times it may search before it has to answer
    send_passages: bool = False  # with the question, instead of when the model asks for them
    send_pages: bool = False  # pictures of the pages that passages are from, to a model that sees
    timeout_read: float = 60.0  # seconds without data before giving up
    timeout_connect: float = 5.0  # seconds to wait for a connection
    retry_delays: tuple[float, ...] = (0.5, 1.5)  # seconds before each new attempt at an unanswered request
    longest_answer: int = 200_000  # characters after which an answer is cut
    timeout_whole: float = 600.0  # seconds a server that does not stream may take for an answer
    timeout_content: float = 120.0  # seconds without a word, thought or tool call; pings do not count
    timeout_reply: float = 1800.0  # seconds one streamed reply may take, however it trickles
    most_events: int = 400_000  # of one streamed reply
    most_bytes: int = 64_000_000  # of one streamed reply
    largest_event: int = 2_000_000  # bytes of one event of a stream
    largest_body: int = 4_000_000  # bytes of any other response: an answer in one piece, a page of models
    timeout_probe: float = 20.0  # seconds for one question that only finds out what the model can do
    longest_wait: float = 300.0  # seconds a server may ask to be left alone before the user is asked instead
    second: float = 1.0  # how long one second of such a wait lasts

    @property
    def address(self) -> str:
        """The base URL in use. One copied with ``/v1`` means the same: the SDK adds that itself."""
        return (self.base_url or ANTHROPIC_URL).strip().rstrip("/").removesuffix("/v1")

    @property
    def is_own_server(self) -> bool:
        """Whether it is a server the user chose, not Anthropic's."""
        return self.address != ANTHROPIC_URL

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
        if not self.api_key and not self.is_own_server:
            raise KeyProblem(Message("answers.no_key"))
        if not self.api_key.isascii() or not self.api_key.isprintable() or " " in self.api_key:
            raise KeyProblem(Message("answers.key_malformed"))
        if not self.host:
            raise RequestRefused(Message("answers.base_url_malformed"))
