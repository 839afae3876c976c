"""How long the window does not answer while it works: at start, reading, answering, in a long chat.

``python -m tests.benchmarks.stalls [--size 500] [--words 4000] [--exchanges 200]`` prints one JSON line.

The real window with its real workers runs off screen; a heartbeat in its thread tells how late the
thread is. There is no reference: the web version's page is the browser's.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QApplication

from app.config.paths import user_cache_dir
from app.domain.events import AnswerDone, AnswerText
from app.workers.stalls import LIMIT, StallRecorder
from tests.benchmarks.libraries import Maker
from tests.benchmarks.measuring import parser_of, print_result, size
from tests.benchmarks.streaming import words_of
from tests.support.running_window import RunningWindow, isolate_from_user
from tests.ui.chat.builders import exchange, started

if TYPE_CHECKING:
    from collections.abc import Iterator


class Phases:
    """Records one phase after the other."""

    def __init__(self) -> None:
        self.recorder = StallRecorder(keep_delays=True)
        self.recorder.start()
        self.found: dict[str, Any] = {}

    def _worst(self) -> str | None:
        stall = max(self.recorder.stalls, key=lambda stall: stall.seconds, default=None)
        if stall is None:
            return None
        return _cause(stall.stack) if stall.stack else " ".join(stall.others) or "another thread"

    def end(self, name: str) -> None:
        """Sum up what was recorded since the last one, under a name."""
        assert self.recorder.delays is not None
        delays = sorted(self.recorder.delays) or [0.0]
        self.found[name] = {
            "p999_ms": round(delays[min(int(len(delays) * 0.999), len(delays) - 1)] * 1000),
            "worst_ms": round(delays[-1] * 1000),
            "heartbeats": len(delays),
            "over_the_limit": sum(delay > LIMIT for delay in delays),
            "worst_cause": self._worst(),
            "causes": sorted({_cause(stall.stack) for stall in self.recorder.stalls}),
        }
        self.recorder.delays.clear()
        self.recorder.stalls.clear()


def _cause(stack: str) -> str:
    """Return the innermost line of the program itself in a stack."""
    lines = [line.strip() for line in stack.splitlines() if "/app/" in line.replace("\\\\", "/")]
    return lines[-1].rpartition("/app/")[2] if lines else "another thread" if not stack else "Qt"


def long_answer(words: int) -> Iterator[AnswerText]:
    """Return an answer word by word."""
    return (AnswerText(word) for word in words_of(words))


def compare(passages: int, words: int, exchanges: int, folder: Path) -> dict[str, Any]:
    """Return what is printed."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    model_cache = user_cache_dir()
    isolate_from_user(folder)
    application = QApplication.instance() or QApplication([])
    phases = Phases()
    running = RunningWindow(folder, model_cache)
    running.open()
    running.wait_until_ready()
    phases.end("start")
    courses = folder / "courses"
    courses.mkdir()
    maker = Maker()
    for number in range(4):
        text = maker.course(min(5, passages), max(passages // 20, 1) * 720)
        (courses / f"{number}.txt").write_text(text, encoding="utf-8")
    phases.end("between")
    running.workers.add_requested.emit(1, (courses,))
    events: list[int] = []
    running.workers.ingest.finished.connect(events.append)
    running.wait_for(lambda: bool(events), "the courses", 3600)
    phases.end("reading")
    pane = running.window.chat
    pane.handle(started())
    for event in long_answer(words):
        pane.handle(event)
        application.processEvents()
    pane.handle(AnswerDone(exchange(answer="".join(words_of(words)))))
    application.processEvents()
    phases.end("streaming")
    answer = "".join(words_of(150))
    pane.show_exchanges([exchange(number, answer=answer) for number in range(1, exchanges + 1)])
    shown = StallWait(exchanges)
    running.wait_for(shown, "the conversation", 120)
    phases.end("conversation")
    phases.recorder.stop()
    running.close()
    del phases.found["between"]
    return {"benchmark": "stalls", "passages": passages, "words": words, "ours": phases.found}


class StallWait:
    """Lets as many turns of the event loop pass as there are exchanges: one is shown in each."""

    def __init__(self, turns: int) -> None:
        self._left = turns

    def __call__(self) -> bool:
        self._left -= 1
        return self._left < 0


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=500)
    parser.add_argument("--words", type=int, default=4000)
    parser.add_argument("--exchanges", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        print_result(compare(options.size, options.words, options.exchanges, Path(folder)))


if __name__ == "__main__":
    main()
