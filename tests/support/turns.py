"""How long the event loop works in a turn."""

from __future__ import annotations

import gc
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Turns:
    """Seconds of this thread's processor time between two turns, which other programs do not lengthen."""

    busiest: float = 0.0


@contextmanager
def watched_turns() -> Iterator[Turns]:
    """Watch the turns of the event loop within the block."""
    turns, before = Turns(), time.thread_time()

    def tick() -> None:
        nonlocal before
        now = time.thread_time()
        turns.busiest, before = max(turns.busiest, now - before), now

    ticks = QTimer(interval=0)
    ticks.timeout.connect(tick)
    gc.disable()  # a collection would take longer the more other tests have left behind
    ticks.start()
    try:
        yield turns
    finally:
        ticks.stop()
        gc.enable()
