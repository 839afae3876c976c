"""The repositories of courses, documents and passages in one library file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.storage.courses import CourseRepository
from app.core.storage.documents import DocumentRepository
from app.core.storage.failures import Failures
from app.core.storage.index_queue import IndexQueue
from app.core.storage.passages import PassageRepository
from app.core.storage.places import Places

if TYPE_CHECKING:
    from app.core.storage.database import Database


class Catalog:
    """Holds the repositories.

    Attributes:
        courses: the list of courses, their titles and vectors.
        documents: what was read of each file.
        passages: the units of search.
        places: chosen folders, corrections, and the place of each document.
        failures: files that could not be read.
        index_queue: what Chroma still has to be told.
    """

    def __init__(self, database: Database) -> None:
        self.courses = CourseRepository(database)
        self.documents = DocumentRepository(database)
        self.passages = PassageRepository(database)
        self.places = Places(database)
        self.failures = Failures(database)
        self.index_queue = IndexQueue(database)
