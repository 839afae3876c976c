"""A library without documents, for conversations alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.conversations.session_manager import SessionManager
from app.core.storage.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path)
    database.open()
    yield database
    database.close()


@pytest.fixture
def sessions(database: Database) -> SessionManager:
    return SessionManager(database)
