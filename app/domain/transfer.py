"""What exporting and importing a library tells while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class TransferStep(StrEnum):
    """What is being done."""

    COPYING = "copying"
    PACKING = "packing"
    CHECKING = "checking"
    ADDING = "adding"


@dataclass(frozen=True, slots=True)
class TransferProgress:
    """How far a step is; what is counted differs from step to step."""

    step: TransferStep
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A document of an archive that was not taken over; ``reason`` is a sentence."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class LibraryExported:
    """The archive is complete."""

    path: Path
    documents: int
    passages: int
    conversations: int


@dataclass(frozen=True, slots=True)
class LibraryImported:
    """The archive is part of the library now.

    Attributes:
        documents: how many are new.
        passages: of the new documents.
        conversations: how many are new or go on further than before.
        already_there: documents the library held already.
        left_out: those that would collide with what the library holds.
        embedded_again: whether the passages had to be cut and embedded anew, since the archive was made with
            another embedding model or other sizes of passages.
        settings: those of the archive that are to hold from now on; empty where one's own stay.
    """

    documents: int
    passages: int
    conversations: int
    already_there: int
    left_out: tuple[LeftOut, ...]
    embedded_again: bool
    settings: Mapping[str, Any] = field(default_factory=dict)
