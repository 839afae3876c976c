"""Saves an answer while it is being written."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TypeVar

from app.core.conversations.session_manager import SessionManager
from app.domain.conversations import Exchange
from app.domain.errors import LibraryUnusable

_SAVE_EVERY = 1.0  # seconds

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


@dataclass
class Draft:
    """An exchange as it stands."""

    exchange: Exchange


@asynccontextmanager
async def autosave(sessions: SessionManager | None, exchange: Exchange) -> AsyncIterator[Draft]:
    """Save the draft of an exchange once a second if it has changed, even while the model is silent.

    The exchange is already stored, and the caller stores its final state; ``sessions=None`` saves nothing.
    """
    draft, ended = Draft(exchange), asyncio.Event()
    saving = asyncio.ensure_future(_keep_saving(sessions, draft, exchange, ended)) if sessions else None
    try:
        yield draft
    finally:
        ended.set()
        if saving is not None:  # a draft that is stored later would take the place of the answer
            await completed(saving)


async def completed(working: asyncio.Future[_T]) -> _T:
    """Return the result of what writes to the library, even if the task is cancelled meanwhile."""
    while not working.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait([working])
    return working.result()


async def _keep_saving(sessions: SessionManager, draft: Draft, saved: Exchange, ended: asyncio.Event) -> None:
    while not ended.is_set():
        with suppress(TimeoutError):
            async with asyncio.timeout(_SAVE_EVERY):
                await ended.wait()
        if ended.is_set() or draft.exchange is saved:
            continue
        now = draft.exchange
        try:
            await asyncio.to_thread(sessions.save, now, saved)
            saved = now
        except LibraryUnusable as error:  # a full disk may have room again in a second
            _log.warning("An answer could not be saved while it was being written: %s", error)
        except Exception:  # the answer goes on; its end is saved by the caller
            _log.exception("An answer could not be saved while it was being written.")
            return
