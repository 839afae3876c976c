"""The whole program, used for a long time: what grows, and how long a stop takes.

``python -m tests.tools.benchmarks.soak [--questions 1000] [--conversations 50] [--stops 100]`` prints a JSON
line when the stops are done, and a whole one at the end. The real window, with its real workers and the
sample courses in its library, is drawn off screen; the model server is a process of its own. After each
part the threads and open files are counted again.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.config.paths import user_cache_dir
from app.domain.conversations import ExchangeState
from tests.support.running_window import RunningWindow, isolate_from_user
from tests.tools.benchmarks.measuring import memory, parser_of, percentiles, print_result

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = "soak-key"
SETTLED = 100  # questions after which nothing may grow any more
ALLOWED_MS = 200
_LONGEST_WAIT = 0.25  # seconds until a stop: an answer takes about that
_TOPICS = (
    "Why are documents cut into chunks?",
    "What does a confidence interval say?",
    "How was cuneiform read again?",
    "How does Lectern check a citation?",
    "What is an embedding?",
    "Why do people confuse correlation and cause?",
    "What is the plot of the opera The Magic Flute?",
)


@contextmanager
def server_process(word_delay: float) -> Iterator[str]:
    """Run the model server in a process of its own; yield its address."""
    command = [sys.executable, "-m", "tests.support.anthropic_server", "--port", "0", "--key", KEY]
    process = subprocess.Popen(
        [*command, "--word-delay", str(word_delay)], stderr=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    try:
        yield line.split()[0].partition("=")[2]
    finally:
        process.terminate()
        process.communicate()


def resources() -> dict[str, int]:
    """Count what must not grow: megabytes, threads of Python and of the system, open files."""
    gc.collect()
    counted = {"python_threads": threading.active_count(), "memory_mb": memory() or 0}
    for name, folder in (("threads", "task"), ("files", "fd")):
        place = Path("/proc/self") / folder
        counted[name] = len(os.listdir(place)) if place.exists() else 0
    return counted


def soak(running: RunningWindow, questions: int, conversations: int, every: int = 50) -> list[dict[str, int]]:
    """Ask, in one conversation after another; return the resources now and then, first at the start."""
    taken = [{"questions": 0, **resources()}]
    each = -(-questions // conversations)
    for count in range(questions):
        if count % each == 0:
            begin_chat(running)
        running.ask(f"{_TOPICS[count % len(_TOPICS)]} ({count})")
        if (count + 1) % every == 0 or count + 1 == questions:
            taken.append({"questions": count + 1, **resources()})
    return taken


def begin_chat(running: RunningWindow) -> None:
    """Show a new chat; delete the widgets of the last one as the program's own event loop would.

    What is done from here is done outside an event loop, where Qt puts deleting off for ever.
    """
    running.window.new_chat()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def stop_often(running: RunningWindow, runs: int, seed: int = 7) -> list[float]:
    """Stop answers at random moments; return the milliseconds until each had ended and was saved."""
    chance = random.Random(seed)
    taken: list[float] = []
    while len(taken) < runs:
        begin_chat(running)
        running.ask(chance.choice(_TOPICS), wait=False)
        until = time.perf_counter() + chance.uniform(0, _LONGEST_WAIT)
        while running.window.chat_controller.is_answering and time.perf_counter() < until:
            QApplication.processEvents()
            time.sleep(0.001)
        if not running.window.chat_controller.is_answering:  # it was quicker
            continue
        began = time.perf_counter()
        running.window.chat_controller.stop()
        while running.window.chat_controller.is_answering:
            QApplication.processEvents()
            time.sleep(0.0005)
        taken.append((time.perf_counter() - began) * 1000)
    return taken


def unfinished(running: RunningWindow) -> int:
    """Return how many exchanges are still being written."""
    states = [
        exchange.state
        for conversation in running.rag.conversations.all()
        for exchange in running.rag.conversations.exchanges(conversation.id)
    ]
    return states.count(ExchangeState.WRITING)


@contextmanager
def open_window(folder: Path, url: str) -> Iterator[RunningWindow]:
    """Open the window on a new library with the sample courses."""
    running = RunningWindow(folder, user_cache_dir(), base_url=url, key=KEY)
    running.open()
    running.wait_for(lambda: running.window.is_ready, "the library to open", 600)
    running.wait_until_ready()
    yield running
    running.close()


def summary(stops: list[float]) -> dict[str, Any]:
    """Return what is told of the stops."""
    return {
        **percentiles(stops),
        "p99_ms": round(sorted(stops)[max(0, int(len(stops) * 0.99) - 1)], 1),
        "longest_ms": round(max(stops), 1),
        "within_allowed": round(sum(value < ALLOWED_MS for value in stops) / len(stops), 3),
        "of": len(stops),
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--conversations", type=int, default=50)
    parser.add_argument("--stops", type=int, default=100)
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    result: dict[str, Any] = {"benchmark": "soak"}
    with tempfile.TemporaryDirectory() as place:
        isolate_from_user(Path(place))
        with server_process(0.002) as url, open_window(Path(place) / "stops", url) as running:
            stop_often(running, 20)  # until the threads of the pool are there, and what they load
            before = resources()
            result["stops"] = summary(stop_often(running, options.stops))
            result["stops"] |= {"before": before, "after": resources(), "unfinished": unfinished(running)}
        print_result(result)
        with server_process(0.0) as url, open_window(Path(place) / "soak", url) as running:
            began = time.perf_counter()
            taken = soak(running, options.questions, options.conversations)
            settled = [item["memory_mb"] for item in taken if item["questions"] >= SETTLED] or [0]
            result["soak"] = {
                "seconds": round(time.perf_counter() - began, 1),
                "memory_after_settling_mb": [settled[0], settled[-1]],
                "median_mb": statistics.median(settled),
                "growth_percent": round(100 * (settled[-1] / (settled[0] or 1) - 1), 1),
                "taken": taken,
            }
    application.shutdown()
    print_result(result)


if __name__ == "__main__":
    main()
