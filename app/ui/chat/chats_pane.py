"""The saved conversations: a list with a search over all of them and a menu for each."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QAbstractItemModel, QItemSelectionModel, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QMenu,
    QStyledItemDelegate,
    QWidget,
)

from app.domain.cancel import CancelToken
from app.domain.conversations import Conversation, ConversationHit
from app.ui.chat.chat_controller import ChatController
from app.ui.chat.chats_list import ChatRole, ConversationDelegate, ConversationModel, HitDelegate, hit_row
from app.ui.widgets.bars import UndoBar
from app.ui.widgets.building import Cell, one_shot, stack, vbox
from app.ui.widgets.desktop import ask_for_new_file
from app.ui.widgets.pane_keys import PaneKey
from app.ui.widgets.search_fields import SearchBox
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme
from app.workers.job import Lane
from app.workers.workers import Workers

_SEARCH_AFTER_MS = 150
_NO_UPDATE = QItemSelectionModel.SelectionFlag.NoUpdate


class RowList(QListView):
    """Rows of equal height, so that a thousand cost no more than ten; F2 edits, Delete removes."""

    opened = Signal(QModelIndex)  # the row that was clicked or chosen with Enter
    removal_requested = Signal(QModelIndex)  # the row to remove

    def __init__(self, model: QAbstractItemModel, delegate: QStyledItemDelegate) -> None:
        super().__init__()
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.clicked.connect(self.opened)

    @property
    def is_editing(self) -> bool:
        return self.state() == QAbstractItemView.State.EditingState

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter; ask for removal on Delete, or Backspace on a Mac's keyboard."""
        index = self.currentIndex()
        if self.is_editing or not index.isValid():
            super().keyPressEvent(event)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit(index)
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removal_requested.emit(index)
        else:
            super().keyPressEvent(event)


