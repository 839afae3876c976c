"""The whole program for a while: nothing grows, and a stop is quick wherever it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication

from tests.support.running_window import RunningWindow
from tests.tools.benchmarks.soak import (
    ALLOWED_MS,
    KEY,
    resources,
    server_process,
    soak,
    stop_often,
    unfinished,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

_WARM = 12
_OF_A_CHAT = 150  # widgets: the sources of the last answer
_FEW = 8  # files or threads that may come or go by themselves, as those with which folders are watched


@pytest.fixture
def running(
    qapp: QApplication, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder, data_dir: Path
) -> Iterator[RunningWindow]:
    with server_process(0.002) as url:
        opened = RunningWindow(
            tmp_path, model_cache, base_url=url, key=KEY, embedder=embedder, data_dir=data_dir
        )
        opened.open()
        opened.wait_until_ready(samples=False)
        yield opened
        opened.close()


def test_questions_leave_no_thread_and_no_file_open(running: RunningWindow) -> None:
    soak(running, _WARM, 3)
    before = resources()
    taken = soak(running, 20, 5, every=10)
    assert [item["questions"] for item in taken] == [0, 10, 20]
    assert taken[-1]["files"] <= before["files"] + _FEW, taken
    assert taken[-1]["threads"] <= before["threads"] + _FEW, taken
    assert unfinished(running) == 0


def test_a_stop_at_any_moment_is_quick_and_leaves_nothing(running: RunningWindow) -> None:
    stop_often(running, 16)  # until each of the pool's threads has its files open
    before, widgets = resources(), len(QApplication.allWidgets())
    taken = stop_often(running, 20)
    after = resources()
    # Other work on the machine may hold up many; python -m tests.tools.benchmarks.soak measures them alone.
    assert sorted(taken)[len(taken) // 2] < ALLOWED_MS, taken
    assert max(taken) < 5 * ALLOWED_MS, taken
    assert after["files"] <= before["files"] + _FEW
    assert after["threads"] <= before["threads"] + _FEW
    assert len(QApplication.allWidgets()) <= widgets + _OF_A_CHAT
    assert unfinished(running) == 0
