"""Opening the library step by step, so that each part can be used as soon as it is loaded."""

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

_PATIENCE = 5.0  # seconds that somebody else may still hold the library
_LOOK_AGAIN = 0.1


class Step(Enum):
    """What can be done from now on."""

    OPENED = auto()  # list courses and conversations
    READY = auto()  # search and add
    INDEXED = auto()  # rebuild the index: that may not happen while it is opened


@dataclass(frozen=True, slots=True)
class Status:
    """What is being done, for people; None when it is over."""

    text: Message | None


def open_library(
    rag: RAGSystem, token: CancelToken, tell: Callable[[Status], None]
) -> Iterator[Step | Status]:
    """Open the library, load the model, then open the index; each may take seconds the first time.

    Args:
        rag: not open yet.
        token: ends it.
        tell: receives the progress within a step.
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
    """Open it; another Lectern that has just been closed may still be finishing."""
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return rag.open(progress)
        except LibraryLocked:
            if time.monotonic() > deadline:
                raise
        progress(Message("workers.waiting"))
        time.sleep(_LOOK_AGAIN)
