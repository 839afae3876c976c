"""Opening the library in its thread: waiting for another Lectern, upgrading, tidying up."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer

from app.config.secrets import KeyStore
from app.config.settings import Settings
from app.core.rag_system import RAGSystem
from app.core.storage import backups, restore, schema
from app.core.storage.database import Database
from app.domain.cancel import CancelToken
from app.workers import library as library_workers
from app.workers.workers import Workers
from tests.support.courses import TITLES, library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder

V1 = Path(__file__).parents[1] / "data" / "libraries" / "v1"


class Opening:
    """Workers that open a library, and everything they reported."""

    def __init__(self, data_dir: Path, embedder: KeptEmbedder) -> None:
        self.rag = RAGSystem(data_dir, Settings(), embedder)
        self.workers = Workers()
        self.said: list[str] = []
        self.failed: list[str] = []
        self.is_open = False
        self.workers.status.connect(lambda text: self.said.append(str(text)))
        self.workers.failed.connect(lambda message: self.failed.append(str(message)))
        self.workers.opened.connect(lambda _: setattr(self, "is_open", True))
        self.workers.start(self.rag, KeyStore({}), data_dir / "settings.json")

    def close(self) -> None:
        self.workers.close()


@pytest.fixture
def opening(embedder: KeptEmbedder, qtbot: QtBot) -> Iterator[Callable[[Path], Opening]]:
    begun: list[Opening] = []

    def begin(data_dir: Path) -> Opening:
        begun.append(Opening(data_dir, embedder))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


def test_it_waits_for_a_lectern_that_is_closing(
    data_dir: Path, opening: Callable[[Path], Opening], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_workers, "_PATIENCE", 60.0)
    closing = Database(data_dir)
    closing.open()
    new = opening(data_dir)
    qtbot.waitUntil(lambda: "Waiting for another Lectern to close…" in new.said)
    assert not new.is_open
    closing.close()
    qtbot.waitUntil(lambda: new.is_open)
    assert not new.failed


def test_it_does_not_wait_for_ever(
    data_dir: Path, opening: Callable[[Path], Opening], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_workers, "_PATIENCE", 0.3)
    other = Database(data_dir)
    other.open()
    new = opening(data_dir)
    qtbot.waitUntil(lambda: bool(new.failed))
    assert "Another Lectern" in new.failed[0]
    other.close()


def test_upgrading_an_earlier_version_shows_progress(
    opening: Callable[[Path], Opening], qtbot: QtBot, tmp_path: Path
) -> None:
    new = opening(Path(shutil.copytree(V1, tmp_path / "data")))
    qtbot.waitUntil(lambda: new.is_open)
    assert "Upgrading the library…" in new.said
    assert len(list((tmp_path / "data" / "backups").iterdir())) == min(3, schema.SCHEMA_VERSION - 1)


def test_expired_trash_is_deleted_once_it_is_open(
    data_dir: Path, embedder: KeptEmbedder, opening: Callable[[Path], Opening], qtbot: QtBot
) -> None:
    with library(data_dir, embedder) as rag:
        rag.courses.remove_courses(TITLES[:1], CancelToken())
        rag.database.write("UPDATE documents SET trashed_at = trashed_at - ?", [(31 * 86_400,)])
    new = opening(data_dir)
    qtbot.waitUntil(lambda: new.is_open and not new.rag.trash.entries())
    assert [course.title for course in new.rag.courses.all()] == TITLES[1:]
    assert not new.failed


def test_it_is_backed_up_once_it_is_open(
    data_dir: Path, opening: Callable[[Path], Opening], qtbot: QtBot
) -> None:
    new = opening(data_dir)
    qtbot.waitUntil(lambda: bool(new.rag.backups.all()))
    assert new.is_open
    assert not new.failed


def test_closing_does_not_wait_for_the_backup(
    data_dir: Path, opening: Callable[[Path], Opening], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "_PAGES_AT_ONCE", 1)
    monkeypatch.setattr(restore, "_PAUSE", 0.5)  # the whole copy would take minutes
    new = opening(data_dir)
    folder = data_dir / "backups"
    qtbot.waitUntil(lambda: folder.is_dir() and any(folder.iterdir()))
    began = time.monotonic()
    new.close()
    assert time.monotonic() - began < 30
    assert list(folder.iterdir()) == []


def test_damage_that_prevents_backups_is_said_once(
    data_dir: Path, opening: Callable[[Path], Opening], qtbot: QtBot
) -> None:
    database = Database(data_dir)
    database.open()
    (page,) = database.connection.execute(
        "SELECT rootpage FROM sqlite_master WHERE name = 'exchanges_conversation'"
    ).fetchone()
    (size,) = database.connection.execute("PRAGMA page_size").fetchone()
    database.close()
    with (data_dir / "library.sqlite3").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    new = opening(data_dir)
    problems: list[str] = []
    new.workers.problem.connect(lambda message: problems.append(str(message)))
    qtbot.waitUntil(lambda: bool(problems))
    assert "lectern doctor" in problems[0]
    (hourly,) = new.workers.findChildren(QTimer)
    with qtbot.waitSignal(new.workers.problem, timeout=1000, raising=False) as said_again:
        hourly.timeout.emit()
    assert not said_again.signal_triggered, problems
    assert not new.rag.backups.all()
