from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from app.core.storage.database import Database
from app.core.storage.schema import SCHEMA_VERSION, create
from app.domain.errors import LibraryLocked, LibraryUnusable

if TYPE_CHECKING:
    from pathlib import Path

HOLDER = """
import sys
from pathlib import Path
from app.core.storage.database import Database
database = Database(Path(sys.argv[1]))
database.open()
print("held", flush=True)
sys.stdin.read()
"""


def opened(folder: Path, *, read_only: bool = False) -> Database:
    database = Database(folder, read_only=read_only)
    database.open()
    return database


def test_a_new_library_is_write_ahead_and_has_its_version(tmp_path: Path) -> None:
    database = opened(tmp_path / "deep" / "data")
    assert database.connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
    assert database.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert database.connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    database.close()
    assert (tmp_path / "deep" / "data" / "library.sqlite3").exists()


def test_what_was_stored_is_there_after_reopening(tmp_path: Path) -> None:
    database = opened(tmp_path)
    database.set_meta("colour", "green")
    database.set_meta("colour", "blue")
    database.close()
    again = opened(tmp_path)
    assert again.meta("colour") == "blue"
    assert again.meta("size") is None
    again.close()


def test_a_path_with_odd_characters_works(tmp_path: Path) -> None:
    folder = tmp_path / "kurs #1 50% ümlaut&x=y"
    opened(folder).close()
    reader = opened(folder, read_only=True)
    assert reader.meta("anything") is None
    reader.close()
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_a_transaction_that_raises_leaves_nothing(tmp_path: Path) -> None:
    database = opened(tmp_path)
    with pytest.raises(KeyError), database.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', '1')")
        raise KeyError
    assert database.meta("a") is None
    with database.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', '2')")
    assert database.meta("a") == "2"
    database.close()


def test_each_thread_has_a_connection_of_its_own(tmp_path: Path) -> None:
    database = opened(tmp_path)
    seen: list[sqlite3.Connection] = [database.connection, database.connection]
    thread = threading.Thread(target=lambda: seen.append(database.connection))
    thread.start()
    thread.join()
    assert seen[0] is seen[1]
    assert seen[2] is not seen[0]
    database.close()


def test_closing_in_another_thread_gives_the_lock_back(tmp_path: Path) -> None:
    database = Database(tmp_path)
    thread = threading.Thread(target=database.open)
    thread.start()
    thread.join()
    database.close()
    opened(tmp_path).close()


def test_a_second_writer_in_the_same_process_is_refused(tmp_path: Path) -> None:
    first = opened(tmp_path)
    with pytest.raises(LibraryLocked, match=f"process {os.getpid()}"):
        Database(tmp_path).open()
    first.set_meta("still", "works")
    first.close()


