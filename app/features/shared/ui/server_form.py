"""The fields that say where a library on a server is, and what opens it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QFormLayout,
    QFrame,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

from app.domain.errors import UserError
from app.domain.shared import DEFAULT_DATABASE, DEFAULT_TENANT
from app.features.shared.model import server_address
from app.ui.widgets.building import Cell, Stretch, hbox, link_button, set_look, vbox
from app.ui.widgets.desktop import start_folder
from app.ui.widgets.form import choice
from app.ui.widgets.messages import shown
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.shared import ServerAddress

_LONGEST_TOKEN = 4096
_OF_TOKEN = ("server.no_access", "server.token_rejected")
_OF_DATABASE = ("server.no_database", "server.no_library", "shared.not_a_library")


class ServerForm(QWidget):
    """Asks for an address and a token; the rest is below "More", which few servers need."""

    changed = Signal()

    def __init__(self, hint: str, known: Sequence[ServerAddress] = ()) -> None:
        super().__init__()
        self._known = {address.key: address for address in known}
        names = {address.key: _name(address) for address in known}
        self.server = choice({**names, "": self.tr("Another server")}, next(iter(names), ""))
        self.address = QLineEdit(placeholderText="https://chroma.example.org")
        self._hint, self._of_address = hint, plain_label(hint, "caption")
        self.token = QLineEdit(echoMode=QLineEdit.EchoMode.Password, maxLength=_LONGEST_TOKEN)
        self.show_token = QCheckBox(self.tr("Show the token"))
        of_token = self.tr("Kept in the system keychain. Leave it empty if the server asks for none.")
        self.more = link_button(self.tr("More"), self._show_more)
        self.tenant = QLineEdit(placeholderText=DEFAULT_TENANT)
        self.database = QLineEdit(placeholderText=DEFAULT_DATABASE)
        self.ca_file = QLineEdit(placeholderText=self.tr("Those that the system trusts"))
        self.ca_file.setAccessibleName(self.tr("Certificates"))
        self.choose_ca = QPushButton(self.tr("Choose…"), autoDefault=False)
        self.choose_ca.setAccessibleName(self.tr("Choose a file with certificates"))
        self._ca = QWidget()
        hbox(Cell(self.ca_file, 1), self.choose_ca, spacing=8, parent=self._ca)
        of_ca = self.tr("A file (PEM) that vouches for a server with a certificate of its own.")
        self._of_ca = plain_label(of_ca, "caption")
        self._form = QFormLayout(self)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self._form.setContentsMargins(0, 0, 0, 0)
        for label, field in (
            (self.tr("Server"), self.server),
            (self.tr("Address"), self.address),
            ("", self._of_address),
            (self.tr("Token"), self.token),
            ("", self.show_token),
            ("", plain_label(of_token, "caption")),
            (self.tr("Tenant"), self.tenant),
            (self.tr("Database"), self.database),
            (self.tr("Certificates"), self._ca),
            ("", self._of_ca),
            ("", self.more),
        ):
            self._form.addRow(label, field)
        self.server.currentIndexChanged.connect(self._show_rows)
        self.show_token.toggled.connect(self._show_token)
        self.choose_ca.clicked.connect(self._choose_ca)
        self.address.textChanged.connect(self._look_at_address)
        for edit in (self.address, self.token, self.tenant, self.database, self.ca_file):
            edit.textChanged.connect(self.changed)
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
            self._say_of_address(shown(error.message), "danger-caption")
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
            self._show_more()
            self.database.setFocus()

    # ---- internals ----

    def _show_more(self) -> None:
        self._show_rows(more=True)
        self.tenant.setFocus()

    def _show_rows(self, _: int = 0, *, more: bool = False) -> None:
        is_new = not self.server.currentData()
        self._form.setRowVisible(self.server, bool(self._known))
        self._form.setRowVisible(self.address, is_new)
        self._form.setRowVisible(self._of_address, is_new)
        for rare in (self.tenant, self.database, self._ca, self._of_ca):
            self._form.setRowVisible(rare, is_new and more)
        self._form.setRowVisible(self.more, is_new and not more)
        self.token.setPlaceholderText("" if is_new else self.tr("The saved one, if there is one"))
        self.changed.emit()

    def _show_token(self, seen: bool) -> None:
        self.token.setEchoMode(QLineEdit.EchoMode.Normal if seen else QLineEdit.EchoMode.Password)

    def _look_at_address(self) -> None:
        try:
            is_exposed = server_address(self.address.text()).is_exposed
        except UserError:
            is_exposed = False
        if is_exposed:
            text = self.tr("Without https, others on the way can read the token and what you ask.")
            self._say_of_address(text, "warning-caption")
        else:
            self._say_of_address(self._hint, "caption")

    def _say_of_address(self, text: str, role: str) -> None:
        self._of_address.setText(text)
        set_look(self._of_address, "role", role)
        set_look(self.address, "invalid", role == "danger-caption")
        self.address.setAccessibleDescription(text)

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
