"""One file takes a library to another computer; a bad one changes nothing."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.config.settings import Settings
from app.core.search.lexical import TextIndex
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import ExchangeState
from app.domain.errors import LibraryUnusable, UserError
from app.domain.keeping import LibraryExported, LibraryImported, TransferProgress
from app.domain.scope import Scope
from app.domain.sources import Citation
from app.features.keeping.doctor import examine
from app.features.keeping.transfer import LIBRARY, MANIFEST, SETTINGS, ArchiveUnusable, TransferService
from tests.support.courses import BREAD, TITLES, document_text, ingest, library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

DEEP = "replace(hex(zeroblob(50000)), '00', '[')"  # JSON nested more deeply than any stack
BAD_UTF8 = "CAST(x'4142ff43' AS TEXT)"
QUESTION = "what is a sourdough starter?"
IMPORTING = """
import sys
from pathlib import Path
from app.config.settings import Settings
from app.core.rag_system import RAGSystem
from app.core.embedding.embedder import Embedder
from app.domain.cancel import CancelToken
from app.features.keeping.transfer import TransferService
from tests.support.courses import SERVICES
data, archive, cache = map(Path, sys.argv[1:])
rag = RAGSystem(data, Settings(), Embedder(None, cache), SERVICES)
rag.open()
importing = rag.service(TransferService).import_library(archive, CancelToken(), replace=True)
for number, event in enumerate(importing):
    print(number, type(event).__name__, flush=True)
    sys.stdin.readline()
