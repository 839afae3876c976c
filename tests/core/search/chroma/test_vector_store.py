from __future__ import annotations

import logging
import multiprocessing
import threading
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.search.chroma.store import CONTENT, IndexDamaged
from app.core.search.chroma.vector_store import VectorStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from multiprocessing.process import BaseProcess
    from pathlib import Path

    from numpy.typing import NDArray

    from app.core.storage.passages import IndexRecord


def unit(seed: int) -> NDArray[np.float32]:
    vector = np.random.default_rng(seed).normal(size=384).astype(np.float32)
    return np.asarray(vector / np.linalg.norm(vector), np.float32)


def records(first: int, last: int) -> list[IndexRecord]:
    return [(f"Bread_{key}", unit(key), f"text {key}", {"key": key}) for key in range(first, last)]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[VectorStore]:
    store = VectorStore(tmp_path / "chroma")
    store.open()
    yield store
    store.close()


def processes() -> list[BaseProcess]:
    return [child for child in multiprocessing.active_children() if child.name == "lectern-index"]


def kill_processes() -> None:
    for process in processes():
        process.kill()
        process.join()


def test_what_is_added_is_found_and_is_there_after_reopening(store: VectorStore, tmp_path: Path) -> None:
    assert store.is_new
    store.put(CONTENT, records(0, 1200))
    store.remove(CONTENT, ["Bread_7"])
    assert store.count() == 1199
    assert store.search(unit(1100), 1) == [1100]
    store.close("mark")
    assert not store.is_open
    again = VectorStore(tmp_path / "chroma")
    again.open("mark")
    assert not again.is_new
    assert again.count() == 1199
    again.close("mark")


def test_more_than_chroma_takes_at_once(store: VectorStore) -> None:
    """Chroma refuses more than some five thousand records in one call."""
    vectors = np.random.default_rng(1).normal(size=(5600, 4)).astype(np.float32)
    store.put(CONTENT, [(f"Bread_{n}", vectors[n], "t", {"key": n}) for n in range(5600)])
    assert store.count() == 5600


def test_removing_nothing_does_no_harm(store: VectorStore) -> None:
    store.remove(CONTENT, [])
    store.put(CONTENT, [])
    assert store.count() == 0


def test_others_compute_while_it_stores(store: VectorStore) -> None:
    stop = threading.Event()
    beats = 0

    def beat() -> None:
        nonlocal beats
        while not stop.wait(0.005):
            beats += 1

    heart = threading.Thread(target=beat)
    content = records(0, 1500)
    heart.start()
    store.put(CONTENT, content)
    stop.set()
    heart.join()
    assert beats > 30  # of some 300; in this process Chroma leaves the interpreter only between two calls


def test_a_process_that_dies_says_so_and_the_next_begins_anew(
    store: VectorStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store.put(CONTENT, records(0, 20))
    kill_processes()
    with pytest.raises(IndexDamaged, match="process"):
        store.search(unit(1), 1)
    assert not store.is_open
    with pytest.raises(IndexDamaged, match="not open"):
        store.count()
    with caplog.at_level(logging.WARNING):
        store.open("mark")
    assert "not closed in order" in caplog.text
    assert store.is_new
    assert store.count() == 0


def test_a_process_that_died_can_still_be_closed(store: VectorStore, tmp_path: Path) -> None:
    kill_processes()
    store.close("mark")
    assert not (tmp_path / "chroma.seal").exists()
    store.destroy()
    assert not (tmp_path / "chroma").exists()


def test_what_a_process_that_died_had_open_can_be_thrown_away(store: VectorStore) -> None:
    store.put(CONTENT, records(0, 20))
    kill_processes()
    store.destroy()
    store.open()
    assert store.is_new
    assert store.count() == 0


def test_a_directory_that_can_not_be_used_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    store = VectorStore(tmp_path / "file" / "chroma")
    with pytest.raises(OSError, match="file"):
        store.open()
    assert not store.is_open
    store.close()


def test_one_process_is_kept_for_the_next_index(tmp_path: Path) -> None:
    kill_processes()
    seen = set()
    for number in range(3):
        store = VectorStore(tmp_path / str(number))
        store.open()
        (process,) = processes()
        seen.add(process.pid)
        store.close()
    assert len(seen) == 1


def test_the_process_ends_when_nobody_can_ask_it(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    ready, told = context.Pipe(duplex=False)
    owner = context.Process(target=_open_and_wait, args=(tmp_path / "chroma", told, theirs))
    owner.start()
    assert ready.recv() == "open"
    owner.kill()
    owner.join()
    store = VectorStore(tmp_path / "chroma")
    store.open()  # waits for the lock of the process that is left, for so long
    assert store.is_open
    store.close()
    ours.close()


def _open_and_wait(directory: Path, told: object, wait: object) -> None:
    store = VectorStore(directory)
    store.open()
    told.send("open")  # type: ignore[attr-defined]
    wait.recv()  # type: ignore[attr-defined]
