"""How long the window does not answer while it works: at start, reading, answering, in a long chat.

``python -m tests.tools.benchmarks.stalls [--size 5000] [--words 4000] [--exchanges 200] [--only PHASE …]``
prints one JSON line.

Start is measured in processes of their own, ten seconds each from the first picture on. Then the real
window with its real workers runs off screen: it reads files, recognizes scanned pages and writes an answer
meanwhile, writes a long answer that a model server in another process sends at 200 words a second, opens
and uses a long conversation, goes through the pages of the settings, and reviews cards. A heartbeat every
10 ms in the window's thread tells how late that is. There is no reference: the web version's page is the
browser's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEventLoop, QTimer, QUrl
from PySide6.QtWidgets import QApplication, QLineEdit

from app.config.paths import user_cache_dir
from app.domain.conversations import ExchangeState
from app.domain.scope import Scope
from app.main import prioritise_window
from app.startup.imports import LateImport
from app.ui.settings.settings_dialog import SettingsDialog
from tests.support.anthropic_server import AnthropicServer
from tests.support.running_window import RunningWindow, isolate_from_user
from tests.support.scans import TEXTS, page_of, picture_of, scan
from tests.support.scripted_turns import Text, Turn
from tests.support.stalls import LIMIT, StallRecorder
from tests.tools.benchmarks.libraries import MadeUpVectors, Maker
from tests.tools.benchmarks.measuring import parser_of, print_result, size
from tests.tools.benchmarks.streaming import words_of
from tests.tools.benchmarks.window_process import start
from tests.tools.benchmarks.window_reviews import make_cards, review

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEY = "stalls-key"
PHASES = ("start", "reading", "recognizing", "streaming", "conversation", "using", "settings", "reviewing")
_WORD_DELAY = 0.005
_START_SECONDS = 10.0
_ANSWER_WORDS = 150  # of each exchange of the long conversation
_NEW_A_DAY = 20  # cards
_STEP_MS = 30  # between two steps of scrolling or of changing the size


class Phases:
    """Records one phase after the other."""

    def __init__(self) -> None:
        self.recorder = StallRecorder(keep_delays=True)
        self.found: dict[str, Any] = {}

    def end(self, name: str) -> None:
        """Sum up what was recorded since the last one, under a name; an empty one forgets it."""
        assert self.recorder.delays is not None
        if name:
            causes = [(stall.seconds, stall.stack) for stall in self.recorder.stalls]
            self.found[name] = summary(self.recorder.delays, self.recorder.work, causes)
        self.recorder.delays.clear()
        self.recorder.work.clear()
        self.recorder.stalls.clear()


def summary(
    delays: Sequence[float], work: Sequence[float], causes: Sequence[tuple[float, str]]
) -> dict[str, Any]:
    """Return how late the window was: milliseconds at some percentiles, and what the worst were.

    ``work`` is the same of the processor time its thread took between two heartbeats: what is left where
    other programs keep the processor from it, apart from waiting for other threads.
    """

    def at(values: Sequence[float], share: float) -> float:
        ordered = sorted(values) or [0.0]
        return round(ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000, 1)

    worst = sorted(causes, reverse=True)[:5]
    return {
        "p50_ms": at(delays, 0.5),
        "p99_ms": at(delays, 0.99),
        "p999_ms": at(delays, 0.999),
        "worst_ms": at(delays, 1.0),
        "work": {"p999_ms": at(work, 0.999), "worst_ms": at(work, 1.0)},
        "heartbeats": len(delays),
        "over_the_limit": sum(delay > LIMIT for delay in delays),
        "worst": [f"{seconds * 1000:.0f} ms: {_cause(stack)}" for seconds, stack in worst],
    }


def _cause(stack: str) -> str:
    """Return the innermost line of the program itself in a stack."""
    lines = [line.strip() for line in stack.replace("\\", "/").splitlines() if "/app/" in line]
    if lines:
        return lines[-1].rpartition("/app/")[2]
    return stack.strip().rpartition("\n")[2] or "another thread"


def starting(data_dir: Path, folder: Path, rounds: int) -> dict[str, Any]:
    """Start the program some times on a library; return its stalls of all of them together."""
    delays: list[float] = []
    work: list[float] = []
    causes: list[tuple[float, str]] = []
    for _ in range(rounds):
        found = start(data_dir, folder, watch_seconds=_START_SECONDS)
        delays += found["delays"]
        work += found["work"]
        causes += [(seconds, stack) for seconds, stack in found["causes"]]
    return summary(delays, work, causes)


@contextmanager
def server_process(words: int, delay: float = _WORD_DELAY) -> Iterator[str]:
    """Run a model server in a process of its own that answers with so many words; yield its address."""
    command = [sys.executable, "-m", "tests.tools.benchmarks.stalls", "--serve", str(words), str(delay)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.communicate()


def serve(words: int, delay: float) -> None:
    """Be that process, until nothing can come from the standard input any more."""
    with AnthropicServer(key=KEY) as server:
        server.answer_with(lambda _: Turn(Text("".join(words_of(words))), word_delay=delay))
        print(server.url, flush=True)
        sys.stdin.read()


class UsedWindow:
    """The window while it is used, phase by phase."""

    def __init__(self, folder: Path, url: str, *, made_up: bool, hurry: int = 1) -> None:
        self._folder, self._hurry = folder, hurry
        prioritise_window()
        self.running = RunningWindow(
            folder,
            user_cache_dir(),
            base_url=url,
            key=KEY,
            embedder=MadeUpVectors(Maker(2)) if made_up else None,
        )
        self.phases = Phases()
        self._later = LateImport()

    def open(self) -> None:
        """Open it as the program does, let it read the samples, and settle."""
        self.running.workers.ready.connect(self._later.start)
        self.running.open()
        self.running.wait_until_ready()
        self.running.wait_for(self._later.isFinished, "the rest of the imports")
        self.phases.recorder.start()
        self.pause(2000)
        self.phases.end("")

    def pause(self, milliseconds: int) -> None:
        """Let the window go on by itself, for less than that in a hurry."""
        loop = QEventLoop()
        QTimer.singleShot(milliseconds // self._hurry, loop.quit)
        loop.exec()

    def read(self, passages: int) -> None:
        """Read course files of about so many passages."""
        courses = self._folder / "courses"
        courses.mkdir()
        maker = Maker()
        for number in range(10):
            text = maker.course(10, max(passages // 100, 1) * 720)
            (courses / f"{number}.txt").write_text(text, encoding="utf-8")
        self.pause(100)
        self.phases.end("")
        ended: list[int] = []
        self.running.window.ingest_controller.finished.connect(ended.append)
        self.running.window.ingest_controller.read([courses])  # without the plan
        while not ended:
            self.pause(200)
        self.phases.end("reading")

    def recognize(self, pages: int) -> None:
        """Have scanned pages recognized, and an answer written meanwhile."""
        courses = self.running.rag.courses
        before = courses.counts().documents
        path = self._folder / "scan.pdf"
        page = picture_of(page_of(" ".join(TEXTS.values())))
        path.write_bytes(scan(*[page] * pages))
        self.pause(100)
        self.phases.end("")
        self.running.window.ingest_controller.read([path])
        self._ask()
        while courses.counts().documents == before:
            self.pause(1000)
        self.phases.end("recognizing")

    def answer(self) -> None:
        """Have a long answer written."""
        self.running.window.new_chat()
        self.pause(100)
        self.phases.end("")
        self._ask()
        self.phases.end("streaming")

    def open_conversation(self, exchanges: int) -> None:
        """Open a long conversation, show all of it, scroll through it, and have another answer written."""
        key = self._conversation(exchanges)
        self.pause(100)
        self.phases.end("")
        transcript = self.running.window.chat.transcript
        self.running.window.chat_controller.open(key)
        self.pause(500)
        while transcript.is_building:
            self.pause(100)
        for _ in range(exchanges // 30):
            transcript.anchorClicked.emit(QUrl("earlier:"))
            while transcript.is_building:
                self.pause(100)
        bar = transcript.verticalScrollBar()
        steps = min(200, exchanges)
        for step in range(1, steps + 1):
            bar.setValue(bar.maximum() * step // steps)
            self.pause(_STEP_MS)
        self._ask()
        self.phases.end("conversation")

    def use(self) -> None:
        """Change the window's size and its colours, open the settings, filter the courses."""
        window = self.running.window
        for step in range(40):
            window.resize(1000 + 10 * step, 700 + 4 * step)
            self.pause(_STEP_MS)
        self.pause(1000)
        window.open_settings()
        self.pause(1000)
        for dialog in QApplication.topLevelWidgets():
            if dialog.isVisible() and dialog is not window:
                dialog.close()
        for theme in ("dark", "light"):
            settings = replace(window.settings, theme=theme)
            self.running.workers.library.save_settings(settings).run(window)
            self.pause(1500)
        filter_box = window.sidebar.findChild(QLineEdit, "filter")
        assert filter_box is not None
        for text in ("a", "le", "les", "lesson", ""):
            filter_box.setText(text)
            self.pause(300)
        self.phases.end("using")

    def change_settings(self, rounds: int) -> None:
        """Open the settings some times, go through their pages, search them, and close them."""
        self.pause(100)
        self.phases.end("")
        for _ in range(rounds):
            self.running.window.open_settings()
            self.pause(500)
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, SettingsDialog)
            for row in range(dialog.list.count()):
                dialog.list.setCurrentRow(row)
                self.pause(100)
            dialog.accept()
            self.pause(100)
        self.phases.end("settings")

    def review(self, cards: int) -> None:
        """Review cards."""
        title = make_cards(self.running, cards)
        self.pause(100)
        self.phases.end("")
        review(self.running, title, cards, self.pause)
        self.phases.end("reviewing")

    def close(self) -> None:
        """Close it."""
        self.phases.recorder.stop()
        self.running.close()

    def _ask(self) -> None:
        self.running.ask("Why are documents cut into chunks?", wait=False)
        while self.running.window.chat_controller.is_answering:
            self.pause(100)
        self.pause(500)

    def _conversation(self, exchanges: int) -> int:
        sessions = self.running.rag.conversations
        key = sessions.create_session()
        answer = "".join(words_of(_ANSWER_WORDS))
        for number in range(exchanges):
            begun = sessions.begin_exchange(key, f"Question {number}?", Scope(), "a-model")
            sessions.save(replace(begun, answer=answer, state=ExchangeState.DONE, seconds=1.0))
        return key