"""


def say(rag: RAGSystem, question: str, answer: str, conversation: int | None = None) -> int:
    """Have a conversation with one more answer, with a source and a citation."""
    number = conversation or rag.conversations.create_session()
    source = rag.search.make_source(1, rag.search.retrieve(question).hits[0])
    exchange = rag.conversations.begin_exchange(number, question, Scope(), "claude")
    quoted = source.hit.text[:20]
    cited = Citation(1, 0, len(answer), source.hit.start, source.hit.start + 20, quoted, verified=True)
    rag.conversations.save(
        replace(exchange, answer=answer, state=ExchangeState.DONE, sources=(source,), citations=(cited,))
    )
    return number


def export(rag: RAGSystem, path: Path) -> LibraryExported:
    *_, done = rag.service(TransferService).export_library(path, CancelToken())
    assert isinstance(done, LibraryExported)
    return done


def take_in(rag: RAGSystem, path: Path, *, replace: bool = False) -> LibraryImported:
    *_, done = rag.service(TransferService).import_library(path, CancelToken(), replace=replace)
    assert isinstance(done, LibraryImported)
    return done


def everything(rag: RAGSystem) -> dict[str, Any]:
    """Return what a user would find, without keys."""
    return {
        "courses": rag.courses.all(),
        "texts": sorted(
            document_text(rag, file.document_id) for file in rag.catalog.documents.files().values()
        ),
        "hits": [(hit.text, round(hit.score, 5)) for hit in rag.search.retrieve(QUESTION).hits],
        "chats": [
            [(item.question, item.answer, item.citations) for item in rag.conversations.exchanges(chat.id)]
            for chat in rag.conversations.all()
        ],
        "trash": [entry.course_title for entry in rag.trash.entries()],
    }


def agree(rag: RAGSystem) -> bool:
    counts = {rag.courses.counts().passages, TextIndex(rag.database).count(), rag.index.chroma.count()}
    return len(counts) == 1 and not rag.catalog.index_queue.count()


def places(data_dir: Path) -> list[str]:
    return [path.name for path in data_dir.iterdir() if "moving" in path.name]


@pytest.fixture(scope="module")
def archive(
    tmp_path_factory: pytest.TempPathFactory, stored_courses: tuple[Path, Path], embedder: KeptEmbedder
) -> Path:
    """An archive of the three tiny courses and one chat; may not be changed."""
    place = tmp_path_factory.mktemp("archive")
    shutil.copytree(stored_courses[1], place / "data")
    with library(place / "data", embedder, Settings(theme="dark", max_tokens=900)) as rag:
        say(rag, QUESTION, "Flour and water.")
        export(rag, place / "library.zip")
    return place / "library.zip"


@pytest.fixture
def empty(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "other computer", embedder) as rag:
        yield rag


class Embedding(Exception):
    pass


class TestToAnotherComputer:
    def test_the_same_is_found_without_files_and_without_embedding(
        self, rag: RAGSystem, tmp_path: Path, empty: RAGSystem
    ) -> None:
        say(rag, QUESTION, "Flour and water.")
        before = everything(rag)
        told = export(rag, tmp_path / "a.zip")
        assert (told.documents, told.passages, told.conversations) == (3, rag.courses.counts().passages, 1)
        assert everything(rag) == before
        vectors = rag.database.connection.execute("SELECT vectors FROM chunks ORDER BY text").fetchall()
        done = take_in(empty, tmp_path / "a.zip")
        assert (done.documents, done.conversations, done.already_there) == (3, 1, 0)
        assert (done.left_out, done.embedded_again) == ((), False)
        assert everything(empty) == before
        assert agree(empty)
        taken = empty.database.connection.execute("SELECT vectors FROM chunks ORDER BY text").fetchall()
        assert [bytes(row[0]) for row in taken] == [bytes(row[0]) for row in vectors]
        assert not places(rag.database.data_dir)
        assert not places(empty.database.data_dir)

    def test_it_is_in_order_for_the_doctor(
        self, archive: Path, tmp_path: Path, embedder: KeptEmbedder
    ) -> None:
        with library(tmp_path / "data", embedder) as rag:
            take_in(rag, archive)
        assert examine(tmp_path / "data", Settings(), embedder).ok
        with library(tmp_path / "data", embedder) as rag:
            assert rag.search.retrieve(QUESTION).hits[0].course_title == "Bread Baking at Home"
            (chat,) = rag.conversations.all()
            (exchange,) = rag.conversations.exchanges(chat.id)
            lesson = rag.search.lesson_text(exchange.sources[0])
            assert lesson.is_whole
            assert "sourdough" in lesson.text

    def test_settings_go_along_but_no_address_and_no_key(
        self, archive: Path, rag: RAGSystem, empty: RAGSystem, tmp_path: Path
    ) -> None:
        done = take_in(empty, archive)
        assert (done.settings["theme"], done.settings["max_tokens"]) == ("dark", 900)
        assert empty.settings.theme == "dark"
        assert take_in(rag, archive).settings == {}, "one's own stay where there is a library"
        rag.settings = Settings(base_url="http://user:secret@example.org", embedding_model="")
        export(rag, tmp_path / "b.zip")
        with zipfile.ZipFile(tmp_path / "b.zip") as packed:
            assert b"secret" not in packed.read(SETTINGS)
            assert "base_url" not in json.loads(packed.read(SETTINGS))

    def test_what_is_in_the_trash_stays_behind(
        self, rag: RAGSystem, empty: RAGSystem, tmp_path: Path
    ) -> None:
        rag.courses.remove_courses([TITLES[1]], CancelToken())
        export(rag, tmp_path / "a.zip")
        assert take_in(empty, tmp_path / "a.zip").documents == 2
        assert not places(tmp_path)
        with zipfile.ZipFile(tmp_path / "a.zip") as packed:
            assert b"sourdough" not in packed.read(LIBRARY).lower()

    def test_another_way_of_cutting_embeds_again(
        self, archive: Path, tmp_path: Path, embedder: KeptEmbedder
    ) -> None:
        with library(tmp_path / "data", embedder, Settings(chunk_size=200, chunk_overlap=0)) as rag:
            path = tmp_path / "pens.txt"
            path.write_text("Course Title: Pens\n\nLesson 1: Reeds\nA reed is cut.\n", encoding="utf-8")
            ingest(rag, path)
            done = take_in(rag, archive)
            assert done.embedded_again
            assert done.documents == 3
            assert not rag.reindex.needed()
            assert agree(rag)
            assert rag.search.retrieve(QUESTION).hits[0].course_title == "Bread Baking at Home"
            assert rag.search.retrieve("reed").hits[0].course_title == "Pens"


class TestMerging:
    def test_twice_is_once(self, rag: RAGSystem, archive: Path) -> None:
        first = take_in(rag, archive)
        assert (first.documents, first.already_there, first.conversations) == (0, 3, 1)
        before = everything(rag)
        second = take_in(rag, archive)
        assert (second.documents, second.already_there, second.conversations) == (0, 3, 0)
        assert everything(rag) == before
        assert agree(rag)

    def test_what_is_here_stays(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        rag.courses.remove_courses(TITLES, CancelToken())
        path = tmp_path / "bread.txt"
        path.write_text(BREAD.replace("once a day", "twice a day"), encoding="utf-8")
        ingest(rag, path)
        done = take_in(rag, archive)
        assert done.documents == 2
        assert [
            (Path(item.path).name, "bread.txt in its place" in str(item.reason)) for item in done.left_out
        ] == [("bread.txt", True)]
        assert "twice a day" in document_text(rag, rag.catalog.documents.of_course(TITLES[1])[0].document_id)
        assert [course.title for course in rag.courses.all()] == TITLES
        assert agree(rag)

    def test_chats_that_went_on_come_together(self, rag: RAGSystem, empty: RAGSystem, tmp_path: Path) -> None:
        number = say(rag, QUESTION, "Flour and water.")
        export(rag, tmp_path / "a.zip")
        take_in(empty, tmp_path / "a.zip")
        (chat,) = empty.conversations.all()
        say(empty, "when do spring tides come?", "At new moon.", chat.id)
        export(empty, tmp_path / "b.zip")
        assert take_in(rag, tmp_path / "b.zip").conversations == 1
        (same,) = rag.conversations.all()
        assert same.id == number
        answers = [item.answer for item in rag.conversations.exchanges(number)]
        assert answers == ["Flour and water.", "At new moon."]

    def test_a_deleted_chat_comes_back(self, rag: RAGSystem, tmp_path: Path) -> None:
        number = say(rag, QUESTION, "Flour and water.")
        export(rag, tmp_path / "a.zip")
        rag.conversations.delete(number)
        take_in(rag, tmp_path / "a.zip")
        assert [chat.id for chat in rag.conversations.all()] == [number]

    def test_a_removed_course_comes_back_and_the_trash_stays_in_order(
        self, rag: RAGSystem, archive: Path
    ) -> None:
        rag.courses.remove_courses([TITLES[1]], CancelToken())
        assert take_in(rag, archive).documents == 1
        assert agree(rag)
        (entry,) = rag.trash.entries()
        with pytest.raises(UserError, match="has been added to the library again"):
            list(rag.trash.restore(entry.documents, CancelToken()))
        rag.courses.remove_courses([TITLES[1]], CancelToken())
        list(rag.trash.empty(CancelToken()))
        assert agree(rag)


class TestReplacing:
    def test_only_the_archive_is_left(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        path = tmp_path / "pens.txt"
        path.write_text("Course Title: Pens\n\nLesson 1: Reeds\nA reed is cut.\n", encoding="utf-8")
        ingest(rag, path)
        say(rag, "how is a reed cut?", "At an angle.")
        rag.courses.remove_courses([TITLES[0]], CancelToken())
        done = take_in(rag, archive, replace=True)
        assert (done.documents, done.conversations) == (3, 1)
        assert [course.title for course in rag.courses.all()] == TITLES
        assert [chat.title for chat in rag.conversations.all()] == [QUESTION]
        assert rag.trash.entries() == ()
        assert rag.settings.theme == "dark"
        assert agree(rag)


def tampered(archive: Path, target: Path, change: Callable[[sqlite3.Connection], object]) -> Path:
    """Write an archive with another library in it, all sizes and checksums made right."""
    with zipfile.ZipFile(archive) as packed:
        manifest, settings = json.loads(packed.read(MANIFEST)), packed.read(SETTINGS)
        file = target.with_suffix(".sqlite3")
        file.write_bytes(packed.read(LIBRARY))
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA foreign_keys = OFF")
    change(connection)
    connection.commit()
    connection.close()
    data = file.read_bytes()
    manifest["parts"][LIBRARY] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    rewrite(target, {MANIFEST: json.dumps(manifest).encode(), SETTINGS: settings, LIBRARY: data})
    return target


def rewrite(target: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in parts.items():
            packed.writestr(name, data)


def parts_of(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as packed:
        return {name: packed.read(name) for name in packed.namelist()}


class TestBadArchives:
    def refused(self, rag: RAGSystem, path: Path, match: str) -> None:
        before = everything(rag)
        for replacing in (False, True):
            with pytest.raises(ArchiveUnusable, match=match) as refused:
                take_in(rag, path, replace=replacing)
            assert "\n" not in str(refused.value)
            assert everything(rag) == before
            assert not places(rag.database.data_dir)
        assert agree(rag)
        assert rag.settings == Settings()

    def test_not_an_archive(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        self.refused(rag, tmp_path / "missing.zip", "cannot be read")
        path = tmp_path / "bad.zip"
        path.write_bytes(b"")
        self.refused(rag, path, "is not a library exported by Lectern")
        path.write_bytes(archive.read_bytes()[:-200])
        self.refused(rag, path, "is not a library exported by Lectern, or it is damaged")
        rewrite(path, {"word/document.xml": b"<w/>"})
        self.refused(rag, path, "is not a library exported by Lectern")
        rewrite(path, {MANIFEST: b'{"format": "something else"}'})
        self.refused(rag, path, "is not a library exported by Lectern")

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="Windows has no special files")
    def test_what_is_no_file(self, rag: RAGSystem, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe.zip")
        for path in (tmp_path / "pipe.zip", Path("/dev/zero"), Path("/dev/null")):
            self.refused(rag, path, rf"^{path} cannot be read \(Not a regular file\)\.$")
        self.refused(rag, tmp_path, r"cannot be read \(Is a directory\)\.$")

    def test_deep_json(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        deep, path, parts = b"[" * 50_000, tmp_path / "bad.zip", parts_of(archive)
        rewrite(path, {**parts, MANIFEST: deep})
        self.refused(rag, path, "is not a library exported by Lectern")
        manifest = json.loads(parts[MANIFEST])
        manifest["parts"][SETTINGS]["sha256"] = hashlib.sha256(deep).hexdigest()
        rewrite(path, {**parts, MANIFEST: json.dumps(manifest).encode(), SETTINGS: deep})
        self.refused(rag, path, "is damaged or was changed")

    @pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_compressed_in_a_way_of_others(
        self, rag: RAGSystem, archive: Path, tmp_path: Path, method: int
    ) -> None:
        with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as packed:
            for name, data in parts_of(archive).items():
                packed.writestr(name, data)
        data = (tmp_path / "a.zip").read_bytes()
        (tmp_path / "a.zip").write_bytes(data[:60] + bytes(100) + data[160:])
        self.refused(rag, tmp_path / "a.zip", "is not a library exported by Lectern")

    def test_a_flipped_byte(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        data = bytearray(archive.read_bytes())
        data[len(data) // 2] ^= 0xFF
        (tmp_path / "flipped.zip").write_bytes(bytes(data))
        self.refused(rag, tmp_path / "flipped.zip", "is damaged or was changed")

    def test_a_part_that_is_not_the_one_of_the_manifest(
        self, rag: RAGSystem, archive: Path, tmp_path: Path
    ) -> None:
        path, parts = tmp_path / "bad.zip", parts_of(archive)
        rewrite(path, {**parts, SETTINGS: b'{"theme": "light"}'})
        self.refused(rag, path, "is damaged or was changed")
        rewrite(path, {**parts, LIBRARY: parts[LIBRARY][:-1] + b"\x01"})
        self.refused(rag, path, "is damaged or was changed")
        rewrite(path, {**parts, "../evil": b"x"})
        self.refused(rag, path, "is damaged or was changed")

    def test_a_part_far_too_large(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        path = tmp_path / "bad.zip"
        rewrite(path, {**parts_of(archive), SETTINGS: b"{}" + b" " * 1_100_000})
        self.refused(rag, path, "is damaged or was changed")

    def test_one_for_which_there_is_no_room(
        self, rag: RAGSystem, archive: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        usage = shutil.disk_usage(archive.parent)._replace(free=1 << 20)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
        self.refused(rag, archive, "does not have enough room")

    def test_a_size_that_is_no_whole_number(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        parts = parts_of(archive)
        manifest = json.loads(parts[MANIFEST])
        manifest["parts"][LIBRARY]["size"] = float(len(parts[LIBRARY]))
        manifest["parts"][LIBRARY]["sha256"] = "0" * 64
        rewrite(tmp_path / "bad.zip", {**parts, MANIFEST: json.dumps(manifest).encode()})
        self.refused(rag, tmp_path / "bad.zip", "is damaged or was changed")

    @pytest.mark.parametrize("name", ["version", "schema"])
    def test_a_newer_one(self, rag: RAGSystem, archive: Path, tmp_path: Path, name: str) -> None:
        parts = parts_of(archive)
        manifest = {**json.loads(parts[MANIFEST]), name: 99}
        rewrite(tmp_path / "new.zip", {**parts, MANIFEST: json.dumps(manifest).encode()})
        self.refused(rag, tmp_path / "new.zip", "was exported by a newer Lectern")

    @pytest.mark.slow
    def test_one_that_would_fill_the_disk(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        parts, bomb = parts_of(archive), bytes(64 << 20)
        manifest = json.loads(parts[MANIFEST])
        manifest["parts"][LIBRARY] = {"size": len(bomb), "sha256": hashlib.sha256(bomb).hexdigest()}
        rewrite(tmp_path / "a.zip", {**parts, MANIFEST: json.dumps(manifest).encode(), LIBRARY: bomb})
        assert (tmp_path / "a.zip").stat().st_size < 1 << 20
        self.refused(rag, tmp_path / "a.zip", "is damaged or was changed")
        rewrite(tmp_path / "b.zip", {**parts, SETTINGS: bytes(8 << 20)})
        self.refused(rag, tmp_path / "b.zip", "is damaged or was changed")

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE chunks SET text = 'something else' WHERE id = 1",
            'UPDATE chunks SET "end" = 100000 WHERE id = 1',
            "UPDATE chunks SET vectors = x'00' WHERE id = 1",
            "UPDATE exchanges SET scope = 'no json'",
            f"UPDATE exchanges SET usage = {DEEP}",
            f"UPDATE courses SET title = {BAD_UTF8} WHERE id = 1",
            "DROP TABLE anchors",
            "CREATE TRIGGER evil AFTER INSERT ON index_queue BEGIN DELETE FROM index_queue; END",
            "DROP VIEW passages",
            "PRAGMA user_version = 0",
            *(
                pytest.param(one, marks=pytest.mark.slow)
                for one in (
                    "UPDATE chunks SET embedding = zeroblob(10), context = zeroblob(10) WHERE id = 1",
                    "UPDATE chunks SET lesson_id = 999 WHERE id = 1",
                    "UPDATE chunks SET terms = x'c800000001000000' WHERE id = 1",
                    "UPDATE documents SET text = 5 WHERE id = 1",
                    "UPDATE documents SET sentences = x'0000ff7f0000ff7f' WHERE id = 1",
                    "UPDATE courses SET embedding = 'no'",
                    "UPDATE exchanges SET usage = '{\"never\": 1}'",
                    "UPDATE exchanges SET usage = json_set(usage, '$.input_tokens', 'many')",
                    "UPDATE exchanges SET usage = json_set(usage, '$.cost', json('[1]'))",
                    "UPDATE exchanges SET usage = '{\"input_tokens\": NaN}'",
                    f"UPDATE exchanges SET usage = '{{\"output_tokens\": 1{'0' * 300}}}'",
                    f"UPDATE exchanges SET scope = {DEEP}",
                    "UPDATE exchanges SET scope = '{\"courses\": [1]}'",
                    'UPDATE conversations SET scope = \'{"up_to": [["Ink", null]]}\'',
                    f"UPDATE sources SET hit = {DEEP}",
                    f"UPDATE sources SET sentences = {DEEP}",
                    "UPDATE sources SET hit = json_set(hit, '$.lesson_number', 'one')",
                    "UPDATE sources SET hit = json_set(hit, '$.anchor',"
                    ' json(\'{"kind": "page", "value": {}}\'))',
                    f"UPDATE documents SET text = {BAD_UTF8} WHERE id = 1",
                    f"UPDATE lessons SET title = {BAD_UTF8}",
                    f"UPDATE conversations SET title = {BAD_UTF8}",
                    f"UPDATE exchanges SET answer = {BAD_UTF8}",
                    "UPDATE sources SET hit = '{}'",
                    "UPDATE citations SET source_n = 'x'",
                    "UPDATE sources SET sentences = '[[1, \"x\"]]'",
                    "DELETE FROM documents WHERE id = 1",
                    "DELETE FROM conversations",
                    "CREATE TABLE other (x)",
                    "DROP VIEW passages; CREATE VIEW passages AS SELECT id, text, 'x' AS context FROM chunks",
                    "DROP TABLE passages_vocabulary; CREATE VIRTUAL TABLE passages_vocabulary"
                    " USING fts5vocab (exchanges_fts, row)",
                    "ALTER TABLE conversations DROP COLUMN pinned; ALTER TABLE conversations"
                    " ADD COLUMN pinned INTEGER NOT NULL GENERATED ALWAYS AS (id = 1) VIRTUAL",
                )
            ),
        ],
    )
    def test_contents_that_do_not_fit_together(
        self, rag: RAGSystem, archive: Path, tmp_path: Path, statement: str
    ) -> None:
        rag.courses.remove_courses(TITLES, CancelToken())  # else the documents are there and not looked at
        list(rag.trash.empty(CancelToken()))
        path = tampered(archive, tmp_path / "bad.zip", lambda connection: connection.executescript(statement))
        self.refused(rag, path, "is damaged or was changed")

    def test_a_library_of_a_newer_version_in_it(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        path = tampered(archive, tmp_path / "a.zip", lambda it: it.execute("PRAGMA user_version = 99"))
        self.refused(rag, path, "was exported by a newer Lectern")


class TestOddArchives:
    @pytest.mark.parametrize("title", ["", " \t"])
    def test_a_course_without_a_title_is_called_after_its_file(
        self, empty: RAGSystem, archive: Path, tmp_path: Path, title: str
    ) -> None:
        change = ("UPDATE courses SET title = ? WHERE title = ?", (title, TITLES[1]))
        path = tampered(archive, tmp_path / "a.zip", lambda it: it.execute(*change))
        assert take_in(empty, path).documents == 3
        assert sorted(course.title for course in empty.courses.all()) == sorted(
            [TITLES[0], "bread", TITLES[2]]
        )
        assert agree(empty)
        assert empty.search.retrieve(QUESTION).hits[0].course_title == "bread"
        assert take_in(empty, path).already_there == 3

    @pytest.mark.parametrize("number", [0, (1 << 63) - 1])
    def test_passages_of_one_number_are_numbered_anew(
        self, empty: RAGSystem, archive: Path, tmp_path: Path, number: int
    ) -> None:
        def spoil(connection: sqlite3.Connection) -> None:
            connection.execute("UPDATE chunks SET chunk_index = 7")
            connection.execute("UPDATE courses SET next_chunk_index = ?", (number,))

        take_in(empty, tampered(archive, tmp_path / "a.zip", spoil))
        assert agree(empty)
        path = tmp_path / "more.txt"
        path.write_text(f"Course Title: {TITLES[1]}\n\nLesson 9: Rye\nRye is sour.\n", encoding="utf-8")
        ingest(empty, path)
        assert agree(empty)


class TestEndingEarly:
    def test_cancelled_at_every_step(self, rag: RAGSystem, archive: Path, tmp_path: Path) -> None:
        rag.courses.remove_courses([TITLES[1]], CancelToken())
        before = everything(rag)
        for stop_after in range(1, 5):
            token = CancelToken()
            events = rag.service(TransferService).import_library(archive, token, replace=True)
            with pytest.raises(Cancelled):
                for number, event in enumerate(events, 1):
                    assert isinstance(event, TransferProgress)
                    if number == stop_after:
                        token.cancel()
            assert everything(rag) == before
            assert not places(rag.database.data_dir)
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            list(rag.service(TransferService).export_library(tmp_path / "x.zip", token))
        assert not list(tmp_path.glob("*x.zip*"))
        assert agree(rag)

    def test_settings_saved_meanwhile_survive_a_cancel(self, rag: RAGSystem, archive: Path) -> None:
        token = CancelToken()
        events = rag.service(TransferService).import_library(archive, token, replace=True)
        next(events)
        assert rag.settings == Settings(), "nothing changes while it runs"
        rag.settings = Settings(passages_per_search=9)
        token.cancel()
        with pytest.raises(Cancelled):
            list(events)
        assert rag.settings == Settings(passages_per_search=9)

    def test_settings_saved_meanwhile_survive_an_import(self, rag: RAGSystem, archive: Path) -> None:
        events = rag.service(TransferService).import_library(archive, CancelToken(), replace=True)
        next(events)
        rag.settings = Settings(base_url="http://localhost:11434", theme="light")
        list(events)
        assert rag.settings.base_url == "http://localhost:11434"
        assert rag.settings.theme == "dark", "the archive holds a theme, but no server"

    def test_an_export_of_a_damaged_library_names_the_library(self, rag: RAGSystem, tmp_path: Path) -> None:
        say(rag, QUESTION, "Flour and water.")
        for statement in (
            f"UPDATE exchanges SET answer = {BAD_UTF8}",
            "UPDATE exchanges SET scope = 'no json', answer = ''",
        ):
            rag.database.write(statement)
            with pytest.raises(LibraryUnusable, match=f"The library in {rag.database.data_dir} is damaged"):
                export(rag, tmp_path / "a.zip")
        assert not (tmp_path / "a.zip").exists()

    def test_an_export_that_can_not_be_written(self, rag: RAGSystem, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="could not be written"):
            export(rag, tmp_path / "no such folder" / "a.zip")

    @pytest.mark.parametrize("steps", [1, 3, 4])
    def test_killed_the_library_is_as_it_was(
        self,
        data_dir: Path,
        archive: Path,
        tmp_path: Path,
        embedder: KeptEmbedder,
        model_cache: Path,
        steps: int,
    ) -> None:
        with library(data_dir, embedder) as rag:
            rag.courses.remove_courses([TITLES[1]], CancelToken())
            say(rag, "when do spring tides come?", "At new moon.")
            before = everything(rag)
        command = [sys.executable, "-c", IMPORTING, str(data_dir), str(archive), str(model_cache)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", bufsize=1
        )
        assert process.stdin is not None
        assert process.stdout is not None
        for step in range(steps):
            assert process.stdout.readline().startswith(f"{step} TransferProgress")
            if step < steps - 1:
                process.stdin.write("\n")
        process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        process.communicate()
        assert places(data_dir), "it was killed in the middle"
        with library(data_dir, embedder) as rag:
            assert everything(rag) == before
            assert agree(rag)
            assert not places(data_dir)
