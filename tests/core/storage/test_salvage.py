"""Saving what can be read of a damaged library that has no backup."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.doctor import examine
from app.core.storage.salvage import salvage
from app.domain.cancel import CancelToken
from app.domain.conversations import ExchangeState
from app.domain.errors import LibraryLocked, LibraryUnusable
from app.domain.scope import Scope
from tests.support.courses import TITLES, ingest, library

if TYPE_CHECKING:
    from app.domain.messages import Message
    from tests.support.courses import KeptEmbedder

PAGE = 4096
NOTES = 40


@pytest.fixture
def large(data_dir: Path, embedder: KeptEmbedder, tmp_path: Path) -> Path:
    """A library of the three courses, forty notes and a chat."""
    folder = tmp_path / "Notes"
    folder.mkdir()
    for number in range(NOTES):
        text = f"Note {number} is about herons, which stand very still. " * 12
        (folder / f"{number:02}.txt").write_text(text, encoding="utf-8")
    with library(data_dir, embedder) as rag:
        ingest(rag, folder)
        chat = rag.conversations.create_session()
        for number in range(30):
            exchange = rag.conversations.begin_exchange(chat, f"Question {number}?", Scope(), "claude")
            rag.conversations.save(
                replace(exchange, answer=f"Answer {number}. " * 50, state=ExchangeState.DONE)
            )
    shutil.rmtree(data_dir / "backups", ignore_errors=True)
    return data_dir


def pages(path: Path) -> int:
    return path.stat().st_size // PAGE


def damage(path: Path, *numbers: int) -> bytes:
    """Overwrite pages, the first of which is 1; return the file."""
    data = bytearray(path.read_bytes())
    for number in numbers:
        data[(number - 1) * PAGE : number * PAGE] = b"\xa5" * PAGE
    path.write_bytes(data)
    return bytes(data)


def root_of(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as connection:
        query = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return int(connection.execute(query, (table,)).fetchone()[0])


def test_a_sound_library_comes_back_whole(large: Path, embedder: KeptEmbedder) -> None:
    saved = salvage(large)
    assert (saved.documents, saved.exchanges, saved.incomplete) == (3 + NOTES, 30, [])
    with library(large, embedder) as rag:
        assert not rag.reindex.needed()
        assert {course.title for course in rag.courses.all()} == {*TITLES, "Notes"}
        assert "sourdough" in rag.search.retrieve("sourdough").hits[0].text
    assert examine(large, Settings(), embedder).ok


@pytest.mark.parametrize("table", ["courses", "chunks_course", "exchanges_fts_data", "conversations"])
def test_what_lies_around_a_lost_table_is_saved(large: Path, embedder: KeptEmbedder, table: str) -> None:
    path = large / "library.sqlite3"
    damaged = damage(path, root_of(path, table))
    told: list[Message] = []
    report = examine(large, Settings(), embedder, repair=True, progress=told.append)
    assert report.ok, report.problems
    (message,) = [message for message in told if message.id == "storage.salvaged"]
    assert Path(str(message.arguments["kept"])).read_bytes() == damaged
    with library(large, embedder) as rag:
        assert rag.courses.counts().documents == 3 + NOTES
        (chat,) = rag.conversations.all()
        assert len(rag.conversations.exchanges(chat.id)) == 30
        assert "sourdough" in rag.search.retrieve("sourdough").hits[0].text


@pytest.mark.parametrize("seed", range(6))
def test_most_is_saved_from_around_damaged_pages(large: Path, embedder: KeptEmbedder, seed: int) -> None:
    path = large / "library.sqlite3"
    chosen = random.Random(seed).sample(range(2, pages(path) + 1), 4)
    roots = {root_of(path, name) for name in ("documents", "lessons", "chunks", "exchanges", "meta")}
    damage(path, *(set(chosen) - roots))
    saved = salvage(large)
    assert saved.documents > NOTES / 2
    with library(large, embedder) as rag:
        list(rag.reindex.ensure_current(CancelToken()))
        assert rag.courses.counts().documents == saved.documents
        for chat in rag.conversations.all():
            rag.conversations.exchanges(chat.id)
        assert rag.search.retrieve("herons").hits
        assert rag.index.matches()
    assert examine(large, Settings(), embedder, repair=True).counts["documents"] == saved.documents


def test_of_garbage_nothing_is_saved_and_nothing_changed(large: Path, embedder: KeptEmbedder) -> None:
    path = large / "library.sqlite3"
    path.write_bytes(b"garbage" * 10_000)
    with pytest.raises(LibraryUnusable, match="Nothing of the damaged library can be read"):
        salvage(large)
    assert path.read_bytes() == b"garbage" * 10_000
    report = examine(large, Settings(), embedder, repair=True)
    assert any("Nothing of the damaged" in str(problem.what) for problem in report.problems)
    assert not (large / "backups").exists()


def test_not_while_another_lectern_uses_it(large: Path, embedder: KeptEmbedder) -> None:
    with library(large, embedder, index=False), pytest.raises(LibraryLocked):
        salvage(large)
