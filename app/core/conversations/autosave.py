"""An answer while it is being written, never far ahead of what is stored of it."""

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
    """Holds an exchange and stores it every second in which it changed, also while nothing comes.

    ::

        async with Autosave(sessions, exchange) as draft:
            draft.exchange = ...

    Attributes:
        exchange: as it stands now.
    """

    def __init__(self, sessions: SessionManager | None, exchange: Exchange) -> None:
        """Prepare.

        Args:
            sessions: where to store it; None stores nothing.
            exchange: already stored as it is.
        """
        self.exchange = exchange
        self._sessions = sessions
        self._saved = exchange
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Autosave:
        """Begin to store it."""
        if self._sessions is not None:
            self._task = asyncio.create_task(self._keep_saving(self._sessions))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Store it no more: how it ended is for the caller to save."""
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
                _log.warning("An answer could not be saved while it was written: %s", error)
