"""What other parts do when the library changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

    from app.domain.cancel import CancelToken


class LibraryCopy(Protocol):
    """A copy of one library file into another, in a transaction on both.

    Attributes:
        dimension: required of every vector; None for any.
        known: for each document of the source its key in the target, copied or already there.
    """

    source: sqlite3.Connection
    target: sqlite3.Connection
    token: CancelToken
    dimension: int | None
    known: dict[int, int]

    def rows_of(self, table: str, column: str, key: int) -> list[sqlite3.Row]:
        """Return the rows of the source that belong to a key, in the order of their first column."""
        ...

    def read(self, query: str, *parameters: int) -> list[sqlite3.Row]:
        """Return rows of the source."""
        ...


@dataclass(slots=True)
class LibraryHooks:
    """Functions that features add; each runs in the transaction of the change.

    Attributes:
        copied: the documents and conversations of a library were copied.
    """

    copied: list[Callable[[LibraryCopy], None]] = field(default_factory=list)
