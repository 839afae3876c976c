"""The decks, with what is due in each, under what is most worth doing now."""

from functools import partial

from PySide6.QtCore import QCoreApplication, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.features.study.model.items import Deck
from app.features.study.ui.controller import StudyController
from app.features.study.ui.pane import StudyPage
from app.features.study.ui.progress_page import Bar, BarList
from app.ui.widgets.building import Cell, Stretch, hbox, push_button, set_look, vbox
from app.ui.widgets.text_labels import plain_label

_WIDTH = 640
tr = partial(QCoreApplication.translate, "DeckCounts")


class OverviewPage(StudyPage):
    """Lists the decks of a pane; offers to review what is due, or to make the first material."""

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self._pane = study.pane
        self.title = self.tr("Decks")
        self._lead = plain_label("", "title")
        self._hint = plain_label("", "muted")
        self.review = push_button("", study.review, "primary")
        self.make = push_button(self.tr("Make study material…"), study.make)
        self.list = _DeckList()
        self.list.opened.connect(lambda deck: study.show_page("items", deck.course_title))
        column = QWidget()
        buttons = hbox(self.review, self.make, Stretch(), spacing=8)
        parts = self._lead, self._hint, 4, buttons, 8, Cell(self.list, 1), Stretch(0)
        vbox(*parts, parent=column, spacing=8)
        self.lay_out(column, _WIDTH)

    def show_deck(self, deck: Deck | None) -> None:
        decks = self._pane.decks
        due = sum(one.due for one in decks)
        self.list.set_decks(decks, deck)
        self.list.setVisible(bool(decks))
        self.review.setVisible(bool(decks))
        self.review.setEnabled(due > 0)
        self.review.setText(self.tr("Review %Ln due", None, due))
        self.make.setVisible(bool(self._pane.courses))
        set_look(self.make, "kind", "" if decks else "primary")
        self._lead.setText(self._lead_text(len(decks), due))
        self._hint.setText("" if decks else self._first_hint())
        self._hint.setVisible(not decks)

    def _lead_text(self, decks: int, due: int) -> str:
        if not decks:
            return self.tr("Learn what your courses teach")
        return self.tr("%Ln card(s) due today", None, due) if due else self.tr("Nothing is due today")

    def _first_hint(self) -> str:
        if not self._pane.courses:
            return self.tr("Study material is made from your own courses. Add one first.")
        if self._pane.has_model:
            return self.tr(
                "A model makes cards, a quiz, a glossary or a study guide from your courses. "
                "Each of them rests on a sentence that Lectern has checked."
            )
        return self.tr(
            "Without a model, Lectern makes gap texts and a glossary from the terms that a course marks, as "
            "in bold. They are marked as automatic. Connect a model for questions and a study guide."
        )

    def focus_first(self) -> None:
        buttons = (self.review, self.list, self.make)
        usable = (one for one in buttons if one.isEnabled() and not one.isHidden())
        next(usable, self).setFocus(Qt.FocusReason.TabFocusReason)


class _DeckList(BarList):
    """A row for each deck; Enter or a click opens it."""

    opened = Signal(object)  # a Deck

    def __init__(self) -> None:
        super().__init__(QCoreApplication.translate("OverviewPage", "Decks"))
        self._decks: tuple[Deck, ...] = ()
        self.clicked.connect(self._open)

    def set_decks(self, decks: tuple[Deck, ...], current: Deck | None) -> None:
        """Show the decks as they are now; the keyboard stays on its deck."""
        bar, row = self.verticalScrollBar(), self.currentIndex().row()
        chosen, height = (self._decks[row] if row >= 0 and self.hasFocus() else current), bar.value()
        self._decks = decks
        self.show_rows(Bar(deck.course_title, counts_text(deck)) for deck in decks)
        uids = [deck.uid for deck in decks]
        if chosen is not None and chosen.uid in uids:
            self.setCurrentIndex(self.model().index(uids.index(chosen.uid), 0))
        self.doItemsLayout()
        bar.setValue(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(self._decks[index.row()])


def counts_text(deck: Deck) -> str:
    """Return what a deck holds, such as ``40 items, 12 due (3 new)``."""
    parts = [tr("%Ln item(s)", None, deck.items)]
    if deck.due:
        parts.append(tr("%Ln due", None, deck.due))
    if deck.new:  # of those that are due
        parts[-1] += f" ({tr('%Ln new', None, deck.new)})"
    return ", ".join(parts)
