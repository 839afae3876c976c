"""The settings dialog: pages of settings that are in effect at once."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QWidget,
)

from app.config.settings import LIMITS
from app.ui.settings.answers_page import AnswersPage
from app.ui.settings.embedding_model_field import EmbeddingModelField
from app.ui.settings.live_settings import LiveSettings
from app.ui.settings.page import Page
from app.ui.widgets.building import Cell, hbox, vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.messages import offered_languages
from app.ui.widgets.theme import TEXT_SIZES, Theme

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QKeyEvent, QShowEvent

    from app.config.secrets import KeyStatus
    from app.config.settings import Settings
    from app.ui.settings.live_settings import Link

_WIDTH, _HEIGHT = 760, 560
_LEAST_WIDTH, _LEAST_HEIGHT = 640, 360
_LIST_WIDTH = 160


class SettingsDialog(Dialog):
    """A list of pages beside the one that is shown; a page is built when it is first shown."""

    def __init__(
        self,
        settings: Settings,
        key_status: KeyStatus,
        parent: QWidget | None = None,
        page: str = "answers",
        links: Sequence[Link] = (),
        pages: Mapping[str, tuple[str, Callable[[str, LiveSettings], Page]]] | None = None,
    ) -> None:
        super().__init__(self.tr("Settings"), parent)
        self.live = LiveSettings(settings, key_status, self, links)
        self._kinds: dict[str, tuple[str, Callable[[str, LiveSettings], Page]]] = {
            "answers": (self.tr("Answers"), AnswersPage),
            "library": (self.tr("Library"), LibraryPage),
            **(pages or {}),
            "appearance": (self.tr("Appearance"), AppearancePage),
            "languages": (self.tr("Languages"), LanguagesPage),
            "advanced": (self.tr("Advanced"), AdvancedPage),
        }
        self._pages: dict[str, Page] = {}
        self._theme = Theme.current()
        self.list = QListWidget()
        self._tab_after: QWidget = self.list  # comes the next page that is built
        self._stack = QStackedWidget()
        self._lay_out()
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

    def done(self, result: int) -> None:
        """Close, and put into effect what waits for that; stay if a field holds a mistake."""
        for name, page in self._pages.items():
            if (field := page.unfinished()) is not None:
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
        self._size_list()
        left = QWidget()
        left.setProperty("panel", "window")
        vbox(Cell(self.list, 1), margins=(12, 16, 12, 16), parent=left)
        line = QFrame()
        line.setFrameShape(QFrame.Shape.VLine)
        content = QWidget()
        hbox(left, line, Cell(self._stack, 1), parent=content)
        self.fill_with(content)
        reset = self.add_button(self.tr("Reset page"), self._reset, at_left=True)
        self._at_bottom = reset, self.add_button(self.tr("Close"), self.accept)
        self.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
        self.resize_to(_WIDTH, _HEIGHT)

    def _size_list(self) -> None:
        self.list.ensurePolished()
        self.list.setFixedWidth(max(_LIST_WIDTH, self.list.sizeHintForColumn(0) + 8))

    # Slots

    def _name(self, row: int) -> str:
        return list(self._kinds)[row]

    def _show_current(self) -> None:
        self._stack.setCurrentWidget(self.current)

    def _reset(self) -> None:
        name = self._name(self.list.currentRow())
        self.live.reset(tuple(self.page(name).settings))

    def _stop_test(self) -> None:
        if self.answers.test.is_running:
            self.live.test_stopped.emit()

    # Qt

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
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


class LibraryPage(Page):
    """How files are kept."""

    def build(self) -> None:
        tr = self.tr
        about = tr("Files you add, edit or delete there are updated in Lectern automatically.")
        self.check("sync_folders", tr("Folders"), tr("Watch my folders"), about)
        about = tr("Once everything else is read, on this computer; a page takes a few seconds.")
        self.check("recognize_text", tr("Scans"), tr("Recognize text in scanned pages"), about)
        about = tr("Disk space for backups: 7 daily, 4 weekly, 3 monthly.")
        self.number("backup_gigabytes", tr("Backups"), about, unit=tr(" GB"), none=tr("No backups"))
        for link in self.live.links:
            button = QPushButton(link.action, autoDefault=False)
            button.clicked.connect(partial(self.live.link_chosen.emit, link))
            self._section.add(link.title, button, link.about)


class AppearancePage(Page):
    """What the window looks like."""

    def build(self) -> None:
        tr = self.tr
        themes = {"system": tr("Match system"), "light": tr("Light"), "dark": tr("Dark")}
        self.choice("theme", tr("Theme"), themes, tr("Light or dark colours."))
        wanted = sorted({*TEXT_SIZES, self.live.wanted.text_size})
        sizes = {size: tr("{0}%").format(size) for size in wanted}
        self.choice("text_size", tr("Text size"), sizes, tr("In the window, answers and lessons."))
        still = tr(
            "Progress bars stay still while you wait. "
            "On Windows and macOS, the system's setting does this, too."
        )
        self.check("reduce_motion", tr("Motion"), tr("Reduce motion"), still)
        about = tr("Only while you work in another window.")
        self.check("notify", tr("Notifications"), tr("Tell me when reading or an answer ends"), about)


class LanguagesPage(Page):
    def build(self) -> None:
        languages = {"": self.tr("Match system"), **offered_languages()}
        about = self.tr("Takes effect when you restart Lectern.")
        self.choice("language", self.tr("Language"), languages, about)
        self.model = EmbeddingModelField(self.live.in_effect.embedding_model)
        self._section.add_tall(self.model.row)
        self.settings.append("embedding_model")
        self.model.changed.connect(self._change_model)
        self.model.chosen.connect(self.live.model_check_requested)

    def show_settings(self) -> None:
        super().show_settings()
        self.model.show_value(self.live.wanted.embedding_model, self.live.in_effect.embedding_model)

    def unfinished(self) -> QWidget | None:
        self.model.finish()
        return self.model if self.model.row.failed else None

    def put_back(self) -> bool:
        if self.model.value == self.live.wanted.embedding_model and not self.model.row.failed:
            return False
        self.live.change(embedding_model=self.live.in_effect.embedding_model)
        self.show_settings()
        return True

    def _change_model(self) -> None:
        self.live.change(embedding_model=self.model.value)


class AdvancedPage(Page):
    """What few people need to change."""

    def build(self) -> None:
        tr = self.tr
        about = tr("Lectern searches before it asks the model, so most answers take one request, not two.")
        self.check("send_passages", tr("Faster answers"), tr("Send passages along"), about)
        about = tr(
            "What Lectern cannot confirm by itself is put to the cheapest model, in one small request."
        )
        self.check("second_look", tr("Second look"), tr("Check doubtful claims with a model"), about)
        about = tr(
            "If you restrict a question to courses or lessons up to this length, the model gets all of their "
            "text. The price is shown before you ask."
        )
        tokens = tr(" tokens")
        self.number(
            "whole_scope_tokens", tr("Whole lessons"), about, unit=tokens, step=1000, none=tr("Never")
        )
        about = tr("Earlier questions and answers sent with each question.")
        self.number("exchanges_remembered", tr("Memory"), about)
        about = tr("More passages give the model more to work with, but cost more and take longer.")
        self.number("passages_per_search", tr("Passages per search"), about)
        about = tr("Texts are split into passages of about this length, at sentence ends.")
        self._size = self.number("chunk_size", tr("Passage length"), about, unit=tr(" characters"), step=100)
        about = tr("How much a passage repeats of the one before; at most half its length.")
        self._overlap = self.number("chunk_overlap", tr("Overlap"), about, unit=tr(" characters"), step=10)

    def update_rows(self) -> None:
        wanted, in_effect, overlap = self.live.wanted, self.live.in_effect, self._overlap.field
        assert isinstance(overlap, QSpinBox)
        with QSignalBlocker(overlap):
            overlap.setMaximum(min(LIMITS["chunk_overlap"][1], wanted.chunk_size // 2))
        for row, changed in (
            (self._size, wanted.chunk_size != in_effect.chunk_size),
            (self._overlap, wanted.chunk_overlap != in_effect.chunk_overlap),
        ):
            if changed:
                row.warn(
                    self.tr("When you close the settings, all files are read again. That may take a while.")
                )
            else:
                row.help()
