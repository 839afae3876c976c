"""A library of any earlier version opens, with everything that was in it, or stays as it was."""

from __future__ import annotations

import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import namedtuple
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.core.storage import backups, schema
from app.core.storage.catalog import Places
from app.core.storage.database import Database, upgrade
from app.core.storage.documents import DocumentRepository
from app.core.storage.schema import SCHEMA_VERSION, Migration
from app.domain.cancel import Cancelled
from app.domain.conversations import ExchangeState
from app.domain.errors import LibraryLocked, LibraryUnusable
from app.domain.messages import Message
from app.features.keeping.doctor import examine
from tests.support.courses import document_text, ingest, library, write_courses

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.courses import KeptEmbedder

SAVED = sorted((Path(__file__).parents[2] / "data" / "libraries").iterdir())
NEXT = SCHEMA_VERSION + 1
_TOKEN = re.compile(
    r"""'(?:[^']|'')*+'? | "(?:[^"]|"")*+"? | --[^\n]* | /\*.*?(?:\*/|\Z) | \w+ | \S""",
    re.VERBOSE | re.DOTALL,
)
STEP = "ALTER TABLE documents ADD COLUMN colour TEXT NOT NULL DEFAULT 'green';"
SLOW_STEP = f"""{STEP}
CREATE TABLE numbers AS
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500000) SELECT i FROM n;
UPDATE meta SET value = 'changed' WHERE key = 'state';
"""
MIGRATING = """
import sys
from pathlib import Path
from app.core.storage import schema
from app.core.storage.database import Database
schema.SCHEMA_VERSION = int(sys.argv[2])
schema._MIGRATIONS = Path(sys.argv[3])
database = Database(Path(sys.argv[1]))
print("ready", flush=True)
database.open(lambda what: print(what, flush=True))
print("done", flush=True)
sys.stdin.read()
"""

Usage = namedtuple("Usage", "total used free")


def definitions(connection: sqlite3.Connection) -> set[tuple[str, ...]]:
    """Return the tables, indexes and so on of a file, ignoring white space, quotes and comments."""
    found = set()
    for *names, sql in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"):
        # ALTER TABLE quotes the table's name, and drops the comments around new columns.
        tokens = (token for token in _TOKEN.findall(sql or "") if not token.startswith(("--", "/*")))
        found.add((*names, " ".join(token.strip('"') for token in tokens)))
    return found


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A data directory whose library is of this version, which is going to be an earlier one."""
    folder = tmp_path / "data"
    database = Database(folder)
    database.open()
    database.set_meta("state", "as it was")
    database.close()
    return folder


@pytest.fixture
def next_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Pretend that there is one version more, with this step to it; returns where the steps lie."""

    def pretend(sql: str) -> Path:
        folder = tmp_path / "steps"
        folder.mkdir()
        (folder / f"{NEXT:04}_try.sql").write_text(sql, encoding="utf-8")
        monkeypatch.setattr(schema, "SCHEMA_VERSION", NEXT)
        monkeypatch.setattr(schema, "_MIGRATIONS", folder)
        return folder

    return pretend


def connected(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None))


def version(path: Path) -> int:
    with connected(path) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def kept(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "backups").iterdir())


