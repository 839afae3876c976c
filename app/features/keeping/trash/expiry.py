"""Decides when what was removed has been kept for long enough, whatever the computer's clock says."""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from typing import TYPE_CHECKING

from app.domain.errors import LibraryUnusable
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from app.core.storage.database import Database

TRASH_DAYS = 30
_DAY = 86_400.0
_MOST = 7 * _DAY  # seconds that one sweep counts
_KEY = "trash"

_log = logging.getLogger(__name__)


class Expiry:
    """Counts for how long things have been in the trash, in time that the library was in use.

    A wrong clock would otherwise empty the trash: things removed while it said 2001, or one start while it
    says 2200. Each sweep counts the time since the last one, from nothing up to a week; what was removed
    expires when :data:`TRASH_DAYS` have been counted since the first sweep that found it.

    Things are known by the moment they were removed, as the library stores it: a document's
    ``trashed_at``, a conversation's ``deleted_at``, or the creation of a conversation that never got a
    question.

    Args:
        now: returns seconds since the epoch.
    """

    def __init__(self, database: Database, now: Callable[[], float] = time.time) -> None:
        self._db = database
        self._now = now

    def sweep(self) -> list[float]:
        """Count the time since the last sweep; return the moments of what has expired, oldest first.

        Raises:
            LibraryUnusable: the library is damaged.
        """
        now = self._now()
        try:
            (last, counted), moments = self._load(), self._moments()
        except sqlite3.OperationalError as error:  # in use, or a disk that cannot be read
            _log.warning("The trash is not emptied now: %s", error)
            return []
        except sqlite3.DatabaseError as error:
            message = Message("storage.damaged", directory=self._db.data_dir, reason=error)
            raise LibraryUnusable(message) from error
        passed = 0.0 if last is None else min(max(now - last, 0.0), _MOST)
        kept = {moment: counted[moment] + passed if moment in counted else 0.0 for moment in moments}
        if kept or counted:
            try:
                self._db.set_meta(_KEY, json.dumps({"last": now, "kept": list(kept.items())}))
            except LibraryUnusable as error:  # a full disk; time that is not counted keeps things for longer
                _log.warning("The trash is not emptied now: %s", error)
                return []
        return [moment for moment, seconds in kept.items() if seconds >= TRASH_DAYS * _DAY]

    def due(self, moments: Iterable[float]) -> dict[float, float]:
        """Return when things removed at these moments expire at the earliest, in seconds since the epoch."""
        latest, (_, kept) = self._now() + TRASH_DAYS * _DAY, self._load()
        return {moment: latest - kept.get(moment, 0.0) for moment in moments}

    def _moments(self) -> list[float]:
        rows = self._db.connection.execute(
            """SELECT trashed_at FROM documents WHERE trashed_at IS NOT NULL
               UNION SELECT ifnull(deleted_at, created_at) FROM conversations
               WHERE deleted_at IS NOT NULL OR title = '' ORDER BY 1"""
        )
        return [row[0] for row in rows]

    def _load(self) -> tuple[float | None, dict[float, float]]:
        """Return when the last sweep was, and for how long each thing had been kept then."""
        text = self._db.meta(_KEY)
        if text is None:
            return None, {}
        stored = json.loads(text)
        return stored["last"], dict(stored["kept"])
