"""Reads values from a server's JSON without trusting their types.

What is stored or shown has the right type, a limited length and whole characters.
"""

import json
import re
from math import isfinite
from typing import Any

from app.core.answers.prompts import mend_surrogates

_LARGEST_NUMBER = 10**9
_LONGEST_NAME = 200
_DEEPEST = 50  # levels of nesting; JSON that can be read can still be too deep to be written
_SMALLEST = 8  # characters that even an empty value counts for
_BRACKET = re.compile(r"[{\[]")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*("|\Z)|[{}\[\]]', re.DOTALL)
# What is most often missing when a model loses count of its brackets.
_MISSING_ENDS = ("", "}", "}}", "]", "}]", "}}]")


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
    """Return a request without lone surrogates, which cannot be sent as UTF-8."""
    found: dict[str, Any] = json.loads(mend_surrogates(json.dumps(body, ensure_ascii=False)))
    return found


def short_name(value: object) -> str:
    """Return the printable characters of an identifier; empty if it is no string."""
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


def json_end(text: str, start: int = 0) -> int | None:
    """Return where the JSON object or list at ``start`` ends; None if it does not."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token[0][0] == '"':
            if not token[1]:
                return None
            continue
        depth += 1 if token[0] in "{[" else -1
        if depth <= 0:
            return token.end()
    return None


def read_json_objects(text: str) -> list[object]:
    """Return the JSON objects and lists in a text, also one that lacks its last brackets."""
    found: list[object] = []
    at = 0
    while begin := _BRACKET.search(text, at):
        at = json_end(text, begin.start()) or len(text)
        found.append(_loaded(text[begin.start() : at]))
    return [value for value in found if isinstance(value, dict | list)]


def _loaded(text: str) -> object:
    """Return the JSON value of a text, even one that lacks its last brackets; else the text itself."""
    for end in _MISSING_ENDS:
        try:
            return json.loads(text + end, strict=False)
        except (ValueError, RecursionError):
            continue
    return text
