"""Lists the libraries on servers and how they are, and subscribes to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from app.domain.plain_text import harmless
from app.domain.shared import ServerState
from app.features.shared.ui.server_form import ServerForm, scrolled
from app.ui.widgets.accessibility import announce
from app.ui.widgets.bars import UndoBar
from app.ui.widgets.building import set_look, stack
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import column_list
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import number_text
from app.ui.widgets.source_labels import TROUBLED, server_name, state_sentence, state_word
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.messages import Message
    from app.domain.shared import ServerAddress, SharedLibrary
    from app.features.shared.ui.operations import SharedOperations
    from app.workers.job import Job

_ICON = 16
_LINES = 4  # of what is said of a library, which keeps its room


class SharedLibrariesDialog(Dialog):
    """A row for each subscription, with a sentence on the selected one below the list.

    "Subscribe…" puts a form in the place of the list, until the server has told its courses.
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
        self.undo_bar = UndoBar(self.list.setFocus)
        self.undo_bar.set_theme(Theme.current())
        self.body.addWidget(self._pages, 1)
        self.body.addWidget(self.about)
        self.body.addWidget(self.undo_bar)
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
        self.undo_bar.undo_requested.connect(self._undo)
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
        theme, is_troubled = Theme.current(), library.state in TROUBLED
        icon, colour = ("warning", theme.warning) if is_troubled else ("server", theme.text_muted)
        item.setIcon(0, theme.icon(icon, colour))
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
        library = self._current
        if library is None:
            return

        def offer_undo(_: None) -> None:
            text = self.tr("{server} was removed.").format(server=library.address.host)
            self.undo_bar.offer((library.address,), text)

        self._operations.unsubscribe(library.address).run(self, success=offer_undo)

    def _undo(self, offered: tuple[ServerAddress]) -> None:
        (address,) = offered
        refresh = self._operations.refresh
        self._operations.resubscribe(address).run(self, success=lambda _: refresh(address).run(self))

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
