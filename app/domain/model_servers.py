"""Model servers: what they offer and what their answers cost."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from app.domain.messages import Message

Topic = Literal["server", "key", "messages", "tools", "citations", "thinking"]


class ModelInfo(NamedTuple):
    id: str
    name: str
    deprecated: bool = False  # still answers, but will be retired
    retires: str | None = None  # the day of its retirement, as `2026-11-30`; None if none is set


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


class WholeScope(NamedTuple):
    """What it takes to send all that a question is restricted to along with it, about."""

    tokens: int
    first: float | None  # US dollars of the first question; None if the price is unknown
    again: float | None  # of each one after it, as long as the server keeps the text


@dataclass(frozen=True, slots=True)
class Spending:
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
