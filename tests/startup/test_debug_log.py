from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from app.startup.debug_log import PAINTED, READY, StallRecorder, StartLog
from tests.support.running_window import RunningWindow

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder


def spend_too_long() -> None:
    until = time.perf_counter() + 0.2
    while time.perf_counter() < until:
        pass


def test_a_stall_is_recorded_with_what_caused_it(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    recorder = StallRecorder(keep_delays=True)
    recorder.start()
    with caplog.at_level(logging.WARNING):
        # Again and again: where the machine is busy, a heartbeat may be late for another reason just before.
        again = QTimer(interval=50)
        again.timeout.connect(spend_too_long)
        again.start()
        qtbot.waitUntil(lambda: any("spend_too_long" in stall.stack for stall in recorder.stalls))
        again.stop()
    recorder.stop()
    stall = next(stall for stall in recorder.stalls if "spend_too_long" in stall.stack)
    assert stall.seconds > 0.1
    assert recorder.delays
    assert max(recorder.delays) == max(each.seconds for each in recorder.stalls)
    assert "spend_too_long" in caplog.text


def test_nothing_is_recorded_after_the_end(qtbot: QtBot) -> None:
    recorder = StallRecorder()
    recorder.start()
    recorder.stop()
    before = len(recorder.stalls)
    beaten: list[bool] = []
    spend_too_long()
    QTimer.singleShot(0, lambda: beaten.append(True))
    qtbot.waitUntil(lambda: bool(beaten))
    assert len(recorder.stalls) == before
    assert recorder.delays is None


def test_the_steps_of_the_start_are_logged(
    qtbot: QtBot,
    tmp_path: Path,
    model_cache: Path,
    embedder: KeptEmbedder,
    data_dir: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    running = RunningWindow(tmp_path, model_cache, embedder=embedder, data_dir=data_dir)
    with caplog.at_level(logging.INFO, "app.startup.debug_log"):
        StartLog(running.window)
        running.open()
        running.wait_until_ready(samples=False)
        qtbot.waitUntil(lambda: READY in caplog.text)
    steps = [record.getMessage().partition(";")[0] for record in caplog.records]
    assert [step for step in steps if step in (PAINTED, READY)] == [PAINTED, READY]
    running.close()
