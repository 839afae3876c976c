"""Carries what is done in the list of chats to the workers, and their answers back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QObject, QStandardPaths, Signal
from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from collections.abc import Container

    from PySide6.QtWidgets import QWidget

    from app.ui.chat.controller import ChatController
    from app.ui.chats.chats_pane import ChatsPane
    from app.workers.workers import Workers

_NOT_IN_A_NAME = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_LONGEST_NAME = 60


class ConversationsController(QObject):
    """Keeps the list up to date and has chats exported.

    Args:
        chats: the list.
        conversation: shows one of them.
        window: asks for a file in front of it.
    """

    said = Signal(str)
    """Something went well: one sentence."""
    problem = Signal(str)
    """Something could not be done: one sentence."""

    def __init__(self, chats: ChatsPane, conversation: ChatController, window: QWidget) -> None:
        super().__init__(window)
        self._chats = chats
        self._conversation = conversation
        self._window = window
        self._workers: Workers | None = None
        self._folder = ""
        chats.opened.connect(conversation.open)
        chats.delete_requested.connect(conversation.forget)
        chats.export_requested.connect(self._export_listed)
        conversation.conversation_shown.connect(chats.set_current)
        conversation.answering_changed.connect(chats.set_answering)

    def attach(self, workers: Workers) -> None:
        """Connect the workers."""
        self._workers = workers
        chats, worker = self._chats, workers.conversations
        chats.search_requested.connect(workers.search_conversations_requested)
        chats.rename_requested.connect(workers.rename_requested)
        chats.pin_requested.connect(workers.pin_requested)
        chats.delete_requested.connect(workers.delete_requested)
        chats.restore_requested.connect(workers.restore_requested)
        worker.listed.connect(chats.set_conversations)
        worker.found.connect(chats.set_hits)
        worker.failed.connect(self.problem)
        self._conversation.listing_changed.connect(workers.list_conversations_requested)
        workers.library.opened.connect(lambda _: workers.list_conversations_requested.emit())
        workers.exports.exported.connect(self._tell_exported)
        workers.exports.failed.connect(self.problem)

    def detach(self) -> None:
        """The workers are about to end."""
        self._workers = None

    def export_shown(self) -> None:
        """Ask for a file and write the branch on show to it."""
        shown = self._conversation.conversation_id
        if shown is not None:
            self._export(shown, self._conversation.last_exchange_id)

    def _export_listed(self, conversation_id: int) -> None:
        self._export(conversation_id, 0)

    def _export(self, conversation_id: int, through: int) -> None:
        if self._workers is None:
            return
        # Here, since the first picture of the window would wait for it.
        from app.ui.chats.file_export import WRITERS

        path = self._ask_for_file(self._chats.title_of(conversation_id), WRITERS)
        if path is not None:
            self._workers.export_requested.emit(conversation_id, through, path, WRITERS[path.suffix.lower()])

    def _ask_for_file(self, title: str, suffixes: Container[str]) -> Path | None:
        """Return the file to write; its suffix is one of those that can be written."""
        place = QStandardPaths.StandardLocation.DocumentsLocation
        folder = self._folder or QStandardPaths.writableLocation(place) or QDir.homePath()
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

    def _tell_exported(self, path: Path) -> None:
        self.said.emit(self.tr("The chat was saved as {0}.").format(path))
