"""The settings dialog: pages of settings that are in effect at once."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QFrame, QListWidget, QListWidgetItem, QStackedWidget, QWidget

from app.ui.settings.answers_page import AnswersPage
from app.ui.settings.live_settings import LiveSettings
from app.ui.settings.pages import AdvancedPage, AppearancePage, LanguagesPage, LibraryPage
from app.ui.widgets.announcements import announce
from app.ui.widgets.building import Cell, hbox, one_shot, shortcut, vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.search_box import SearchBox
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from app.config.secrets import KeyStatus
    from app.config.settings import Settings
    from app.ui.settings.live_settings import Link
    from app.ui.settings.page import Page

_WIDTH, _HEIGHT = 760, 560
_LEAST_WIDTH, _LEAST_HEIGHT = 640, 360
_LIST_WIDTH = 160
_NEXT_PAGE_MS = 20  # between building two pages that are not shown yet


class SettingsDialog(Dialog):
    """A list of pages beside the one that is shown.

    A page is built when it is first shown, or one by one when there is nothing else to do, so that the
    search finds what is on them.
    """

    def __init__(
        self,
        settings: Settings,
        key_status: KeyStatus,
        parent: QWidget | None = None,
        page: str = "answers",
        links: Sequence[Link] = (),
        pages: Mapping[str, tuple[str, type[Page]]] | None = None,
    ) -> None:
        super().__init__(self.tr("Settings"), parent)
        self.live = LiveSettings(settings, key_status, self, links)
        self._kinds: dict[str, tuple[str, type[Page]]] = {
            "answers": (self.tr("Answers"), AnswersPage),
            "library": (self.tr("Library"), LibraryPage),
            **(pages or {}),
            "appearance": (self.tr("Appearance"), AppearancePage),
            "languages": (self.tr("Languages"), LanguagesPage),
            "advanced": (self.tr("Advanced"), AdvancedPage),
        }
        self._pages: dict[str, Page] = {}
        self._theme = Theme.current()
        self.search = SearchBox(self.tr("Search"), self.tr("Clear search"), self._theme)
        self.list = QListWidget()
        self._tab_after: QWidget = self.list  # comes the next page that is built
        self._nothing = plain_label(self.tr("No setting has these words."), "muted")
        self._stack = QStackedWidget()
        self._build_rest = one_shot(self, _NEXT_PAGE_MS, self._build_next)
        self._lay_out()
        self.live.changed.connect(self._show_undo)
        self._show_undo()
        self.show_page(page)

    @property
    def answers(self) -> AnswersPage:
        page = self.page("answers")
        assert isinstance(page, AnswersPage)
        return page

    @property
    def languages(self) -> LanguagesPage:
        page = self.page("languages")
        assert isinstance(page, LanguagesPage)
        return page

    @property
    def current(self) -> Page:
        """The page that is shown."""
        return self.page(self._name(self.list.currentRow()))

    def page(self, name: str) -> Page:
        """Return a page, built if it was not."""
        if name not in self._pages:
            title, kind = self._kinds[name]
            page = self._pages[name] = kind(title, self.live)
            fields = _tab_stops(page)
            self._stack.addWidget(page)
            for before, after in pairwise((self._tab_after, *fields, *self._at_bottom)):
                QWidget.setTabOrder(before, after)
            self._tab_after = fields[-1]
        return self._pages[name]

    def show_page(self, name: str) -> None:
        self.list.setCurrentRow(list(self._kinds).index(name))

    def refit(self) -> None:
        """Build the pages anew if they were made for another size of text, or other colours."""
        if Theme.current() is self._theme:
            return
        self._theme = Theme.current()
        self.search.set_theme(self._theme)
        self._size_list()
        focus, key = self.focusWidget(), self.answers.key.edit.text()
        label = "" if focus is None else focus.accessibleName()
        self._stop_test()
        for page in self._pages.values():
            self._stack.removeWidget(page)
            page.deleteLater()
        self._pages.clear()
        self._tab_after = self.list
        self._show_current()
        self.answers.key.edit.setText(key)
        for field in self.current.fields.values():
            if field.accessibleName() == label:
                field.setFocus()
        self._filter()
        self._build_rest.start()

    def done(self, result: int) -> None:
        """Close, and put into effect what waits for that; stay if a field holds a mistake."""
        for name, page in self._pages.items():
            if (field := page.unfinished()) is not None:
                self.search.clear()  # which may hide the field
                self.show_page(name)
                field.setFocus(Qt.FocusReason.OtherFocusReason)
                return
        key = self.answers.key
        self._stop_test()
        self.live.finish(key.new_key, remove_key=key.remove_key)
        key.edit.clear()
        super().done(result)

    # Building

    def _lay_out(self) -> None:
        for title, _ in self._kinds.values():
            QListWidgetItem(title, self.list)
        self.list.setAccessibleName(self.tr("Pages"))
        self.list.currentRowChanged.connect(self._show_current)
        self.search.textChanged.connect(self._filter)
        for on in (self.search.down_pressed, self.search.returnPressed):
            on.connect(self.list.setFocus)
        self._size_list()
        left = QWidget()
        left.setProperty("panel", "window")
        vbox(self.search, Cell(self.list, 1), margins=(12, 16, 12, 16), spacing=8, parent=left)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.VLine)
        content = QWidget()
        self._nothing.setContentsMargins(24, 24, 24, 24)
        self._nothing.hide()
        right = vbox(self._nothing, Cell(self._stack, 1))
        hbox(left, line, Cell(right, 1), parent=content)
        self.fill_with(content)
        self.undo = self.add_button(self.tr("Undo"), self.live.undo, at_left=True)
        reset = self.add_button(self.tr("Reset page"), self._reset, at_left=True)
        self._at_bottom = self.undo, reset, self.add_button(self.tr("Close"), self.accept)
        shortcut(QKeySequence.StandardKey.Undo, self, self.live.undo)
        shortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        self.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
        self.resize_to(_WIDTH, _HEIGHT)

    def _size_list(self) -> None:
        self.list.ensurePolished()
        self.list.setFixedWidth(max(_LIST_WIDTH, self.list.sizeHintForColumn(0) + 8))
        self.search.setFixedWidth(self.list.width())

    def _build_next(self) -> None:
        """Build a page that is not built yet, and come back for the next."""
        missing = [name for name in self._kinds if name not in self._pages]
        if missing:
            self.page(missing[0])
            self._build_rest.start()
            if self.search.text():
                self._filter()

    # Slots

    def _name(self, row: int) -> str:
        return list(self._kinds)[row]

    def _show_current(self) -> None:
        self._stack.setCurrentWidget(self.current)

    def _filter(self) -> None:
        """Show the pages and rows that have the words of the search."""
        words = self.search.text().casefold().split()
        found = [name for name, page in self._pages.items() if page.filter(words)]
        if not words:
            found = list(self._kinds)  # also those that are not built yet
        for row, name in enumerate(self._kinds):
            self.list.item(row).setHidden(name not in found)
        self._nothing.setVisible(not found)
        if not found and len(self._pages) == len(self._kinds):
            announce(self.search, self._nothing.text())
        self._stack.setVisible(bool(found))
        if found and self._name(self.list.currentRow()) not in found:
            self.show_page(min(found, key=list(self._kinds).index))

    def _reset(self) -> None:
        name = self._name(self.list.currentRow())
        self.live.reset(self._kinds[name][0], tuple(self.current.settings))

    def _stop_test(self) -> None:
        if self.answers.test.is_running:
            self.live.test_stopped.emit()

    def _show_undo(self) -> None:
        change = self.live.last_change
        self.undo.setEnabled(bool(change))
        self.undo.setToolTip(self.tr("Undo: {0}").format(change) if change else "")

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._build_rest.start()
        if not event.spontaneous():
            needs_key = self.current is self._pages.get("answers") and not self.live.facts.key.hint
            (self.answers.key.edit if needs_key else self.list).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape first gives up what is being typed, then closes the dialog."""
        if event.key() != Qt.Key.Key_Escape or not self.current.put_back():
            super().keyPressEvent(event)


def _tab_stops(page: QWidget) -> list[QWidget]:
    """Return what Tab reaches on a page that has no parent yet, in the order it was built."""
    stops = []
    widget = page.nextInFocusChain()
    while widget is not None and widget is not page:
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.focusProxy() is None:
            stops.append(widget)
        widget = widget.nextInFocusChain()
    return stops
