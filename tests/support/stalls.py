"""Records what blocks the window's thread."""

from __future__ import annotations

import faulthandler
import logging
import tempfile
import threading
import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer

_INTERVAL = 0.010  # seconds between two heartbeats
LIMIT = 0.050  # a heartbeat this late is a stall

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Stall:
    """How long the window's thread did not respond, and why.

    Attributes:
        stack: those of all threads when the stall was noticed; empty if one of them held the interpreter, so
            that the watcher could not run.
    """

    seconds: float
    stack: str


class StallRecorder(QObject):
    """Records the stalls of the thread it is created in, which must be the window's.

    Attributes:
        stalls: in order of time.
        delays: how late each heartbeat came, in seconds; None unless kept.
        work: processor seconds the thread itself used before each heartbeat; kept along with ``delays``.
            Separates the window's own work from the load of other programs.
    """

    def __init__(self, *, keep_delays: bool = False) -> None:
        super().__init__()
        self.stalls: list[Stall] = []
        self.delays: list[float] | None = [] if keep_delays else None
        self.work: list[float] = []
        self._spent = time.thread_time()
        self._beat = time.perf_counter()
        self._dump = ""
        self._done = threading.Event()
        self._watch = threading.Thread(target=self._look, name="stalls", daemon=True)
        self._timer = QTimer(self, interval=int(_INTERVAL * 1000), timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._on_beat)

    def start(self) -> None:
        self._beat = time.perf_counter()
        self._spent = time.thread_time()
        self._timer.start()
        self._watch.start()

    def stop(self) -> None:
        self._timer.stop()
        self._done.set()
        self._watch.join()

    def _on_beat(self) -> None:
        now = time.perf_counter()
        late = now - self._beat - _INTERVAL
        self._beat = now
        dump, self._dump = self._dump, ""
        if self.delays is not None:
            self.delays.append(max(late, 0.0))
            spent, before = time.thread_time(), self._spent
            self._spent = spent
            self.work.append(spent - before)
        if late > LIMIT:
            self.stalls.append(Stall(late, dump))
            held = "Another thread held the interpreter."
            _log.warning("The window did not respond for %.0f ms:\n%s", late * 1000, dump or held)

    def _look(self) -> None:
        with tempfile.TemporaryFile(buffering=0) as file:
            looked: float | None = None
            while not self._done.wait(_INTERVAL):
                beat = self._beat
                # Once per stall: a second dump would mostly come after it, and show the event loop.
                if beat == looked or time.perf_counter() - beat < LIMIT:
                    continue
                looked = beat
                # faulthandler dumps in one uninterrupted call and keeps no reference to a frame. A frame
                # kept here would outlive its function, and this thread would destroy its locals, such as
                # a painter.
                file.seek(0)
                file.truncate()
                faulthandler.dump_traceback(file)
                file.seek(0)
                self._dump = file.read().decode("utf-8", "replace")
