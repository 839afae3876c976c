"""Lists the libraries on servers, and how they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QTreeWidgetItem, QWidget

from app.domain.plain_text import harmless
from app.domain.shared import ServerState
from app.ui.widgets.building import stack
from app.ui.widgets.columns import column_list
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import number_text
from app.ui.widgets.server_labels import TROUBLED, server_name, state_sentence, state_word
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled
from app.ui.widgets.undo_bar import UndoBar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.shared import SharedLibrary

_ICON = 16
_LINES = 4  # of what is said of a library, which keeps its room


class SharedLibrariesDialog(Dialog):
    """A row for each subscription, with a sentence on the selected one below the list."""

    subscribe_requested = Signal()
    publish_requested = Signal()
    check_requested = Signal(object)  # the ServerAddress to ask again
    remove_requested = Signal(object)  # the ServerAddress to unsubscribe from

    def __init__(self, libraries: Sequence[SharedLibrary], parent: QWidget) -> None:
        super().__init__(
            self.tr("Shared libraries"),
            parent,
            heading=self.tr("Shared libraries"),
            text=self.tr(
                "Courses on a server are searched together with your own. Only their text is read there; "
                "you get no files."
            ),
        )
        self._libraries: tuple[SharedLibrary, ...] = ()
        self._items: list[QTreeWidgetItem] = []
        columns = (self.tr("Server"), self.tr("Courses"), self.tr("State"))
        self.list = column_list(columns, self.windowTitle())
        self.list.setIconSize(QSize(scaled(_ICON), scaled(_ICON)))
        self._none = plain_label(self.tr("You have not subscribed to a library yet."), "muted")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = stack(self._none, self.list)
        self.about = plain_label("", "muted", selectable=True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.about.setMinimumHeight(_LINES * self.fontMetrics().lineSpacing() + scaled(4))
        self.undo_bar = UndoBar(self.list.setFocus)
        self.undo_bar.set_theme(Theme.current())
        self.body.addWidget(self._pages, 1)
        self.body.addWidget(self.about)
        self.body.addWidget(self.undo_bar)
        self.subscribe = self.add_button(
            self.tr("Subscribe…"), self.subscribe_requested.emit, kind="primary", at_left=True
        )
        self.publish = self.add_button(self.tr("Publish…"), self.publish_requested.emit, at_left=True)
        self.check = self.add_button(self.tr("Check again"), self._check)
        self.remove = self.add_button(self.tr("Remove"), self._remove)
        self.add_close(is_default=False)
        self.list.currentItemChanged.connect(self._show_current)
        self.set_libraries(libraries)
        self.resize_to(770, 440)
        (self.list if libraries else self.subscribe).setFocus()

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
        self._pages.setCurrentWidget(self.list if libraries else self._none)
        self._show_current()

    # ---- internals ----

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
            self.check_requested.emit(library.address)

    def _remove(self) -> None:
        if library := self._current:
            self.remove_requested.emit(library.address)
