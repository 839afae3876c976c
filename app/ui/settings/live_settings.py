"""The settings while their dialog is open: a change is in effect at once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.config.secrets import KeyStatus
from app.config.settings import Settings, overridden, with_environment
from app.domain.model_servers import Spending
from app.ui.widgets.building import one_shot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_TOGETHER_MS = 200  # changes of one field within this time are one: an arrow that is held, a list browsed
# All files are read again for these, so they wait until the dialog is closed.
_WAITING = ("chunk_size", "chunk_overlap", "embedding_model")


@dataclass(frozen=True, slots=True)
class SettingFacts:
    """What the window knows beside the settings, and the pages show."""

    key: KeyStatus = field(default_factory=KeyStatus)
    models: tuple[tuple[str, str], ...] = ()  # ids and names of those the server offers
    spending: Spending = field(default_factory=Spending)
    page_price: float | None = None  # dollars for a page that the model sees; None if unknown


@dataclass(frozen=True, slots=True)
class Link:
    """A row of the library's page that leads to a dialog of a feature."""

    title: str
    about: str
    action: str  # the text of its button
    run: Callable[[], object]


class LiveSettings(QObject):
    saved = Signal(
        object, object, bool
    )  # Settings; a key to store, or None; whether to remove the stored one
    changed = Signal()
    shown = Signal()  # changed by something else than a field: the fields have to show it
    told = Signal()  # other facts
    # Settings and key to test; whether the stored key may be used.
    test_requested = Signal(object, object, bool)
    test_stopped = Signal()
    model_check_requested = Signal(str)  # of an embedding model
    link_chosen = Signal(object)  # the Link

    def __init__(
        self, settings: Settings, key_status: KeyStatus, parent: QObject, links: Sequence[Link] = ()
    ) -> None:
        super().__init__(parent)
        self.links = links
        self.wanted = self.in_effect = settings
        self.overridden = overridden()
        self.facts = SettingFacts(key_status)
        self._soon = one_shot(self, _TOGETHER_MS, self.apply)

    @property
    def used(self) -> Settings:
        """The settings with what the environment overrides."""
        return with_environment(self.wanted)

    def tell(self, **facts: Any) -> None:  # noqa: ANN401 - the fields of Facts
        self.facts = replace(self.facts, **facts)
        self.told.emit()

    def change(self, **values: Any) -> None:  # noqa: ANN401 - the fields of Settings
        wanted = replace(self.wanted, **values).validated()
        if wanted == self.wanted:
            return
        self.wanted = wanted
        self._soon.start()
        self.changed.emit()

    def reset(self, names: tuple[str, ...]) -> None:
        """Give settings the values they have in a new installation, unless the environment overrides them."""
        usual = Settings()
        self.change(**{name: getattr(usual, name) for name in names if name not in self.overridden})
        self.shown.emit()

    def apply(self, new_key: str | None = None, *, remove_key: bool = False) -> None:
        """Save what does not wait, with a key if there is one."""
        waiting = {name: getattr(self.in_effect, name) for name in _WAITING}
        self._save(replace(self.wanted, **waiting), new_key, remove_key)

    def finish(self, new_key: str | None = None, *, remove_key: bool = False) -> None:
        """Save everything: the dialog closes."""
        self._save(self.wanted, new_key, remove_key)

    def take(self, settings: Settings) -> None:
        """Show settings that were changed elsewhere, or could not be saved."""
        if settings != self.in_effect:
            self._soon.stop()
            self.wanted = self.in_effect = settings
            self.changed.emit()
            self.shown.emit()

    def _save(self, settings: Settings, new_key: str | None, remove_key: bool) -> None:
        self._soon.stop()
        if settings != self.in_effect or new_key or remove_key:
            self.in_effect = settings
            self.saved.emit(settings, new_key, remove_key)
