"""A text in two numbers."""

from typing import NamedTuple


class Plural(NamedTuple):
    """A text whose wording depends on the argument ``n``."""

    one: str
    other: str
