"""Model servers: what they offer and what their answers cost."""

from dataclasses import dataclass
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from app.domain.messages import Message

Topic = Literal["server", "key", "messages", "tools", "citations", "thinking"]


class Service(NamedTuple):
    """A model server on the web."""

    name: str
    base_url: str
    keys_page: str
    model: str = ""  # a name that stands for whatever is current; empty if there is none
    is_free: bool = False  # within limits
    provider: str = "openai"

    @property
    def variable(self) -> str:
        """The environment variable for its key, by its own manual."""
        return f"{self.name.upper() if self.provider == 'openai' else 'ANTHROPIC'}_API_KEY"


CLAUDE = Service(
    "Claude", "", "https://console.anthropic.com/settings/keys", "claude-sonnet-5-5", provider="anthropic"
)
ANTHROPIC_URL = "https://api.anthropic.com"
OPENAI_URL = "https://api.openai.com/v1"
_GOOGLE = "https://generativelanguage.googleapis.com/v1beta/openai"
_MISTRAL, _ROUTER = "https://api.mistral.ai/v1", "https://openrouter.ai/api/v1"
SERVICES = (
    CLAUDE,
    Service("Gemini", _GOOGLE, "https://aistudio.google.com/apikey", "gemini-flash-latest", True),
    Service("Groq", "https://api.groq.com/openai/v1", "https://console.groq.com/keys", "", True),
    Service("Mistral", _MISTRAL, "https://console.mistral.ai/api-keys", "mistral-small-latest", True),
    Service("OpenAI", OPENAI_URL, "https://platform.openai.com/api-keys"),
    Service("OpenRouter", _ROUTER, "https://openrouter.ai/settings/keys", "openrouter/auto"),
)


def service_at(base_url: str) -> Service | None:
    """Return the service that an address is of; an empty one is Claude's."""
    host = _host(base_url)
    return next((one for one in SERVICES if _host(one.base_url) == host), None)


def key_variable(provider: str, base_url: str) -> str:
    """Return the environment variable for the key of a server; a service's goes to no other server."""
    service = service_at(base_url)
    if service is None:
        return "OPENAI_API_KEY" if provider == "openai" else CLAUDE.variable
    return service.variable


def needs_key(base_url: str) -> bool:
    return service_at(base_url) is not None


def _host(base_url: str) -> str:
    try:
        return urlsplit(base_url or ANTHROPIC_URL).hostname or ""
    except ValueError:
        return base_url


class ModelInfo(NamedTuple):
    id: str
    name: str
    deprecated: bool = False  # still answers, but will be retired
    retires: str | None = None  # the day of its retirement, as `2026-11-30`; None if none is set


PROGRAM_PORTS = {"Ollama": 11434, "LM Studio": 1234, "llama.cpp": 8080}
"""Where programs that run models for others listen on this computer."""


class FoundModel(NamedTuple):
    id: str
    bytes: int = 0  # 0 if unknown


class FoundServer(NamedTuple):
    """A program on this computer that runs models for others, as it answers now."""

    name: str  # of the program
    port: int
    models: tuple[FoundModel, ...] | None  # None if it does not answer: not running, or not installed

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"


class Transferred(NamedTuple):
    """How much of a model has been downloaded, in bytes."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one answer, summed over its requests."""

    input_tokens: int = 0  # those neither read from the server's cache nor written to it
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost: float | None = None  # US dollars by the price list of that day; None if the model is not on it

    @property
    def prompt_tokens(self) -> int:
        return self.input_tokens + self.cache_read_tokens + self.cache_write_tokens

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        """Return the sum of the tokens, without a cost."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


class Speed(NamedTuple):
    """Tokens a second of a model on this computer."""

    prompt: float
    answer: float


class LocalModel(NamedTuple):
    """A model that can be downloaded and run on this computer."""

    id: str
    name: str
    bytes: int  # of the download
    licence: str
    ollama: str  # what Ollama calls it
    seconds: int  # that an answer takes here, about
    arrived: int  # bytes of the download that are here; all of them if it is installed

    @property
    def is_installed(self) -> bool:
        return self.arrived == self.bytes


class FoundWays(NamedTuple):
    """What can write answers here."""

    has_claude_key: bool
    local: LocalModel | Message  # that Lectern can run itself, or why there is none
    servers: tuple[FoundServer, ...]
    missing: str = ""  # the local model of the settings, if it cannot be used


class WholeScope(NamedTuple):
    """What it takes to send all that a question is restricted to along with it, about."""

    tokens: int
    first: float | None  # US dollars of the first question; None if the price is unknown
    again: float | None  # of each one after it, as long as the server keeps the text


class Spending(NamedTuple):
    """What answers have cost this month."""

    dollars: float = 0.0  # by the price list; answers of models that are not on it count as 0
    tokens: int = 0
    cached_tokens: int = 0  # those of `tokens` that were read from the server's cache
    answers: int = 0
    budget: int = 0  # dollars a month; 0 for none
    prices: str = ""  # the date of the price list, such as `2026-10-24`

    @property
    def share(self) -> float:
        """Fraction of the budget that is spent; 0 without a budget."""
        return self.dollars / self.budget if self.budget else 0.0


class ConnectionCheck(NamedTuple):
    """The result of one test of a model server; ``works`` is None if unknown."""

    topic: Topic
    works: bool | None
    sentence: Message
