"""The threads that set formulas and look for pictures, without the rest of the workers."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from app.workers.formula_operations import FormulaOperations
from app.workers.job import Courier
from app.workers.picture_operations import PictureOperations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.documents.picture_process import PictureProcess
    from app.core.formulas import FormulaService
    from app.workers.workers import Workers


class _Workers(Courier):
    """What these operations need of the workers."""

    def __init__(self, **services: object) -> None:
        super().__init__()
        self.rag = SimpleNamespace(**services)


@contextmanager
def running(service: FormulaService) -> Iterator[FormulaOperations]:
    """Run the thread that sets formulas."""
    workers = _Workers(formulas=service)
    operations = FormulaOperations(cast("Workers", workers))
    with _in_thread(workers, operations):
        yield operations


@contextmanager
def running_pictures(process: PictureProcess) -> Iterator[PictureOperations]:
    """Run the thread that looks for pictures."""
    workers = _Workers(pictures=process)
    operations = PictureOperations(cast("Workers", workers))
    with _in_thread(workers, operations):
        yield operations


@contextmanager
def _in_thread(workers: _Workers, operations: FormulaOperations | PictureOperations) -> Iterator[None]:
    operations.queue.start()
    workers.is_running = True
    yield
    workers.is_running = False
    operations.queue.close()
    operations.queue.wait()
