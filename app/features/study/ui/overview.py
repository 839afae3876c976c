"""The decks, with what is due in each, under what is most worth doing now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QListView, QPushButton, QStyleOptionViewItem, QWidget

from app.domain.plain_text import harmless
from app.features.study.ui.pane import StudyPage
from app.ui.widgets.building import Cell, Stretch, hbox, set_look, vbox
from app.ui.widgets.row_delegate import Index, RowDelegate
from app.ui.widgets.text_labels import plain_label, plain_tool_tip
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from app.features.study.model.items import Deck
    from app.features.study.ui.pane import StudyPane

_WIDTH = 640
tr = partial(QCoreApplication.translate, "DeckCounts")
_DECK = Qt.ItemDataRole.UserRole + 1


class OverviewPage(StudyPage):
    """Lists the decks of a pane; offers to review what is due, or to make the first material."""

    review_requested = Signal()  # of all decks
    make_requested = Signal()
    deck_opened = Signal(object)  # a Deck

    def __init__(self, pane: StudyPane) -> None:
        super().__init__()
        self._pane = pane
        self.title = self.tr("Decks")
        self._lead = plain_label("", "title")
        self._hint = plain_label("", "muted")
        self.review = QPushButton()
        self.review.setProperty("kind", "primary")
        self.review.clicked.connect(self.review_requested)
        self.make = QPushButton(self.tr("Make study material…"))
        self.make.clicked.connect(self.make_requested)
        self.list = _DeckList()
        self.list.opened.connect(self.deck_opened)
        column = QWidget(maximumWidth=scaled(_WIDTH))
        buttons = hbox(self.review, self.make, Stretch(), spacing=8)
        parts = self._lead, self._hint, 4, buttons, 8, Cell(self.list, 1), Stretch(0)
        vbox(*parts, parent=column, spacing=8, margins=(0, 24, 0, 16))
        hbox(Stretch(), Cell(column, 1000), Stretch(), parent=self, margins=(24, 0, 24, 0))

    def show_deck(self, deck: Deck | None) -> None:
        decks = self._pane.decks
        due = sum(one.due for one in decks)
        self.list.set_decks(decks, deck)
        self.list.setVisible(bool(decks))
        can_review = self._pane.has_page("review")
        self.review.setVisible(bool(decks) and can_review)
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
            "Without a model, Lectern makes gap texts and a glossary from sentences that define something. "
            "They are marked as automatic. Connect a model in the settings for questions and a study guide."
        )

    def focus_first(self) -> None:
        first = next((one for one in (self.review, self.list, self.make) if _can_use(one)), self)
        first.setFocus(Qt.FocusReason.TabFocusReason)


def _can_use(widget: QWidget) -> bool:
    return not widget.isHidden() and widget.isEnabled()


class _DeckList(QListView):
    """A row for each deck; Enter or a click opens it."""

    opened = Signal(object)  # a Deck

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Decks"))
        self.setModel(QStandardItemModel(self))
        self.setItemDelegate(_DeckDelegate(self))
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._open)

    def set_decks(self, decks: tuple[Deck, ...], current: Deck | None) -> None:
        """Show the decks as they are now; the keyboard stays on its deck."""
        model, bar = self.model(), self.verticalScrollBar()
        assert isinstance(model, QStandardItemModel)
        before: Deck | None = self.currentIndex().data(_DECK)
        chosen, height = (before if before and self.hasFocus() else current), bar.value()
        model.clear()
        for deck in decks:
            row = QStandardItem(harmless(deck.course_title))
            row.setData(deck, _DECK)
            row.setData(f"{row.text()}: {counts_text(deck)}", Qt.ItemDataRole.AccessibleTextRole)
            row.setToolTip(plain_tool_tip(row.text()))
            model.appendRow(row)
            if chosen is not None and deck.uid == chosen.uid:
                self.setCurrentIndex(row.index())
        self.doItemsLayout()
        bar.setValue(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(_DECK))


class _DeckDelegate(RowDelegate):
    """The title of a deck, and its counts."""

    height = 44

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        area: QRect = self.paint_ground(painter, option, index)
        painter.save()
        deck: Deck = index.data(_DECK)
        self.paint_at_right(painter, area, option.font, counts_text(deck), area.width() * 2 // 3)
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        self.paint_name(painter, area, bold, index.data())
        painter.restore()


def counts_text(deck: Deck) -> str:
    """Return what a deck holds, such as ``40 items, 12 due (3 new)``."""
    parts = [tr("%Ln item(s)", None, deck.items)]
    if deck.due:
        parts.append(tr("%Ln due", None, deck.due))
    if deck.new:  # of those that are due
        parts[-1] += f" ({tr('%Ln new', None, deck.new)})"
    return ", ".join(parts)
