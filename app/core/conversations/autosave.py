"""Saves an answer while it is being written."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from app.domain.errors import LibraryUnusable

if TYPE_CHECKING:
    from types import TracebackType

    from app.core.conversations.session_manager import SessionManager
    from app.domain.conversations import Exchange

_SAVE_EVERY = 1.0  # seconds

_log = logging.getLogger(__name__)


class Autosave:
    """Holds an exchange and saves it once a second if it has changed, even while the model is silent.

    ::

        async with Autosave(sessions, exchange) as draft:
            draft.exchange = ...

    Attributes:
        exchange: its current state.
    """

    def __init__(self, sessions: SessionManager | None, exchange: Exchange) -> None:
        """Create it; the exchange is already stored.

        Args:
            sessions: where to save it; None saves nothing.
            exchange: as stored.
        """
        self.exchange = exchange
        self._sessions = sessions
        self._saved = exchange
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Autosave:
        if self._sessions is not None:
            self._task = asyncio.create_task(self._keep_saving(self._sessions))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop saving; the caller saves the final state."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _keep_saving(self, sessions: SessionManager) -> None:
        while True:
            await asyncio.sleep(_SAVE_EVERY)
            if self.exchange is self._saved:
                continue
            try:
                sessions.save(self.exchange)
                self._saved = self.exchange
            except LibraryUnusable as error:  # a full disk may have room again in a second
                _log.warning("An answer could not be saved while it was being written: %s", error)
