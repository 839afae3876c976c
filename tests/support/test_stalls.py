from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from tests.support.stalls import StallRecorder

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot


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
