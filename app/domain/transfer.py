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
    SAVING = "saving"  # on another disk
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
    """The import is complete."""

    documents: int  # new ones, and their `passages`
    passages: int
    conversations: int  # new ones, and those with new exchanges
    already_there: int  # documents the library held already
    left_out: tuple[LeftOutFile, ...]  # those that conflict with documents of the library
    embedded_again: bool  # passages were cut and embedded again, for another model or passage size
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the archive, that apply from now on
