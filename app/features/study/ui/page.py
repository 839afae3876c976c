"""What all pages of the Study pane have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.features.study.model.items import Deck
    from app.ui.widgets.search_box import SearchBox
    from app.ui.widgets.theme import Theme


class StudyPage(QWidget):
    """A page that shows one deck, or all of them.

    Attributes:
        title: names the page; stands above one that has no tab.
        is_busy: whether something would be lost with the page, such as what is being made.
    """

    source_requested = Signal(object)  # the Item or QuotePlace whose sentence shall be shown in its lesson
    answer_requested = Signal(object)  # the StaleQuote whose question shall be asked again
    page_requested = Signal(str)  # the name of the page to go to

    search: SearchBox | None = None  # filters what the page shows
    title = ""
    is_busy = False

    def show_deck(self, deck: Deck | None) -> None:
        """Show a deck as it is now; None while there is none. Called whenever decks or items change."""

    def dismiss(self) -> bool:
        """Close what is open over the page, as Esc does; return whether there was anything."""
        if self.search is None or not self.search.text():
            return False
        self.search.clear()
        return True

    def open_find(self) -> None:
        """Let the page be searched, if it can be."""
        if self.search is not None:
            self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.search.selectAll()

    def focus_first(self) -> None:
        """Give the keyboard to what is used first."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def take_over(self, other: StudyPage) -> None:
        """Go on where a page of the same kind was, whose window this one's takes the place of."""

    def set_theme(self, theme: Theme) -> None:
        """Draw what the style sheet does not reach."""
