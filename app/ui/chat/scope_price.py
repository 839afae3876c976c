"""The price of what is sent along with each question, shown at the chips of the scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.domain.scope import Scope

if TYPE_CHECKING:
    from app.domain.model_servers import WholeScope
    from app.ui.chat.scope_bar import ScopeBar
    from app.workers.job import Job
    from app.workers.workers import Workers


class ScopePrice(QObject):
    """Keeps the price up to date with the scope and the settings."""

    def __init__(self, bar: ScopeBar, workers: Workers) -> None:
        super().__init__(bar)
        self._bar = bar
        self._workers = workers
        self._scope = Scope()
        self._job: Job[WholeScope | None] | None = None
        workers.settings_saved.connect(self._update)

    def _update(self) -> None:
        self.show_for(self._scope)

    def show_for(self, scope: Scope) -> None:
        if scope != self._scope:
            self._bar.tell_whole(None)
        self._scope = scope
        if self._job is not None:
            self._job.drop()
        job = self._workers.library.price_scope(scope)
        # What keeps it from being known is reported by what the user asks for.
        self._job = job.run(self, success=self._bar.tell_whole, failure=lambda _: None)
