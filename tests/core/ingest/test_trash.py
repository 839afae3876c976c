"""Removing, bringing back and deleting for good, with all three indexes in step."""

from __future__ import annotations

import random
import shutil
import sqlite3
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.config.settings import Settings
from app.core.courses.service import is_below, named
from app.core.embedding.embedder import Embedder
from app.core.ingest import trash as service
from app.core.search.lexical import TextIndex
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import UserError
from app.features.keeping.doctor import examine
from tests.support.courses import BREAD, TITLES, ingest, library, write_courses

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


class MadeUpVectors(Embedder):
    """Gives passages made-up vectors, so that no model has to compute hundreds of them."""

    def embed_passages(self, texts: Sequence[str], token: CancelToken) -> NDArray[np.float32]:
        vectors = np.random.default_rng(len(texts)).standard_normal((len(texts), 384), np.float32)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def long_course(title: str, passages: int) -> str:
    """Return a course whose passages have words of their own."""
    chance = random.Random(1)
    lines = [f"Course Title: {title}", "", "Lesson 1: All of it"]
    for _ in range(passages):
        words = ("".join(chance.choices("abcdefghijklmnop", k=6)) for _ in range(100))
        lines.append(" ".join(words).capitalize() + ".")
    return "\n".join(lines) + "\n"


BREAD_TITLE = "Bread Baking at Home"
QUESTION = "what is a sourdough starter?"


def counts(rag: RAGSystem) -> set[int]:
    """Passages in the library, in the full-text index and in Chroma; one number where they agree."""
    return {rag.courses.counts().passages, TextIndex(rag.database).count(), rag.index.chroma.count()}


def remove(rag: RAGSystem, name: str) -> None:
    found = rag.courses.find(name)
    rag.courses.remove([record.document_id for record in found], CancelToken())


def restore(rag: RAGSystem, name: str) -> None:
    entries = rag.trash.find(name)
    list(rag.trash.restore([key for item in entries for key in item.documents], CancelToken()))


def empty(rag: RAGSystem) -> None:
    list(rag.trash.empty(CancelToken()))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


