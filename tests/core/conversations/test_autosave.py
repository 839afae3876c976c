"""What is written of an answer is saved while it is written, and nothing after that."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.core.conversations.session_manager import autosave
from app.domain.conversations import Exchange, ExchangeState
from app.domain.scope import Scope

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.core.conversations.session_manager import SessionManager
    from app.core.storage.database import Database


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.core.conversations.session_manager._SAVE_EVERY", 0.001)


@pytest.fixture
def exchange(sessions: SessionManager) -> Exchange:
    return sessions.begin_exchange(sessions.create_session(), "Why?", Scope(), "model")


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():
            await asyncio.sleep(0.001)


def stored(database: Database) -> tuple[str, str]:
    row = database.connection.execute("SELECT answer, state FROM exchanges").fetchone()
    return row["answer"], row["state"]


def test_each_change_is_saved_while_the_model_is_silent(
    sessions: SessionManager, database: Database, exchange: Exchange
) -> None:
    async def answer() -> None:
        async with autosave(sessions, exchange) as draft:
            for text in ("The moon", "The moon pulls."):
                draft.exchange = replace(draft.exchange, answer=text)
                await until(lambda text=text: stored(database) == (text, "writing"))  # type: ignore[misc]

    asyncio.run(answer())


def test_nothing_is_saved_once_it_has_ended(
    sessions: SessionManager, database: Database, exchange: Exchange
) -> None:
    async def answer() -> None:
        async with autosave(sessions, exchange) as draft:
            draft.exchange = replace(exchange, answer="half")
            await until(lambda: stored(database)[0] == "half")
        draft.exchange = replace(exchange, answer="late", state=ExchangeState.DONE)
        await asyncio.sleep(0.02)
        assert stored(database) == ("half", "writing")

    asyncio.run(answer())


def test_a_disk_that_is_full_for_a_while_ends_nothing(
    sessions: SessionManager,
    database: Database,
    exchange: Exchange,
    caplog: pytest.LogCaptureFixture,
) -> None:

    def limit(more: int) -> None:
        pages = database.connection.execute("PRAGMA page_count").fetchone()[0]
        database.connection.execute(f"PRAGMA max_page_count = {pages + more}")

    long = "The moon pulls the ocean. " * 10_000

    async def answer() -> None:
        # A limit is that of a connection, and each thread has its own.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        await asyncio.to_thread(limit, 0)
        async with autosave(sessions, exchange) as draft:
            draft.exchange = replace(exchange, answer=long)
            await until(lambda: "could not be saved" in caplog.text)
            await asyncio.to_thread(limit, 1_000_000)
            await until(lambda: stored(database)[0] == long)

    with caplog.at_level(logging.WARNING):
        asyncio.run(answer())


def test_a_library_that_another_program_writes_to_keeps_no_other_answer_waiting(
    sessions: SessionManager, database: Database, exchange: Exchange
) -> None:
    async def answer() -> None:
        async with autosave(sessions, exchange) as draft:
            draft.exchange = replace(exchange, answer="The moon pulls.")
            for _ in range(100):
                await asyncio.sleep(0.001)
            writer.execute("ROLLBACK")
            await until(lambda: stored(database)[0] == "The moon pulls.")

    with closing(sqlite3.connect(database.data_dir / "library.sqlite3")) as writer:
        writer.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        asyncio.run(answer())
    assert time.monotonic() - began < 5, "SQLite waits ten seconds for a lock"


def test_without_a_library_nothing_is_saved(database: Database, exchange: Exchange) -> None:
    async def answer() -> None:
        async with autosave(None, exchange) as draft:
            draft.exchange = replace(exchange, answer="kept by nobody")
            await asyncio.sleep(0.02)

    asyncio.run(answer())
    assert stored(database) == ("", "writing")