def test_another_process_that_holds_the_library_is_named(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(LibraryLocked) as caught:
            Database(tmp_path).open()
        sentence = str(caught.value)
        assert f"process {holder.pid}" in sentence
        assert str(tmp_path) in sentence
        assert "Close it first" in sentence
        reader = opened(tmp_path, read_only=True)
        assert reader.meta("anything") is None
        reader.close()
    opened(tmp_path).close()


def test_a_damaged_note_about_the_holder_does_no_harm(tmp_path: Path) -> None:
    first = opened(tmp_path)
    (tmp_path / "lectern.holder").write_text("{", encoding="utf-8")
    with pytest.raises(LibraryLocked, match="Another Lectern is using"):
        Database(tmp_path).open()
    first.close()


def test_reading_where_there_is_no_library_creates_nothing(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        reader = opened(folder, read_only=True)
        assert reader.connection.execute("SELECT count(*) FROM documents").fetchone()[0] == 0
        reader.close()
    assert list(tmp_path.iterdir()) == []


def test_reading_a_library_whose_first_writer_died_at_once(tmp_path: Path) -> None:
    (tmp_path / "library.sqlite3").touch()
    reader = opened(tmp_path, read_only=True)
    assert reader.meta("anything") is None
    reader.close()
    opened(tmp_path).close()


def test_a_reader_can_not_write(tmp_path: Path) -> None:
    opened(tmp_path).close()
    reader = opened(tmp_path, read_only=True)
    with pytest.raises(LibraryUnusable, match="cannot be written"), reader.transaction() as connection:
        connection.execute("DELETE FROM meta")
    reader.close()


@pytest.mark.parametrize("read_only", [False, True])
def test_a_file_in_the_place_of_the_directory(tmp_path: Path, read_only: bool) -> None:
    place = tmp_path / "data"
    place.write_text("I am a file", encoding="utf-8")
    with pytest.raises(LibraryUnusable) as caught:
        Database(place, read_only=read_only).open()
    assert str(place) in str(caught.value)
    assert "--data-dir" in str(caught.value)


def test_a_directory_below_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LibraryUnusable, match="cannot be used"):
        Database(tmp_path / "file" / "data").open()


@pytest.mark.parametrize("read_only", [False, True])
def test_a_newer_library_is_left_alone(tmp_path: Path, read_only: bool) -> None:
    opened(tmp_path).close()
    path = tmp_path / "library.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(LibraryUnusable, match="created by a newer Lectern"):
        Database(tmp_path, read_only=read_only).open()
    assert path.read_bytes() == before


@pytest.mark.parametrize("read_only", [False, True])
def test_garbage_in_the_place_of_the_library(tmp_path: Path, read_only: bool) -> None:
    path = tmp_path / "library.sqlite3"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(LibraryUnusable, match="cannot be opened"):
        Database(tmp_path, read_only=read_only).open()
    assert path.read_bytes() == b"not a database at all" * 100


def test_somebody_elses_database_is_left_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "library.sqlite3") as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(LibraryUnusable, match="is not a Lectern library"):
        Database(tmp_path).open()
    # … and the lock was given back.
    (tmp_path / "library.sqlite3").unlink()
    opened(tmp_path).close()


def test_a_closed_library_takes_nothing_more(tmp_path: Path) -> None:
    """Late work of a thread must not write without the lock."""
    database = opened(tmp_path)
    database.close()
    database.close()
    with pytest.raises(LibraryUnusable):
        database.set_meta("late", "1")
    never = Database(tmp_path / "never")
    with pytest.raises(LibraryUnusable):
        never.meta("early")
    assert not (tmp_path / "never").exists()


def test_the_holder_is_noted_beside_the_lock(tmp_path: Path) -> None:
    database = opened(tmp_path)
    noted = json.loads((tmp_path / "lectern.holder").read_text(encoding="utf-8"))
    assert noted == {"pid": os.getpid()}
    database.close()


def without_small_steps(folder: Path) -> Database:
    """Return a library whose space cannot be freed in steps, as one of the first versions."""
    with sqlite3.connect(folder / "library.sqlite3") as connection:
        connection.execute("PRAGMA auto_vacuum = NONE")
        create(connection)
    connection.close()
    database = opened(folder)
    database.set_meta("filling", "x" * 1_000_000)
    database.write("DELETE FROM meta")
    return database


def test_space_of_an_early_library_is_freed_only_if_all_is(tmp_path: Path) -> None:
    database = without_small_steps(tmp_path)
    pages = "PRAGMA page_count"
    before = database.connection.execute(pages).fetchone()[0]
    assert list(database.give_back_space(at_once=False)) == []
    assert database.connection.execute(pages).fetchone()[0] == before
    list(database.give_back_space())
    assert database.connection.execute(pages).fetchone()[0] < before
    database.close()


def test_space_is_not_freed_while_another_program_writes(tmp_path: Path) -> None:
    database = without_small_steps(tmp_path)
    database.connection.execute("PRAGMA busy_timeout = 0")
    other = sqlite3.connect(tmp_path / "library.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LibraryUnusable, match="used by another program"):
        list(database.give_back_space())
    other.close()
    list(database.give_back_space())
    database.close()


def test_writing_into_a_damaged_page_names_the_library(tmp_path: Path) -> None:
    database = opened(tmp_path)
    root, size = (
        database.connection.execute(query).fetchone()[0]
        for query in ("SELECT rootpage FROM sqlite_master WHERE name = 'failures'", "PRAGMA page_size")
    )
    database.close()
    with (tmp_path / "library.sqlite3").open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    database = opened(tmp_path)
    with pytest.raises(LibraryUnusable, match="is damaged"):
        database.write("INSERT INTO failures VALUES ('/a.txt', 1, 1, 'no')")
    database.close()
