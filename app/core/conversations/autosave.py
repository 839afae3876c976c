"""Saves an answer while it is being written."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from app.core.conversations.session_manager import SessionManager
from app.domain.conversations import Exchange
from app.domain.errors import LibraryUnusable

_SAVE_EVERY = 1.0  # seconds

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
    draft = Draft(exchange)
    task = asyncio.create_task(_keep_saving(sessions, draft, exchange)) if sessions else None
    try:
        yield draft
    finally:
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _keep_saving(sessions: SessionManager, draft: Draft, saved: Exchange) -> None:
    while True:
        await asyncio.sleep(_SAVE_EVERY)
        if draft.exchange is saved:
            continue
        try:
            sessions.save(draft.exchange)
            saved = draft.exchange
        except LibraryUnusable as error:  # a full disk may have room again in a second
            _log.warning("An answer could not be saved while it was being written: %s", error)
        except Exception:  # the answer goes on; its end is saved by the caller
            _log.exception("An answer could not be saved while it was being written.")
            return
