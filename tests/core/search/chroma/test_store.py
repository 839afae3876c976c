from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from app.core.search.chroma.store import CATALOG, CONTENT, ChromaStore
from app.domain.courses import Course, LessonInfo
from app.domain.search import ChunkRecord

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

COURSE = Course(
    "Bread",
    "Mira Holt",
    "https://example.org",
    3,
    ("/b.txt",),
    (LessonInfo(0, "Before", "https://example.org/0", 1), LessonInfo(1, "After", None, 2)),
)


def unit(seed: int) -> NDArray[np.float32]:
    vector = np.random.default_rng(seed).normal(size=384).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def record(key: int, lesson: int | None = 1) -> ChunkRecord:
    return ChunkRecord(key, "Bread", lesson, key - 100, f"text {key}", unit(key))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ChromaStore]:
    store = ChromaStore(tmp_path / "chroma")
    store.open()
    yield store
    store.close()


def reopened(folder: Path, mark: str | None) -> ChromaStore:
    store = ChromaStore(folder)
    store.open(mark)
    return store


def collections(store: ChromaStore) -> dict[str, Any]:
    """Read with Chroma's own client, as another program would, once the store is closed."""
    import chromadb

    folder = store._directory  # noqa: SLF001 - where it lies is not told otherwise
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


def test_passages_in_the_form_of_the_web_version(store: ChromaStore) -> None:
    store.add_course_content([record(100, 0), record(101, None)])
    store.add_course_metadata([(COURSE, unit(1))])
    store.close()
    found = collections(store)
    assert found["space"] == {"hnsw:space": "cosine"}
    content = found[CONTENT]
    assert content["ids"] == ["Bread_0", "Bread_1"]
    assert content["documents"] == ["text 100", "text 101"]
    assert content["metadatas"] == [
        {"course_title": "Bread", "lesson_number": 0, "chunk_index": 0, "key": 100},
        {"course_title": "Bread", "chunk_index": 1, "key": 101},
    ]
    assert np.shape(content["embeddings"]) == (2, 384)
    catalog = found[CATALOG]
    assert catalog["ids"] == ["Bread"]
    (metadata,) = catalog["metadatas"]
    assert metadata["instructor"] == "Mira Holt"
    assert metadata["course_link"] == "https://example.org"
    assert metadata["lesson_count"] == 2
    assert json.loads(metadata["lessons_json"]) == [
        {"lesson_number": 0, "lesson_title": "Before", "lesson_link": "https://example.org/0"},
        {"lesson_number": 1, "lesson_title": "After", "lesson_link": None},
    ]


def test_finds_the_nearest(store: ChromaStore) -> None:
    assert store.search(unit(1), 5) == []
    store.add_course_content([record(key) for key in range(100, 130)])
    assert store.search(unit(107), 1) == [107]
    assert len(store.search(unit(107), 5)) == 5
    assert len(store.search(unit(107), 100)) == 30


def test_adding_twice_does_no_harm(store: ChromaStore) -> None:
    store.add_course_content([record(100)])
    store.add_course_content([ChunkRecord(100, "Bread", 1, 0, "newer", unit(5)), record(101)])
    assert store.count() == 2
    assert store.search(unit(5), 1) == [100]
    store.add_course_metadata([(COURSE, unit(1))])
    store.add_course_metadata([(COURSE, unit(2))])
    assert len(store.course_titles()) == 1


def test_removing(store: ChromaStore) -> None:
    store.add_course_content([record(100), record(101)])
    store.remove_content(["Bread_0", "never there"])
    store.remove_content([])
    assert store.search(unit(100), 5) == [101]
    store.add_course_metadata([(COURSE, unit(1))])
    store.remove_course_metadata(["Bread", "Unknown"])
    assert len(store.course_titles()) == 0


def test_more_than_chroma_takes_at_once(store: ChromaStore) -> None:
    """Chroma refuses more than some five thousand records in one call."""
    vectors = np.random.default_rng(1).normal(size=(5600, 4)).astype(np.float32)
    store.add_course_content([ChunkRecord(n, "Bread", 1, n, "t", vectors[n]) for n in range(5600)])
    assert store.count() == 5600


def test_is_there_after_reopening(store: ChromaStore, tmp_path: Path) -> None:
    assert store.is_new
    store.add_course_content([record(100)])
    store.close("mark")
    assert not store.is_open
    again = reopened(tmp_path / "chroma", "mark")
    assert not again.is_new
    assert again.search(unit(100), 1) == [100]
    again.close()
    again.close()


def test_the_seal_is_broken_by_the_first_write(store: ChromaStore, tmp_path: Path) -> None:
    seal = tmp_path / "chroma.seal"
    store.close("one")
    assert seal.exists()
    store.open("one")
    store.count()
    assert seal.exists()
    store.add_course_content([record(100)])
    assert not seal.exists()
    store.close("two")
    assert seal.exists()


@pytest.mark.parametrize("mark", ["another library's", None])
def test_the_index_of_another_library_is_thrown_away(
    store: ChromaStore, tmp_path: Path, mark: str | None
) -> None:
    store.add_course_content([record(100)])
    store.close("mine")
    other = reopened(tmp_path / "chroma", mark)
    assert other.is_new
    assert other.count() == 0
    other.close()


def test_links_that_grew_without_bound_are_neither_read_nor_sealed(
    store: ChromaStore, tmp_path: Path
) -> None:
    """As an index does that was killed while it was written."""
    folder = tmp_path / "chroma"
    store.add_course_content([record(key) for key in range(100, 1300)])
    store.close("mark")
    links = next(path for path in folder.glob("*/link_lists.bin") if path.stat().st_size)

    def grow() -> None:
        with links.open("r+b") as file:
            file.truncate(72 << 30)

    try:
        grow()
    except OSError:
        pytest.skip("this file system has no files with holes")
    began = time.monotonic()
    again = reopened(folder, "mark")
    assert again.is_new
    assert time.monotonic() - began < 10
    assert sum(path.stat().st_size for path in folder.glob("*/*")) < 10 << 20
    again.add_course_content([record(key) for key in range(100, 1300)])
    links = next(path for path in folder.glob("*/link_lists.bin") if path.stat().st_size)
    grow()
    again.close("mark")
    assert not (tmp_path / "chroma.seal").exists()


def test_a_store_that_was_never_opened_blesses_nothing(tmp_path: Path) -> None:
    (tmp_path / "chroma").mkdir()
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"left by a crash")
    ChromaStore(tmp_path / "chroma").close()
    assert not (tmp_path / "chroma.seal").exists()
    store = ChromaStore(tmp_path / "chroma")
    store.open()
    assert store.is_new
    assert store.count() == 0
    store.close()


def test_destroy_starts_anew(store: ChromaStore) -> None:
    store.add_course_content([record(100)])
    store.destroy()
    assert not store.is_open
    store.open()
    assert store.is_new
    assert store.count() == 0


def test_another_that_holds_the_directory_is_not_disturbed(
    store: ChromaStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.core.search.chroma.store._WAIT", 0.1)
    store.add_course_content([record(100)])
    other = ChromaStore(tmp_path / "chroma")
    with pytest.raises(OSError, match="lock"):
        other.open()
    with pytest.raises(OSError, match="lock"):
        other.destroy()
    assert store.count() == 1
    store.close()
    other.open()
    other.close()
