"""The settings dialog and what it asks of the workers: models, a trial of the connection, costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.config.secrets import KeyStatus
from app.domain.model_servers import ConnectionCheck
from app.ui.chat.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.config.settings import Settings
    from app.domain.model_servers import ModelInfo
    from app.ui.settings.settings_dialog import SettingsDialog
    from app.ui.shell.theme import Theme
    from app.workers.workers import Workers


class SettingsController(QObject):
    """Opens one settings dialog at a time.

    Args:
        window: the dialog's parent.
        next_job: gives the number of a new job.
    """

    def __init__(self, window: QWidget, next_job: Callable[[], int]) -> None:
        super().__init__(window)
        self.budget = Budget(window)
        self.has_model = False
        self._window = window
        self._next_job = next_job
        self._workers: Workers | None = None
        self._dialog: SettingsDialog | None = None
        self._key_status = KeyStatus()
        self._models: tuple[ModelInfo, ...] = ()
        self._trial: int | None = None

    def attach(self, workers: Workers) -> None:
        """Connect the workers."""
        self._workers = workers
        workers.library.opened.connect(lambda _: workers.chat.tell_spending())
        workers.library.key_status.connect(self._show_key_status)
        workers.library.settings_saved.connect(self._settings_saved)
        workers.library.models.connect(self._show_models)
        workers.chat.checked.connect(self._show_finding)
        workers.chat.check_ended.connect(self._trial_ended)
        workers.chat.spent.connect(self.budget.update)

    def detach(self) -> None:
        """The workers are about to end."""
        self._workers = None

    def allows_question(self) -> bool:
        """Return whether a question may be sent; asks the user once the budget is spent."""
        return not self.has_model or self.budget.allows()

    def open(self, settings: Settings, theme: Theme) -> None:
        if self._dialog is not None or self._workers is None:
            return
        # Here, since the first picture of the window would wait for it.
        from app.ui.settings.settings_dialog import SettingsDialog

        dialog = self._dialog = SettingsDialog(settings, self._key_status, theme, self._window)
        dialog.set_models([(model.id, self._label(model)) for model in self._models])
        dialog.set_spending(self.budget.spending)
        self.budget.changed.connect(dialog.set_spending)
        dialog.saved.connect(self._workers.save_requested)
        dialog.test_requested.connect(self._try_out)
        dialog.test_stopped.connect(self._stop_trial)
        dialog.folder_chosen.connect(self._workers.check_model_requested)
        self._workers.library.model_checked.connect(dialog.embedding_model.show_check)
        dialog.finished.connect(self._forget_dialog)
        dialog.open()
        if not self._models:
            self._workers.models_requested.emit()

    # ---- slots ----

    def _try_out(self, settings: Settings, new_key: str | None, use_stored: bool) -> None:
        if self._workers is not None:
            self._trial = self._next_job()
            self._workers.chat.check_connection(self._trial, settings, new_key, use_stored)

    def _stop_trial(self) -> None:
        if self._workers is not None and self._trial is not None:
            self._workers.chat.stop(self._trial)
        self._trial = None

    def _show_finding(self, job: int, finding: ConnectionCheck | tuple[ModelInfo, ...]) -> None:
        if job != self._trial or self._dialog is None:
            return
        if isinstance(finding, ConnectionCheck):
            self._dialog.test.add(finding)
        else:
            self._dialog.set_models([(model.id, self._label(model)) for model in finding])

    def _trial_ended(self, job: int) -> None:
        if job == self._trial and self._dialog is not None:
            self._dialog.test.end()

    def _show_key_status(self, status: KeyStatus, has_model: bool) -> None:
        self._key_status, self.has_model = status, has_model
        if self._dialog is not None:
            self._dialog.key.set_status(status)

    def _settings_saved(self) -> None:
        self._models = ()
        if self._workers is not None:
            self._workers.chat.tell_spending()

    def _show_models(self, models: tuple[ModelInfo, ...]) -> None:
        self._models = models
        if self._dialog is not None:
            self._dialog.set_models([(model.id, self._label(model)) for model in models])

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _label(self, model: ModelInfo) -> str:
        """Return a model's name, with a note if it is deprecated."""
        if not model.deprecated:
            return model.name
        if model.retires:
            return self.tr("{0} (deprecated, ends on {1})").format(model.name, model.retires)
        return self.tr("{0} (deprecated)").format(model.name)
