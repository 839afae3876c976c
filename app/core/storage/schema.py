"""The tables of the library file, and the migrations from one version to the next.

``schema.sql`` creates a new library. The files ``migrations/NNNN_what.sql`` upgrade an earlier version,
each in one transaction; NNNN is the version a file leads to.
"""

import sqlite3
from pathlib import Path
from typing import NamedTuple

from app.core.documents.text.languages import language_of

_APPLICATION_ID = 0x4C454354  # "LECT": distinguishes our file from other SQLite databases
SCHEMA_VERSION = 20
_MIGRATIONS = Path(__file__).with_name("migrations")


class Migration(NamedTuple):
    """The SQL that leads to ``version`` from the one before, without transaction or version statements."""

    version: int
    sql: str


def create(connection: sqlite3.Connection) -> None:
    """Create the tables of the current version in an empty file."""
    sql = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
    connection.executescript(
        f"BEGIN IMMEDIATE;\n{sql}\n"
        f"PRAGMA application_id = {_APPLICATION_ID};\nPRAGMA user_version = {SCHEMA_VERSION};\nCOMMIT;"
    )


def version_of(connection: sqlite3.Connection) -> int | None:
    """Return the version of a library; 0 for an empty file, None for another program's database."""
    if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        return 0
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version < 1 or connection.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION_ID:
        return None
    return version


def migrations(after: int) -> list[Migration]:
    """Return the migrations from a version to the current one, in order."""
    found = {int(path.name.partition("_")[0]): path for path in _MIGRATIONS.glob("[0-9]*.sql")}
    return [
        Migration(number, found[number].read_text(encoding="utf-8"))
        for number in range(after + 1, SCHEMA_VERSION + 1)
    ]


def migrate(connection: sqlite3.Connection, migration: Migration) -> None:
    """Run one migration, whole or not at all.

    Raises:
        sqlite3.Error: it failed; the library is unchanged.
    """
    # Dropping a table that was replaced by a new one must not delete the rows that refer to it.
    # The references are checked at the end instead.
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.create_function("language_of", 1, language_of)
    try:
        connection.executescript(
            f"BEGIN IMMEDIATE;\n{migration.sql}\n;PRAGMA user_version = {migration.version}"
        )
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            message = f"migration {migration.version} leaves dangling references"
            raise sqlite3.IntegrityError(message)
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    finally:
        connection.execute("PRAGMA foreign_keys = ON")
