"""The trash empties itself after thirty days of use, whatever the computer's clock says."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.storage import database
from app.core.storage.database import Database
from app.domain.cancel import CancelToken
from app.domain.scope import Scope
from app.features.keeping.doctor import examine
from app.features.keeping.trash.expiry import Expiry
from tests.features.keeping.trash.test_service import (
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
        self.date = datetime(2026, 3, 1, 12)

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
    for _ in range(30):  # the first start begins to count
        assert start(removed, embedder, clock) == (1, 1)
        clock.turn(days=1)
    assert start(removed, embedder, clock) == (0, 0)


def test_one_start_in_another_century_empties_nothing(
    removed: Path, embedder: KeptEmbedder, clock: Clock
) -> None:
    start(removed, embedder, clock)
    today = clock.date
    clock.date = datetime(2200, 1, 1)
    assert start(removed, embedder, clock) == (1, 1)
    clock.date = today
    assert start(removed, embedder, clock) == (1, 1)
    with library(removed, embedder, now=clock) as rag:
        restore(rag, "bread")
        assert rag.search.retrieve("what is a sourdough starter?").hits[0].course_title == BREAD_TITLE


@pytest.mark.parametrize("year", [2001, 2200])
def test_what_was_removed_under_a_wrong_clock_is_kept_as_long(
    removed: Path, embedder: KeptEmbedder, clock: Clock, year: int
) -> None:
    with library(removed, embedder, index=False, now=clock) as rag:
        wrong = datetime(year, 5, 5).timestamp()
        rag.database.write("UPDATE documents SET trashed_at = ? WHERE trashed_at IS NOT NULL", [(wrong,)])
        rag.database.write("UPDATE conversations SET deleted_at = ?", [(wrong + 1,)])
    for _ in range(30):
        assert start(removed, embedder, clock) == (1, 1)
        clock.turn(days=1)
    assert start(removed, embedder, clock) == (0, 0)


def test_time_without_use_counts_a_week_at_most(removed: Path, embedder: KeptEmbedder, clock: Clock) -> None:
    start(removed, embedder, clock)
    for _ in range(4):
        clock.turn(days=400)
        assert start(removed, embedder, clock) == (1, 1)
    clock.turn(days=400)
    assert start(removed, embedder, clock) == (0, 0)


def test_a_clock_that_is_set_back_counts_nothing(removed: Path, embedder: KeptEmbedder, clock: Clock) -> None:
    for _ in range(50):
        assert start(removed, embedder, clock) == (1, 1)
        clock.turn(days=-1)


def test_what_is_removed_again_is_kept_again(removed: Path, embedder: KeptEmbedder, clock: Clock) -> None:
    for _ in range(5):
        assert start(removed, embedder, clock) == (1, 1)
        clock.turn(days=7)
    with library(removed, embedder, index=False, now=clock) as rag:
        assert kept(rag) == (1, 0), "chats go when the library is opened, documents later"
        restore(rag, "bread")
        remove(rag, "bread")
    assert start(removed, embedder, clock) == (1, 0)


def test_the_date_of_the_end_is_told(removed: Path, embedder: KeptEmbedder, clock: Clock) -> None:
    start(removed, embedder, clock)
    clock.turn(days=2)
    start(removed, embedder, clock)
    with library(removed, embedder, index=False, now=clock) as rag:
        (entry,) = rag.trash.entries()
        assert entry.kept_until == pytest.approx(clock() + 28 * 86_400)


def test_where_nothing_can_be_written_nothing_expires(removed: Path, clock: Clock) -> None:
    reader = Database(removed, read_only=True)
    reader.open()
    for _ in range(10):
        assert Expiry(reader, clock).sweep() == []
        clock.turn(days=7)
    reader.close()


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
    for _ in range(5):
        with library(data_dir, embedder, index=False, now=clock):
            clock.turn(days=7)
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


def test_a_sweep_of_an_empty_trash_writes_nothing(tmp_path: Path) -> None:
    opened = Database(tmp_path)
    opened.open()
    assert Expiry(opened, time.time).sweep() == []
    assert opened.connection.execute("SELECT count(*) FROM meta").fetchone()[0] == 0
    opened.close()
