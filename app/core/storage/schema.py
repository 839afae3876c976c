"""The tables of the library file, and the numbered steps from one version of them to the next.

A new library is made by ``schema.sql`` in one step. One of an earlier version is brought up to date
by the files ``migrations/NNNN_what.sql`` after it, each in one transaction; NNNN is the version it makes.
"""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from pathlib import Path

SCHEMA_VERSION = 4
_APPLICATION_ID = 0x4C454354  # "LECT": tells our file from any other SQLite database
_MIGRATIONS = Path(__file__).with_name("migrations")
_TOKEN = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | --[^\n]* | /\*.*?\*/ | \w+ | \S""", re.VERBOSE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Migration:
    """The SQL that makes version ``version`` of the one before. No transaction and no version in it."""

    version: int
    sql: str


class NotALibrary(Exception):
    """The file is an SQLite database, but none of ours."""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables of the current version in an empty file."""
    connection.executescript(
        f"BEGIN IMMEDIATE;\n{schema_sql()}\n"
        f"PRAGMA application_id = {_APPLICATION_ID};\nPRAGMA user_version = {SCHEMA_VERSION};\nCOMMIT;"
    )


def schema_sql() -> str:
    """Return the statements that make the tables of the current version."""
    return Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of a library; 0 for a file without anything in it.

    Raises:
        NotALibrary: it holds something else.
    """
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return 0
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version < 1 or connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        raise NotALibrary
    return version


def migrations(after: int) -> list[Migration]:
    """Return the steps from a version to the current one, in order."""
    found = {int(path.name.partition("_")[0]): path for path in _MIGRATIONS.glob("[0-9]*.sql")}
    return [
        Migration(number, found[number].read_text(encoding="utf-8"))
        for number in range(after + 1, SCHEMA_VERSION + 1)
    ]


def migrate(connection: sqlite3.Connection, migration: Migration) -> None:
    """Take one step, whole or not at all.

    Raises:
        sqlite3.Error: it could not be taken; the library is as it was.
    """
    # A table that is made anew and put in the place of the old one must not take along, when that is
    # dropped, what points to it. What this leaves unchecked is checked at the end.
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{migration.sql}\n;PRAGMA user_version = {migration.version}"
        )
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            message = f"step {migration.version} leaves rows that point to nothing"
            raise sqlite3.IntegrityError(message)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON")


def definitions(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Return what a file is made of, however the statements are spaced, quoted and commented."""
    return {
        (row[0], row[1], row[2], _plain(row[3] or ""))
        for row in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
    }


def _plain(sql: str) -> str:
    # Altering a table puts its name into quotes, and new columns without the comments around them.
    tokens = (token for token in _TOKEN.findall(sql) if not token.startswith(("--", "/*")))
    return " ".join(token.strip('"') for token in tokens)
