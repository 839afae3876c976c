"""Checks of rows from a library file of unknown origin."""

from __future__ import annotations

import math
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, get_args

from app.core.storage import codec
from app.domain.documents import AnchorKind

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import UnionType

    from app.domain.search import SearchHit

_TYPES = {
    "text": str,
    "integers": int,
    "numbers": int | float,
    "optional_numbers": int | float | None,
    "blobs": bytes,
    "optional_text": str | None,
    "optional_integers": int | None,
}
_LARGEST = 1 << 63


class Inconsistent(Exception):
    """Rows of the source are unreadable, contradict each other, or hold values of a wrong type."""


@contextmanager
def reading() -> Iterator[None]:
    """Blame the source for what SQLite cannot read, not the target whose transaction is open."""
    try:
        yield
    except sqlite3.Error as error:
        raise Inconsistent(str(error)) from error


def check_scope(text: str) -> None:
    scope = codec.decode_scope(text)
    require(all(isinstance(title, str) for title in scope.courses))
    require(all(isinstance(title, str) for title, _ in (*scope.lessons, *scope.up_to)))
    require(all(number is None or fits(number, int) for _, number in scope.lessons))
    require(all(fits(number, int) for _, number in scope.up_to))


def check_hit(hit: SearchHit) -> None:
    checked(
        {name: getattr(hit, name) for name in hit.__slots__},  # asdict() would copy every part
        text="course_title lesson_title text path",
        optional_text="link",
        integers="rank chunk_index start end",
        optional_integers="lesson_number",
        numbers="score",
    )
    require(hit.pages is None or len(hit.pages) == 2)
    require(all(fits(page, int) for page in hit.pages or ()))
    if hit.anchor is not None:
        require(hit.anchor.kind in get_args(AnchorKind))
        require(fits(hit.anchor.value, str if hit.anchor.kind == "heading" else int | float))


def checked(row: sqlite3.Row | dict[str, Any], **columns: str) -> dict[str, Any]:
    """Return columns of a row, given by their type; a number must be finite and fit into 64 bits."""
    values: dict[str, Any] = {}
    for kind, names in columns.items():
        for name in names.split():
            values[name] = value = row[name]
            if kind != "text" or type(value) is not str:  # quicker than to look closer at each text
                require(fits(value, _TYPES[kind]))
    return values


def fits(value: object, kind: type | UnionType) -> bool:
    if isinstance(value, int | float):
        return isinstance(value, kind) and math.isfinite(value) and abs(value) <= _LARGEST
    return isinstance(value, kind)


def require(holds: bool) -> None:
    if not holds:
        message = "its rows contradict each other"
        raise Inconsistent(message)
