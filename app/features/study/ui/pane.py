"""The Study pane: pages under a bar with the way back, the choice of a deck, and tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QSizePolicy,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from app.domain.plain_text import harmless
from app.domain.scope import Scope
from app.ui.markup.rich_text import RichTextView
from app.ui.widgets.building import (
    Cell,
    FlowLayout,
    Stretch,
    hbox,
    link_button,
    push_button,
    scroll_area,
    shortcut,
    stack,
    vbox,
)
from app.ui.widgets.pane_keys import PaneKey
from app.ui.widgets.text_labels import ElidedCombo, ElidedLabel
from app.ui.widgets.theme import Theme, fix, scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.features.study.model.items import Deck
    from app.ui.widgets.search_fields import SearchBox


OVERVIEW, MAKING, REVIEW = "overview", "making", "review"
_Adjust = QComboBox.SizeAdjustPolicy
_LEAST_HEIGHT = 96  # of a list or a text
_BAR_HEIGHT = 32  # even if no deck is chosen, so that the tabs stay where they are


class Origin(NamedTuple):
    """A scope, or the passages that the answers of a chat cite; ``name`` is shown."""

    name: str
    scope: Scope = Scope()
    conversation_id: int | None = None


class StudyPane(QWidget):
    """Shows one page at a time; a page without a tab hides the tabs, and the way back leads to the decks."""

    left = Signal()  # back to the chat
    make_requested = Signal()
    page_shown = Signal(str)  # its name

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.pages: dict[str, StudyPage] = {}  # those that were shown, by name
        self.current = ""  # the name of the page on show
        self.courses: tuple[str, ...] = ()  # the titles of those that study material can be made from
        self.has_model = False  # to make it
        self.close_source: Callable[[], bool] = lambda: False  # beside the pane; whether one was open
        self.make_page: Callable[[str], StudyPage]  # by its name, when it is first shown
        self._theme = theme
        self._decks: tuple[Deck, ...] = ()
        self._deck_uid = ""
        self.setAccessibleName(self.tr("Study"))
        self.setProperty("panel", "surface")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.back = link_button("", self.go_back)
        fix(self.back, icon=16)
        self._title = ElidedLabel()
        self._title.setProperty("role", "strong")
        self.deck_choice = ElidedCombo()
        self.deck_choice.setAccessibleName(self.tr("Deck"))
        self.deck_choice.setSizeAdjustPolicy(_Adjust.AdjustToMinimumContentsLengthWithIcon)
        self.deck_choice.activated.connect(self._choose_deck)
        self.make = push_button(self.tr("Make…"), self.make_requested.emit)
        self.make.setAccessibleDescription(self.tr("Make cards, a quiz, a glossary or a study guide"))
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setAccessibleName(self.tr("Pages"))
        self.tabs.currentChanged.connect(self._show_tab)
        self.stack = stack()
        for wide in (self._title, self.deck_choice):
            wide.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        parts = FlowLayout(8, self.back, self._title, self.deck_choice, self.make)
        bar = hbox(Cell(parts, 1), margins=(8, 8, 12, 0))
        bar.addStrut(scaled(_BAR_HEIGHT))
        vbox(
            bar,
            hbox(Cell(self.tabs, 1), margins=(8, 0, 8, 0)),
            Cell(self.stack, 1),
            parent=self,
        )
        shortcut(Qt.Key.Key_Escape, self, self._press_escape)
        PaneKey(self, QKeySequence.StandardKey.Find, self.open_find)
        self.set_theme(theme)

    # ---- pages ----

    def add_tab(self, name: str, text: str) -> None:
        """Let a tab lead to a page; the other pages are reached otherwise."""
        self.tabs.blockSignals(True)
        self.tabs.setTabData(self.tabs.addTab(text), name)
        self.tabs.blockSignals(False)

    def tab(self, name: str) -> int | None:
        """Return the index of a page's tab; None if it has none."""
        return next((row for row in range(self.tabs.count()) if self.tabs.tabData(row) == name), None)

    def page(self, name: str) -> StudyPage:
        """Return a page, made now if need be."""
        if name not in self.pages:
            page = self.pages[name] = self.make_page(name)
            page.set_theme(self._theme)
            self.stack.addWidget(page)
        return self.pages[name]

    def show_page(self, name: str) -> None:
        page = self.page(name)
        self.current = name
        tab = self.tab(name)
        has_tab = tab is not None
        if tab is not None:
            self.tabs.blockSignals(True)
            self.tabs.setCurrentIndex(tab)
            self.tabs.blockSignals(False)
        self.tabs.setVisible(has_tab)
        self.make.setVisible(has_tab and page.chooses_deck and bool(self.courses))
        self._title.setText("" if has_tab else page.title)
        self._title.setVisible(not has_tab)
        self.back.setText(self.tr("Chat") if has_tab else self.tr("Decks"))
        name_back = self.tr("Back to the chat") if has_tab else self.tr("Back to the decks")
        self.back.setAccessibleName(name_back)
        self.back.setToolTip(self.tr("{0} (Esc)").format(name_back))
        page.show_deck(self.deck)
        self.stack.setCurrentWidget(page)
        self._show_deck_choice()
        self.page_shown.emit(name)

    def go_back(self) -> None:
        """Go from a page without a tab to the decks, else to the chat."""
        if self.tab(self.current) is None:
            self.show_page(OVERVIEW)
            self.focus_first()
        else:
            self.left.emit()

    def open_find(self) -> None:
        if self.current:
            self.page(self.current).open_find()

    def focus_first(self) -> None:
        if self.current:
            self.page(self.current).focus_first()
        focus = self.window().focusWidget()
        if focus is None or not self.isAncestorOf(focus) or not focus.isVisibleTo(self):
            self.back.setFocus(Qt.FocusReason.OtherFocusReason)

    # ---- decks ----

    @property
    def deck(self) -> Deck | None:
        """The deck on show; the first if none was chosen, None if there is none."""
        chosen = (deck for deck in self._decks if deck.uid == self._deck_uid)
        return next(chosen, self._decks[0] if self._decks else None)

    @property
    def decks(self) -> tuple[Deck, ...]:
        return self._decks

    def set_decks(self, decks: Sequence[Deck]) -> None:
        before = [(deck.uid, deck.course_title) for deck in self._decks]
        self._decks = tuple(decks)
        if [(deck.uid, deck.course_title) for deck in decks] != before:  # else the list stays open, if it is
            self.deck_choice.clear()
            for deck in decks:
                self.deck_choice.addItem(harmless(deck.course_title), deck.uid)
        self._show_deck_choice()
        if self.current:
            self.page(self.current).show_deck(self.deck)

    def choose_deck(self, uid: str) -> None:
        """Show a deck from now on; one that is gone counts as none."""
        self._deck_uid = uid
        self._show_deck_choice()

    def set_makes(self, courses: tuple[str, ...], *, has_model: bool) -> None:
        """Offer to make study material from courses, by a model or without one."""
        before = bool(self.courses), self.has_model
        self.courses, self.has_model = courses, has_model
        if self.current and (bool(courses), has_model) != before:
            self.show_page(self.current)

    def show_making(self, running: bool) -> None:
        """Let the button lead to what is being made, or begin to make something."""
        self.make.setText(self.tr("Making…") if running else self.tr("Make…"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Enter press a button, as in a dialog."""
        focus = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(focus, QAbstractButton):
            focus.click()
        else:
            super().keyPressEvent(event)

    # ---- internals ----

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.back.setIcon(theme.icon("chevron-left", "accent"))
        for page in self.pages.values():
            page.set_theme(theme)

    def _show_tab(self, index: int) -> None:
        self.show_page(self.tabs.tabData(index))

    def _choose_deck(self, index: int) -> None:
        self._deck_uid = self.deck_choice.itemData(index)
        self.page(self.current).show_deck(self.deck)

    def _show_deck_choice(self) -> None:
        page = self.pages.get(self.current)
        self.deck_choice.setVisible(page is not None and page.chooses_deck and bool(self._decks))
        if self.deck is not None:
            self.deck_choice.setCurrentIndex(self.deck_choice.findData(self.deck.uid))

    def _press_escape(self) -> None:
        """Close what is open over the page, else the source beside it, else go back."""
        if not ((self.current and self.page(self.current).dismiss()) or self.close_source()):
            self.go_back()


class _Side(QWidget):
    """Scrolls once its parts have their least height; Qt would want the height they prefer."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._inside = inside
        vbox(inside, parent=self)

    def heightForWidth(self, width: int) -> int:
        layout = self._inside.layout()
        return -1 if layout is None else layout.minimumHeightForWidth(width)


class StudyPage(QWidget):
    """A page that shows one deck, or all of them; ``title`` stands above one that has no tab."""

    search: SearchBox | None = None  # filters what the page shows
    title = ""
    chooses_deck = False  # one is chosen above it

    def show_deck(self, deck: Deck | None) -> None:
        """Show a deck as it is now, or None. Called whenever decks or items change."""

    def begin(self, subject: object) -> None:
        """Begin what was asked for, such as to make what a MakeRequest says."""

    def dismiss(self) -> bool:
        """Close what is open over the page, as Esc does; return whether there was anything."""
        if self.search is None or not self.search.text():
            return False
        self.search.clear()
        return True

    def open_find(self) -> None:
        if self.search is not None:
            self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.search.selectAll()

    def focus_first(self) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def lay_out(self, *sides: QWidget, width: int = 720) -> QStackedWidget:
        """Show one of some widgets in the middle of the page, at most this many pixels wide.

        Where there is little height, their lists and texts give way first; then the side scrolls.
        """
        for view in (view for side in sides for view in side.findChildren(QAbstractScrollArea)):
            if view.maximumHeight() > scaled(_LEAST_HEIGHT) and not isinstance(view, QHeaderView):
                view.setMinimumHeight(scaled(_LEAST_HEIGHT))
        shown = stack(*(scroll_area(_Side(side)) for side in sides))
        shown.setMaximumWidth(scaled(width))
        hbox(Stretch(), Cell(shown, 1000), Stretch(), parent=self, margins=(24, 12, 24, 12))
        return shown

    def set_theme(self, theme: Theme) -> None:
        """Draw what the style sheet does not reach."""
        for view in self.findChildren(RichTextView):
            view.set_theme(theme)
        self.draw()

    def draw(self) -> None:
        """Draw what depends on the theme, and on formulas that are set by now."""
