"""The steps that lead to an answer, as kinds of exchanges: ``hint:1`` to ``hint:3``, and tries between them.

A try has the kind of the last step with ``:try`` behind it. After the last step comes the answer itself.
"""

import re
from collections.abc import Iterable

from app.domain.conversations import Exchange

NAME = "hint"
FIRST = f"{NAME}:1"
LAST = 3
NOTHING = "nothing"  # the stop reason of a hint where there is nothing to lead to
_KIND = re.compile(rf"{NAME}:([1-{LAST}])(:try)?")
_ASKS = ("?", "？", "؟")


def hint_kind(step: int) -> str:
    """Return the kind of a step, an empty one for the answer that follows the last."""
    return f"{NAME}:{step}" if step <= LAST else ""


def step_of(exchange: Exchange | None) -> int:
    """Return the last step that was opened; 0 for an answer."""
    found = _KIND.fullmatch(exchange.kind) if exchange else None
    return int(found[1]) if found else 0


def is_try(exchange: Exchange) -> bool:
    return bool(step_of(exchange)) and exchange.kind.endswith("try")


def leads_on(exchange: Exchange) -> bool:
    """Return whether there is something to lead to."""
    return step_of(exchange) > 0 and exchange.stop_reason != NOTHING


def next_kind(exchange: Exchange) -> str:
    """Return the kind of the next step, an empty one for the answer."""
    return hint_kind(step_of(exchange) + 1)


def kind_of(text: str, last: Exchange | None, *, hints_first: bool) -> str:
    """Return what is written for a text: between steps it is a try, unless it is a question."""
    if last and leads_on(last) and not text.rstrip(" \"'”“»)*_").endswith(_ASKS):
        return f"{hint_kind(step_of(last))}:try"
    return FIRST if hints_first else ""


def begun_with(branch: Iterable[Exchange]) -> Exchange | None:
    """Return the exchange whose question the last exchange of a branch leads to the answer of."""
    begun = None
    for exchange in branch:
        if exchange.kind == FIRST:
            begun = exchange
        elif not step_of(exchange):
            begun = None
    return begun
