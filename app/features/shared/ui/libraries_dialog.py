"""Lists the libraries on servers and how they are, and subscribes to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLineEdit,
    QPushButton,
    QTreeWidgetItem,
    QWidget,
)

from app.domain.errors import UserError
from app.domain.plain_text import harmless
from app.domain.shared import DEFAULT_DATABASE, DEFAULT_TENANT, ServerAddress, ServerState, SharedLibrary
from app.features.shared.model import server_address
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, hbox, link_button, scrolled, set_look, stack
from app.ui.widgets.desktop import ask_for_file
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import column_list
from app.ui.widgets.form import choice
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import number_text
from app.ui.widgets.source_labels import TROUBLED, server_name, state_sentence, state_word
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.messages import Message
    from app.features.shared.ui.operations import SharedOperations
    from app.workers.job import Job

_LONGEST_TOKEN = 4096
_ICON = 16
_LINES = 4  # of what is said of a library, which keeps its room
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
        title = self.tr("Choose certificates")
        ask_for_file(self, title, "", kinds, lambda path: self.ca_file.setText(str(path)))


def _name(address: ServerAddress) -> str:
    is_default = (address.tenant, address.database) == (DEFAULT_TENANT, DEFAULT_DATABASE)
    return address.url if is_default else f"{address.url} · {address.tenant} · {address.database}"


class SharedLibrariesDialog(Dialog):
    """A row for each subscription, with a sentence on the selected one below the list.

    "Subscribe…" shows a form instead of the list, until the server has listed its courses.
    """

    publish_requested = Signal()

    def __init__(
        self, libraries: Sequence[SharedLibrary], operations: SharedOperations, parent: QWidget
    ) -> None:
        about = self.tr(
            "Courses on a server are searched together with your own. Only their text is read there; you "
            "get no files."
        )
        title = self.tr("Shared libraries")
        super().__init__(title, parent, heading=title, text=about)
        self._operations = operations
        self._libraries: tuple[SharedLibrary, ...] = ()
        self._items: list[QTreeWidgetItem] = []
        self._job: Job[SharedLibrary] | None = None
        self._refusal = ""  # the id of the last message
        columns = (self.tr("Server"), self.tr("Courses"), self.tr("State"))
        self.list = column_list(columns, title)
        self.list.setIconSize(QSize(scaled(_ICON), scaled(_ICON)))
        self._none = plain_label(self.tr("You have not subscribed to a library yet."), "muted")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.form = ServerForm(self.tr("Your teacher knows it. Tokens do not belong in it."))
        self._form_page = scrolled(self.form)
        self._pages = stack(self._none, self.list, self._form_page)
        self.about = plain_label("", "muted", selectable=True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.about.setMinimumHeight(_LINES * self.fontMetrics().lineSpacing() + scaled(4))
        self.body.addWidget(self._pages, 1)
        self.body.addWidget(self.about)
        self.add = self.add_button(self.tr("Subscribe…"), self.show_form, kind="primary", at_left=True)
        self.publish = self.add_button(self.tr("Publish…"), self.publish_requested.emit, at_left=True)
        self.check = self.add_button(self.tr("Check again"), self._check)
        self.remove = self.add_button(self.tr("Remove"), self._remove)
        self._close = self.add_close(is_default=False)
        self.cancel = self.add_button(self.tr("Cancel"), self.show_list)
        self.subscribe = self.add_button(
            self.tr("Subscribe"), self._subscribe, kind="primary", is_default=True
        )
        self.list.currentItemChanged.connect(self._show_current)
        self.form.changed.connect(self._update)
        self.finished.connect(self._drop)
        self.set_libraries(libraries)
        self.resize_to(770, 460)
        self.show_list()

    def set_libraries(self, libraries: Sequence[SharedLibrary]) -> None:
        """Show the libraries as they are now; the current row stays."""
        same = [one.address.key for one in libraries] == [one.address.key for one in self._libraries]
        self._libraries = tuple(libraries)
        if not same:
            row = max(self.list.currentIndex().row(), 0)
            self.list.clear()
            self._items = [QTreeWidgetItem() for _ in libraries]
            self.list.addTopLevelItems(self._items)
            if libraries:
                self.list.setCurrentItem(self._items[min(row, len(libraries) - 1)])
        for item, library in zip(self._items, libraries, strict=True):
            self._fill(item, library)
        if not self._is_subscribing:
            self._pages.setCurrentWidget(self.list if libraries else self._none)
            self._show_current()

    def show_form(self) -> None:
        self._pages.setCurrentWidget(self._form_page)
        self._say("", "muted")
        self._update()
        self.form.address.setFocus()

    def show_list(self) -> None:
        self._drop()
        self._pages.setCurrentWidget(self.list if self._libraries else self._none)
        self._update()
        self._show_current()
        (self.list if self._libraries else self.add).setFocus()

    # ---- the list ----

    @property
    def _is_subscribing(self) -> bool:
        return self._pages.currentWidget() is self._form_page

    def _update(self) -> None:
        """Show the buttons of the page."""
        asks = self._is_subscribing
        for button in (self.add, self.publish, self.check, self.remove, self._close):
            button.setVisible(not asks)
        for button in (self.cancel, self.subscribe):
            button.setVisible(asks)
        self.form.setEnabled(self._job is None)
        self.subscribe.setEnabled(self.form.is_filled and self._job is None)

    def _fill(self, item: QTreeWidgetItem, library: SharedLibrary) -> None:
        is_troubled = library.state in TROUBLED
        icon, role = ("warning", "warning") if is_troubled else ("server", "text_muted")
        item.setIcon(0, Theme.icon(icon, role))
        word = state_word(library.state) or self.tr("ready")
        for column, text in enumerate((server_name(library), number_text(len(library.courses)), word)):
            item.setText(column, text)

    @property
    def _current(self) -> SharedLibrary | None:
        at = self.list.currentIndex().row()
        return self._libraries[at] if 0 <= at < len(self._libraries) else None

    def _show_current(self) -> None:
        library = self._current
        set_look(self.about, "role", "muted")
        self.about.setText("" if library is None else self._sentences(library))
        self.check.setEnabled(library is not None and library.state is not ServerState.CHECKING)
        self.remove.setEnabled(library is not None)

    def _sentences(self, library: SharedLibrary) -> str:
        address = library.address
        where = self.tr("{url}, tenant {tenant}, database {database}")
        lines = [where.format(url=address.url, tenant=address.tenant, database=address.database)]
        lines.append(state_sentence(library))
        if library.hidden:
            titles = harmless(", ".join(library.hidden))
            text = self.tr("Not shown, because another course has the same title: {titles}")
            lines.append(text.format(titles=titles))
        lines += map(shown, library.left_out)
        return "\n".join(lines)

    def _check(self) -> None:
        if library := self._current:
            self._operations.refresh(library.address).run(self)

    def _remove(self) -> None:
        if library := self._current:
            question = self.tr("Stop searching the courses on {server}? Its token is forgotten.")
            text = question.format(server=library.address.host)
            if show.confirm(self, self.tr("Remove library"), text, self.tr("Remove")):
                self._operations.unsubscribe(library.address).run(self)

    # ---- subscribing ----

    def _subscribe(self) -> None:
        address = self.form.chosen()
        if address is None or self._job is not None:
            return
        self._say(self.tr("Asking {server}…").format(server=address.host), "muted")
        self._refusal = ""
        self._job = asking = self._operations.subscribe(address, self.form.new_token)
        self._update()
        asking.run(self, success=self._accept, failure=self._refuse, finished=self._finish)

    def _accept(self, _: SharedLibrary) -> None:
        self._job = None
        self.form.token.clear()
        self.show_list()

    def _refuse(self, message: Message) -> None:
        self._say(shown(message), "danger-caption")
        self._refusal = message.id

    def _finish(self) -> None:
        self._job = None
        self._update()
        if self._is_subscribing:
            self.subscribe.setFocus()
            self.form.lead_to_cause(self._refusal)

    def _drop(self) -> None:
        if self._job is not None:
            self._job.drop()
            self._job = None

    def _say(self, text: str, role: str) -> None:
        self.about.setText(text)
        set_look(self.about, "role", role)
        if text:
            announce(self.about, text, urgent=role != "muted")