class TestNames:
    @pytest.mark.parametrize("name", [BREAD_TITLE, "bread baking at HOME", "bread", "baking home", "BBH"])
    def test_a_course_by_its_words_or_initials(self, rag: RAGSystem, name: str) -> None:
        assert [record.course_title for record in rag.courses.find(name)] == [BREAD_TITLE]

    def test_never_by_meaning(self, rag: RAGSystem) -> None:
        assert rag.search.retrieve("x", course_name="baking loaves with yeast").course_title == BREAD_TITLE
        with pytest.raises(UserError, match="No course or file is called"):
            rag.courses.find("baking loaves with yeast")

    def test_a_file_and_a_folder(self, rag: RAGSystem, stored_courses: tuple[Path, Path]) -> None:
        folder = stored_courses[0]
        (record,) = rag.courses.find(str(folder / "bread.txt"))
        assert record.course_title == BREAD_TITLE
        assert len(rag.courses.find(str(folder))) == 3
        with pytest.raises(UserError):
            rag.courses.find(str(folder / "bread"))

    def test_a_folder_that_is_gone(self, rag: RAGSystem, tmp_path: Path) -> None:
        folder = write_courses(tmp_path / "gone")
        (folder / "bread.txt").write_text(BREAD.replace(BREAD_TITLE, "Pastry"), encoding="utf-8")
        ingest(rag, folder / "bread.txt")
        shutil.rmtree(folder)
        assert [record.course_title for record in rag.courses.find(str(folder))] == ["Pastry"]

    def test_several_courses_are_named(self, rag: RAGSystem, tmp_path: Path) -> None:
        (tmp_path / "rye.txt").write_text(BREAD.replace(BREAD_TITLE, "Bread of Rye"), encoding="utf-8")
        ingest(rag, tmp_path / "rye.txt")
        with pytest.raises(UserError, match=f"several courses: {BREAD_TITLE}; Bread of Rye"):
            rag.courses.find("bread")

    def test_a_name_that_is_a_path_and_part_of_a_title(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.chdir(tmp_path)
        items = [("Rust for Beginners", str(tmp_path / "a.txt")), ("Ink", str(tmp_path / "rust" / "b.txt"))]
        with pytest.raises(UserError, match="is both a path and part of a course title"):
            named("rust", items, lambda item: item[0], lambda item: [item[1]])
        assert named("rust/", items, lambda item: item[0], lambda item: [item[1]]) == [items[1]]

    @pytest.mark.parametrize(
        ("path", "name", "inside"),
        [
            ("/home/ann/courses/a.txt", "/home/ann/courses", True),
            ("/home/ann/courses2/a.txt", "/home/ann/courses", False),
            (r"C:\Courses\Bread\a.txt", r"c:\courses", True),
            (r"C:\Courses2\a.txt", r"C:\Courses", False),
            ("/home/ann/a.txt", " ", False),
        ],
    )
    def test_paths_of_any_system(self, path: str, name: str, inside: bool) -> None:
        assert is_below(path, name) is inside


class TestRemovingAndRestoring:
    def test_everything_agrees_at_each_step(self, rag: RAGSystem) -> None:
        before = rag.search.retrieve(QUESTION)
        for _ in range(3):
            remove(rag, "bread")
            assert len(counts(rag)) == 1
            assert not [hit for hit in rag.search.retrieve(QUESTION).hits if hit.course_title == BREAD_TITLE]
            (entry,) = rag.trash.entries()
            assert (entry.course_title, entry.whole_course, entry.passages) == (BREAD_TITLE, True, 3)
            restore(rag, "bread")
            assert len(counts(rag)) == 1
            assert rag.trash.entries() == ()
            after = rag.search.retrieve(QUESTION)
            assert [(hit.course_title, hit.text) for hit in after.hits] == [
                (hit.course_title, hit.text) for hit in before.hits
            ]

    def test_what_was_removed_twice_is_in_the_trash_once(self, rag: RAGSystem) -> None:
        (record,) = rag.courses.find("bread")
        for _ in range(2):
            rag.courses.remove([record.document_id], CancelToken())
        assert len(counts(rag)) == 1
        assert len(rag.trash.entries()) == 1

    def test_restoring_survives_a_restart(self, data_dir: Path, embedder: KeptEmbedder) -> None:
        with library(data_dir, embedder) as rag:
            remove(rag, "tides")
        with library(data_dir, embedder) as rag:
            restore(rag, "tides")
        with library(data_dir, embedder) as rag:
            assert len(counts(rag)) == 1
            assert (
                rag.search.retrieve("when do spring tides come?").hits[0].course_title == "Tides and Currents"
            )
        assert examine(data_dir, Settings(), embedder).ok

    def test_not_over_a_file_that_was_added_again(self, rag: RAGSystem, tmp_path: Path) -> None:
        remove(rag, "bread")
        path = tmp_path / "new.txt"
        path.write_text(BREAD + "\nRye needs more water than wheat.\n", encoding="utf-8")
        ingest(rag, path)
        passages = counts(rag)
        with pytest.raises(UserError, match=r"new\.txt now holds the same lessons of “Bread Baking at Home”"):
            restore(rag, "bread")
        assert counts(rag) == passages
        remove(rag, str(path))
        entries = {entry.paths[0]: entry for entry in rag.trash.entries()}
        list(rag.trash.restore(entries[str(path.resolve())].documents, CancelToken()))
        assert "Rye needs more water" in rag.search.retrieve("how much water for rye?").hits[0].text

    def test_nothing_is_restored_when_one_can_not(self, rag: RAGSystem, tmp_path: Path) -> None:
        remove(rag, "bread")
        remove(rag, "tides")
        path = tmp_path / "new.txt"
        path.write_text(BREAD + "\nMore.\n", encoding="utf-8")
        ingest(rag, path)
        keys = [key for entry in rag.trash.entries() for key in entry.documents]
        with pytest.raises(UserError):
            list(rag.trash.restore(keys, CancelToken()))
        assert "Tides and Currents" not in [course.title for course in rag.courses.all()]

    def test_after_other_settings_it_is_cut_as_the_rest_is(
        self, data_dir: Path, embedder: KeptEmbedder, tmp_path: Path
    ) -> None:
        path = tmp_path / "rye.txt"
        text = BREAD.replace(BREAD_TITLE, "Rye") + "Rye dough is wet and sticky. " * 20
        path.write_text(text, encoding="utf-8")
        with library(data_dir, embedder) as rag:
            ingest(rag, path)
            before = rag.catalog.documents.of_course("Rye")[0].passages
            remove(rag, "rye")
        with library(data_dir, embedder, Settings(chunk_size=200, chunk_overlap=0)) as rag:
            assert rag.reindex.needed()
            list(rag.reindex.run(CancelToken()))
            restore(rag, "rye")
            assert rag.catalog.documents.of_course("Rye")[0].passages > before
            assert rag.trash.entries() == ()
            assert len(counts(rag)) == 1


class TestEmptying:
    def test_nothing_is_left_of_it(self, rag: RAGSystem) -> None:
        remove(rag, "bread")
        empty(rag)
        assert rag.trash.entries() == ()
        assert len(counts(rag)) == 1
        for table in ("documents", "chunks", "lessons", "anchors"):
            text = "".join(map(repr, map(tuple, rag.database.connection.execute(f"SELECT * FROM {table}"))))
            assert "sourdough" not in text.lower()
        with pytest.raises(UserError, match="The trash is empty"):
            restore(rag, "bread")

    @pytest.mark.slow
    def test_disk_space_comes_back(
        self, data_dir: Path, embedder: KeptEmbedder, model_cache: Path, tmp_path: Path
    ) -> None:
        data, made_up = data_dir, MadeUpVectors(None, model_cache)
        before = size_of(data)
        long = tmp_path / "long.txt"
        long.write_text(long_course("A Long Course", 400), encoding="utf-8")
        with library(data, made_up) as rag:
            ingest(rag, long)
            added = rag.courses.counts().passages
        assert added > 400
        assert size_of(data) > 3 * before
        with library(data, embedder) as rag:
            remove(rag, "A Long Course")
            assert rag.courses.counts().passages < added / 5
            empty(rag)
            assert len(counts(rag)) == 1
            assert rag.database.connection.execute("PRAGMA freelist_count").fetchone()[0] == 0
        assert size_of(data) <= 1.2 * before
        report = examine(data, Settings(), embedder)
        assert report.ok, report.problems
        with library(data, embedder) as rag:
            assert rag.search.retrieve(QUESTION).hits[0].course_title == BREAD_TITLE

    def test_a_library_made_without_room_to_give_back_shrinks_too(
        self, rag: RAGSystem, data_dir: Path, embedder: KeptEmbedder
    ) -> None:
        rag.close()
        connection = sqlite3.connect(data_dir / "library.sqlite3")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA auto_vacuum = NONE")
        connection.execute("VACUUM")
        connection.close()
        with library(data_dir, embedder) as again:
            before = again.database.connection.execute("PRAGMA page_count").fetchone()[0]
            remove(again, "bread")
            remove(again, "tides")
            empty(again)
            assert again.database.connection.execute("PRAGMA freelist_count").fetchone()[0] == 0
            assert again.database.connection.execute("PRAGMA page_count").fetchone()[0] < before

    def test_all_titles_can_be_used_again(self, rag: RAGSystem, stored_courses: tuple[Path, Path]) -> None:
        for title in TITLES:
            remove(rag, title)
        empty(rag)
        assert counts(rag) == {0}
        ingest(rag, stored_courses[0])
        assert len(counts(rag)) == 1
        assert rag.search.retrieve(QUESTION).hits[0].course_title == BREAD_TITLE

    def test_the_room_comes_back_in_a_few_steps(self, rag: RAGSystem) -> None:
        connection = rag.database.connection
        with rag.database.transaction():
            connection.executemany(
                "INSERT INTO failures VALUES (?, 1, 1, ?)", [(str(n), "x" * 40_000) for n in range(500)]
            )
        connection.execute("DELETE FROM failures")
        pages = connection.execute("PRAGMA freelist_count").fetchone()[0]
        assert pages > 4000
        assert 2 <= len(list(rag.database.give_back_space())) <= 4
        assert connection.execute("PRAGMA freelist_count").fetchone()[0] == 0

    def test_a_cancel_spares_what_is_left(self, rag: RAGSystem, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(service, "_AT_ONCE", 1)
        for name in TITLES:
            remove(rag, name)
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            list(rag.trash.empty(token))
        assert len(rag.trash.entries()) == len(TITLES) - 1
        assert counts(rag) == {0}
        restore(rag, TITLES[-1])
        assert len(counts(rag)) == 1
