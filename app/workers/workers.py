"""The three workers, started together and ended in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.workers.chat_worker import ChatWorker
from app.workers.ingest_worker import IngestWorker
from app.workers.library_worker import LibraryWorker
from app.workers.threads import end_thread, start_in_thread

if TYPE_CHECKING:
    from pathlib import Path

    from app.config.secrets import KeyStore
    from app.core.rag_system import RAGSystem


class Workers(QObject):
    """What the window asks for goes out as signals, so that it runs in the workers' threads."""

    open_requested = Signal()
    add_requested = Signal(int, object)
    samples_requested = Signal(int)
    cut_again_requested = Signal(int)
    remove_requested = Signal(object)
    save_requested = Signal(object, object, bool)
    models_requested = Signal()

    def __init__(self, rag: RAGSystem, keys: KeyStore, settings_file: Path) -> None:
        super().__init__()
        self._rag = rag
        self.library = LibraryWorker(rag, keys, settings_file)
        self.ingest = IngestWorker(rag)
        self.chat = ChatWorker(rag, keys)
        self.threads = [
            start_in_thread(self.library, "library"),
            start_in_thread(self.ingest, "ingest"),
        ]
        self.chat.start()
        self.open_requested.connect(self.library.open)
        self.remove_requested.connect(self.library.remove_courses)
        self.save_requested.connect(self.library.save_settings)
        self.models_requested.connect(self.library.list_models)
        self.add_requested.connect(self.ingest.add)
        self.samples_requested.connect(self.ingest.add_samples)
        self.cut_again_requested.connect(self.ingest.cut_again)

    def close(self) -> None:
        """Stop what runs, end the threads, then close the library. Blocks until that is done."""
        self.ingest.close()
        self.library.cancel()
        self.chat.close()
        for thread in self.threads:
            end_thread(thread)
        self._rag.close()
