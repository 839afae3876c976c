"""Events of exporting and importing a library."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from app.domain.plan import LeftOutFile


class TransferStep(StrEnum):
    COPYING = "copying"
    PACKING = "packing"
    CHECKING = "checking"
    ADDING = "adding"


@dataclass(frozen=True, slots=True)
class TransferProgress:
    step: TransferStep
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class LibraryExported:
    path: Path
    documents: int
    passages: int
    conversations: int


@dataclass(frozen=True, slots=True)
class LibraryImported:
    """The import is complete.

    Attributes:
        documents: new ones, and their ``passages``.
        conversations: new ones, and those with new exchanges.
        already_there: documents the library held already.
        left_out: those that conflict with documents of the library.
        embedded_again: whether the passages had to be cut and embedded again, because the archive was made
            with another embedding model or passage size.
        settings: settings of the archive that apply from now on; empty to keep one's own.
    """

    documents: int
    passages: int
    conversations: int
    already_there: int
    left_out: tuple[LeftOutFile, ...]
    embedded_again: bool
    settings: Mapping[str, Any] = field(default_factory=dict)
