"""The fields that say where a library on a server is, and what opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QWidget,
)

from app.domain.errors import UserError
from app.domain.shared import DEFAULT_DATABASE, DEFAULT_TENANT
from app.features.shared.model import server_address
from app.ui.widgets.building import Cell, Stretch, hbox, link_button, name_button, vbox
from app.ui.widgets.folders import start_folder
from app.ui.widgets.form import Section, choice
from app.ui.widgets.messages import shown
from app.ui.widgets.theme import Theme, fix_icon, scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.shared import ServerAddress

_LONGEST_TOKEN = 4096
_OF_TOKEN = ("server.no_access", "server.token_rejected")
_OF_DATABASE = ("server.no_database", "server.no_library", "shared.not_a_library")


class ServerForm(QWidget):
    """Asks for an address and a token; the rest is below "More", which few servers need.

    Args:
        title: above the fields.
        hint: where the address is from.
        known: servers that can be chosen instead of typing an address.
    """

    changed = Signal()
    more_shown = Signal()

    def __init__(self, title: str, hint: str, known: Sequence[ServerAddress] = ()) -> None:
        super().__init__()
        self._known = {address.key: address for address in known}
        names = {address.key: _name(address) for address in known}
        self.server = choice({**names, "": self.tr("Another server")}, next(iter(names), ""))
        self.address = QLineEdit(placeholderText="https://chroma.example.org")
        self.token = QLineEdit(echoMode=QLineEdit.EchoMode.Password, maxLength=_LONGEST_TOKEN)
        self.show_token = QToolButton()
        self.show_token.setCheckable(True)
        fix_icon(self.show_token, 16)
        self.more = link_button(self.tr("More"), self._toggle_more)
        self.tenant = QLineEdit(placeholderText=DEFAULT_TENANT)
        self.database = QLineEdit(placeholderText=DEFAULT_DATABASE)
        self.ca_file = QLineEdit(placeholderText=self.tr("Those that the system trusts"))
        self.choose_ca = QPushButton(self.tr("Choose…"), autoDefault=False)
        self._section = Section(title)
        self._build(hint)
        self._connect()
        self._show_token(False)
        self._show_rows()

    def chosen(self) -> ServerAddress | None:
        """Return the address, or mark the field that is wrong."""
        known = self._known.get(self.server.currentData())
        if known is not None:
            return known
        try:
            return server_address(
                self.address.text(), self.tenant.text(), self.database.text(), self.ca_file.text().strip()
            )
        except UserError as error:
            self._address_row.fail(shown(error.message))
            self.address.setFocus()
            return None

    @property
    def new_token(self) -> str | None:
        """The token that was typed; None for the one that is kept, if there is one."""
        return self.token.text().strip() or None

    @property
    def is_filled(self) -> bool:
        return bool(self.server.currentData() or self.address.text().strip())

    def lead_to_cause(self, message_id: str) -> None:
        """Give the keyboard to what a message about a server speaks of, if that is a field."""
        if message_id in _OF_TOKEN:
            self.token.setFocus()
            self.token.selectAll()
        elif message_id in _OF_DATABASE and not self.server.currentData():
            self._toggle_more()
            self.database.setFocus()

    # ---- internals ----

    def _build(self, hint: str) -> None:
        section = self._section
        self._server_row = section.add(self.tr("Server"), self.server, narrow=False)
        self._server_row.need(bool(self._known))
        self._address_row = section.add(self.tr("Address"), self.address, hint, narrow=False)
        token, ca = QWidget(), QWidget()
        hbox(Cell(self.token, 1), self.show_token, spacing=8, parent=token)
        token.setFocusProxy(self.token)
        self.token.setAccessibleName(self.tr("Token"))
        about = self.tr("Kept in the system keychain. Leave it empty if the server asks for none.")
        self._token_row = section.add(self.tr("Token"), token, about, narrow=False)
        hbox(Cell(self.ca_file, 1), self.choose_ca, spacing=8, parent=ca)
        ca.setFocusProxy(self.ca_file)
        self.ca_file.setAccessibleName(self.tr("Certificates"))
        self.choose_ca.setProperty("compact", True)
        self.choose_ca.setAccessibleName(self.tr("Choose a file with certificates"))
        about = self.tr("A file (PEM) that vouches for a server with a certificate of its own.")
        self._rare_rows = (
            section.add(self.tr("Tenant"), self.tenant, narrow=False),
            section.add(self.tr("Database"), self.database, narrow=False),
            section.add(self.tr("Certificates"), ca, about, narrow=False),
        )
        self._more_row = section.add("", self.more)
        vbox(section, parent=self)

    def _connect(self) -> None:
        self.server.currentIndexChanged.connect(self._show_rows)
        self.show_token.toggled.connect(self._show_token)
        self.choose_ca.clicked.connect(self._choose_ca)
        self.address.textChanged.connect(self._warn_of_plain_text)
        for field in (self.address, self.token, self.tenant, self.database, self.ca_file):
            field.textChanged.connect(self.changed)

    def _toggle_more(self) -> None:
        self._show_rows(more=True)
        self.more_shown.emit()
        self.tenant.setFocus()

    def _show_rows(self, _: int = 0, *, more: bool = False) -> None:
        is_new = not self.server.currentData()
        self._address_row.need(is_new)
        for row in self._rare_rows:
            row.need(is_new and more)
        self._more_row.need(is_new and not more)
        self.token.setPlaceholderText("" if is_new else self.tr("The saved one, if there is one"))
        self.changed.emit()

    def _show_token(self, seen: bool) -> None:
        self.token.setEchoMode(QLineEdit.EchoMode.Normal if seen else QLineEdit.EchoMode.Password)
        self.show_token.setIcon(Theme.current().icon("eye-off" if seen else "eye"))
        name_button(self.show_token, self.tr("Hide the token") if seen else self.tr("Show the token"))

    def _warn_of_plain_text(self) -> None:
        try:
            address = server_address(self.address.text())
        except UserError:
            self._address_row.help()
            return
        if address.is_exposed:
            text = self.tr("Without https, others on the way can read the token and what you ask.")
            self._address_row.warn(text)
        else:
            self._address_row.help()

    def _choose_ca(self) -> None:
        kinds = self.tr("Certificates (*.pem *.crt *.cer);;All files (*)")
        chosen, _ = QFileDialog.getOpenFileName(self, self.tr("Choose certificates"), start_folder(), kinds)
        if chosen:
            self.ca_file.setText(chosen)


def _name(address: ServerAddress) -> str:
    is_default = (address.tenant, address.database) == (DEFAULT_TENANT, DEFAULT_DATABASE)
    return address.url if is_default else f"{address.url} · {address.tenant} · {address.database}"


def scrolled(content: QWidget) -> QScrollArea:
    """Return an area for a form that may be higher than a small screen."""
    inside = QWidget()
    vbox(content, Stretch(), parent=inside, margins=(0, 0, 8, 0))
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setMinimumHeight(scaled(140))
    area.setWidget(inside)
    return area
