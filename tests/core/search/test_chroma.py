from __future__ import annotations

import logging
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.sandbox import Sandbox
from app.core.search import chroma as chroma_process
from app.core.search.chroma import CATALOG, CONTENT, ChromaProcess, IndexDamaged

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
    return [(f"Bread_{key}", unit(key), f"text {key}", {"chunk_index": key}) for key in range(first, last)]


def course(seed: int) -> IndexRecord:
    return "Bread", unit(seed), "Bread", {"title": "Bread"}


def opened(folder: Path) -> ChromaProcess:
    chroma = ChromaProcess()
    chroma.open(folder, fresh=False)
    return chroma


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[ChromaProcess]:
    chroma = opened(tmp_path / "chroma")
    yield chroma
    chroma.close()  # the next test takes its process


def processes() -> list[BaseProcess]:
    return [child for child in multiprocessing.active_children() if child.name == "lectern-index"]


def kill_processes() -> None:
    for process in processes():
        process.kill()
        process.join()


def test_finds_the_nearest(chroma: ChromaProcess) -> None:
    assert chroma.nearest(unit(1), 5, None) == []
    chroma.put(CONTENT, records(100, 130))
    assert chroma.nearest(unit(107), 1, None) == ["Bread_107"]
    assert len(chroma.nearest(unit(107), 5, None) or ()) == 5
    assert len(chroma.nearest(unit(107), 100, None) or ()) == 30
    assert chroma.nearest(unit(107), 2, {"chunk_index": {"$in": [103]}}) == ["Bread_103"]


def test_adding_twice_does_no_harm(chroma: ChromaProcess) -> None:
    chroma.put(CONTENT, records(100, 101))
    chroma.put(CONTENT, [("Bread_100", unit(5), "text", {"chunk_index": 100}), *records(101, 102)])
    assert chroma.count() == 2
    assert chroma.nearest(unit(5), 1, None) == ["Bread_100"]
    chroma.put(CATALOG, [course(1)])
    chroma.put(CATALOG, [course(2)])
    assert len(chroma.ids(CATALOG)) == 1


def test_removing(chroma: ChromaProcess) -> None:
    chroma.put(CONTENT, records(100, 102))
    chroma.remove(CONTENT, ["Bread_100", "never there"])
    assert chroma.nearest(unit(100), 5, None) == ["Bread_101"]
    chroma.put(CATALOG, [course(1)])
    chroma.remove(CATALOG, ["Bread", "Unknown"])
    assert len(chroma.ids(CATALOG)) == 0


def test_nothing_does_no_harm(chroma: ChromaProcess) -> None:
    chroma.remove(CONTENT, [])
    chroma.put(CONTENT, [])
    assert chroma.count() == 0


def test_what_is_added_is_there_after_reopening(chroma: ChromaProcess, tmp_path: Path) -> None:
    chroma.put(CONTENT, records(0, 1200))
    chroma.remove(CONTENT, ["Bread_7"])
    assert chroma.count() == 1199
    assert chroma.nearest(unit(1100), 1, None) == ["Bread_1100"]
    chroma.close()
    chroma.close()
    assert not chroma.is_open
    assert not chroma.open(tmp_path / "chroma", fresh=False)
    assert chroma.count() == 1199


