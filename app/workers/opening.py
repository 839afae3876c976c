"""Opens the library step by step, so that each part can be used as soon as it is loaded."""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from app.domain.errors import LibraryLocked
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.core.rag_system import RAGSystem
    from app.domain.cancel import CancelToken

_PATIENCE = 5.0  # seconds to wait for another Lectern that holds the library
_RETRY = 0.1


class Step(Enum):
    """What has become possible."""

    OPENED = auto()  # list courses and conversations
    READY = auto()  # search and add
    INDEXED = auto()  # rebuild the index, which must not happen while it opens


@dataclass(frozen=True, slots=True)
class Status:
    """Progress to show; None hides it."""

    text: Message | None


def open_library(
    rag: RAGSystem, token: CancelToken, tell: Callable[[Status], None]
) -> Iterator[Step | Status]:
    """Open the library, load the model, then open the index; each may take seconds the first time.

    Args:
        rag: not open yet.
        token: cancels it.
        tell: receives progress within a step.
    """

    def progress(text: Message) -> None:
        token.check()
        tell(Status(text))

    _open_file(rag, progress)
    yield Step.OPENED
    rag.prepare_model(token, progress)
    yield Status(None)
    yield Step.READY
    rag.search.load_vectors()
    for done in rag.open_index(token):
        if done.total > done.done:
            yield Status(Message("workers.building_index", percent=100 * done.done // done.total))
    yield Status(None)
    yield Step.INDEXED


def _open_file(rag: RAGSystem, progress: Callable[[Message], None]) -> None:
    """Open the file; another Lectern that is closing may still hold it."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return rag.open(progress)
        except LibraryLocked:
            if time.monotonic() > deadline:
                raise
        progress(Message("workers.waiting"))
        time.sleep(_RETRY)
