"""Looks through folders before they are read."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LecternError

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem

_log = logging.getLogger(__name__)


class PlanWorker(QObject):
    """Lives in a thread of its own, so that a plan need not wait for what is being read."""

    planned = Signal(int, object)
    """Job and IngestPlan."""
    failed = Signal(int, str)
    """Job, and one sentence why there is no plan."""
    crashed = Signal(str)
    """A bug: what was being done."""

    def __init__(self, rag: RAGSystem) -> None:
        super().__init__()
        self._rag = rag
        self._token = CancelToken()
        self._closing = False

    def cancel(self) -> None:
        """End looking; nothing is told of it. May be called from any thread."""
        self._token.cancel()

    def close(self) -> None:
        """End looking and begin no more; may be called from any thread."""
        self._closing = True
        self._token.cancel()

    @Slot(int, object)
    def plan(self, job: int, paths: tuple[Path, ...]) -> None:
        """Find out what reading these folders and files would do."""
        self._token = CancelToken()
        if self._closing:
            return
        try:
            self.planned.emit(job, self._rag.ingest.plan(paths, self._token))
        except Cancelled:
            pass
        except LecternError as error:
            self.failed.emit(job, str(error))
        except Exception:
            _log.exception("Looking through a folder failed.")
            self.crashed.emit(self.tr("Looking through the folder"))
            self.failed.emit(job, self.tr("The folder could not be looked through."))