@pytest.mark.slow
@pytest.mark.parametrize("name", ["header.bin", "data_level0.bin", "index_metadata.pickle"])
def test_what_can_not_be_read_is_said_and_begun_anew(
    chroma: ChromaProcess, tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    chroma.put(CONTENT, records(0, 1200))
    chroma.close()
    (path,) = (path for path in (tmp_path / "chroma").glob(f"*/{name}") if path.stat().st_size)
    path.write_bytes(random.Random(7).randbytes(path.stat().st_size))
    with caplog.at_level(logging.CRITICAL):
        with pytest.raises(IndexDamaged):
            chroma.open(tmp_path / "chroma", fresh=False)
        assert chroma.open(tmp_path / "chroma", fresh=True)
    assert chroma.count() == 0


def test_begins_anew_when_asked(chroma: ChromaProcess, tmp_path: Path) -> None:
    chroma.put(CONTENT, records(0, 20))
    assert chroma.open(tmp_path / "chroma", fresh=True)
    assert chroma.count() == 0


@pytest.mark.slow
def test_more_than_chroma_takes_at_once(chroma: ChromaProcess) -> None:
    """Chroma refuses more than some five thousand records in one call."""
    vectors = np.random.default_rng(1).normal(size=(5600, 4)).astype(np.float32)
    chroma.put(CONTENT, [(f"Bread_{n}", vectors[n], "t", {"chunk_index": n}) for n in range(5600)])
    assert chroma.count() == 5600


def test_others_compute_while_it_stores_and_no_question_waits(chroma: ChromaProcess) -> None:
    stop = threading.Event()
    beats = 0
    waits: list[float] = []

    def beat() -> None:
        nonlocal beats
        while not stop.wait(0.005):
            beats += 1
            began = time.monotonic()
            chroma.nearest(unit(1), 1, None)
            waits.append(time.monotonic() - began)

    heart = threading.Thread(target=beat)
    content = records(0, 1500)
    heart.start()
    chroma.put(CONTENT, content)
    stop.set()
    heart.join()
    assert beats > 3
    assert max(waits) < 1


def test_a_process_that_dies_says_so_and_can_be_opened_again(chroma: ChromaProcess, tmp_path: Path) -> None:
    chroma.put(CONTENT, records(0, 20))
    kill_processes()
    with pytest.raises(IndexDamaged):
        chroma.nearest(unit(1), 1, None)
    assert not chroma.is_open
    with pytest.raises(IndexDamaged, match="not open"):
        chroma.count()
    assert chroma.open(tmp_path / "chroma", fresh=True)
    assert chroma.count() == 0


def test_what_it_refuses_is_told(chroma: ChromaProcess) -> None:
    with pytest.raises(IndexDamaged, match="Expected IDs to be unique"):
        chroma.put(CONTENT, [*records(1, 2), *records(1, 2)])
    assert not chroma.is_open


def test_vectors_of_two_models_are_refused(chroma: ChromaProcess) -> None:
    with pytest.raises(IndexDamaged):
        chroma.put(CONTENT, [*records(1, 2), ("Bread_2", unit(2)[:8], "text", {"chunk_index": 2})])


def test_another_that_holds_the_directory_is_not_disturbed(
    chroma: ChromaProcess, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chroma.put(CONTENT, records(100, 101))
    other = ChromaProcess()
    opening = threading.Thread(target=other.open, args=(tmp_path / "chroma",), kwargs={"fresh": True})
    opening.start()
    with caplog.at_level(logging.WARNING):
        assert chroma.count() == 1
        chroma.close()
        opening.join()
    assert other.count() == 0
    other.close()


def test_a_directory_that_can_not_be_used_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(IndexDamaged, match="file"):
        opened(tmp_path / "file" / "chroma")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be stopped there")
def test_one_that_never_answers_does_not_keep_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_processes()
    monkeypatch.setattr(chroma_process, "_kept", [])
    monkeypatch.setattr(chroma_process, "Sandbox", partial(Sandbox, seconds=8.0))
    chroma = opened(tmp_path / "chroma")
    (process,) = processes()
    os.kill(process.pid or 0, signal.SIGSTOP)
    with pytest.raises(IndexDamaged, match="took more than 8"):
        chroma.close()
    assert not processes()


def test_one_process_is_kept_for_the_next_index(tmp_path: Path) -> None:
    kill_processes()
    seen = set()
    for number in range(3):
        chroma = opened(tmp_path / str(number))
        (process,) = processes()
        seen.add(process.pid)
        chroma.close()
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
    chroma = opened(tmp_path / "chroma")  # waits for the lock of the process that is left, for so long
    assert chroma.is_open
    chroma.close()
    ours.close()


def _open_and_wait(directory: Path, told: object, wait: object) -> None:
    _chroma = opened(directory)
    told.send("open")  # type: ignore[attr-defined]
    wait.recv()  # type: ignore[attr-defined]


def test_what_chroma_never_uses_is_not_imported(tmp_path: Path) -> None:
    code = (
        "import sys; from app.core.search.chroma import serve;"
        f"serve('open', {str(tmp_path / 'chroma')!r}, False);"
        "print({name.partition('.')[0] for name in sys.modules} & {'grpc', 'kubernetes', 'onnxruntime'})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
