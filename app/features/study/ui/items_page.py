"""The items of a deck: a list by lessons, and the one that is selected below it."""

from collections.abc import Callable

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QInputDialog,
    QMenu,
    QPushButton,
    QSplitter,
    QWidget,
)

from app.domain.plain_text import harmless
from app.domain.sources import Selection
from app.features.study.kinds import QUIZ
from app.features.study.model.items import Deck, Item, NewItem
from app.features.study.model.names import MADE, ItemKind, ItemText
from app.features.study.service import StudyService
from app.features.study.ui.card_html import kind_name
from app.features.study.ui.controller import StudyController
from app.features.study.ui.items_list import ITEM_ROLE, EditDialog, Entry, ItemDetail, ItemsList, arranged
from app.features.study.ui.marks import MARK_KEY
from app.features.study.ui.pane import StudyPage
from app.ui.widgets.bars import UndoBar
from app.ui.widgets.building import Cell, FlowLayout, one_shot, push_button, stack, vbox
from app.ui.widgets.search_fields import SearchBox
from app.ui.widgets.text_labels import ElidedCombo, plain_label
from app.ui.widgets.theme import scaled

_TYPING_MS = 120  # before the list is filtered
_WIDTH = 1200
_COURSE_WIDTH = 190


class ItemsPage(StudyPage):
    """Lists the items of a deck; edits, moves and deletes them, and opens their sources."""

    search: SearchBox
    chooses_deck = True

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self._controller, self._pane = study, study.pane
        self.title = self.tr("Cards and quiz")
        self._study = study.jobs
        self._deck: Deck | None = None
        self._listed: tuple[int, int] | None = None  # the deck whose items are listed, and how many it had
        self.search = SearchBox(self.tr("Filter by words"), self.tr("Clear the filter"))
        self._soon = one_shot(self, _TYPING_MS, self._filter)
        self.search.textChanged.connect(self._soon.start)
        self.kinds = self._make_kinds()
        self.kinds.currentIndexChanged.connect(self._filter)
        self.list = self._make_list()
        self._model = self.list.items
        self.search.down_pressed.connect(self.list.setFocus)
        self.detail = ItemDetail(study.jobs.formulas)
        self._nothing = plain_label("", "muted")
        self._nothing_yet = self.tr("There are no items yet.")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(16, 16, 16, 16)
        self.undo_bar = UndoBar(self.focus_first)
        self.undo_bar.undo_requested.connect(self._undo)
        self._beside: tuple[QWidget, ...] = ()  # the filter
        self._make_actions()
        self._lay_out()
        self._wants_focus = False  # once the items are there

    # ---- as a page ----

    def show_deck(self, deck: Deck | None) -> None:
        self._deck = deck
        wanted = None if deck is None else (deck.deck_id, deck.items)
        if wanted != self._listed or not self.isVisible():  # a review also changes items
            self._listed = wanted
            self._load()

    def focus_first(self) -> None:
        self._wants_focus = not self._model.rowCount()
        (self.search if self._wants_focus else self.list).setFocus(Qt.FocusReason.TabFocusReason)

    # ---- building ----

    def _make_kinds(self) -> QComboBox:
        box = ElidedCombo()
        box.setAccessibleName(self.tr("Kind"))
        box.addItem(self.tr("All kinds"), ())
        for kind in MADE:
            box.addItem(kind_name(kind), (kind,))
        box.insertItem(1, self.tr("Quiz"), QUIZ)
        return box

    def _is_wanted(self, item: Item) -> bool:
        """Return whether the choice beside the filter wants an item."""
        return not (kinds := self.kinds.currentData()) or item.kind in kinds

    def _make_list(self) -> "_List":
        view = _List()
        view.setAccessibleName(self.tr("Items"))
        view.selectionModel().selectionChanged.connect(self._show_detail)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_menu)
        view.doubleClicked.connect(lambda _: self._open_source())
        return view

    def _make_actions(self) -> None:
        self._beside = (push_button(self.tr("Take a quiz"), lambda: self._controller.show_page("quiz")),)
        self.open_source = self._action(self.tr("Open source"), Qt.Key.Key_Return, self._open_source)
        self.edit = self._action(self.tr("Edit…"), Qt.Key.Key_F2, self._edit)
        self.move_to = self._action(self.tr("Move to…"), "Ctrl+M", self._move)
        self.resume = self._action(self.tr("Review again"), "Ctrl+J", self._resume)
        self.delete = self._action(self.tr("Delete"), QKeySequence.StandardKey.Delete, self._delete)

    def _action(self, text: str, key: Qt.Key | QKeySequence.StandardKey | str, slot: object) -> QAction:
        action = QAction(text, self.list, shortcut=QKeySequence(key))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(slot)
        self.list.addAction(action)
        return action

    def _lay_out(self) -> None:
        self._buttons = QWidget()
        self._buttons.setLayout(FlowLayout(8, *map(_button, self.list.actions())))
        splitter = QSplitter(Qt.Orientation.Vertical, handleWidth=1, childrenCollapsible=False)
        self._pages = stack(self.list, self._nothing)
        splitter.addWidget(self._pages)
        splitter.addWidget(self.detail)
        splitter.setStretchFactor(0, 3)
        splitter.setStretchFactor(1, 2)
        filters = FlowLayout(8, self.search, self.kinds, *self._beside)
        column = QWidget()
        vbox(filters, self.undo_bar, Cell(splitter, 1), self._buttons, parent=column, spacing=8)
        self.lay_out(column, width=_WIDTH)

    # ---- what is listed ----

    def _load(self) -> None:
        if self._deck is None:
            self._show_items([])
        else:
            key = self._deck.deck_id
            reading = self._study.read("Opening a deck", lambda study: arranged(study.items(key)))
            reading.run(self, success=self._show_items)

    def _show_items(self, entries: list[Entry]) -> None:
        with self.list.held():
            self._model.set_entries(entries)
        if self.list.selectionModel().hasSelection():
            self._show_page()
            self._show_detail()
        else:
            self._select(0)
        if self._wants_focus and entries and self.search.hasFocus() and not self.search.text():
            self.focus_first()

    def _filter(self) -> None:
        chosen = self.list.selected()
        self._model.set_filter(self._is_wanted, self.search.text())
        self._select(chosen[0].item_id if chosen else 0)

    def _select(self, item_id: int) -> None:
        """Select an item, or the first if it is not listed, so that the arrow keys go on from it."""
        index = self._model.find(item_id)
        index = index if index.isValid() else self._model.index(1)
        both = QItemSelectionModel.SelectionFlag.ClearAndSelect
        self.list.selectionModel().setCurrentIndex(index, both)
        self.list.scrollTo(index)
        self._show_page()
        self._show_detail()

    def _show_page(self) -> None:
        if self._model.rowCount():
            self._pages.setCurrentWidget(self.list)
        else:
            some = self.tr("No item matches the filter.")
            self._nothing.setText(some if self._model.total else self._nothing_yet)
            self._pages.setCurrentWidget(self._nothing)
        for part in (self.detail, self._buttons):
            part.setVisible(bool(self._model.rowCount()))

    def _show_detail(self) -> None:
        chosen = self.list.selected()
        self._enable_actions(chosen)
        self.detail.show_items(chosen)

    def _enable_actions(self, chosen: list[Item]) -> None:
        for action in self.list.actions():
            action.setEnabled(bool(chosen))
        self.edit.setEnabled(len(chosen) == 1)
        self.open_source.setEnabled(len(chosen) == 1)
        self.resume.setEnabled(any(item.suspended for item in chosen))
        self.move_to.setEnabled(bool(chosen and self._other_decks()))

    # ---- what is done with items ----

    def _show_menu(self, position: QPoint) -> None:
        if self.list.indexAt(position).data(ITEM_ROLE) is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([action for action in self.list.actions() if action.isEnabled()])
        menu.popup(self.list.viewport().mapToGlobal(position))

    def _open_source(self) -> None:
        if len(chosen := self.list.selected()) == 1:
            self._controller.show_source(chosen[0])

    def _edit(self) -> None:
        if len(chosen := self.list.selected()) == 1:
            dialog = EditDialog(chosen[0], self)
            dialog.accepted.connect(lambda: self._save(chosen[0], dialog))
            dialog.open()

    def _save(self, item: Item, dialog: EditDialog) -> None:
        if dialog.text != item.text:
            self._study.edit(item.item_id, dialog.text).run(self, success=self._show_edited)

    def _show_edited(self, item: Item | None) -> None:
        if item is not None:
            self._model.replace(item)
            self._show_detail()

    def _delete(self) -> None:
        chosen = [item.item_id for item in self.list.selected()]
        if not chosen:
            return
        deleted = (*self.undo_bar.offered, *chosen)
        self.undo_bar.offer(deleted, self.tr("Deleted %Ln item(s)", None, len(deleted)))
        self._take_out(chosen)
        self._change("Deleting study material", lambda study: study.delete(chosen))

    def _undo(self, deleted: tuple[int, ...]) -> None:
        """Bring back what was deleted; the deck is listed again, since it has more items."""
        self._change("Restoring study material", lambda study: study.restore(deleted))

    def _resume(self) -> None:
        suspended = [item.item_id for item in self.list.selected() if item.suspended]
        self._change("Taking up cards again", lambda study: study.reviews.resume(suspended), self._load)

    def _move(self) -> None:
        chosen = [item.item_id for item in self.list.selected()]
        titles = {harmless(title): title for title in self._other_decks()}
        if chosen and titles:
            dialog = QInputDialog(self)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.setLabelText(self.tr("Move to another deck"))
            dialog.setWindowTitle(dialog.labelText())
            dialog.setComboBoxItems(list(titles))
            dialog.setOkButtonText(self.tr("Move"))
            for box in dialog.findChildren(QDialogButtonBox):
                box.setAccessibleName(dialog.labelText())
            dialog.textValueSelected.connect(lambda name: self._move_to(chosen, titles[name]))
            dialog.open()

    def _move_to(self, item_ids: list[int], course_title: str) -> None:
        self._take_out(item_ids)
        self._change("Moving study material", lambda study: study.move(item_ids, course_title))

    def _other_decks(self) -> list[str]:
        """Return the courses whose decks items can be moved to, also those without a deck yet."""
        decks = [deck.course_title for deck in self._pane.decks]
        own = "" if self._deck is None else self._deck.course_title
        return sorted({*decks, *self._pane.courses} - {own}, key=str.casefold)

    def _take_out(self, item_ids: list[int]) -> None:
        """Remove items from the list at once, and go on at the row after them."""
        row = self.list.selected_rows()[0]
        self._model.remove(item_ids)
        if self._deck is not None:
            self._listed = self._deck.deck_id, self._model.total
        last = self._model.rowCount() - 1
        rows = (*range(row, last + 1), last) if last > 0 else ()
        following = (self._model.index(at).data(ITEM_ROLE) for at in rows)
        item = next((item for item in following if item is not None), None)
        self._select(item.item_id if item is not None else 0)
        if item is None:
            self.focus_first()

    def _change(
        self, what: str, work: Callable[[StudyService], object], done: Callable[[], object] | None = None
    ) -> None:
        self._study.change(what, work).run(self, success=lambda _: done() if done else None)


