"""The window's program, ended by the system."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QMainWindow

from app.main import _close_on_signals
from tests.support.commands import Commands

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.ui.shell.main_window import MainWindow

LIMIT = 120  # seconds on a busy machine

_IDLE_WINDOW = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
from app.main import _close_on_signals

application = QApplication([])
window = QMainWindow()
window.show()
received = _close_on_signals(window)
QTimer.singleShot(0, lambda: print("shown", flush=True))
application.exec()
print(list(map(int, received)))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals to send")
@pytest.mark.parametrize(
    ("name", "code"), [pytest.param("SIGTERM", 143, marks=pytest.mark.slow), ("SIGINT", 0)]
)
def test_the_window_closes_in_order(
    tmp_path: Path, model_cache: Path, capsys: pytest.CaptureFixture[str], name: str, code: int
) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "models").symlink_to(model_cache / "models")
    places = {"LECTERN_CACHE_DIR": str(cache), "LECTERN_CONFIG_DIR": str(tmp_path / "config")}
    run = Commands(tmp_path / "data", capsys)
    log = cache / "log" / "lectern.log"
    command = [sys.executable, "-m", "app", "--data-dir", str(run.data_dir)]
    with subprocess.Popen(
        command,
        env={**os.environ, **places},
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        deadline = time.monotonic() + LIMIT
        while not (log.exists() and "Ready for questions" in log.read_text(encoding="utf-8")):
            assert process.poll() is None
            assert time.monotonic() < deadline, "it never became ready"
            time.sleep(0.1)  # for another process
        os.killpg(process.pid, getattr(signal, name))  # Chroma's process gets it too
        _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == code
    assert "Traceback" not in err
    assert (run.data_dir / "chroma.clean").exists()
    assert run("courses").code == 0
    assert not list((cache / "log").glob("fault-*"))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_signal_that_was_ignored_stays_ignored(qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    names = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in names}
    try:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
        _close_on_signals(cast("MainWindow", window))
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert callable(signal.getsignal(signal.SIGTERM))
    finally:
        signal.set_wakeup_fd(-1)
        for number, handler in before.items():
            signal.signal(number, handler)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_signal_closes_a_window_that_nothing_else_wakes() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _IDLE_WINDOW], stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "shown\n"
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=LIMIT)
    assert out == f"[{int(signal.SIGTERM)}]\n"
    assert process.returncode == 0
