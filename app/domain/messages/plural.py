"""A text in two numbers."""

from __future__ import annotations

from typing import NamedTuple


class Plural(NamedTuple):
    """A text whose wording depends on the argument ``n``."""

    one: str
    other: str