class ConversationsPane(QWidget):
    """Lists and searches conversations, and offers to undo deletions."""

    opened = Signal(int, int)  # number of a conversation, and the exchange to read from or 0
    search_requested = Signal(int, str)  # number of the search, which :meth:`set_hits` repeats, and the words
    rename_requested = Signal(int, str)  # number and new title
    pin_requested = Signal(int, bool)  # number, and whether to pin it
    delete_requested = Signal(int)  # number; not confirmed by the user, who can undo it
    restore_requested = Signal(object)  # tuple of numbers
    export_requested = Signal(int)  # number

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Of features, in the menu of a chat: text, icon, what to do with its number.
        self.commands: list[tuple[str, str, Callable[[int], object]]] = []
        self._current: int | None = None
        self._search_number = 0
        self._unlisted: str | None = self.tr("Opening your library…")  # why there is no list
        self._model = ConversationModel(self)
        self._model.renamed.connect(self.rename_requested)
        self._hit_model = QStandardItemModel(self)
        self.setProperty("panel", "window")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.search_box = SearchBox(self.tr("Search all chats"), self.tr("Show all chats again"))
        self.list = RowList(self._model, ConversationDelegate(self))
        self.list.setAccessibleName(self.tr("Chats"))
        # The delegate marks the conversation shown, which need not be the current row.
        self.list.setSelectionMode(RowList.SelectionMode.NoSelection)
        self.hits = RowList(self._hit_model, HitDelegate(self))
        self.hits.setAccessibleName(self.tr("Found in chats"))
        self._message = plain_label("", "muted")
        self._message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._message.setContentsMargins(8, 8, 8, 8)
        self._pages = stack(self._message, self.list, self.hits)
        self.undo_bar = UndoBar(self._focus_list)
        self.undo_bar.undo_requested.connect(self.restore_requested)
        vbox(
            self.search_box, Cell(self._pages, 1), self.undo_bar, margins=(8, 8, 8, 8), spacing=8, parent=self
        )
        self._search_timer = one_shot(self, _SEARCH_AFTER_MS, self._search)
        self._connect()
        self._show_page()

    def set_conversations(self, conversations: Sequence[Conversation]) -> None:
        """Show these conversations in this order; selection, edit and search survive."""
        self._unlisted = None
        was_listed = self._model.find(self._current).isValid()
        self._model.set_conversations(conversations)
        if not was_listed:  # otherwise the current row stays current
            self._go_to_current()
        self._show_page()
        if self._is_searching:
            self._search()

    def set_unavailable(self, sentence: str) -> None:
        """Show, in place of the chats, why there are none."""
        self._unlisted = sentence
        self._model.set_conversations([])
        self._show_page()

    def set_hits(self, number: int, hits: Sequence[ConversationHit]) -> None:
        """Show the hits of search ``number``, unless a newer search has begun."""
        if number == self._search_number and self._is_searching:
            chosen = self.hits.currentIndex().row()
            self._hit_model.clear()
            self._hit_model.appendColumn([hit_row(hit) for hit in hits])
            self.hits.setCurrentIndex(self._hit_model.index(max(0, min(chosen, len(hits) - 1)), 0))
            self._show_page()

    def set_current(self, conversation_id: int | None) -> None:
        """Mark the conversation shown; None for a new one."""
        self._current = conversation_id
        self._model.set_shown(conversation_id)
        self._go_to_current()

    def set_answering(self, ids: frozenset[int]) -> None:
        self._model.set_answering(ids)

    def title_of(self, conversation_id: int) -> str:
        return self._model.title_of(conversation_id)

    def focus_search(self) -> None:
        self.search_box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search_box.selectAll()

    def _connect(self) -> None:
        self.search_box.textChanged.connect(self._search_later)
        self.search_box.down_pressed.connect(self._focus_list)
        self.search_box.returnPressed.connect(self._open_hit)
        for view in (self.list, self.hits):
            view.opened.connect(self._open)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.removal_requested.connect(lambda index: self._delete(index.data(ChatRole.ID)))
        PaneKey(self.list, QKeySequence.StandardKey.Undo, self.undo_bar.take_back)

    def _search_later(self) -> None:
        if self._is_searching:
            self._search_timer.start()
        else:
            self._search_timer.stop()
            self._hit_model.clear()
            self._show_page()

    def _search(self) -> None:
        self._search_number += 1
        self.search_requested.emit(self._search_number, self.search_box.text().strip())

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.opened.emit(index.data(ChatRole.ID), index.data(ChatRole.EXCHANGE) or 0)

    def _open_hit(self) -> None:
        if self._is_searching:
            self._open(self.hits.currentIndex())

    def _focus_list(self) -> None:
        shown = self.hits if self._is_searching else self.list
        shown.setFocus(Qt.FocusReason.TabFocusReason)

    def _delete(self, conversation_id: int) -> None:
        title = self._model.title_of(conversation_id)
        deleted = (*self.undo_bar.offered, conversation_id)
        several = self.tr("Deleted %Ln chat(s)", "", len(deleted))
        text = self.tr("Deleted “{0}”").format(title) if len(deleted) == 1 else several
        self.undo_bar.offer(deleted, text)
        self.delete_requested.emit(conversation_id)

    def _show_menu(self, position: QPoint) -> None:
        index = self.list.indexAt(position)
        if not index.isValid():
            return
        menu = self._menu_of(index)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.list.viewport().mapToGlobal(position))

    def _menu_of(self, index: QModelIndex) -> QMenu:
        """Return a conversation's menu; it acts by number, since rows may move while it is open."""
        number: int = index.data(ChatRole.ID)
        pinned: bool = index.data(ChatRole.PINNED)
        menu = QMenu(self)
        menu.addAction(self.tr("Open"), lambda: self.opened.emit(number, 0))
        icon = Theme.icon
        menu.addAction(
            icon("edit"), self.tr("Rename"), "F2", lambda: self.list.edit(self._model.find(number))
        )
        pin = self.tr("Unpin") if pinned else self.tr("Pin")
        menu.addAction(icon("pin"), pin, lambda: self.pin_requested.emit(number, not pinned))
        menu.addAction(icon("export"), self.tr("Export…"), lambda: self.export_requested.emit(number))
        for text, name, run in self.commands:
            menu.addAction(icon(name), text, partial(run, number))
        menu.addSeparator()
        delete = QKeySequence.StandardKey.Delete
        menu.addAction(icon("trash"), self.tr("Delete"), delete, lambda: self._delete(number))
        return menu

    @property
    def _is_searching(self) -> bool:
        return bool(self.search_box.text().strip())

    def _show_page(self) -> None:
        if self._is_searching:
            if self._hit_model.rowCount():
                self._pages.setCurrentWidget(self.hits)
                return
            self._message.setText(self.tr("No chat mentions “{0}”.").format(self.search_box.text().strip()))
        elif self._model.rowCount():
            self._pages.setCurrentWidget(self.list)
            self.search_box.setEnabled(True)
            return
        elif self._unlisted is not None:
            self._message.setText(self._unlisted)
        else:
            self._message.setText(self.tr("No chats yet. Your questions and their answers will appear here."))
        self._pages.setCurrentWidget(self._message)
        self.search_box.setEnabled(self._unlisted is None)

    def _go_to_current(self) -> None:
        """Make the conversation shown the current row, or else the first one."""
        index = self._model.find(self._current)
        if index.isValid() and not self.list.is_editing:
            self.list.setCurrentIndex(index)
        elif not self.list.currentIndex().isValid():
            self.list.selectionModel().setCurrentIndex(self._model.index(0), _NO_UPDATE)


