"""The thread that sets formulas, without the rest of the workers."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from app.workers.formula_operations import FormulaOperations
from app.workers.job import Courier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.formulas.service import FormulaService
    from app.workers.workers import Workers


class _Workers(Courier):
    """What formulas need of the workers."""

    def __init__(self, service: FormulaService) -> None:
        super().__init__()
        self.rag = SimpleNamespace(formulas=service)


@contextmanager
def running(service: FormulaService) -> Iterator[FormulaOperations]:
    """Run the thread that sets formulas."""
    workers = _Workers(service)
    operations = FormulaOperations(cast("Workers", workers))
    operations.queue.start()
    workers.is_running = True
    yield operations
    workers.is_running = False
    operations.queue.close()
    operations.queue.wait()
