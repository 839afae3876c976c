"""How long the window takes to be painted and to be ready, as a process of its own.

``python -m tests.benchmarks.startup [--size 500] [--rounds 5]`` prints one JSON line.

Everything counts, from the start of the interpreter on; the library exists and the model is exported. For
the reference it is the time until its first answer could be computed. Drawn off screen unless
QT_QPA_PLATFORM says otherwise.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.libraries import made
from tests.benchmarks.measuring import Side, memory, parser_of, print_result, size

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from app.ui.main_window import MainWindow


def start(data_dir: Path, folder: Path) -> dict[str, float]:
    """Start the program once; return seconds until each step."""
    environment = {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
        **os.environ,
        "LECTERN_CONFIG_DIR": str(folder),
        "STARTED": repr(time.time()),
    }
    environment.pop("ANTHROPIC_API_KEY", None)
    command = [sys.executable, "-m", "tests.benchmarks.startup", "--child", str(data_dir)]
    finished = subprocess.run(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=True)
    found: dict[str, float] = json.loads(finished.stdout.splitlines()[-1])
    return found


def be_the_window(data_dir: str) -> None:
    """Run the program itself, and end it as soon as it is ready."""
    from app import main

    began = float(os.environ["STARTED"])
    seen: dict[str, float] = {}
    kept: list[QObject] = []
    report_faults = main.report_faults

    def watch(window: MainWindow) -> None:
        from PySide6.QtCore import QEvent, QObject, QTimer

        class FirstPaint(QObject):
            def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
                if event.type() == QEvent.Type.Paint:
                    seen.setdefault("painted", time.time() - began)
                    seen.setdefault("painted_cpu", time.process_time())
                return False

        def look() -> None:
            if window.is_ready:
                seen["ready"] = time.time() - began
                seen["ready_cpu"] = time.process_time()
                seen["memory_mb"] = memory() or 0
                seen["torch"] = float("torch" in sys.modules)
                timer.stop()
                window.close()

        paint, timer = FirstPaint(), QTimer(interval=5)
        kept.extend((paint, timer))
        window.installEventFilter(paint)
        timer.timeout.connect(look)
        timer.start()
        report_faults(window)

    main.report_faults = watch
    main.main(["--data-dir", data_dir])
    print(json.dumps(seen))


def compare(passages: int, rounds: int) -> dict[str, Any]:
    """Return what is printed."""
    library = made(passages, reference=True)
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        data = Path(shutil.copytree(library / "data", Path(folder) / "data"))
        for number in range(rounds + 1):
            found = start(data, Path(folder))
            began = time.perf_counter()
            side = Side("search", "reference", {"made": str(library)})
            waited = time.perf_counter() - began
            side.close()
            if number:  # the first one fills the system's cache of files
                ours.append(found)
                theirs.append(waited)
    median = {key: statistics.median(each[key] for each in ours) for key in ours[0]}
    assert not median.pop("torch"), "torch is in the window's process"
    return {
        "benchmark": "startup",
        "passages": passages,
        "ours": {key: round(value, 2) for key, value in median.items()},
        "reference": {"ready": round(statistics.median(theirs), 2)},
        "ratio": round(statistics.median(theirs) / median["ready"], 2),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--child", help="the directory of the library")
    options = parser.parse_args()
    if options.child:
        be_the_window(options.child)
    else:
        print_result(compare(options.size, options.rounds))


if __name__ == "__main__":
    main()