class MarksPage(ItemsPage):
    """Lists what was marked in the lessons of all courses, with the notes."""

    chooses_deck = False

    def show_deck(self, deck: Deck | None) -> None:
        self._load()

    def _make_kinds(self) -> QComboBox:
        """Make the choice of a course."""
        box = ElidedCombo()
        box.setMaximumWidth(scaled(_COURSE_WIDTH))
        box.setAccessibleName(self.tr("Course"))
        box.addItem(self.tr("All courses"))
        return box

    def _make_actions(self) -> None:
        key = QKeySequence(MARK_KEY).toString(QKeySequence.SequenceFormat.NativeText)
        self._nothing_yet = self.tr("Select a sentence in a lesson and press {0} to mark it.").format(key)
        self._beside = (push_button(self.tr("Export…"), lambda: self._controller.export("marks.md")),)
        self.open_source = self._action(self.tr("Open source"), Qt.Key.Key_Return, self._open_source)
        self.edit = self._action(self.tr("Edit note…"), Qt.Key.Key_F2, self._edit)
        self._action(self.tr("Make a card…"), "Ctrl+J", self._make_card)
        self._action(self.tr("Explain this"), "Ctrl+E", self._explain)
        self.delete = self._action(self.tr("Delete"), QKeySequence.StandardKey.Delete, self._delete)

    def _enable_actions(self, chosen: list[Item]) -> None:
        for action in self.list.actions():
            action.setEnabled(len(chosen) == 1)
        self.delete.setEnabled(bool(chosen))

    def _is_wanted(self, item: Item) -> bool:
        return self.kinds.currentData() in (None, item.deck_id)

    def _load(self) -> None:
        listing = self._study.read("Listing the marks", lambda study: arranged(study.items(kinds=_MARKS)))
        listing.run(self, success=self._show_marks)

    def _show_marks(self, entries: list[Entry]) -> None:
        chosen = self.kinds.currentData()
        courses = {entry.item.deck_id: entry.item.source.hit.course_title for entry in entries}
        self.kinds.blockSignals(True)
        for row in range(self.kinds.count() - 1, 0, -1):
            self.kinds.removeItem(row)
        for deck_id, title in courses.items():
            self.kinds.addItem(harmless(title), deck_id)
        self.kinds.setCurrentIndex(max(self.kinds.findData(chosen), 0))
        self.kinds.blockSignals(False)
        self._show_items(entries)

    def _make_card(self) -> None:
        for item in self.list.selected():
            text = ItemText("", item.text.front, explanation=item.text.back)
            place = item.source, item.start, item.end, item.quote
            self._controller.marks.make_card(NewItem(ItemKind.CARD, text, *place))

    def _explain(self) -> None:
        for item in self.list.selected():
            self._controller.marks.explain(Selection(item.source, item.start, item.quote, item.quote))


_MARKS = (ItemKind.MARK,)


class _List(ItemsList):
    """Several can be selected; Enter, F2 and Delete are for its actions."""

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionMode(ItemsList.SelectionMode.ExtendedSelection)
        self.setMinimumHeight(scaled(96))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete on Backspace too, as on a Mac's keyboard."""
        if event.key() == Qt.Key.Key_Backspace:
            self.actions()[-1].trigger()
        else:
            super().keyPressEvent(event)


def _button(action: QAction) -> QPushButton:
    button = push_button(action.text(), action.trigger, compact=True)
    button.setToolTip(action.shortcut().toString(QKeySequence.SequenceFormat.NativeText))
    action.enabledChanged.connect(button.setEnabled)
    return button
