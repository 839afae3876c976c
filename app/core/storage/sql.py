"""Statements shared by everything that writes to the library file, inside the caller's transaction."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> int:  # noqa: ANN401 - what SQLite holds
    """Insert one row, given by column, and return its key."""
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    cursor = connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))
    return int(cursor.lastrowid or 0)


def put_meta(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Store a property of the library."""
    connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))


IN_KEYS = "IN (SELECT value FROM json_each(?))"
"""Condition for a column; its parameter comes from :func:`keys`, which has no limit on their number."""


def keys(numbers: Iterable[int]) -> str:
    return json.dumps(list(numbers))
