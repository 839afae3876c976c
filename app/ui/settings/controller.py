"""Opens the settings dialog and gets models, connection tests and costs for it from the workers."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.config.secrets import KeyStatus
from app.config.settings import Settings, load_settings, overridden, with_environment
from app.domain.model_servers import ConnectionCheck, ModelInfo, Spending
from app.ui.chat.chat_controller import Budget
from app.ui.settings.draft import Link
from app.ui.settings.model_offers import ModelButton, model_name
from app.ui.settings.ways import TileList, Ways
from app.ui.widgets.messages import shown
from app.ui.widgets.theme import TEXT_SIZES
from app.workers.job import Job, Lane

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from app.domain.messages import Message
    from app.ui.settings.draft import SettingsDraft
    from app.ui.settings.page import Page
    from app.ui.settings.settings_dialog import SettingsDialog
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
        self._settings = settings  # in effect, or being saved
        self._saving = 0  # saves that have not ended
        self._key_status = KeyStatus()
        self._models: tuple[ModelInfo, ...] = ()
        self._links: list[Link] = []
        # Of features, by their names: what they are called, and what makes them.
        self.pages: dict[str, tuple[str, Callable[[str, SettingsDraft], Page]]] = {}
        self.model_button = ModelButton(window)
        self.model_button.chosen.connect(self._choose_model)
        self.model_button.opened.connect(self._open_menu)
        self.model_button.settings_requested.connect(lambda: self.open())
        self._show_model()
        self.ways = Ways(workers, self)
        self.ways.changed.connect(self._show_ways)
        self.ways.chosen.connect(self._choose_way)
        self.ways.downloaded.connect(self._choose_downloaded)
        self.ways.wanted.connect(self._set_up)
        self.tiles = TileList(only_there=True)  # for the welcome
        self._priced = ""  # the model whose price was asked for
        self._test: Job[None] | None = None
        self._look: Job[None] | None = None  # at the server chosen in the dialog
        workers.ready.connect(self.add_up_costs)
        workers.ready.connect(self._library_ready)
        workers.key_status.connect(self._show_key_status)
        workers.settings_saved.connect(self._settings_saved)
        workers.spent.connect(self.budget.update)
        self.budget.changed.connect(self._show_spending)

    @property
    def dialog(self) -> SettingsDialog | None:
        return self._dialog

    def add_link(self, title: str, action: QAction, about: str = "") -> None:
        """Add a row to the library's page that runs an action."""
        self._links.append(Link(title, about, action.text().replace("&", ""), action.trigger))

    def allows_question(self, *, confirming: bool) -> bool:
        """Return whether a question may be sent; once the budget is spent, ask the user if ``confirming``."""
        return not self.has_model or self.budget.allows(confirming=confirming)

    def models_here(self) -> str:
        """Return what could write answers on this computer, a line each."""
        settings = with_environment(self._settings)
        tiles = self.ways.tiles(settings, settings)
        return "\n".join(f"{tile.title}: {tile.line}" for tile in tiles if tile.is_here and tile.is_there)

    def open(self, page: str = "answers") -> None:
        """Show a page of the settings: answers, library, appearance, languages or advanced."""
        if self._dialog is not None or not self._workers.is_running:
            return
        self._take_stored()
        # Imported late so that the window paints sooner.
        from app.ui.settings.settings_dialog import SettingsDialog

        dialog = self._dialog = SettingsDialog(
            self._settings, self._key_status, self._window, page, self._links, self.pages, self.ways
        )
        dialog.draft.tell(spending=self.budget.spending, models=self._named(self._models))
        dialog.save_requested.connect(partial(self._save, dialog=dialog))
        dialog.draft.test_requested.connect(self._test_connection)
        dialog.draft.test_stopped.connect(self._stop_test)
        dialog.draft.server_chosen.connect(self._look_at_server)
        dialog.draft.changed.connect(self._price_page)
        dialog.finished.connect(self._forget_dialog)
        dialog.open()
        self.ways.look()
        self._priced = ""
        self._price_page()
        if not self._models:
            self._ask_for_models()

    def zoom(self, steps: int) -> None:
        """Make text larger or smaller by some steps; for none, as large as usual."""
        at = bisect_left(TEXT_SIZES, self._settings.text_size) + steps
        size = TEXT_SIZES[min(max(at, 0), len(TEXT_SIZES) - 1)] if steps else 100
        if size != self._settings.text_size:
            self._save(replace(self._settings, text_size=size))

    def _library_ready(self) -> None:
        if not self.has_model:
            self.ways.look()
        if self._settings.provider == "local":
            self._ask_for_models()  # for its name

    def add_up_costs(self) -> None:
        """Update the costs, for example after an answer."""
        self._workers.answers.tell_spending().run(self)

    def choose_theme(self, theme: str) -> None:
        """Use the theme ``light`` or ``dark``, or ``system`` for the desktop's."""
        if theme != self._settings.theme:
            self._save(replace(self._settings, theme=theme))

    def _save(
        self,
        settings: Settings,
        new_key: str | None = None,
        remove_key: bool = False,
        dialog: SettingsDialog | None = None,
    ) -> None:
        """Save settings; the dialog that asks for it closes once they are, and says why they cannot be."""
        before, self._settings = self._settings, settings
        server, old_server = (
            (one.provider, one.base_url, one.provider == "local" and one.model) for one in (settings, before)
        )
        other_server = new_key or remove_key or server != old_server
        if other_server:
            self._models = ()

        def succeed(_: None) -> None:
            if other_server:
                self._ask_for_models()
            if dialog is not None and dialog is self._dialog:
                dialog.finish()

        def fail(message: Message) -> None:
            self._settings = before
            if dialog is not None and dialog is self._dialog:
                dialog.stay(shown(message))
            else:
                self._workers.problem.emit(message)

        def end() -> None:
            self._saving -= 1

        saving = self._workers.library.save_settings(settings, new_key, remove_key, before=before)
        self._saving += 1
        saving.run(self, success=succeed, failure=fail, finished=end)

    def _take_stored(self) -> None:
        """Use settings that another program, such as a command, has saved."""
        if self._saving or not self._workers.is_running:
            return
        stored = load_settings(self._workers.settings_file, self._settings)
        if stored != self._settings:
            self._save(stored)
            self._show_model()

    def _test_connection(self, settings: Settings, new_key: str | None, use_stored: bool) -> None:
        test = self._workers.answers.test_connection(settings, new_key, use_stored)
        self._test = test.run(self, event=self._show_finding, finished=self._test_ended)

    def _look_at_server(self, settings: Settings, new_key: str | None) -> None:
        if self._look is not None:
            self._look.drop()
        look = self._workers.answers.look_at_server(settings, new_key)
        self._look = look.run(self, event=self._show_server)

    def _show_server(self, found: KeyStatus | tuple[ModelInfo, ...]) -> None:
        if self._dialog is None:
            return
        if isinstance(found, KeyStatus):
            self._dialog.draft.tell(key=found)
        else:
            self._dialog.draft.tell(models=self._named(found))

    def _price_page(self) -> None:
        """Show what it costs that the model sees a page."""
        dialog = self._dialog
        if dialog is None or self._priced == dialog.draft.used.model:
            return
        model = self._priced = dialog.draft.used.model

        def show_price(price: float | None) -> None:
            if dialog is self._dialog and model == self._priced:
                dialog.draft.tell(page_price=price)

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
            self._dialog.draft.tell(models=self._named(finding))

    def _test_ended(self) -> None:
        if self._dialog is not None:
            self._dialog.answers.test.end()

    def _show_key_status(self, status: KeyStatus, has_model: bool) -> None:
        self._key_status, self.has_model = status, has_model
        self._show_model()
        self._show_ways()
        if self._dialog is not None:
            self._dialog.draft.tell(key=status)

    def _show_spending(self, spending: Spending) -> None:
        if self._dialog is not None:
            self._dialog.draft.tell(spending=spending)

    def _settings_saved(self, settings: Settings) -> None:
        if self._saving <= 1:  # this is what was saved last
            self._settings = settings
        self._show_model()
        self.ways.look()
        self.add_up_costs()

    def _ask_for_models(self) -> None:
        self._workers.answers.list_models().run(self, success=self._list_models)

    def _list_models(self, models: tuple[ModelInfo, ...]) -> None:
        self._models = models
        self._show_model()
        if models and self._dialog is not None:
            self._dialog.draft.tell(models=self._named(models))

    def _forget_dialog(self) -> None:
        self._dialog = None
        if self._look is not None:
            self._look.drop()

    def _show_model(self) -> None:
        model = with_environment(self._settings).model
        name = next((one.name for one in self._models if one.id == model and one.name), model_name(model))
        self.model_button.show_model(name, can_answer=self.has_model)
        # Where the environment names the model, none can be chosen.
        self.model_button.offer(self._named(() if "model" in overridden() else self._models), model)

    def _choose_model(self, model: str) -> None:
        self._save(replace(self._settings, model=model))

    def _choose_way(self, values: dict[str, Any]) -> None:
        """Use other settings; an open dialog saves or drops them."""
        if self._dialog is None:
            self._save(replace(self._settings, **values))
        else:
            self._dialog.answers.take(values)

    def _choose_downloaded(self, values: dict[str, Any]) -> None:
        if not self.has_model:  # else it is one more to choose from
            self._choose_way(values)

    def _set_up(self, values: dict[str, Any]) -> None:
        self.open()
        if self._dialog is not None:
            self._dialog.answers.set_up(values)

    def _show_ways(self) -> None:
        settings = with_environment(self._settings)
        tiles = self.ways.tiles(settings, settings)
        self.model_button.offer_ways([(tile.title, tile.run) for tile in tiles if tile.is_ready])
        if not self.has_model:
            self.tiles.show_tiles(tiles)

    def _open_menu(self) -> None:
        self._take_stored()
        self.ways.look()
        if self.has_model and not self._models:
            self._ask_for_models()

    def _named(self, models: tuple[ModelInfo, ...]) -> tuple[tuple[str, str], ...]:
        return tuple((model.id, self._label(model)) for model in models)

    def _label(self, model: ModelInfo) -> str:
        if not model.deprecated:
            return model.name
        if model.retires:
            return self.tr("{0} (deprecated, ends on {1})").format(model.name, model.retires)
        return self.tr("{0} (deprecated)").format(model.name)
