"""Writes conversations to files."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from app.core.conversations.markdown_export import conversation_markdown
from app.domain.conversations import OpenedConversation
from app.domain.errors import LecternError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.core.rag_system import RAGSystem

    Writer = Callable[[OpenedConversation, Path], None]

_log = logging.getLogger(__name__)


class ExportWorker(QObject):
    """Lives in a thread of its own: laying out a long conversation takes seconds."""

    exported = Signal(object)
    """The Path that was written."""
    failed = Signal(str)
    """It could not be written: one sentence."""
    crashed = Signal(str)
    """A bug: what was being done."""

    def __init__(self, rag: RAGSystem) -> None:
        super().__init__()
        self._rag = rag

    @Slot(int, int, object, object)
    def export(self, conversation_id: int, through: int, path: Path, write: Writer | None) -> None:
        """Write one branch of a conversation; a file that is there is replaced once it is complete.

        Args:
            conversation_id: which.
            through: the branch with this exchange; 0 for the newest.
            path: the file.
            write: lays it out and writes it to the path it is given; None writes Markdown.
        """
        try:
            conversation = self._rag.conversations.conversation(conversation_id)
            if conversation is None:
                self.failed.emit(self.tr("This chat was deleted."))
                return
            exchanges = self._rag.conversations.exchanges(conversation_id, through or None)
            _write_whole(path, OpenedConversation(conversation, exchanges), write or _write_markdown)
            self.exported.emit(path)
        except OSError as error:
            sentence = self.tr("The chat could not be written to {0} ({1}).")
            self.failed.emit(sentence.format(path, error.strerror or error))
        except LecternError as error:
            self.failed.emit(str(error))
        except Exception:
            _log.exception("Exporting a chat failed.")
            self.crashed.emit(self.tr("Exporting a chat"))


def _write_markdown(opened: OpenedConversation, path: Path) -> None:
    path.write_text(conversation_markdown(opened), encoding="utf-8", newline="\n")


def _write_whole(path: Path, opened: OpenedConversation, write: Writer) -> None:
    """Write beside ``path`` first, so that what is there is not lost to a full disk."""
    unfinished = path.with_name(f".{path.name}.part")
    try:
        write(opened, unfinished)
        unfinished.replace(path)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink()
        raise
