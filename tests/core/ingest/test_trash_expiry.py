"""The trash empties itself after thirty days."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.storage import database
from app.domain.cancel import CancelToken
from app.domain.scope import Scope
from app.features.keeping.doctor import examine
from tests.core.ingest.test_trash import (
    BREAD_TITLE,
    MadeUpVectors,
    counts,
    empty,
    long_course,
    remove,
    restore,
    size_of,
)
from tests.support.courses import ingest, library

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


class Clock:
    """The computer's clock."""

    def __init__(self) -> None:
        self.date = datetime.now() + timedelta(seconds=1)

    def __call__(self) -> float:
        return self.date.timestamp()

    def turn(self, days: float) -> None:
        self.date = datetime.fromtimestamp(self() + days * 86_400)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def removed(data_dir: Path, embedder: KeptEmbedder, clock: Clock) -> Path:
    """A closed library with a course and a chat in the trash, which no start has seen there."""
    with library(data_dir, embedder, now=clock) as rag:
        remove(rag, "bread")
        chat = rag.conversations.create_session()
        rag.conversations.begin_exchange(chat, "How long?", Scope(), None)
        rag.conversations.delete(chat)
    return data_dir


def start(data_dir: Path, embedder: KeptEmbedder, clock: Clock) -> tuple[int, int]:
    """Start and end as the window does; return the documents and chats in the trash."""
    with library(data_dir, embedder, index=False, now=clock) as rag:
        list(rag.trash.expire(CancelToken()))
        return kept(rag)


def kept(rag: RAGSystem) -> tuple[int, int]:
    chats = rag.database.connection.execute("SELECT count(*) FROM conversations").fetchone()[0]
    return len(rag.trash.entries()), chats


def test_it_goes_after_thirty_days(removed: Path, embedder: KeptEmbedder, clock: Clock) -> None:
    for _ in range(30):
        assert start(removed, embedder, clock) == (1, 1)
        clock.turn(days=1)
    clock.turn(days=0.1)
    assert start(removed, embedder, clock) == (0, 0)


def test_a_clock_that_is_years_ahead_empties_nothing(
    removed: Path, embedder: KeptEmbedder, clock: Clock
) -> None:
    today = clock.date
    clock.date = datetime(2200, 1, 1)
    assert start(removed, embedder, clock) == (1, 1)
    clock.date = today
    assert start(removed, embedder, clock) == (1, 1)
    with library(removed, embedder, now=clock) as rag:
        restore(rag, "bread")
        assert rag.search.retrieve("what is a sourdough starter?").hits[0].course_title == BREAD_TITLE


def test_a_clock_that_is_set_back_keeps_it_for_longer(
    removed: Path, embedder: KeptEmbedder, clock: Clock
) -> None:
    for _ in range(50):
        assert start(removed, embedder, clock) == (1, 1)
        clock.turn(days=-1)


def age(data_dir: Path, days: float) -> None:
    """Let what is in the trash have been there for longer."""
    with closing(sqlite3.connect(data_dir / "library.sqlite3")) as connection, connection:
        connection.execute("UPDATE documents SET trashed_at = trashed_at - ?", (days * 86_400,))
        connection.execute("UPDATE conversations SET deleted_at = deleted_at - ?", (days * 86_400,))


def test_what_is_removed_again_is_kept_again(removed: Path, embedder: KeptEmbedder, clock: Clock) -> None:
    age(removed, days=31)
    with library(removed, embedder, index=False, now=clock) as rag:
        assert kept(rag) == (1, 0), "chats go when the library is opened, documents later"
        restore(rag, "bread")
        remove(rag, "bread")
    assert start(removed, embedder, clock) == (1, 0)


def test_the_date_of_the_end_is_told(removed: Path, embedder: KeptEmbedder, clock: Clock) -> None:
    with library(removed, embedder, index=False, now=clock) as rag:
        (entry,) = rag.trash.entries()
        assert entry.kept_until == entry.removed + 30 * 86_400


@pytest.mark.slow
def test_the_room_of_what_expired_comes_back(
    data_dir: Path,
    model_cache: Path,
    embedder: KeptEmbedder,
    tmp_path: Path,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(database, "_PAGES_AT_ONCE", 100)
    before = size_of(data_dir)
    long = tmp_path / "long.txt"
    long.write_text(long_course("A Long Course", 400), encoding="utf-8")
    with library(data_dir, MadeUpVectors(None, model_cache)) as rag:
        ingest(rag, long)
    with library(data_dir, embedder, now=clock) as rag:
        remove(rag, "A Long Course")
    age(data_dir, days=35)
    with library(data_dir, embedder, now=clock) as rag:
        remove(rag, "bread")
        assert len(rag.trash.entries()) == 2, "opening does not wait until it is deleted"
        steps = len(list(rag.trash.expire(CancelToken())))
        assert steps > 2
        assert [entry.course_title for entry in rag.trash.entries()] == [BREAD_TITLE]
        assert len(counts(rag)) == 1
        restore(rag, "bread")
        assert list(rag.trash.expire(CancelToken())) == []
        remove(rag, "bread")
        empty(rag)
        assert rag.trash.entries() == ()
    # A few pages stay in the file, to be used again; Chroma was built anew when it was opened.
    assert size_of(data_dir) <= 1.2 * before + (1 << 20)
    assert examine(data_dir, Settings(), embedder).ok
