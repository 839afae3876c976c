"""A teacher who publishes to a Chroma server, and students who subscribe to it without the files."""

from __future__ import annotations

from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from app.features.shared.connection import CATALOG, CONTENT, Record, ServerConnection
from app.features.shared.publishing import PublishingService
from app.features.shared.records import collection_metadata
from app.features.shared.service import SharedLibraries
from tests.support.courses import ingest, library, write_courses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from app.core.embedding.embedder import Embedder
    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress
    from app.features.shared.connection import Found, Value


def libraries_of(rag: RAGSystem) -> SharedLibraries:
    """Return the subscriptions of a library."""
    return rag.service(SharedLibraries)


def publishing_of(rag: RAGSystem) -> PublishingService:
    """Return what publishes a library."""
    return rag.service(PublishingService)


@contextmanager
def teacher(folder: Path, embedder: Embedder) -> Iterator[RAGSystem]:
    """Open a library with the three courses, whose files are in ``folder / "files"``."""
    with library(folder / "teacher", embedder, index=False) as rag:
        if not rag.courses.all():
            ingest(rag, write_courses(folder / "files"))
        yield rag


@contextmanager
def student(folder: Path, embedder: Embedder, name: str = "student") -> Iterator[RAGSystem]:
    """Open another library, at first without courses."""
    with library(folder / name, embedder, index=False) as rag:
        yield rag


def copy_records(source: ServerAddress, target: ServerAddress, embedder: Embedder) -> None:
    """Copy all that is in one database to another."""
    with closing(ServerConnection(source)) as old, closing(ServerConnection(target)) as new:
        new.create(collection_metadata(embedder.model_id, embedder.dimension))
        for name in (CATALOG, CONTENT):
            found = old.get(name, documents=True, metadatas=True, embeddings=True)
            new.put(name, [changed(one, one.metadata or {}, one.document) for one in found])


def changed(found: Found, metadata: Mapping[str, Value], document: str | None = "text") -> Record:
    """Return a record as it was found, with other metadata and another text."""
    assert found.vector is not None
    return Record(found.id, found.vector, document, metadata)
