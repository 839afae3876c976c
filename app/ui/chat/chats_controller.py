"""Connects the list of chats with the workers and with the chat on show."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from app.ui.widgets.folders import start_folder

if TYPE_CHECKING:
    from collections.abc import Container

    from PySide6.QtWidgets import QWidget

    from app.ui.chat.chats_pane import ConversationsPane
    from app.ui.chat.controller import ChatController
    from app.workers.workers import Workers

_NOT_IN_A_NAME = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_NAME = 60


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
        operations = workers.conversations
        chats.search_requested.connect(self._search)
        chats.rename_requested.connect(lambda chat, title: operations.rename(chat, title).run(self))
        chats.pin_requested.connect(lambda chat, pinned: operations.pin(chat, pinned).run(self))
        chats.delete_requested.connect(lambda chat: operations.delete(chat).run(self))
        chats.restore_requested.connect(lambda deleted: operations.restore(deleted).run(self))
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

        path = self._ask_for_file(self._chats.title_of(conversation_id), WRITERS)
        if path is not None:
            write = WRITERS[path.suffix.lower()]
            if write is write_html:
                write = partial(write_html, set_formula=self._workers.formulas.set_at_once)
            done = self.tr("The chat was saved as {0}.").format(path)
            self.said.emit(self.tr("Saving the chat…"))
            exporting = self._workers.conversations.export(conversation_id, through, path, write)
            exporting.run(self, success=lambda _: self.said.emit(done))

    def _tell_title(self) -> None:
        shown = self._chat_controller.conversation_id
        self.title_changed.emit("" if shown is None else self._chats.title_of(shown))

    def _list(self) -> None:
        self._workers.conversations.list().run(self)

    def _search(self, number: int, text: str) -> None:
        show = partial(self._chats.set_hits, number)
        self._workers.conversations.search(text).run(self, success=show)

    def _ask_for_file(self, title: str, suffixes: Container[str]) -> Path | None:
        """Return the file that the user chooses, with one of the suffixes, or None."""
        folder = start_folder(self._folder)
        name = _NOT_IN_A_NAME.sub(" ", title)[:_LONGEST_NAME].strip(" .") or self.tr("Chat")
        filters = {
            self.tr("Markdown (*.md)"): ".md",
            self.tr("Web page (*.html)"): ".html",
            self.tr("PDF (*.pdf)"): ".pdf",
        }
        chosen, kind = QFileDialog.getSaveFileName(
            self._window, self.tr("Export chat"), str(Path(folder, f"{name}.md")), ";;".join(filters)
        )
        if not chosen:
            return None
        path = Path(chosen)
        self._folder = str(path.parent)
        if path.suffix.lower() not in suffixes:
            path = path.with_name(path.name + filters.get(kind, ".md"))
        return path
