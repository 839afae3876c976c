"""Everything the window can ask for, and the threads that do it."""

from app.workers.ingest_operations import IngestOperations
from app.workers.library import LibraryWorkers
from app.workers.operations import AnswerOperations, ConversationOperations, LibraryOperations


class Workers(LibraryWorkers):
    """The operations by subject."""

    def __init__(self) -> None:
        super().__init__()
        self.library = LibraryOperations(self)
        self.ingest = IngestOperations(self)
        self.conversations = ConversationOperations(self)
        self.answers = AnswerOperations(self)
