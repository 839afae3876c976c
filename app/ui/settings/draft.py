"""The settings as the open dialog has them, and what else its pages show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from app.config.secrets import KeyStatus
from app.config.settings import Settings, overridden, with_environment
from app.domain.model_servers import Spending
from app.ui.settings.ways import Ways


@dataclass(frozen=True, slots=True)
class SettingFacts:
    """What the pages show besides the settings."""

    key: KeyStatus = field(default_factory=KeyStatus)
    models: tuple[tuple[str, str], ...] = ()  # ids and names of those the server offers
    spending: Spending = field(default_factory=Spending)
    page_price: float | None = None  # dollars for a page that the model sees; None if unknown


class Link(NamedTuple):
    """A row of the library's page that leads to a dialog."""

    title: str
    about: str
    action: str  # the text of its button
    run: Callable[[], object]


class SettingsDraft(QObject):
    """Holds what was changed until it is saved."""

    changed = Signal()  # the settings or the facts
    shown = Signal()  # the settings were reset: the fields have to show it
    # Settings and key to test; whether the stored key may be used.
    test_requested = Signal(object, object, bool)
    test_stopped = Signal()
    server_chosen = Signal(object, object)  # another server's settings, and a key that was typed
    link_chosen = Signal(object)  # the Link

    def __init__(
        self,
        settings: Settings,
        key_status: KeyStatus,
        parent: QObject,
        links: Sequence[Link] = (),
        ways: Ways | None = None,
    ) -> None:
        super().__init__(parent)
        self.links = links
        self.ways = ways
        self.wanted = self.in_effect = settings
        self.overridden = overridden()
        self.facts = SettingFacts(key_status)

    @property
    def used(self) -> Settings:
        """The settings with what the environment overrides."""
        return with_environment(self.wanted)

    def tell(self, **facts: Any) -> None:  # noqa: ANN401 - the fields of SettingFacts
        self.facts = replace(self.facts, **facts)
        self.changed.emit()

    def change(self, **values: Any) -> None:  # noqa: ANN401 - the fields of Settings
        wanted = replace(self.wanted, **values).validated()
        if wanted != self.wanted:
            self.wanted = wanted
            self.changed.emit()

    def reset(self, names: Sequence[str]) -> None:
        """Give settings the values they have in a new installation, unless the environment overrides them."""
        usual = Settings()
        self.change(**{name: getattr(usual, name) for name in names if name not in self.overridden})
        self.shown.emit()