class TestTheVersions:
    def test_each_has_its_step(self) -> None:
        steps = schema.migrations(1)
        assert [step.version for step in steps] == list(range(2, SCHEMA_VERSION + 1))

    def test_of_each_earlier_one_a_library_was_saved(self) -> None:
        names = {path.name for path in SAVED}
        assert names >= {f"v{number}" for number in range(1, SCHEMA_VERSION)} | {"v1"}

    @pytest.mark.parametrize("saved", SAVED, ids=lambda path: path.name)
    def test_one_brought_up_to_date_is_like_a_new_one(self, saved: Path, tmp_path: Path) -> None:
        shutil.copytree(saved, tmp_path / "old")
        found = []
        for folder in (tmp_path / "old", tmp_path / "new"):
            database = Database(folder)
            database.open()
            found.append(definitions(database.connection))
            assert database.connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
            database.close()
        assert found[0] == found[1]

    @pytest.mark.parametrize("saved", SAVED, ids=lambda path: path.name)
    def test_everything_is_in_it(self, saved: Path, tmp_path: Path, embedder: KeptEmbedder) -> None:
        folder = Path(shutil.copytree(saved, tmp_path / "data"))
        with library(folder, embedder) as rag:
            assert [course.title for course in rag.courses.all()] == [
                "Bread Baking at Home",
                "Tides and Currents",
            ]
            assert "wild yeast" in rag.search.retrieve("what is a sourdough starter?").hits[0].text
            (chat,) = rag.conversations.all()
            first, second = rag.conversations.exchanges(chat.id)
            assert (first.question, first.answer) == ("When do neap tides come?", "They come a week later.")
            assert second.state is ExchangeState.STOPPED
            (citation,) = first.citations
            lesson = rag.search.lesson_text(first.sources[0])
            assert lesson.is_whole
            assert citation.cited_text in lesson.text
            text = document_text(rag, first.sources[0].hit.document_id)
            assert (
                text[citation.start : citation.end] == citation.cited_text == "Neap tides come a week later."
            )
            assert ingest(rag, write_courses(tmp_path / "courses")).counts.courses == 3
        assert examine(folder, rag.settings, embedder).ok

    def test_the_languages_of_its_documents_are_found(self, tmp_path: Path) -> None:
        shutil.copytree(SAVED[0].with_name("v7"), tmp_path / "data")
        database = Database(tmp_path / "data")
        database.open()
        assert DocumentRepository(database).languages() == {"en": 2}
        database.close()

    def test_only_folders_of_folders_were_read_as_several_courses(self, tmp_path: Path) -> None:
        shutil.copytree(SAVED[0].with_name("v8"), tmp_path / "data")
        with connected(tmp_path / "data" / "library.sqlite3") as connection:
            paths = {"/uni": "/uni/bread/1.txt", "C:\\flat": "C:\\flat\\1.txt"}
            connection.execute("DELETE FROM folders")
            connection.executemany("INSERT INTO folders VALUES (?, 0)", [(path,) for path in paths])
            for key, path in enumerate(paths.values(), 1):
                connection.execute("UPDATE documents SET path = ? WHERE id = ?", (path, key))
        database = Database(tmp_path / "data")
        database.open()
        assert Places(database).folders() == {"C:\\flat": None, "/uni": False}
        database.close()

    def test_decks_refer_to_their_course_by_its_key(self, tmp_path: Path) -> None:
        shutil.copytree(SAVED[0].with_name("v12"), tmp_path / "data")
        with connected(tmp_path / "data" / "library.sqlite3") as connection:
            copied = 'document_id, document_sha256, start, "end", quote, sentences'
            connection.execute("INSERT INTO decks (uid, course_title, created_at) VALUES ('a', 'Left', 0)")
            connection.execute(
                f"""INSERT INTO items
                    (id, uid, deck_id, kind, front, back, difficulty, created_at, changed_at, hit, {copied})
                    SELECT 90, 'b', deck_id, kind, front, back, difficulty, 0, 0, '{{', {copied} FROM items"""
            )
            connection.execute("UPDATE sqlite_sequence SET seq = 99 WHERE name = 'items'")
        database = Database(tmp_path / "data")
        database.open()
        found = database.connection.execute(
            "SELECT d.course_title, c.title FROM decks AS d LEFT JOIN courses AS c ON c.id = d.course_id"
        )
        assert {tuple(row) for row in found} == {("Tides and Currents", "Tides and Currents"), ("Left", None)}
        passages = database.connection.execute("SELECT course_title, lesson_number FROM items ORDER BY id")
        assert [tuple(row) for row in passages] == [("Tides and Currents", 1), ("", None)]
        (last,) = database.connection.execute(
            "SELECT seq FROM sqlite_sequence WHERE name = 'items'"
        ).fetchone()
        assert last == 99, "a key is never used twice"
        assert database.connection.execute("SELECT count(*) FROM schedules").fetchone()[0] == 1
        assert (
            database.connection.execute("SELECT course_title FROM sources").fetchone()[0]
            == "Tides and Currents"
        )
        database.close()

    def test_of_what_was_queued_twice_the_last_is_left(self, tmp_path: Path) -> None:
        shutil.copytree(SAVED[0].with_name("v4"), tmp_path / "data")
        with connected(tmp_path / "data" / "library.sqlite3") as connection:
            connection.execute("DELETE FROM index_queue")
            connection.executemany(
                "INSERT INTO index_queue (op, key, record_id) VALUES (?, ?, ?)",
                [
                    ("course", 1, "Bread"),
                    ("add", 1, None),
                    ("add", 2, None),
                    ("remove", None, "Bread_0"),
                    ("add", 1, None),
                    ("course", 1, "Bread"),
                    ("remove", None, "Bread_0"),
                ],
            )
            (first,) = connection.execute("SELECT min(seq) FROM index_queue").fetchone()
        database = Database(tmp_path / "data")
        database.open()
        connection = database.connection
        rows = [tuple(row) for row in connection.execute("SELECT * FROM index_queue ORDER BY seq")]
        assert [(seq - first, op, item) for seq, op, item in rows] == [
            (2, "add", 2),
            (4, "add", 1),
            (5, "course", "Bread"),
            (6, "remove", "Bread_0"),
        ]
        connection.execute("DELETE FROM index_queue")
        connection.execute("INSERT INTO index_queue (op, item) VALUES ('add', 3)")
        assert connection.execute("SELECT seq FROM index_queue").fetchone()[0] == first + 7
        database.close()

    @pytest.mark.parametrize("saved", SAVED, ids=lambda path: path.name)
    def test_a_command_that_only_reads_can_read_it(
        self, saved: Path, tmp_path: Path, embedder: KeptEmbedder
    ) -> None:
        folder = Path(shutil.copytree(saved, tmp_path / "data"))
        with library(folder, embedder, read_only=True) as rag:
            assert "wild yeast" in rag.search.retrieve("what is a sourdough starter?").hits[0].text


