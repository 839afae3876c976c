"""Chroma is derived: whatever becomes of it, the library stays whole and searches stay exact."""

from __future__ import annotations

import json
import logging
import multiprocessing
import shutil
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.config.settings import Settings
from app.core.search.chroma import CATALOG, CONTENT, ChromaProcess
from app.core.search.filters import MetadataFilter
from app.core.search.index import SearchIndex
from app.core.search.lexical import TextIndex
from app.core.storage import sql
from app.domain.cancel import Cancelled, CancelToken
from app.domain.events import FileStatus
from app.features.keeping.doctor import examine
from tests.support.courses import BREAD, TITLES, ingest, library, open_index, write_courses

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

BIRDS = ["heron", "bittern", "egret", "crake", "rail", "crane", "grebe"]
QUESTIONS = ["what is a sourdough starter?", "when do spring tides come?", "what is iron gall ink made of?"]


def answers(rag: RAGSystem) -> list[tuple[str, int, str]]:
    hits = [rag.search.retrieve(question).hits[0] for question in QUESTIONS]
    return [(hit.course_title, hit.start, hit.text) for hit in hits]


def counts(rag: RAGSystem) -> tuple[int, int, int]:
    return rag.courses.counts().passages, TextIndex(rag.database).count(), rag.index.chroma.count()


def catch_up(rag: RAGSystem) -> None:
    for _ in rag.index.catch_up(CancelToken()):
        pass


def nearest(rag: RAGSystem, question: str, embedder: KeptEmbedder) -> str:
    """Ask Chroma itself."""
    (name,) = rag.index.chroma.nearest(embedder.embed_query(question), 1, None) or [""]
    return name.rpartition("_")[0]


def built(data_dir: Path, embedder: KeptEmbedder) -> bool:
    """Whether the index is built again when the library is opened."""
    with library(data_dir, embedder, index=False) as rag:
        return bool(list(rag.open_index(CancelToken())))


def collections(folder: Path) -> dict[str, Any]:
    """Read with Chroma's own client, as another program would, once the library is closed."""
    import chromadb

    client: Any = chromadb.PersistentClient(path=str(folder))
    try:
        return {
            name: client.get_collection(name, embedding_function=None).get(
                include=["documents", "metadatas", "embeddings"]
            )
            for name in (CATALOG, CONTENT)
        } | {"space": client.get_collection(CONTENT, embedding_function=None).metadata}
    finally:
        client.close()


def test_chroma_holds_courses_and_passages_in_the_form_of_the_web_version(
    data_dir: Path, embedder: KeptEmbedder
) -> None:
    with library(data_dir, embedder):
        pass
    found = collections(data_dir / "chroma")
    assert found["space"]["hnsw:space"] == "cosine"
    content, catalog = found[CONTENT], found[CATALOG]
    assert np.shape(content["embeddings"]) == (len(content["ids"]), 384)
    metadata = dict(zip(content["ids"], content["metadatas"], strict=True))
    first = metadata["Bread Baking at Home_0"]
    assert first == {"course_title": "Bread Baking at Home", "lesson_number": 0, "chunk_index": 0}
    assert "lesson_number" not in metadata["A Short History of Ink_0"]
    texts = dict(zip(content["ids"], content["documents"], strict=True))
    assert texts["Bread Baking at Home_0"].startswith("A kitchen scale matters")
    courses = dict(zip(catalog["ids"], catalog["metadatas"], strict=True))
    assert sorted(courses) == sorted(catalog["documents"]) == TITLES
    bread = courses["Bread Baking at Home"]
    assert (bread["title"], bread["instructor"]) == ("Bread Baking at Home", "Mira Holt")
    assert bread["course_link"] == "https://example.org/bread"
    lessons = json.loads(bread["lessons_json"])
    assert bread["lesson_count"] == len(lessons)
    assert lessons[0] == {
        "lesson_number": 0,
        "lesson_title": "Before you start",
        "lesson_link": "https://example.org/bread/0",
    }
    assert courses["A Short History of Ink"]["instructor"] == ""


