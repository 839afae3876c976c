"""The program as a process of its own, watched from inside: when it is painted, when ready, how it stalls.

Nothing is imported here that the program itself does not import before its first picture.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from app.ui.shell.main_window import MainWindow
    from tests.support.stalls import StallRecorder


def start(data_dir: Path, folder: Path, *, watch_seconds: float = 0.0) -> dict[str, Any]:
    """Start the program once and close its window.

    Args:
        data_dir: a library.
        folder: for its settings.
        watch_seconds: how long to record stalls after the window is shown; 0 closes it when it is
            ready, with nothing recorded.

    Returns:
        seconds until it was ``painted`` and ``ready``, the processor's too, ``memory_mb``, whether
        ``torch`` was imported, and where stalls were recorded ``delays``, ``work`` and ``causes``.
    """
    environment = {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        **os.environ,
        "LECTERN_CONFIG_DIR": str(folder),
        "STARTED": repr(time.time()),
    }
    environment.pop("ANTHROPIC_API_KEY", None)
    # Set in some developers' shells: every start would compile the program's modules anew.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [
        sys.executable,
        "-m",
        "tests.tools.benchmarks.window_process",
        str(data_dir),
        str(watch_seconds),
    ]
    finished = subprocess.run(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    found: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    return found


class Watch:
    """Looks at the window while the program runs."""

    def __init__(self, watch_seconds: float) -> None:
        self.found: dict[str, Any] = {}
        self._watch_seconds = watch_seconds
        self._began = float(os.environ["STARTED"])
        self._kept: list[QObject] = []
        self._recorder: StallRecorder | None = None

    def begin(self, window: MainWindow) -> None:
        """Watch ``window``, which was just shown."""
        from PySide6.QtCore import QEvent, QObject, QTimer

        watch = self

        class FirstPaint(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:
                if event.type() == QEvent.Type.Paint:
                    window.removeEventFilter(self)
                    QTimer.singleShot(0, watch.painted)  # the event comes before what is painted
                return False

        def look() -> None:
            if window.is_ready and "ready" not in self.found:
                self._note("ready")
            done = time.time() - self._began - self.found.get("painted", 0.0) >= self._watch_seconds
            if "ready" in self.found and done:
                timer.stop()
                self.end()
                window.close()

        paint, timer = FirstPaint(), QTimer(interval=5)
        self._kept.extend((paint, timer))
        window.installEventFilter(paint)
        timer.timeout.connect(look)
        timer.start()
        if self._watch_seconds:
            from tests.support.stalls import StallRecorder

            self._recorder = StallRecorder(keep_delays=True)
            self._recorder.start()

    def painted(self) -> None:
        """The window's first picture is on the screen."""
        self._note("painted")

    def end(self) -> None:
        """Sum up."""
        status = Path("/proc/self/status")
        lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
        resident = next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS")), 0)
        self.found["memory_mb"] = resident
        self.found["torch"] = "torch" in sys.modules
        if self._recorder is not None:
            self._recorder.stop()
            self.found["delays"] = self._recorder.delays
            self.found["work"] = self._recorder.work
            self.found["causes"] = [(stall.seconds, stall.stack) for stall in self._recorder.stalls]

    def _note(self, step: str) -> None:
        self.found[step] = time.time() - self._began
        self.found[f"{step}_cpu"] = time.process_time()


def main() -> None:
    gc.disable()  # as app.__main__ does
    from app import main as program

    data_dir, watch_seconds = sys.argv[1:]
    watch = Watch(float(watch_seconds))
    report_faults = program.report_faults

    def begin(window: MainWindow) -> None:
        watch.begin(window)
        report_faults(window)

    program.report_faults = begin
    program.main(["--data-dir", data_dir])
    print(json.dumps(watch.found))


if __name__ == "__main__":
    main()
