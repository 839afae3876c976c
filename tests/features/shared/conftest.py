"""A library for a class, made once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.search import remote
from app.features.shared import connection
from tests.support.class_library import copy_records, student, teacher
from tests.support.publishing import publish

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress
    from tests.support.chroma_server import ChromaServer
    from tests.support.courses import KeptEmbedder


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer for servers than the program does: on a busy computer theirs are slow, too."""
    monkeypatch.setattr(connection, "READING", connection.Patience(60.0, 90.0))
    monkeypatch.setattr(remote, "_PATIENCE", (60.0, 60.0))


@pytest.fixture(scope="session")
def class_library(
    chroma_server: ChromaServer, tmp_path_factory: pytest.TempPathFactory, embedder: KeptEmbedder
) -> ServerAddress:
    """Three courses on the server, which no test changes."""
    address = chroma_server.new_database()
    with teacher(tmp_path_factory.mktemp("class"), embedder) as rag:
        publish(rag, address)
    return address


@pytest.fixture
def class_copy(
    class_library: ServerAddress, chroma_database: ServerAddress, embedder: KeptEmbedder
) -> ServerAddress:
    """The same in a database of the test alone."""
    copy_records(class_library, chroma_database, embedder)
    return chroma_database


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """A student's library, at first without courses."""
    with student(tmp_path, embedder) as rag:
        yield rag
