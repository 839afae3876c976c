from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.search.chroma.store import CATALOG, CONTENT, ChromaStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from app.core.storage.passages import IndexRecord


def unit(seed: int) -> NDArray[np.float32]:
    vector = np.random.default_rng(seed).normal(size=384).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def record(key: int, seed: int | None = None) -> IndexRecord:
    return f"Bread_{key - 100}", unit(seed or key), f"text {key}", {"key": key}


def course(seed: int) -> IndexRecord:
    return "Bread", unit(seed), "Bread", {"title": "Bread"}


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


def test_finds_the_nearest(store: ChromaStore) -> None:
    assert store.search(unit(1), 5) == []
    store.put(CONTENT, [record(key) for key in range(100, 130)])
    assert store.search(unit(107), 1) == [107]
    assert len(store.search(unit(107), 5)) == 5
    assert len(store.search(unit(107), 100)) == 30


def test_adding_twice_does_no_harm(store: ChromaStore) -> None:
    store.put(CONTENT, [record(100)])
    store.put(CONTENT, [record(100, 5), record(101)])
    assert store.count() == 2
    assert store.search(unit(5), 1) == [100]
    store.put(CATALOG, [course(1)])
    store.put(CATALOG, [course(2)])
    assert len(store.keys(CATALOG)) == 1


def test_removing(store: ChromaStore) -> None:
    store.put(CONTENT, [record(100), record(101)])
    store.remove(CONTENT, ["Bread_0", "never there"])
    assert store.search(unit(100), 5) == [101]
    store.put(CATALOG, [course(1)])
    store.remove(CATALOG, ["Bread", "Unknown"])
    assert len(store.keys(CATALOG)) == 0


def test_is_there_after_reopening(store: ChromaStore, tmp_path: Path) -> None:
    assert store.is_new
    store.put(CONTENT, [record(100)])
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
    store.put(CONTENT, [record(100)])
    assert not seal.exists()
    store.close("two")
    assert seal.exists()


@pytest.mark.parametrize("mark", ["another library's", None])
def test_the_index_of_another_library_is_thrown_away(
    store: ChromaStore, tmp_path: Path, mark: str | None
) -> None:
    store.put(CONTENT, [record(100)])
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
    store.put(CONTENT, [record(key) for key in range(100, 1300)])
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
    again.put(CONTENT, [record(key) for key in range(100, 1300)])
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
    store.put(CONTENT, [record(100)])
    store.destroy()
    assert not store.is_open
    store.open()
    assert store.is_new
    assert store.count() == 0


def test_another_that_holds_the_directory_is_not_disturbed(
    store: ChromaStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.core.search.chroma.store._WAIT", 0.1)
    store.put(CONTENT, [record(100)])
    other = ChromaStore(tmp_path / "chroma")
    with pytest.raises(OSError, match="lock"):
        other.open()
    with pytest.raises(OSError, match="lock"):
        other.destroy()
    assert store.count() == 1
    store.close()
    other.open()
    other.close()


def test_what_chroma_never_uses_is_not_imported(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app.core.search.chroma.store import ChromaStore;"
        f"store = ChromaStore(Path({str(tmp_path / 'chroma')!r})); store.open(); store.close();"
        "print({name.partition('.')[0] for name in sys.modules} & {'grpc', 'kubernetes', 'onnxruntime'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
