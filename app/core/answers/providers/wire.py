"""Values out of a server's JSON, of which nothing is taken for what it should be.

What is stored or shown has the right type, a length and whole characters.
"""

import json
from math import isfinite
from typing import Any

from app.core.answers.prompts import mend_surrogates

_LARGEST_NUMBER = 10**9
_LONGEST_NAME = 200
_DEEPEST = 50  # levels of nesting; JSON that can be read can still be too deep to be written
_SMALLEST = 8  # characters that even an empty value counts for


def mapping(value: object) -> dict[str, Any]:
    """Return ``value`` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def string(value: object) -> str:
    return mend_surrogates(value) if isinstance(value, str) else ""


class WholeText:
    """Text that comes in pieces, which may cut a character in two."""

    def __init__(self) -> None:
        self._half = ""

    def take(self, piece: object) -> str:
        """Return what is whole; half a character at the end waits for its other half."""
        joined = self._half + (piece if isinstance(piece, str) else "")
        self._half = joined[-1:] if "\ud800" <= joined[-1:] <= "\udbff" else ""
        return mend_surrogates(joined[: len(joined) - len(self._half)])


def sendable(body: dict[str, Any]) -> dict[str, Any]:
    """Return a request without what a model can write in JSON, but nobody can send as UTF-8."""
    found: dict[str, Any] = json.loads(mend_surrogates(json.dumps(body, ensure_ascii=False)))
    return found


def short_name(value: object) -> str:
    """Return an identifier that can be shown on one line; empty for anything else."""
    return "".join(sign for sign in string(value)[:_LONGEST_NAME] if sign.isprintable())


def whole_number(value: object) -> int:
    """Return a whole number from 0 on; -1 for anything else."""
    is_number = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _LARGEST_NUMBER
    return value if is_number and isinstance(value, int) else -1


def weight_of(value: object) -> int | None:
    """Return about how many characters a JSON value takes; None if it cannot be sent back.

    It cannot if it is nested too deep, or holds a number that is none.
    """
    total, level = 0, [value]
    for _ in range(_DEEPEST):
        if not level:
            return total
        if any(isinstance(one, float) and not isfinite(one) for one in level):
            return None
        total += sum(_SMALLEST + (len(one) if isinstance(one, str) else 0) for one in level)
        keys = [key for one in level if isinstance(one, dict) for key in one]
        inside = [list(one.values()) if isinstance(one, dict) else one for one in level]
        level = [*keys, *(part for one in inside if isinstance(one, list) for part in one)]
    return None


def read_json(text: str) -> object:
    """Return the value that a model wrote as JSON, or the text itself if it is none that can be used."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if weight_of(value) is None else value