class TestAStep:
    def test_is_taken_with_a_copy_kept_before(
        self, old: Path, next_version: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        next_version(STEP)
        monkeypatch.setattr(backups, "_PAGES_AT_ONCE", 5)
        told: list[Message] = []
        database = Database(old)
        database.open(told.append)
        columns = [row["name"] for row in database.connection.execute("PRAGMA table_info (documents)")]
        assert "colour" in columns
        assert database.meta("state") == "as it was"
        assert database.connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
        database.close()
        assert version(old / "library.sqlite3") == NEXT
        name = f"library.v{SCHEMA_VERSION}.{time.strftime('%Y-%m-%d')}.sqlite3"
        assert kept(old) == [name]
        with connected(old / "backups" / name) as copy:
            assert copy.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
            assert copy.execute("SELECT value FROM meta WHERE key = 'state'").fetchone()[0] == "as it was"
        assert kept(old) == [name]
        assert told[0].id == "storage.backing_up"
        assert told[-1] == Message("storage.upgrading")

    def test_is_not_taken_twice(self, old: Path, next_version: Callable[[str], Path]) -> None:
        next_version(STEP)
        for _ in range(2):
            database = Database(old)
            database.open()
            database.close()

    def test_the_copy_in_the_place_of_the_library_is_the_library_again(
        self, old: Path, next_version: Callable[[str], Path]
    ) -> None:
        next_version(STEP)
        for _ in range(2):
            database = Database(old)
            database.open()
            assert database.meta("state") == "as it was"
            database.set_meta("state", "newer")
            database.close()
            (copy,) = (old / "backups").iterdir()
            shutil.copy(copy, old / "library.sqlite3")
            assert version(old / "library.sqlite3") == SCHEMA_VERSION

    def test_only_the_last_copies_are_kept(self, old: Path) -> None:
        folder = old / "backups"
        folder.mkdir()
        for name in ("library.v0.2024-01-01.sqlite3", "library.v0.2031-01-01.sqlite3", "my own.sqlite3"):
            (folder / name).touch()
        database = Database(old)
        database.open()
        for number in range(NEXT, NEXT + 3):
            step = Migration(number, f"ALTER TABLE meta ADD COLUMN c{number} TEXT;")
            upgrade(database.connection, old, [step])
        database.close()
        names = [name.split(".")[1] for name in kept(old) if name.startswith("library")]
        assert sorted(names) == sorted(f"v{number}" for number in range(SCHEMA_VERSION, SCHEMA_VERSION + 3))
        assert "my own.sqlite3" in kept(old)

    @pytest.mark.parametrize(
        "sql",
        [
            "CREATE TABLE half (a TEXT); SELECT * FROM nowhere;",
            "CREATE TABLE half (a TEXT); INSERT INTO anchors VALUES (999, 0, 'page', 1);",
            "CREATE TABLE half (a TEXT",
        ],
    )
    def test_that_fails_changes_nothing(
        self, old: Path, next_version: Callable[[str], Path], sql: str
    ) -> None:
        folder = next_version(sql)
        with pytest.raises(LibraryUnusable, match="could not be upgraded .* it was not changed"):
            Database(old).open()
        assert version(old / "library.sqlite3") == SCHEMA_VERSION
        (folder / f"{NEXT:04}_try.sql").write_text(STEP, encoding="utf-8")
        database = Database(old)
        database.open()
        tables = [row["name"] for row in database.connection.execute("SELECT name FROM sqlite_master")]
        assert "half" not in tables
        database.close()

    def test_the_copy_tells_when_it_was_made(self, old: Path, next_version: Callable[[str], Path]) -> None:
        next_version(STEP)
        before = datetime.now()
        Database(old).open()
        (copy,) = backups.list_backups(old)
        assert before - timedelta(seconds=2) <= copy.made <= datetime.now()

    def test_is_not_begun_where_the_disk_has_no_room(
        self, old: Path, next_version: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        next_version(STEP)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(9 << 30, 9 << 30, 5 << 20))
        with pytest.raises(LibraryUnusable, match="no room for the backup .* 5 MB are free. Free some"):
            Database(old).open()
        assert version(old / "library.sqlite3") == SCHEMA_VERSION
        assert not (old / "backups").exists()

    def test_is_not_begun_without_a_copy(self, old: Path, next_version: Callable[[str], Path]) -> None:
        next_version(STEP)
        (old / "backups").write_text("in the way", encoding="utf-8")
        with pytest.raises(LibraryUnusable, match="cannot be used"):
            Database(old).open()
        assert version(old / "library.sqlite3") == SCHEMA_VERSION

    def test_is_not_begun_with_a_damaged_library(
        self, old: Path, next_version: Callable[[str], Path]
    ) -> None:
        next_version(STEP)
        path = old / "library.sqlite3"
        with connected(path) as connection:
            connection.execute("INSERT INTO failures VALUES ('a', 1, 1, ?)", ("x" * 60_000,))
        data = bytearray(path.read_bytes())
        data[-50_000:-20_000] = b"\xa5" * 30_000
        path.write_bytes(data)
        with pytest.raises(LibraryUnusable, match="is damaged"):
            Database(old).open()
        assert bytes(data) == path.read_bytes()
        assert kept(old) == []

    def test_can_be_given_up_while_the_copy_is_made(
        self, old: Path, next_version: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        next_version(STEP)
        monkeypatch.setattr(backups, "_PAGES_AT_ONCE", 5)

        def stop(_: object) -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            Database(old).open(stop)
        assert version(old / "library.sqlite3") == SCHEMA_VERSION
        assert kept(old) == []

    def test_waits_while_somebody_else_has_the_library(
        self, old: Path, next_version: Callable[[str], Path]
    ) -> None:
        with connected(old / "library.sqlite3") as connection:
            connection.execute("PRAGMA journal_mode = WAL")
        window = Database(old)
        window.open()
        next_version(STEP)
        with pytest.raises(LibraryLocked, match="earlier Lectern .* Close the other Lectern, or wait"):
            Database(old, read_only=True).open()
        assert window.meta("state") == "as it was"
        window.close()
        reader = Database(old, read_only=True)
        reader.open()
        assert reader.meta("state") == "as it was"
        reader.close()
        assert version(old / "library.sqlite3") == NEXT


def test_killed_at_any_moment_it_is_one_version_or_the_other(
    old: Path, next_version: Callable[[str], Path]
) -> None:
    steps = next_version(SLOW_STEP)
    moments = random.Random(time.time_ns())
    versions = []
    for _ in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", MIGRATING, str(old), str(NEXT), str(steps)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with child:
            assert child.stdout is not None
            assert child.stdout.readline() == "ready\n"
            time.sleep(moments.uniform(0, 0.4))  # any moment will do: that is the test
            child.kill()
        with connected(old / "library.sqlite3") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            is_new = bool(connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'numbers'").fetchone())
            state = connection.execute("SELECT value FROM meta WHERE key = 'state'").fetchone()[0]
        assert (found, state) == ((NEXT, "changed") if is_new else (SCHEMA_VERSION, "as it was"))
        versions.append(found)
    assert versions[0] == SCHEMA_VERSION, "the step is too quick to be killed in"
    database = Database(old)
    database.open()
    assert database.meta("state") == "changed"
    database.close()
    assert all(name.endswith(".sqlite3") for name in kept(old))
