"""What answers cost, by a price list that comes with the program.

Models that are not on the list have no price: only their tokens are shown.
"""

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path
from typing import NamedTuple

from app.config.paths import resource_path
from app.core.answers.sources import Library
from app.domain.model_servers import Usage, WholeScope
from app.domain.scope import Scope
from app.domain.search import SearchHit

# A model's id as other hosts write it: a maker before it, a date, "latest" or a version behind it.
_DECORATED = re.compile(r"^(?:.*[/.])?(?P<id>claude-[a-z0-9-]+?)(?:-\d{8}|-latest)?(?:-v\d+)?(?:[:@].*)?$")

CHARACTERS_OF_TOKEN = 3.5  # a little fewer than English has
_TOKENS_OF_PICTURE = 1_600  # at most; servers make larger pictures smaller
_AROUND = 40  # tokens of what each block is wrapped in: its title and reference


class Price(NamedTuple):
    """US dollars for a million tokens of each kind."""

    input: float
    output: float
    cache_read: float
    cache_write: float

    def of(self, usage: Usage) -> float:
        return (
            usage.input_tokens * self.input
            + usage.output_tokens * self.output
            + usage.cache_read_tokens * self.cache_read
            + usage.cache_write_tokens * self.cache_write
        ) / 1_000_000


@dataclass(frozen=True)
class PriceList:
    """The prices of a ``date``, such as ``2026-10-24``, by model.

    Each comes with the number of tokens from which a prompt is long, and the price of long ones.
    """

    date: str
    prices: dict[str, tuple[Price, float, Price]]

    def cost(self, model: str | None, usage: Usage) -> float | None:
        """Return what the tokens cost in US dollars, None for a model that is not on the list."""
        found = _DECORATED.match((model or "").strip().lower())
        known = self.prices.get(found["id"]) if found else None
        if known is None:
            return None
        price, above, dearer = known
        # The tokens of all requests of an answer are counted together: in doubt the higher price is shown.
        return (dearer if usage.prompt_tokens > above else price).of(usage)

    @property
    def cheapest(self) -> str:
        """The model whose answers cost least."""
        return min(self.prices, key=lambda model: self.prices[model][0].output)


@cache
def price_list(path: Path | None = None) -> PriceList:
    """Read the price list; by default the program's own."""
    data = json.loads((path or resource_path("resources/prices.json")).read_text(encoding="utf-8"))
    prices = {}
    for model, entry in data["models"].items():
        long = entry.get("long_prompts") or {**entry, "above_tokens": inf}
        prices[model] = (_price(entry), long["above_tokens"], _price(long))
    return PriceList(data["date"], prices)


def price_of_picture(model: str) -> float | None:
    """Return about what a picture costs in a request, in US dollars; None if the price is unknown."""
    return price_list().cost(model, Usage(input_tokens=_TOKENS_OF_PICTURE))


def month_start(now: float | None = None) -> float:
    """Return the start of the month in local time, as seconds since the epoch."""
    today = time.localtime(now)
    return time.mktime((today.tm_year, today.tm_mon, 1, 0, 0, 0, 0, 0, -1))


def _price(entry: dict[str, float]) -> Price:
    return Price(entry["input"], entry["output"], entry["cache_read"], entry["cache_write"])


def whole_scope(library: Library, scope: Scope, most_tokens: int) -> tuple[SearchHit, ...]:
    """Return what is sent along with a question of a scope; nothing if that would be too much."""
    hits = library.whole(scope, int(most_tokens * CHARACTERS_OF_TOKEN)) if most_tokens else ()
    return hits if _tokens(hits) <= most_tokens else ()


def estimate(hits: Sequence[SearchHit], model: str) -> WholeScope | None:
    """Return what it takes to send this along; None if it is nothing."""
    if not hits:
        return None
    tokens, prices = _tokens(hits), price_list()
    first = prices.cost(model, Usage(cache_write_tokens=tokens))
    return WholeScope(tokens, first, prices.cost(model, Usage(cache_read_tokens=tokens)))


def _tokens(hits: Sequence[SearchHit]) -> int:
    return round(sum(len(hit.text) / CHARACTERS_OF_TOKEN + _AROUND for hit in hits))
