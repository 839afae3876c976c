"""The workers that set formulas and look for pictures, without a library."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from app.workers.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.documents.page_process import PictureProcess
    from app.core.formulas import FormulaService
    from app.core.rag_system import RAGSystem


@contextmanager
def running(service: FormulaService) -> Iterator[Workers]:
    """Run the threads that set formulas."""
    with _running(formulas=service) as workers:
        yield workers


@contextmanager
def running_pictures(process: PictureProcess) -> Iterator[Workers]:
    """Run the threads that look for pictures."""
    with _running(pictures=process) as workers:
        yield workers


@contextmanager
def _running(**services: object) -> Iterator[Workers]:
    workers = Workers()
    workers.rag = cast("RAGSystem", SimpleNamespace(**services))
    workers.reading.start()
    workers.is_running = True
    yield workers
    workers.is_running = False
    workers.reading.close()
    workers.reading.wait()