def remove_everything(chroma: Path) -> None:
    shutil.rmtree(chroma)


def cut_database(chroma: Path) -> None:
    with (chroma / "chroma.sqlite3").open("r+b") as file:
        file.truncate(5000)


def garble_database(chroma: Path) -> None:
    (chroma / "chroma.sqlite3").write_bytes(b"garbage" * 2000)


def drop_database(chroma: Path) -> None:
    (chroma / "chroma.sqlite3").unlink()


def put_a_file_in_its_place(chroma: Path) -> None:
    shutil.rmtree(chroma)
    chroma.write_text("I am in the way", encoding="utf-8")


def remove_the_mark(chroma: Path) -> None:
    chroma.with_name("chroma.clean").unlink()


def garble_the_mark(chroma: Path) -> None:
    chroma.with_name("chroma.clean").write_bytes(b"\xff")


@pytest.mark.parametrize(
    "damage",
    [
        garble_database,
        put_a_file_in_its_place,
        remove_the_mark,
        *(
            pytest.param(damage, marks=pytest.mark.slow)
            for damage in (remove_everything, cut_database, drop_database, garble_the_mark)
        ),
    ],
)
def test_a_damaged_index_is_built_again(
    data_dir: Path,
    embedder: KeptEmbedder,
    damage: Callable[[Path], None],
) -> None:
    with library(data_dir, embedder) as rag:
        expected = answers(rag)
    damage(data_dir / "chroma")
    with library(data_dir, embedder, index=False) as rag:
        assert list(rag.open_index(CancelToken())), "built"
        assert len(set(counts(rag))) == 1
        assert len(rag.index.chroma.ids(CATALOG)) == 3
        assert nearest(rag, "sourdough", embedder) == "Bread Baking at Home"
        assert answers(rag) == expected
    assert not built(data_dir, embedder)


@pytest.mark.parametrize(
    "damage",
    [
        garble_database,
        *(pytest.param(one, marks=pytest.mark.slow) for one in (drop_database, remove_everything)),
    ],
)
def test_its_mark_is_gone_before_a_damaged_index_is_deleted(
    data_dir: Path, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], None]
) -> None:
    with library(data_dir, embedder):
        pass
    damage(data_dir / "chroma")
    really_open = ChromaProcess.open

    def watched(self: ChromaProcess, directory: Path, *, fresh: bool) -> bool:
        # A kill while it is deleted must leave no empty index that counts as clean.
        assert not (fresh and (data_dir / "chroma.clean").exists())
        return really_open(self, directory, fresh=fresh)

    monkeypatch.setattr(ChromaProcess, "open", watched)
    with library(data_dir, embedder) as rag:
        assert rag.index.matches()
        assert len(set(counts(rag))) == 1


def test_an_index_that_was_closed_in_order_is_not_built_again(data_dir: Path, embedder: KeptEmbedder) -> None:
    for _ in range(2):
        assert not built(data_dir, embedder)


def test_an_index_of_another_moment_is_built_again(data_dir: Path, embedder: KeptEmbedder) -> None:
    """As when only a part of a backup was put back."""
    old = [data_dir / "chroma", data_dir / "chroma.clean"]
    kept = data_dir.with_name("kept")
    kept.mkdir()
    shutil.copytree(old[0], kept / "chroma")
    shutil.copy(old[1], kept)
    with library(data_dir, embedder) as rag:
        rag.courses.remove_courses(["Tides and Currents"], CancelToken())
    shutil.rmtree(old[0])
    shutil.copytree(kept / "chroma", old[0])
    shutil.copy(kept / "chroma.clean", old[1])
    with library(data_dir, embedder) as rag:
        assert len(set(counts(rag))) == 1
        assert len(rag.index.chroma.ids(CATALOG)) == 2


