"""What the user sees of a program that a fault has ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from app.startup import crash_reports
from app.startup.crash_reports import CrashReportFile

if TYPE_CHECKING:
    from pathlib import Path

CRASH = """
import faulthandler, sys
from pathlib import Path
from app.startup.crash_reports import CrashReportFile
CrashReportFile(Path(sys.argv[1])).start()
faulthandler._sigabrt()
"""


def crash(folder: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", CRASH, str(folder)], capture_output=True, text=True, check=False
    )
    assert ended.returncode != 0


def test_a_crash_is_reported_once_by_the_next_start(tmp_path: Path) -> None:
    crash(tmp_path)
    crash(tmp_path)
    first, second = CrashReportFile(tmp_path), CrashReportFile(tmp_path)
    report = first.start()
    try:
        assert report.startswith("Lectern ")
        assert report.count("Fatal Python error: Aborted") == 1  # the second start took the first's report
    finally:
        first.stop()
    assert second.start() == ""
    second.stop()
    assert list(tmp_path.iterdir()) == []


def test_a_running_programs_file_stays_and_an_abandoned_one_goes(tmp_path: Path) -> None:
    running, abandoned = tmp_path / "fault-1.txt", tmp_path / "fault-2.txt"
    running.touch()
    abandoned.touch()
    old = time.time() - 30 * 86_400
    os.utime(abandoned, (old, old))
    file = CrashReportFile(tmp_path)
    assert file.start() == ""
    file.stop()
    assert list(tmp_path.iterdir()) == [running]


def test_where_nothing_can_be_written_the_program_starts(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.touch()
    file = CrashReportFile(place)
    assert file.start() == ""
    file.stop()


def test_without_a_console_writing_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    crash_reports.ensure_streams()
    sys.stderr.write("“nothing”\n")
    for stream in (sys.stdout, sys.stderr):
        stream.close()


@pytest.mark.parametrize(("before", "after"), [(None, None), ("/opt/lib", "/opt/lib")])
def test_a_packaged_program_hands_its_libraries_to_nobody(
    monkeypatch: pytest.MonkeyPatch, before: str | None, after: str | None
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/lectern/_internal")
    monkeypatch.setenv("QT_PLUGIN_PATH", "/lectern/_internal/plugins")
    if before is not None:
        monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", before)
    crash_reports.restore_environment()
    assert os.environ.get("LD_LIBRARY_PATH") == after
    assert "QT_PLUGIN_PATH" not in os.environ
    assert "LD_LIBRARY_PATH_ORIG" not in os.environ


BROKEN = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from app import main
from app.ui.shell import main_window

def close():
    for widget in QApplication.topLevelWidgets():
        if hasattr(widget, "report"):
            print(widget.report.toPlainText())
            widget.accept()

def broken(*arguments):
    QTimer.singleShot(0, close)
    raise RuntimeError("no window today")

main_window.MainWindow = broken
sys.exit(main.main([]))
"""


def test_a_fault_before_the_window_is_shown(tmp_path: Path) -> None:
    environment = {**os.environ, "LECTERN_DATA_DIR": str(tmp_path / "data"), "QT_QPA_PLATFORM": "offscreen"}
    environment["LECTERN_CACHE_DIR"] = str(tmp_path / "cache")
    ended = subprocess.run(
        [sys.executable, "-c", BROKEN],
        capture_output=True,
        encoding="utf-8",
        check=False,
        env=environment,
        timeout=300,
    )
    assert ended.returncode == 1, ended.stderr
    assert "RuntimeError: no window today" in ended.stdout
    assert "no window today" in (tmp_path / "cache" / "log" / "lectern.log").read_text(encoding="utf-8")


LOGGED = """
import logging
from app.startup.crash_reports import log_to_file, report_missing

log_to_file()
logging.getLogger("app").info("sk-0123456789 stays secret")
report_missing("A package is missing.")
"""


@pytest.mark.parametrize("writable", [True, False])
def test_the_log_goes_to_a_file_or_to_standard_error(tmp_path: Path, writable: bool) -> None:
    cache = tmp_path / "cache"
    if not writable:
        cache.write_text("a file where the folder should be", encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-c", LOGGED],
        capture_output=True,
        encoding="utf-8",
        check=True,
        env={**os.environ, "LECTERN_CACHE_DIR": str(cache)},
    )
    logged = (cache / "log" / "lectern.log").read_text(encoding="utf-8") if writable else ended.stderr
    assert "[key hidden] stays secret" in logged
    assert ended.stderr.endswith("A package is missing.\n")
