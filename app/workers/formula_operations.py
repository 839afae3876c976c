"""Sets formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.cancel import CancelToken
from app.workers.job import Job, Operations

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from app.domain.figures import Formula, SetFormula
    from app.workers.workers import Workers


class FormulaOperations(Operations):
    """Sets formulas, which answers that are being written wait for."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "formulas")

    def set(self, formulas: Sequence[Formula]) -> Job[None]:
        """The events are pairs of a formula and its picture, None if it cannot be set."""

        def work(job: Job[None]) -> Generator[tuple[Formula, SetFormula | None], None, None]:
            for formula in formulas:
                yield formula, self._rag.formulas.set(formula, job.token)

        return self._job("Setting formulas", work)

    def set_at_once(self, formula: Formula) -> SetFormula | None:
        """Set a formula in the thread that calls, which must not be the window's."""
        return self._rag.formulas.set(formula, CancelToken())