def test_the_index_of_another_library_with_as_many_passages_is_built_again(
    data_dir: Path, embedder: KeptEmbedder, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    courses = write_courses(tmp_path / "others courses")
    (courses / "bread.txt").write_text(BREAD.replace("starter", "monster"), encoding="utf-8")
    with library(other, embedder) as rag:
        ingest(rag, courses)
    shutil.rmtree(data_dir / "chroma")
    shutil.copytree(other / "chroma", data_dir / "chroma")
    shutil.copy(other / "chroma.clean", data_dir)
    with library(data_dir, embedder, index=False) as rag:
        assert list(rag.open_index(CancelToken()))
        assert len(set(counts(rag))) == 1


def test_building_it_again_tells_how_far_it_is(data_dir: Path, embedder: KeptEmbedder) -> None:
    shutil.rmtree(data_dir / "chroma")
    with library(data_dir, embedder, index=False) as rag:
        told = [(event.done, event.total) for event in rag.open_index(CancelToken())]
        total = rag.courses.counts().passages + 3
        assert told == [(0, total), (total, total)]


def test_opening_without_the_index_does_not_bless_a_damaged_one(
    data_dir: Path, embedder: KeptEmbedder
) -> None:
    (data_dir / "chroma.clean").unlink()  # the last run died
    with library(data_dir, embedder, index=False) as rag:
        assert rag.courses.counts().courses == 3
    assert built(data_dir, embedder)


def test_searches_are_exact_while_the_index_is_behind(
    data_dir: Path, embedder: KeptEmbedder, tmp_path: Path, stored_courses: tuple[Path, Path]
) -> None:
    path = tmp_path / "herons.txt"
    path.write_text("Course Title: Herons\n\nLesson 1: All\nA heron waits in the reeds.\n", encoding="utf-8")
    with library(data_dir, embedder, index=False) as rag:
        expected = answers(rag)
        ingest(rag, path)
        rag.courses.remove_courses(["A Short History of Ink"], CancelToken())
        assert rag.catalog.index_queue.count() > 0
        assert rag.search.retrieve("bird at the water").hits[0].course_title == "Herons"
        assert answers(rag)[:2] == expected[:2]
        assert not [hit for hit in rag.search.retrieve("ink", limit=20).hits if "Ink" in hit.course_title]
    with library(data_dir, embedder, index=False) as rag:
        rag.index.open()
        assert rag.search.retrieve("bird at the water").hits[0].course_title == "Herons"
        catch_up(rag)
        assert rag.catalog.index_queue.count() == 0
        assert len(set(counts(rag))) == 1
        assert rag.search.retrieve("bird at the water").hits[0].course_title == "Herons"


def test_catching_up_can_be_cancelled_and_goes_on_the_next_time(
    data_dir: Path, embedder: KeptEmbedder
) -> None:
    shutil.rmtree(data_dir / "chroma")
    with library(data_dir, embedder, index=False) as rag:
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            list(rag.open_index(token))
        assert rag.catalog.index_queue.count() > 0
        assert rag.search.retrieve("sourdough").hits[0].course_title == "Bread Baking at Home"
    with library(data_dir, embedder) as rag:
        assert rag.catalog.index_queue.count() == 0
        assert len(set(counts(rag))) == 1


def test_an_index_that_breaks_while_it_is_open_costs_no_search(
    data_dir: Path, embedder: KeptEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    with library(data_dir, embedder) as rag:
        expected = answers(rag)
    with library(data_dir, embedder) as rag, caplog.at_level(logging.CRITICAL):
        with (data_dir / "chroma" / "chroma.sqlite3").open("r+b") as file:
            file.write(b"garbage" * 20_000)
        assert answers(rag) == expected
    with library(data_dir, embedder) as rag:
        assert len(set(counts(rag))) == 1


def test_without_chroma_everything_else_goes_on(
    data_dir: Path, embedder: KeptEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library(data_dir, embedder) as rag:
        expected = answers(rag)
    shutil.rmtree(data_dir / "chroma")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "chromadb.py").write_text("raise ImportError('as if not installed')\n", "ascii")
    monkeypatch.syspath_prepend(tmp_path / "broken")
    monkeypatch.setattr("app.core.search.chroma._kept", [])  # has imported the sound one
    with library(data_dir, embedder) as rag:
        assert answers(rag) == expected
        assert ingest(rag, write_courses(tmp_path / "mine"), clear=True).counts.courses == 3
    report = examine(data_dir, Settings(), embedder)
    assert report.counts["chroma"] is None
    assert [str(problem.what) for problem in report.problems] == ["The search index cannot be opened."]
    monkeypatch.undo()
    with library(data_dir, embedder) as rag:
        assert len(set(counts(rag))) == 1


def test_documents_are_told_to_the_index_as_they_change(
    data_dir: Path, embedder: KeptEmbedder, tmp_path: Path
) -> None:
    with library(data_dir, embedder) as rag:
        ingest(rag, write_courses(tmp_path / "mine"), clear=True)
        assert [course.title for course in rag.courses.all()] == TITLES
        (tmp_path / "mine" / "bread.txt").write_text(
            BREAD.replace("Bread Baking at Home", "The Patient Baker"), encoding="utf-8"
        )
        ingest(rag, tmp_path / "mine")
        assert len(set(counts(rag))) == 1
        assert nearest(rag, "sourdough", embedder) == "The Patient Baker"
        open_index(rag)
        assert rag.catalog.index_queue.count() == 0


def test_a_passage_renumbered_in_the_run_that_reads_it_is_queued_once(
    tmp_path: Path, embedder: KeptEmbedder
) -> None:
    """One file fails, so that those after it are renumbered; all of it makes more than one call to Chroma."""
    folder = tmp_path / "Biology"
    folder.mkdir()
    said = [f"The {bird} waits in the reeds, {'stands very still, ' * 6}and flies." for bird in BIRDS]
    (folder / "a book.txt").write_text("\n\n".join(said[n % len(said)] for n in range(449)), encoding="utf-8")
    (folder / "b scan.txt").write_text(" ", encoding="utf-8")
    for number in range(30):
        name = f"c {chr(97 + number // 26)}{chr(97 + number % 26)}.txt"
        (folder / name).write_text(f"Note {number} about herons.\n", encoding="utf-8")
    with library(tmp_path / "data", embedder, Settings(chunk_size=200, chunk_overlap=0)) as rag:
        done = ingest(rag, folder)
        assert (done.counts.documents, done.counts.passages) == (31, 479)
        assert [file.status for file in done.files].count(FileStatus.FAILED) == 1
        lessons = [lesson.number for lesson in rag.courses.all()[0].lessons]
        assert lessons == list(range(1, 32)), "renumbered"
        assert rag.catalog.index_queue.count() == 0
        assert counts(rag) == (479, 479, 479)
    assert examine(tmp_path / "data", Settings(), embedder).ok


def test_of_several_entries_the_last_stays_at_its_place(rag: RAGSystem) -> None:
    """Removed, brought back and removed again; then back: whatever part Chroma is told, the end is right."""
    keys = [file.document_id for file in rag.catalog.documents.files().values()]
    for _ in range(2):
        rag.catalog.documents.trash(keys)
        assert {row["op"] for row in rag.catalog.index_queue.next(100)} - {"add"} == {"remove", "course"}
        with rag.database.transaction() as connection:
            connection.execute("UPDATE documents SET trashed_at = NULL")
            sql.index_documents(connection, keys)
            sql.queue_courses(connection, keys)
    pending = [(row["op"], row["item"]) for row in rag.catalog.index_queue.next(100)]
    assert len(pending) == len(set(pending)) == 2 * rag.courses.counts().passages + 3
    assert [op for op, _ in pending if op != "course"][-1] == "add"
    catch_up(rag)
    assert len(set(counts(rag))) == 1


def test_an_index_that_refuses_what_is_queued_is_built_again(
    rag: RAGSystem, caplog: pytest.LogCaptureFixture
) -> None:
    expected = answers(rag)
    rag.database.connection.execute("INSERT INTO index_queue (op, item) VALUES ('remove', 5)")
    catch_up(rag)
    assert rag.catalog.index_queue.count() == 0
    assert len(set(counts(rag))) == 1
    assert rag.index.matches()
    assert answers(rag) == expected
    assert [record.message for record in caplog.records if record.levelno == logging.WARNING] == [
        "The search index is out of date; rebuilding it: Expected ID to be a str, got 5 in delete."
    ]


def test_an_index_that_holds_less_than_it_should_is_built_again(rag: RAGSystem) -> None:
    rag.index.chroma.remove(CONTENT, ["Bread Baking at Home_0"])
    assert not rag.index.matches()
    rag.database.connection.execute("INSERT INTO index_queue (op, item) VALUES ('course', ?)", TITLES[:1])
    catch_up(rag)
    assert rag.index.matches()


def test_what_is_pending_excuses_no_difference(rag: RAGSystem) -> None:
    rag.database.connection.execute("INSERT INTO index_queue (op, item) VALUES ('course', 'Herons')")
    assert not rag.index.matches()
    for _ in rag.index.repair(CancelToken()):
        pass
    assert rag.index.matches()


@pytest.mark.slow
def test_records_that_can_not_be_built_cost_no_search(
    data_dir: Path, embedder: KeptEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    with library(data_dir, embedder) as rag:
        expected = answers(rag)
        # What no library does: two passages with one id in Chroma.
        rag.database.connection.execute("UPDATE chunks SET chunk_index = 0")
        rag.index.rebuild()
        caplog.clear()
        catch_up(rag)
        assert not rag.index.is_open
        assert rag.catalog.index_queue.count() > 0
        assert answers(rag) == expected
        (_, reason) = [record.message for record in caplog.records if record.levelno == logging.WARNING]
        assert reason.startswith(
            "The search index cannot be built; searches are exact without it: Expected IDs"
        )
        caplog.clear()
        assert list(rag.index.catch_up(CancelToken())) == []
        assert not caplog.records, "once"
    report = examine(data_dir, Settings(), embedder, repair=True)
    assert [str(problem.what) for problem in report.problems] == [
        "The search index cannot be built from the library."
    ]


class _DiesAfterOpening(ChromaProcess):
    def open(self, directory: Path, *, fresh: bool) -> bool:
        is_new = super().open(directory, fresh=fresh)
        for child in multiprocessing.active_children():
            if child.name == "lectern-index":
                child.kill()
                child.join()
        return is_new


def test_an_index_whose_process_dies_after_opening_costs_no_library(
    data_dir: Path, embedder: KeptEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    with library(data_dir, embedder, index=False) as rag, caplog.at_level(logging.CRITICAL):
        expected = answers(rag)
        index = SearchIndex(rag.catalog, data_dir / "chroma")
        index.chroma = _DiesAfterOpening()
        index.open()
        assert list(index.catch_up(CancelToken())) == []
        assert index.nearest(embedder.embed_query("sourdough"), MetadataFilter(), 5) is None
        rag.database.connection.execute("INSERT INTO index_queue (op, item) VALUES ('course', ?)", TITLES[:1])
        assert list(index.catch_up(CancelToken())) == []
        assert not index.is_open
        assert answers(rag) == expected
        index.close()
    assert built(data_dir, embedder)


def test_the_mark_goes_with_the_first_change(rag: RAGSystem, data_dir: Path, tmp_path: Path) -> None:
    mark = data_dir / "chroma.clean"
    assert mark.exists()
    assert rag.search.retrieve("sourdough").hits
    assert mark.exists()
    path = tmp_path / "owls.txt"
    path.write_text("Course Title: Owls\n\nLesson 1: A\nOwls turn their heads.\n", encoding="utf-8")
    ingest(rag, path)
    assert not mark.exists()
    rag.close()
    assert mark.exists()


def test_what_earlier_versions_left_is_deleted(data_dir: Path, embedder: KeptEmbedder) -> None:
    for name in ("chroma.seal", "vectors.npz"):
        (data_dir / name).write_bytes(b"{}")
    with library(data_dir, embedder):
        assert not (data_dir / "chroma.seal").exists()
        assert not (data_dir / "vectors.npz").exists()