def compare(
    passages: int,
    words: int,
    exchanges: int,
    folder: Path,
    *,
    only: Sequence[str] = PHASES,
    made_up: bool = False,
    rounds: int = 5,
    hurry: int = 1,
) -> dict[str, Any]:
    """Return what is printed; ``hurry`` divides the pauses."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["LECTERN_CACHE_DIR"] = str(user_cache_dir())
    isolate_from_user(folder)
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    with server_process(words) as url:
        used = UsedWindow(folder, url, made_up=made_up, hurry=hurry)
        used.open()
        if "reading" in only:
            used.read(passages)
        if "recognizing" in only:
            used.recognize(max(exchanges // 20, 1))
        if "streaming" in only:
            used.answer()
        if "conversation" in only:
            used.open_conversation(exchanges)
        if "using" in only:
            used.use()
        if "settings" in only:
            used.change_settings(max(exchanges // 10, 1))
        if "reviewing" in only:
            used.review(min(exchanges, _NEW_A_DAY))
        used.close()
    found = used.phases.found
    if "start" in only:
        found = {"start": starting(folder / "data", folder, rounds), **found}
    return {
        "benchmark": "stalls",
        "passages": passages,
        "words": words,
        "exchanges": exchanges,
        "made_up_vectors": made_up,
        "ours": found,
    }


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--size", type=size, default=5000)
    parser.add_argument("--words", type=int, default=4000)
    parser.add_argument("--exchanges", type=int, default=200)
    parser.add_argument("--only", nargs="+", choices=PHASES, default=PHASES)
    parser.add_argument("--made-up", action="store_true", help="read with made-up vectors: more events")
    parser.add_argument("--rounds", type=int, default=5, help="of starting")
    parser.add_argument("--serve", nargs=2, metavar=("WORDS", "DELAY"), help="be the model server")
    options = parser.parse_args()
    if options.serve:
        serve(int(options.serve[0]), float(options.serve[1]))
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        print_result(
            compare(
                options.size,
                options.words,
                options.exchanges,
                Path(folder),
                only=options.only,
                made_up=options.made_up,
                rounds=options.rounds,
            )
        )


if __name__ == "__main__":
    main()
