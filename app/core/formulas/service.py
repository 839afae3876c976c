"""FormulaService: sets formulas in a child process, which a hostile one cannot take along."""

from __future__ import annotations

import json
import logging
import threading
from typing import TYPE_CHECKING

from app.core.child_process import ChildDied, ChildOverspent, ChildProcess, ChildTimedOut
from app.core.formulas.typesetting import answer
from app.domain.formulas import SetFormula

if TYPE_CHECKING:
    from app.domain.cancel import CancelToken
    from app.domain.formulas import Formula

_SECONDS = 2.0  # of processor time for one formula; usual ones take 0.01
_CLOCK_SECONDS = 30.0
_MEMORY = 2**30  # bytes
_LONGEST_PICTURE = 500_000  # characters

_log = logging.getLogger(__name__)


class FormulaService:
    """Sets formulas; the first takes a second longer. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child = ChildProcess(
            answer, "lectern-formulas", seconds=_CLOCK_SECONDS, cpu_seconds=_SECONDS, memory=_MEMORY
        )

    def set(self, formula: Formula, token: CancelToken) -> SetFormula | None:
        """Return the picture of a formula; None if it cannot be set, or not within bounds.

        Raises:
            Cancelled: the token was cancelled.
        """
        token.check()
        try:
            with self._lock:
                reply = json.loads(self._child.ask(json.dumps(formula).encode(), token))
        except (ChildDied, ChildTimedOut, ChildOverspent, OSError) as error:
            _log.warning("A formula was not set: %s", error)
            return None
        return SetFormula(*reply) if reply and len(reply[0]) <= _LONGEST_PICTURE else None

    def close(self) -> None:
        """End the child process."""
        self._child.close()
