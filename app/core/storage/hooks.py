"""What other parts do when the library changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from app.domain.cancel import CancelToken
    from app.domain.sources import SourceState


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

    def read(self, query: str, *parameters: int) -> list[sqlite3.Row]: ...


@dataclass(slots=True)
class LibraryHooks:
    """Functions that features add; all but the last three run in the transaction of the change.

    Attributes:
        course_renamed: a course has a new title; receives the old one and the new one.
        documents_trashed: documents were moved to the trash at a moment.
        documents_added: documents came into the library, or back from the trash.
        trash_emptied: documents in the trash were deleted for good.
        copied: the documents and conversations of a library were copied.
        opened: the library was opened for writing.
        upkeep: an hour has passed; runs in the background until the token is cancelled.
        sources_checked: corrects the states of an answer's sources, by their numbers.
    """

    course_renamed: list[Callable[[sqlite3.Connection, str, str], None]] = field(default_factory=list)
    documents_trashed: list[Callable[[sqlite3.Connection, Sequence[int], float], None]] = field(
        default_factory=list
    )
    documents_added: list[Callable[[sqlite3.Connection], None]] = field(default_factory=list)
    trash_emptied: list[Callable[[sqlite3.Connection], None]] = field(default_factory=list)
    opened: list[Callable[[], None]] = field(default_factory=list)
    upkeep: list[Callable[[CancelToken], object]] = field(default_factory=list)
    sources_checked: list[Callable[[int, dict[int, SourceState]], None]] = field(default_factory=list)
    copied: list[Callable[[LibraryCopy], None]] = field(default_factory=list)
