"""How long it takes from the very first start to an answer about the sample courses.

``python -m tests.tools.benchmarks.first_start [--rounds 3]`` prints one JSON line.

Each round is a process of its own with no library, no settings and no model prepared. It asks for the
samples as soon as they are offered, and clicks the first suggestion as soon as questions are taken. For
the reference the vectors of the samples do not come with the program. Drawn off screen unless
QT_QPA_PLATFORM says otherwise.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.tools.benchmarks.measuring import parser_of, print_result

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

_LIMIT = 300.0  # seconds


def measure(*, ready_made: bool) -> dict[str, float]:
    """Start the program once; return the seconds until it was ``offered``, ``ready`` and ``answered``."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "QT_QPA_PLATFORM": "offscreen",
            "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
            **os.environ,
            "LECTERN_CONFIG_DIR": str(Path(folder, "config")),
            "LECTERN_CACHE_DIR": str(Path(folder, "cache")),
            "LECTERN_DATA_DIR": str(Path(folder, "data")),
            "STARTED": repr(time.time()),
        }
        environment.pop("ANTHROPIC_API_KEY", None)
        command = [sys.executable, "-m", "tests.tools.benchmarks.first_start", "--watched"]
        command += [] if ready_made else ["--reference"]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, encoding="utf-8", check=True)
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return found


def compare(rounds: int) -> dict[str, Any]:
    """Return what is printed."""
    measure(ready_made=True)  # fills the system's cache of files
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(measure(ready_made=True))
        theirs.append(measure(ready_made=False))
    sides = [{key: statistics.median(one[key] for one in side) for key in side[0]} for side in (ours, theirs)]
    return {
        "benchmark": "first_start",
        "ours": {key: round(value, 2) for key, value in sides[0].items()},
        "reference": {key: round(value, 2) for key, value in sides[1].items()},
        "ratio": round(sides[1]["answered"] / sides[0]["answered"], 2),
    }


def watch(window: MainWindow, found: dict[str, float]) -> None:
    """Use the window as somebody would who is in a hurry, and close it after the answer."""
    from PySide6.QtCore import QTimer

    from app.ui.widgets.text_labels import WrappingButton

    began = float(os.environ["STARTED"])
    welcome, chat = window.chat.welcome, window.chat_controller

    def look() -> None:
        now = time.time() - began
        if now > _LIMIT:
            window.close()
        elif "offered" not in found:
            if welcome.samples.isVisible():
                found["offered"] = now
                welcome.samples.click()
        elif "ready" not in found:
            buttons = [each for each in welcome.findChildren(WrappingButton) if each.isVisible()]
            if window.is_ready and buttons:
                found["ready"] = now
                buttons[0].click()
        elif chat.last_exchange_id and not chat.is_answering:
            found["answered"] = now
            window.close()

    timer = QTimer(window, interval=5)
    timer.timeout.connect(look)
    timer.start()


def run_watched(*, ready_made: bool) -> None:
    """Run the program in this process, watched."""
    from app import main as program
    from app.core.embedding import embedder as vectors

    if not ready_made:
        vectors.SAMPLE_VECTORS = "none"
    found: dict[str, float] = {}
    report_faults = program.report_faults

    def begin(window: MainWindow) -> None:
        watch(window, found)
        report_faults(window)

    program.report_faults = begin
    program.main([])
    print(json.dumps(found))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--watched", action="store_true", help="for the processes that this one starts")
    parser.add_argument("--reference", action="store_true", help="likewise")
    options = parser.parse_args()
    if options.watched:
        run_watched(ready_made=not options.reference)
    else:
        print_result(compare(options.rounds))


if __name__ == "__main__":
    main()
