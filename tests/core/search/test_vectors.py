from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.search.vector_file import NAME
from app.core.search.vectors import MetadataFilter, StoredVectors
from app.core.storage import codec
from app.domain.cancel import CancelToken
from app.domain.scope import Scope
from tests.support.courses import TITLES, ingest, library

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from app.core.rag_system import RAGSystem
    from app.core.search.vectors import VectorSnapshot
    from tests.support.courses import KeptEmbedder


@pytest.fixture(params=["exact", "coarse"])
def vectors(rag: RAGSystem, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> StoredVectors:
    """As a small library has them, and as a big one."""
    if request.param == "coarse":
        monkeypatch.setattr("app.core.search.vectors._COARSE_FROM", 1)
    return StoredVectors(rag.database)


def live_keys(rag: RAGSystem) -> list[int]:
    rows = rag.database.connection.execute(
        """SELECT k.id FROM chunks AS k JOIN documents AS d ON d.id = document_id
           WHERE trashed_at IS NULL ORDER BY k.id"""
    )
    return [row[0] for row in rows]


def nearest(vectors: StoredVectors, question: NDArray[np.float32]) -> list[int]:
    passages = vectors.current()
    rows = np.flatnonzero(passages.passing(MetadataFilter(), {}))
    best = rows[np.argsort(-passages.cosines(rows, question))]
    return [int(key) for key in passages.keys[best]]


def keys_of(vectors: StoredVectors) -> list[int]:
    passages = vectors.current()
    if passages.axes is not None:  # its rows follow those of the vectors
        assert np.allclose(passages.coarse / 127, along_axes(passages), atol=0.51 / 127)
    return [int(key) for key in passages.keys[passages.passing(MetadataFilter(), {})]]


def along_axes(passages: VectorSnapshot) -> NDArray[np.float32]:
    assert passages.axes is not None
    return (passages.vectors @ passages.axes) * passages.steps[:, None]


def test_one_row_a_passage(rag: RAGSystem, vectors: StoredVectors) -> None:
    passages = vectors.current()
    assert passages.keys.tolist() == live_keys(rag)
    assert passages.vectors.shape == (len(passages.keys), 384)


def test_rows_of_a_byte_a_number_give_the_cosines_of_the_stored_vectors(
    rag: RAGSystem, vectors: StoredVectors, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.core.search.vectors._AT_ONCE", 2)
    passages = vectors.current()
    question = embedder.embed_query("how long does the dough rise")
    stored = rag.database.connection.execute("SELECT embedding FROM chunks ORDER BY id").fetchall()
    exact = np.array([codec.decode_vector(row["embedding"]) @ question for row in stored])
    rows = np.array([4, 0, 2, 1, 3])
    assert passages.cosines(rows, question) == pytest.approx(exact[rows], abs=0.002)
    assert passages.cosines(rows[:0], question).tolist() == []
    assert passages.vectors.nbytes == 384 * len(stored)


def test_coarse_cosines_order_passages_nearly_as_exact_ones(
    vectors: StoredVectors, embedder: KeptEmbedder
) -> None:
    passages = vectors.current()
    if passages.axes is None:
        return
    question = embedder.embed_query("how long does the dough rise")
    coarse = passages.coarse_cosines(slice(2, None), question)
    exact = passages.cosines(np.arange(2, len(passages.keys)), question)
    assert passages.axes.shape == (384, 96)
    assert np.argmax(coarse) == np.argmax(exact)
    assert np.corrcoef(coarse, exact)[0, 1] > 0.95


def test_a_filter_leaves_what_it_says(rag: RAGSystem, vectors: StoredVectors) -> None:
    passages = vectors.current()
    ids = rag.catalog.courses.ids()
    kept = passages.passing(MetadataFilter(frozenset({"Tides and Currents"}), 2), ids)
    records = rag.catalog.passages.chunk_records(passages.keys[kept].tolist())
    found = {(item["course_title"], item["lesson_number"]) for *_, item in records}
    assert found == {("Tides and Currents", 2)}
    # The text before the first heading stands in no lesson.
    kept = passages.passing(MetadataFilter(scope=Scope(lessons=(("A Short History of Ink", None),))), ids)
    records = rag.catalog.passages.chunk_records(passages.keys[kept].tolist())
    assert records
    assert not any("lesson_number" in item for *_, item in records)


def test_unknown_keys_are_left_out(vectors: StoredVectors) -> None:
    passages = vectors.current()
    first, last = passages.keys[[0, -1]].tolist()
    assert passages.keys[passages.rows_of([-5, last, 10_000, first])].tolist() == [last, first]
    assert passages.rows_of([10_000]).tolist() == []
    assert passages.rows_of([]).tolist() == []


def test_follows_a_changed_file(rag: RAGSystem, vectors: StoredVectors, tmp_path: Path) -> None:
    path = tmp_path / "owls.txt"
    for text in ("Owls turn their heads.", "Owls hunt at night.", "Owls nest in barns."):
        path.write_text(f"Course Title: Owls\n\nLesson 1: A\n{text}\n", encoding="utf-8")
        ingest(rag, path)  # the newest document: its key must not be given to the next version
        assert keys_of(vectors) == live_keys(rag)


def test_follows_an_import_in_place_of_everything(
    rag: RAGSystem, vectors: StoredVectors, tmp_path: Path
) -> None:
    vectors.current()
    for _ in rag.transfer.export_library(tmp_path / "all.lectern", CancelToken()):
        pass
    for _ in rag.transfer.import_library(tmp_path / "all.lectern", CancelToken(), replace=True):
        pass
    assert keys_of(vectors) == live_keys(rag) != []


def test_follows_new_lesson_numbers(rag: RAGSystem, vectors: StoredVectors, tmp_path: Path) -> None:
    folder = tmp_path / "Birds"
    folder.mkdir()
    for name in ("b owls", "c gulls"):
        (folder / f"{name}.txt").write_text(f"About {name}.\n", encoding="utf-8")
    ingest(rag, folder)
    vectors.current()
    (folder / "a wrens.txt").write_text("About wrens.\n", encoding="utf-8")
    ingest(rag, folder)
    passages = vectors.current()
    kept = passages.passing(MetadataFilter(frozenset({"Birds"}), 3), rag.catalog.courses.ids())
    records = rag.catalog.passages.chunk_records(passages.keys[kept].tolist())
    assert [text for _, _, text, _ in records] == ["About c gulls."]


def test_follows_the_library(
    rag: RAGSystem, vectors: StoredVectors, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    vectors.current()
    path = tmp_path / "owls.txt"
    path.write_text("Course Title: Owls\n\nLesson 1: A\nOwls turn their heads.\n", encoding="utf-8")
    ingest(rag, path)
    assert keys_of(vectors) == live_keys(rag)
    question = embedder.embed_query("birds that turn their heads")
    best = nearest(vectors, question)[:1]
    assert rag.catalog.passages.chunk_records(best)[0][3]["course_title"] == "Owls"
    rag.courses.remove_courses(["Owls", *TITLES[:2]], CancelToken())
    assert keys_of(vectors) == live_keys(rag) != []
    rag.courses.remove_courses(TITLES, CancelToken())
    assert keys_of(vectors) == []
    ingest(rag, path)
    assert nearest(vectors, question) == live_keys(rag)


def test_what_comes_back_from_the_trash_is_in_its_place(rag: RAGSystem, vectors: StoredVectors) -> None:
    before = vectors.current()
    rag.courses.remove_courses([TITLES[0]], CancelToken())
    vectors.current()
    with rag.database.transaction() as connection:
        connection.execute("UPDATE documents SET trashed_at = NULL")
        connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    after = vectors.current()
    assert after.keys.tolist() == before.keys.tolist()
    assert np.array_equal(after.vectors, before.vectors)
    assert np.array_equal(after.courses, before.courses)


def test_begins_anew_with_a_model_of_other_vectors(rag: RAGSystem, vectors: StoredVectors) -> None:
    vectors.current()
    newest = live_keys(rag)[-1]
    with rag.database.transaction() as connection:
        document = connection.execute("SELECT document_id FROM chunks WHERE id = ?", (newest,)).fetchone()[0]
        connection.execute(
            "UPDATE chunks SET embedding = ? WHERE document_id = ?", (np.ones(8, "<f2").tobytes(), document)
        )
        connection.execute("UPDATE meta SET value = value + 1 WHERE key = 'generation'")
    passages = vectors.current()
    assert passages.keys.tolist() == live_keys(rag)
    assert passages.vectors.shape[1] == 8
    last = len(passages.keys) - 1
    assert passages.cosines(np.array([last, 0]), np.ones(8, np.float32)).tolist() == [8, 0]


def test_from_several_threads(rag: RAGSystem, vectors: StoredVectors) -> None:
    shapes: list[tuple[int, ...]] = []
    threads = [
        threading.Thread(target=lambda: shapes.append(vectors.current().vectors.shape)) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shapes == [(rag.courses.counts().passages, 384)] * 6


def test_the_axes_of_a_coarse_look_follow_the_texts(
    rag: RAGSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.core.search.vectors._COARSE_FROM", 1)
    vectors = StoredVectors(rag.database)
    before = vectors.current().axes
    assert before is not None
    assert vectors.current().axes is before
    path = tmp_path / "herons.txt"
    text = " ".join(f"Heron number {number} waits in reed bed {number * 7}." for number in range(200))
    path.write_text(f"Course Title: Herons\n\nLesson 1: All\n{text}\n", encoding="utf-8")
    ingest(rag, path)
    passages = vectors.current()
    assert passages.axes is not None
    assert passages.axes.shape == before.shape
    assert not np.allclose(passages.axes, before)
    assert np.allclose(passages.coarse / 127, along_axes(passages), atol=0.51 / 127)


@pytest.fixture
def kept(rag: RAGSystem, monkeypatch: pytest.MonkeyPatch) -> StoredVectors:
    """As a big library has them, with a copy on the disk."""
    monkeypatch.setattr("app.core.search.vectors._COARSE_FROM", 1)
    vectors = StoredVectors(rag.database)
    vectors.current()
    vectors.keep()
    assert (rag.database.data_dir / NAME).exists()
    return vectors


def started(rag: RAGSystem) -> tuple[StoredVectors, int]:
    """Return the vectors as the next start has them, and how many documents were read for them."""
    read: list[str] = []
    rag.database.connection.set_trace_callback(read.append)
    vectors = StoredVectors(rag.database)
    vectors.current()
    rag.database.connection.set_trace_callback(None)
    return vectors, sum("embedding" in statement and "WHERE document_id" in statement for statement in read)


def test_a_copy_spares_reading_the_library(rag: RAGSystem, kept: StoredVectors) -> None:
    vectors, read = started(rag)
    assert read == 0
    assert keys_of(vectors) == live_keys(rag)
    before, after = kept.current(), vectors.current()
    for name in ("keys", "courses", "lessons", "vectors", "steps", "axes", "coarse"):
        assert (getattr(before, name) == getattr(after, name)).all(), name


def test_a_copy_gives_what_has_not_changed_since(rag: RAGSystem, kept: StoredVectors, tmp_path: Path) -> None:
    rag.courses.remove_courses([TITLES[0]], CancelToken())
    path = tmp_path / "owls.txt"
    path.write_text("Course Title: Owls\n\nLesson 1: A\nOwls hunt at night.\n", encoding="utf-8")
    ingest(rag, path)
    vectors, read = started(rag)
    assert read == 1  # the new document
    assert keys_of(vectors) == live_keys(rag)
    vectors.keep()
    assert started(rag)[1] == 0
    for entry in rag.trash.entries():
        for _ in rag.trash.restore(entry.documents, CancelToken()):
            pass
    vectors, read = started(rag)
    assert keys_of(vectors) == live_keys(rag)


def test_a_copy_of_other_content_under_the_same_keys_is_not_used(rag: RAGSystem, kept: StoredVectors) -> None:
    document, old = rag.database.connection.execute("SELECT document_id, embedding FROM chunks").fetchone()
    other = codec.encode_vectors(-codec.decode_vector(old))
    with rag.database.transaction() as connection:
        connection.execute("UPDATE chunks SET embedding = ? WHERE document_id = ?", (other, document))
    vectors, read = started(rag)
    assert read == 1
    passages = vectors.current()
    row = np.flatnonzero(passages.keys == passages.keys[passages.rows_of(live_keys(rag)[:1])])
    assert passages.cosines(row, codec.decode_vector(other))[0] == pytest.approx(1, abs=0.01)


def test_a_copy_from_before_lessons_were_renumbered_is_not_used(
    rag: RAGSystem, kept: StoredVectors, tmp_path: Path
) -> None:
    document = rag.database.connection.execute("SELECT max(document_id) FROM chunks").fetchone()[0]
    rag.catalog.places.renumber({document: 7})
    (rag.database.data_dir / NAME).rename(tmp_path / NAME)
    kept.keep()  # its rows are older
    assert not (rag.database.data_dir / NAME).exists()
    (tmp_path / NAME).rename(rag.database.data_dir / NAME)
    vectors, read = started(rag)
    assert read == 1
    assert 7 in vectors.current().lessons


def test_a_copy_of_another_library_with_the_same_documents_is_not_used(
    rag: RAGSystem, kept: StoredVectors
) -> None:
    """A library that was made again from the same files may have given its passages other keys."""
    document = rag.database.connection.execute("SELECT max(document_id) FROM chunks").fetchone()[0]
    with rag.database.transaction() as connection:
        connection.execute("UPDATE chunks SET id = id + 1000 WHERE document_id = ?", (document,))
    vectors, read = started(rag)
    assert read == 1
    assert keys_of(vectors) == live_keys(rag)


def test_a_copy_that_could_not_be_written_is_written_by_the_next_call(
    rag: RAGSystem, kept: StoredVectors, tmp_path: Path
) -> None:
    path = rag.database.data_dir / NAME
    rag.courses.remove_courses([TITLES[0]], CancelToken())
    for _ in rag.trash.empty(CancelToken()):
        pass
    assert not path.exists()  # the passages were deleted for good
    kept.current()
    path.mkdir()
    kept.keep()
    path.rmdir()
    kept.keep()
    assert started(rag)[1] == 0


@pytest.mark.parametrize("damage", ["cut", "empty", "other", "shapes", "packed", "header"])
def test_a_damaged_copy_is_not_used(rag: RAGSystem, kept: StoredVectors, damage: str) -> None:
    path = rag.database.data_dir / NAME
    content = path.read_bytes()
    if damage == "shapes":
        with np.load(path) as stored:
            np.savez(path, **{**stored, "steps": stored["steps"][:-1]})
    elif damage == "packed":
        with np.load(path) as stored:
            np.savez_compressed(path, **stored)
        content = path.read_bytes()
        path.write_bytes(content[:60] + bytes(4000) + content[4060:])
    else:
        header = content.replace(b"'fortran_order'", b"((((((((((((((('")
        others = {"cut": content[:-2000], "empty": b"", "other": b"PK" + content[90:], "header": header}
        path.write_bytes(others[damage])
    vectors, read = started(rag)
    assert read == len(TITLES)
    assert keys_of(vectors) == live_keys(rag)


def test_a_reader_uses_a_copy_and_writes_none(
    rag: RAGSystem, kept: StoredVectors, embedder: KeptEmbedder
) -> None:
    with library(rag.database.data_dir, embedder, read_only=True) as reader:
        assert started(reader)[1] == 0
        (rag.database.data_dir / NAME).unlink()
        vectors, read = started(reader)
        assert read == len(TITLES)
        vectors.keep()
    assert not (rag.database.data_dir / NAME).exists()
    kept.keep()
    assert started(rag)[1] == 0
