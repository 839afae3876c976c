"""What is told of model servers: what they can do, and what their answers have cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Topic = Literal["server", "key", "messages", "streaming", "tools", "citations", "token counting"]


@dataclass(frozen=True, slots=True)
class Spending:
    """What answers have cost this month.

    Attributes:
        dollars: by the price list; answers of models that are not on it count nothing.
        tokens: of all answers.
        cached_tokens: of them, read from the server's cache.
        answers: how many a model wrote.
        budget: dollars a month; 0 for none.
        prices: where the prices are from, and of which day.
    """

    dollars: float = 0.0
    tokens: int = 0
    cached_tokens: int = 0
    answers: int = 0
    budget: int = 0
    prices: str = ""

    @property
    def share(self) -> float:
        """Part of the budget that is spent; 0 without one."""
        return self.dollars / self.budget if self.budget else 0.0


@dataclass(frozen=True, slots=True)
class ConnectionCheck:
    """One thing that was tried with a model server.

    Attributes:
        topic: what was tried.
        works: None where it can not be said.
        sentence: for a person.
    """

    topic: Topic
    works: bool | None
    sentence: str
