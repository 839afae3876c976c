"""What the disk damages without a word is found, named, and told with what to do."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.storage.checksums import check, store_exchange
from app.core.storage.database import Database
from app.domain.cancel import CancelToken
from app.domain.conversations import ExchangeState
from app.domain.scope import Scope
from app.features.keeping.doctor import examine
from tests.support.courses import ingest, library, write_courses

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

SAVED = Path(__file__).parents[2] / "data" / "libraries"
ANSWER = "A very unusual zymurgical answer."


def rot(path: Path, old: bytes, new: bytes) -> None:
    """Change bytes of the closed library file, as a disk may, so that SQLite does not notice."""
    data = path.read_bytes()
    assert old in data
    assert len(old) == len(new)
    path.write_bytes(data.replace(old, new, 1))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def ask(rag: RAGSystem) -> None:
    chat = rag.conversations.create_session()
    exchange = rag.conversations.begin_exchange(chat, "What is zymurgy?", Scope(), "claude")
    hit = rag.search.retrieve("sourdough").hits[0]
    sources = (rag.search.make_source(1, hit),)
    rag.conversations.save(replace(exchange, answer=ANSWER, state=ExchangeState.DONE, sources=sources))


def damaged(rag: RAGSystem) -> list[str]:
    return [str(message) for message in check(rag.database.connection) if message]


def number_checked(rag: RAGSystem) -> int:
    return len(list(check(rag.database.connection)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"two bulges", b"seglub owt"),
        (b"tides and neap", b"paen dna sedit"),
        pytest.param(b"two bulges", b"two \xff\xfelges", id="text that cannot be decoded"),
    ],
)
def test_a_damaged_document_is_named(data_dir: Path, embedder: KeptEmbedder, old: bytes, new: bytes) -> None:
    rot(data_dir / "library.sqlite3", old, new)
    report = examine(data_dir, Settings(), embedder)
    found = [problem for problem in report.problems if problem.what.id == "storage.document_damaged"]
    assert len(found) == 1
    assert "tides.txt" in str(found[0].what)
    assert "--restore" in str(found[0].fix)


def test_a_damaged_vector_is_found(data_dir: Path, embedder: KeptEmbedder) -> None:
    with library(data_dir, embedder, index=False) as rag:
        query = "SELECT substr(vectors, 1, 40) FROM chunks LIMIT 1"
        start = rag.database.connection.execute(query).fetchone()[0]
    rot(data_dir / "library.sqlite3", start, start[::-1])
    with library(data_dir, embedder, index=False) as rag:
        assert len(damaged(rag)) == 1


def test_a_damaged_chat_is_named(data_dir: Path, embedder: KeptEmbedder) -> None:
    with library(data_dir, embedder, index=False) as rag:
        ask(rag)
        assert number_checked(rag) == 4
    rot(data_dir / "library.sqlite3", b"zymurgical", b"zymurgicel")
    with library(data_dir, embedder, index=False) as rag:
        (sentence,) = damaged(rag)
    assert "“What is zymurgy?”" in sentence


@pytest.mark.parametrize("saved", ["v1", "v5"])
def test_what_an_earlier_version_stored_is_covered(saved: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SAVED / saved, tmp_path / "data"))
    database = Database(folder)
    database.open()
    assert list(check(database.connection)) == [None] * 4
    database.connection.execute("UPDATE documents SET text = replace(text, 'tide', 'tile')")
    database.connection.execute("UPDATE exchanges SET answer = 'No.' WHERE id = 1")
    assert [message.id for message in check(database.connection) if message] == [
        "storage.document_damaged",
        "storage.chat_damaged",
    ]
    database.close()


def test_everything_that_changes_a_library_keeps_its_checksums(
    rag: RAGSystem, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    ask(rag)
    folder = write_courses(tmp_path / "again")
    ingest(rag, folder)
    (folder / "tides.txt").rename(folder / "0 tides.txt")
    (folder / "bread.txt").write_text("Course Title: Bread\n\nLesson 1: A\nRye bread.\n", encoding="utf-8")
    ingest(rag, folder)
    rag.settings = Settings(chunk_size=300, chunk_overlap=0)
    list(rag.reindex.run(CancelToken()))
    rag.courses.remove_courses([rag.courses.all()[0].title], CancelToken())
    list(rag.trash.restore([key for entry in rag.trash.entries() for key in entry.documents], CancelToken()))
    list(rag.transfer.export_library(tmp_path / "a.zip", CancelToken()))
    assert damaged(rag) == []
    with library(tmp_path / "other", embedder) as other:
        list(other.transfer.import_library(tmp_path / "a.zip", CancelToken()))
        assert damaged(other) == []
        counts = other.courses.counts()
        assert number_checked(other) == counts.documents + 1
        list(other.transfer.import_library(tmp_path / "a.zip", CancelToken(), replace=True))
        assert number_checked(other) == counts.documents + 1


def test_it_is_checked_once_a_week(rag: RAGSystem) -> None:
    assert list(rag.check_weekly()) == [None] * 3
    assert list(rag.check_weekly()) == []
    rag.database.set_meta("checked_at", "99999999999")  # by a clock that was wrong
    assert len(list(rag.check_weekly())) == 3


def test_another_python_computes_the_same(tmp_path: Path) -> None:
    database = Database(tmp_path)
    database.open()
    with closing(database), database.transaction() as connection:
        connection.execute("INSERT INTO conversations VALUES (1, 'A', 0.5, 0.5, 0, NULL, '{}')")
        # The shaking face is printable from Python 3.12 on.
        connection.execute(
            """INSERT INTO exchanges (id, conversation_id, question, answer, state, created_at)
               VALUES (1, 1, 'Quakes?', '\U0001fae8', 'done', 0.5)"""
        )
        store_exchange(connection, 1)
        (value,) = connection.execute("SELECT value FROM exchange_checksums").fetchone()
    assert value.hex() == "d639492da1c30fba969e527289b82432"
