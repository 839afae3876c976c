"""A page of the settings dialog: rows of fields that show and change settings by their names."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from PySide6.QtCore import QSignalBlocker, Qt, SignalInstance
from PySide6.QtWidgets import QScrollArea, QWidget

from app.config.settings import LIMITS
from app.ui.widgets.building import Stretch, vbox
from app.ui.widgets.form import FIELD_WIDTH, Row, Section, WheelGuard, check_box, choice, number_box
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from app.ui.settings.draft import SettingsDraft


class Page(QScrollArea):
    """A subclass adds its rows in ``build``.

    Attributes:
        fields: those of single settings, by the name of the setting.
        settings: the names of all settings of the page, which "Reset page" resets.
    """

    def __init__(self, title: str, draft: SettingsDraft) -> None:
        super().__init__(widgetResizable=True)
        self.draft = draft
        self.fields: dict[str, QWidget] = {}
        self.settings: list[str] = []
        self._show_value: dict[str, Callable[[Any], object]] = {}
        self._section = Section(title)
        inside = QWidget()
        vbox(self._section, Stretch(), margins=(24, 20, 24, 20), parent=inside)
        self.build()
        WheelGuard(inside)
        self.setWidget(inside)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        draft.shown.connect(self.show_settings)
        draft.changed.connect(self.update_rows)
        self.update_rows()

    def build(self) -> None:
        """Add the rows of the page."""

    def update_rows(self) -> None:
        """Adapt lines of help to the settings and to what else is known."""

    def show_settings(self) -> None:
        for name, show in self._show_value.items():
            with QSignalBlocker(self.fields[name]):
                show(getattr(self.draft.wanted, name))

    def mistake(self) -> QWidget | None:
        """Return the field that cannot be saved as it is, if any."""
        return None

    # Rows

    def number(
        self,
        name: str,
        label: str,
        about: str,
        *,
        unit: str = "",
        step: int = 1,
        prefix: str = "",
        none: str = "",
    ) -> Row:
        """Add a number; ``none`` is shown for the least one."""
        least, most = LIMITS[name]
        box = number_box(least, most, step=step, prefix=prefix, suffix=unit)
        box.setSpecialValueText(none)
        box.setValue(getattr(self.draft.wanted, name))
        box.setFixedWidth(scaled(FIELD_WIDTH))
        return self._bind(name, self._section.add(label, box, about), box.valueChanged, box.setValue)

    def check(self, name: str, label: str, text: str, about: str) -> Row:
        box = check_box(text, getattr(self.draft.wanted, name))
        return self._bind(name, self._section.add(label, box, about), box.toggled, box.setChecked)

    def choice(self, name: str, label: str, offers: Mapping[Any, str], about: str) -> Row:
        box = choice(offers, getattr(self.draft.wanted, name))

        def show(value: object) -> None:
            box.setCurrentIndex(max(box.findData(value), 0))

        row = self._section.add(label, box, about)
        return self._bind(name, row, box.currentIndexChanged, show, box.currentData)

    def _bind(
        self,
        name: str,
        row: Row,
        changed: SignalInstance,
        show: Callable[[Any], object],
        value: Callable[[], object] | None = None,
    ) -> Row:
        """Connect a row with a setting; its value is the signal's argument unless one is given."""
        changed.connect(lambda new: self.draft.change(**{name: value() if value else new}))
        self.fields[name] = row.field
        self.settings.append(name)
        self._show_value[name] = show
        return row


def is_loopback(host: str) -> bool:
    name = host.rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_server_address(text: str) -> bool:
    """Return whether ``text`` can be a model server's address: http(s) and a host, no query."""
    try:
        parts = urlsplit(text)
        valid_port = parts.port is None or parts.port > 0
    except ValueError:
        return False
    spaced = any(character.isspace() or not character.isprintable() for character in text)
    return (
        parts.scheme.lower() in ("http", "https")
        and bool(parts.hostname)
        and valid_port
        and not (spaced or parts.query or parts.fragment)
    )


def has_user_info(text: str) -> bool:
    """Return whether the address holds a user name or password, which would be saved in a file."""
    return "@" in text.partition("://")[2].partition("/")[0]


def is_unencrypted(text: str) -> bool:
    """Return whether a key sent to this address could be read on the way."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme.lower() == "http" and not is_loopback(parts.hostname or "")


def is_possible_key(text: str) -> bool:
    """Return whether ``text`` can be sent as a key: printable ASCII without spaces."""
    return all("!" <= character <= "~" for character in text)
