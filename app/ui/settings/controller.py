"""Opens the settings dialog and gets models, connection tests and costs for it from the workers."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.config.secrets import KeyStatus
from app.config.settings import overridden, with_environment
from app.domain.model_servers import ConnectionCheck
from app.ui.chat.chat_controller import Budget
from app.ui.settings.model_offers import ModelButton, model_name
from app.ui.widgets.messages import shown
from app.ui.widgets.theme import TEXT_SIZES
from app.workers.job import Lane

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.config.settings import Settings
    from app.domain.messages import Message
    from app.domain.model_servers import ModelInfo, Spending
    from app.ui.settings.live_settings import Link, LiveSettings
    from app.ui.settings.page import Page
    from app.ui.settings.settings_dialog import SettingsDialog
    from app.workers.job import Job
    from app.workers.workers import Workers


class SettingsController(QObject):
    """Opens one settings dialog at a time; results for a dialog that was closed are dropped."""

    def __init__(self, window: QWidget, workers: Workers, settings: Settings) -> None:
        super().__init__(window)
        self.budget = Budget(window)
        self.has_model = False
        self._window = window
        self._workers = workers
        self._dialog: SettingsDialog | None = None
        self._settings = self._latest = settings  # in effect; with what is being saved
        self._key_status = KeyStatus()
        self._models: tuple[ModelInfo, ...] = ()
        self._links: list[Link] = []
        # Of features, by their names: what they are called, and what makes them.
        self.pages: dict[str, tuple[str, Callable[[str, LiveSettings], Page]]] = {}
        self._saving = 0  # saves that have not ended
        self.model_button = ModelButton(window)
        self.model_button.chosen.connect(self._choose_model)
        self.model_button.opened.connect(self._open_menu)
        self.model_button.settings_requested.connect(self._open_answers)
        self._show_model()
        self._priced = ""  # the model whose price was asked for
        self._test: Job[None] | None = None
        workers.ready.connect(self.add_up_costs)
        workers.key_status.connect(self._show_key_status)
        workers.settings_saved.connect(self._settings_saved)
        workers.spent.connect(self.budget.update)
        self.budget.changed.connect(self._show_spending)

    @property
    def dialog(self) -> SettingsDialog | None:
        return self._dialog

    def add_link(self, link: Link) -> None:
        """Let the library's page lead to a dialog of a feature."""
        self._links.append(link)

    def allows_question(self, *, confirming: bool) -> bool:
        """Return whether a question may be sent; once the budget is spent, ask the user if ``confirming``."""
        return not self.has_model or self.budget.allows(confirming=confirming)

    def open(self, settings: Settings, page: str = "answers") -> None:
        """Show a page of the settings: answers, library, appearance, languages or advanced."""
        if self._dialog is not None or not self._workers.is_running:
            return
        # Imported late so that the window paints sooner.
        from app.ui.settings.settings_dialog import SettingsDialog

        self._settings = settings
        dialog = self._dialog = SettingsDialog(
            settings, self._key_status, self._window, page, self._links, self.pages
        )
        live = dialog.live
        live.tell(spending=self.budget.spending, models=self._named(self._models))
        live.saved.connect(self._save)
        live.test_requested.connect(self._test_connection)
        live.test_stopped.connect(self._stop_test)
        live.model_check_requested.connect(self._check_model)
        live.link_chosen.connect(self._follow)
        live.changed.connect(self._price_page)
        dialog.finished.connect(self._forget_dialog)
        dialog.open()
        self._priced = ""
        self._price_page()
        if not self._models:
            self._ask_for_models()

    def zoom(self, steps: int) -> None:
        """Make text larger or smaller by some steps; for none, as large as usual."""
        at = bisect_left(TEXT_SIZES, self._latest.text_size) + steps
        size = TEXT_SIZES[min(max(at, 0), len(TEXT_SIZES) - 1)] if steps else 100
        if size != self._latest.text_size:
            self._save(replace(self._latest, text_size=size), None, remove_key=False)

    def add_up_costs(self) -> None:
        """Update the costs, for example after an answer."""
        self._workers.answers.tell_spending().run(self)

    def choose_theme(self, theme: str) -> None:
        """Use the theme ``light`` or ``dark``, or ``system`` for the desktop's."""
        if theme != self._latest.theme:
            self._save(replace(self._latest, theme=theme), None, remove_key=False)

    def _save(self, settings: Settings, new_key: str | None, remove_key: bool) -> None:
        self._saving += 1
        self._latest = settings
        saving = self._workers.library.save_settings(settings, new_key, remove_key)
        if new_key or remove_key or settings.base_url != self._settings.base_url:
            self._models = ()
            saving.run(self, success=self._ask_for_models, finished=self._saved)
        else:
            saving.run(self, finished=self._saved)

    def _saved(self) -> None:
        """Show what is in effect now, unless the next save is under way."""
        self._saving -= 1
        if self._saving:
            return
        self._latest = self._settings
        if self._dialog is not None:
            self._dialog.live.take(self._settings)
            self._dialog.refit()

    def _check_model(self, value: str) -> None:
        def show_check(why_not: Message | None) -> None:
            if self._dialog is not None:
                self._dialog.languages.model.show_check(value, "" if why_not is None else shown(why_not))

        self._workers.job(
            Lane.READ,
            "Checking an embedding model",
            lambda rag, _: rag.reindex.check_model(value),
            key="library",
        ).run(self, success=show_check, failure=show_check)

    def _test_connection(self, settings: Settings, new_key: str | None, use_stored: bool) -> None:
        test = self._workers.answers.test_connection(settings, new_key, use_stored)
        self._test = test.run(self, event=self._show_finding, finished=self._test_ended)

    def _price_page(self) -> None:
        """Show what it costs that the model sees a page."""
        dialog = self._dialog
        if dialog is None or self._priced == dialog.live.used.model:
            return
        model = self._priced = dialog.live.used.model

        def show_price(price: float | None) -> None:
            if dialog is self._dialog and model == self._priced:
                dialog.live.tell(page_price=price)

        self._workers.job(
            Lane.READ, "Pricing pages", lambda rag, _: rag.answers.price_of_page(model), key="library"
        ).run(self, success=show_price)

    def _stop_test(self) -> None:
        if self._test is not None:
            self._test.drop()
        self._test = None

    def _show_finding(self, finding: ConnectionCheck | tuple[ModelInfo, ...]) -> None:
        if self._dialog is None:
            return
        if isinstance(finding, ConnectionCheck):
            self._dialog.answers.test.add(finding)
        else:
            self._dialog.live.tell(models=self._named(finding))

    def _test_ended(self) -> None:
        if self._dialog is not None:
            self._dialog.answers.test.end()

    def _show_key_status(self, status: KeyStatus, has_model: bool) -> None:
        self._key_status, self.has_model = status, has_model
        self._show_model()
        if self._dialog is not None:
            self._dialog.live.tell(key=status)

    def _show_spending(self, spending: Spending) -> None:
        if self._dialog is not None:
            self._dialog.live.tell(spending=spending)

    def _settings_saved(self, settings: Settings) -> None:
        self._settings = settings
        self._show_model()
        self.add_up_costs()
        if self._saving:
            return
        self._latest = settings
        if self._dialog is not None:
            self._dialog.live.take(settings)

    def _ask_for_models(self, _saved: None = None) -> None:
        self._workers.answers.list_models().run(self, success=self._list_models)

    def _list_models(self, models: tuple[ModelInfo, ...]) -> None:
        self._models = models
        self._show_model()
        if models and self._dialog is not None:
            self._dialog.live.tell(models=self._named(models))

    def _follow(self, link: Link) -> None:
        if self._dialog is not None and self._dialog.close():  # which it refuses with a mistake in a field
            link.run()

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _show_model(self) -> None:
        model = with_environment(self._settings).model
        name = next((one.name for one in self._models if one.id == model and one.name), model_name(model))
        self.model_button.show_model(name, can_answer=self.has_model)
        # Where the environment names the model, none can be chosen.
        self.model_button.offer(self._named(() if "model" in overridden() else self._models), model)

    def _choose_model(self, model: str) -> None:
        self._save(replace(self._latest, model=model), None, remove_key=False)

    def _open_menu(self) -> None:
        if self.has_model and not self._models:
            self._ask_for_models()

    def _open_answers(self) -> None:
        self.open(self._settings)

    def _named(self, models: tuple[ModelInfo, ...]) -> tuple[tuple[str, str], ...]:
        return tuple((model.id, self._label(model)) for model in models)

    def _label(self, model: ModelInfo) -> str:
        if not model.deprecated:
            return model.name
        if model.retires:
            return self.tr("{0} (deprecated, ends on {1})").format(model.name, model.retires)
        return self.tr("{0} (deprecated)").format(model.name)