class ConversationsController(QObject):
    """Keeps the list of chats up to date and exports chats."""

    said = Signal(str)  # a sentence for the status bar
    title_changed = Signal(str)  # of the chat on show; empty for a new one

    def __init__(
        self, chats: ConversationsPane, chat_controller: ChatController, workers: Workers, window: QWidget
    ) -> None:
        super().__init__(window)
        self._workers = workers
        self._chats = chats
        self._chat_controller = chat_controller
        self._window = window
        self._folder = ""
        chats.opened.connect(chat_controller.open)
        chats.delete_requested.connect(chat_controller.forget)
        chats.export_requested.connect(lambda chat: self._export(chat, 0))
        chat_controller.conversation_shown.connect(chats.set_current)
        chat_controller.conversation_shown.connect(self._tell_title)
        chat_controller.answering_changed.connect(chats.set_answering)
        chats.search_requested.connect(self._search)
        change = workers.conversations.change
        chats.rename_requested.connect(
            lambda chat, title: change("Renaming a chat", lambda chats: chats.rename(chat, title)).run(self)
        )
        chats.pin_requested.connect(
            lambda chat, pinned: change("Pinning a chat", lambda chats: chats.set_pinned(chat, pinned)).run(
                self
            )
        )
        chats.delete_requested.connect(
            lambda chat: change("Deleting a chat", lambda chats: chats.delete(chat)).run(self)
        )
        chats.restore_requested.connect(
            lambda deleted: change("Restoring chats", lambda chats: chats.restore(*deleted)).run(self)
        )
        chat_controller.listing_changed.connect(self._list)
        workers.opened.connect(self._list)
        workers.conversations_listed.connect(chats.set_conversations)
        workers.conversations_listed.connect(self._tell_title)

    def export_shown(self) -> None:
        """Export the branch on show to a file that the user chooses."""
        shown = self._chat_controller.conversation_id
        if shown is not None:
            self._export(shown, self._chat_controller.last_exchange_id)

    def _export(self, conversation_id: int, through: int) -> None:
        # Imported late so that the window paints sooner.
        from app.ui.chat.file_export import WRITERS, write_html

        kinds = {
            self.tr("Markdown (*.md)"): ".md",
            self.tr("Web page (*.html)"): ".html",
            self.tr("PDF (*.pdf)"): ".pdf",
        }
        name = self._chats.title_of(conversation_id) or self.tr("Chat")

        def save(path: Path) -> None:
            self._folder = str(path.parent)
            write = WRITERS[path.suffix.lower()]
            if write is write_html:
                rag = self._workers.rag
                write = partial(
                    write_html, set_formula=lambda formula: rag.formulas.set(formula, CancelToken())
                )
            done = self.tr("The chat was saved as {0}.").format(path)
            self.said.emit(self.tr("Saving the chat…"))
            exporting = self._workers.conversations.export(conversation_id, through, path, write)
            exporting.run(self, success=lambda _: self.said.emit(done))

        ask_for_new_file(self._window, self.tr("Export chat"), self._folder, name, kinds, save)

    def _tell_title(self) -> None:
        shown = self._chat_controller.conversation_id
        self.title_changed.emit("" if shown is None else self._chats.title_of(shown))

    def _list(self) -> None:
        self._workers.conversations.list().run(self)

    def _search(self, number: int, text: str) -> None:
        show = partial(self._chats.set_hits, number)
        self._workers.job(
            Lane.READ,
            "Searching the chats",
            lambda rag, _: rag.conversations.search(text),
            key="conversations",
        ).run(self, success=show)
