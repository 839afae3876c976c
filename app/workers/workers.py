"""The workers, started together and ended in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.workers.chat_worker import ChatWorker
from app.workers.conversation_worker import ConversationWorker
from app.workers.export_worker import ExportWorker
from app.workers.folder_worker import FolderWorker
from app.workers.ingest_worker import IngestWorker
from app.workers.library_worker import LibraryWorker
from app.workers.plan_worker import PlanWorker
from app.workers.threads import end_thread, start_in_thread

if TYPE_CHECKING:
    from pathlib import Path

    from app.config.secrets import KeyStore
    from app.core.rag_system import RAGSystem


class Workers(QObject):
    """What the window asks for goes out as signals, so that it runs in the workers' threads."""

    open_requested = Signal()
    plan_requested = Signal(int, object)
    add_requested = Signal(int, object)
    add_corrected_requested = Signal(int, object, object)
    retry_requested = Signal(int, object)
    sync_requested = Signal(int, object)
    watch_requested = Signal(bool)
    stop_watching_requested = Signal(object, bool)
    samples_requested = Signal(int)
    reindex_requested = Signal(int)
    remove_requested = Signal(object)
    remove_files_requested = Signal(object)
    restore_documents_requested = Signal(object)
    failures_requested = Signal()
    trash_requested = Signal()
    empty_trash_requested = Signal(int)
    export_library_requested = Signal(int, object)
    import_library_requested = Signal(int, object, bool)
    save_requested = Signal(object, object, bool)
    check_model_requested = Signal(str)
    models_requested = Signal()
    lesson_requested = Signal(object)
    check_requested = Signal(int, object)
    list_conversations_requested = Signal()
    search_conversations_requested = Signal(int, str)
    open_conversation_requested = Signal(int, int, int)
    rename_requested = Signal(int, str)
    pin_requested = Signal(int, bool)
    delete_requested = Signal(int)
    restore_requested = Signal(object)
    export_requested = Signal(int, int, object, object)

    def __init__(self, rag: RAGSystem, keys: KeyStore, settings_file: Path) -> None:
        super().__init__()
        self._rag = rag
        self.library = LibraryWorker(rag, keys, settings_file)
        self.ingest = IngestWorker(rag)
        self.folders = FolderWorker(rag)
        self.plans = PlanWorker(rag)
        self.conversations = ConversationWorker(rag)
        self.exports = ExportWorker(rag)
        self.chat = ChatWorker(rag, keys)
        self.threads = [
            start_in_thread(self.library, "library"),
            start_in_thread(self.ingest, "ingest"),
            start_in_thread(self.plans, "plans"),
            start_in_thread(self.conversations, "conversations"),
            start_in_thread(self.exports, "export"),
        ]
        self.folders.moveToThread(self.threads[0])  # its errands are as short as the library's
        self.chat.start()
        self.open_requested.connect(self.library.open)
        self.remove_requested.connect(self.library.remove_courses)
        self.remove_files_requested.connect(self.library.remove_files)
        self.save_requested.connect(self.library.save_settings)
        self.check_model_requested.connect(self.library.check_model)
        self.models_requested.connect(self.library.list_models)
        self.lesson_requested.connect(self.library.read_lesson)
        self.check_requested.connect(self.library.check_sources)
        self.plan_requested.connect(self.plans.plan)
        self.add_requested.connect(self.ingest.add)
        self.add_corrected_requested.connect(self.ingest.add_corrected)
        self.retry_requested.connect(self.ingest.retry)
        self.sync_requested.connect(self.ingest.sync_folders)
        self.watch_requested.connect(self.folders.watch)
        self.stop_watching_requested.connect(self.folders.stop_watching)
        self.samples_requested.connect(self.ingest.add_samples)
        self.reindex_requested.connect(self.ingest.reindex)
        self.restore_documents_requested.connect(self.library.restore_documents)
        self.failures_requested.connect(self.library.list_failures)
        self.trash_requested.connect(self.library.list_trash)
        self.empty_trash_requested.connect(self.ingest.empty_trash)
        self.export_library_requested.connect(self.ingest.export_library)
        self.import_library_requested.connect(self.ingest.import_library)
        self._connect_conversations()

    def close(self) -> None:
        """Stop what runs, end the threads, then close the library. Blocks until that is done."""
        self.ingest.close()
        self.plans.close()
        self.library.cancel()
        self.chat.close()
        for thread in self.threads:
            end_thread(thread)
        self.folders.close()
        self._rag.close()

    def _connect_conversations(self) -> None:
        worker = self.conversations
        self.list_conversations_requested.connect(worker.list_all)
        self.search_conversations_requested.connect(worker.search)
        self.open_conversation_requested.connect(worker.open)
        self.rename_requested.connect(worker.rename)
        self.pin_requested.connect(worker.pin)
        self.delete_requested.connect(worker.delete)
        self.restore_requested.connect(worker.restore)
        self.export_requested.connect(self.exports.export)
