"""How fast this machine is, for limits in milliseconds."""

from __future__ import annotations

import statistics
import sys
import time

_REFERENCE = 0.0045  # seconds the work takes on the machine that the limits are meant for
_TRACED = 3.0  # times as long the program takes while coverage notes each line, which the work is not


def slowness() -> float:
    """Return how many times longer Python takes here and now than on that machine, at least 1.

    Processor time of this thread: other programs count only as far as they slow down the processor.
    """
    traced = _TRACED if sys.gettrace() is not None else 1.0
    return traced * max(1.0, statistics.median(_work() for _ in range(5)) / _REFERENCE)


def _work() -> float:
    began = time.thread_time()
    words: dict[str, int] = {}
    for number in range(20_000):
        word = f"w{number % 997}"
        words[word] = words.get(word, 0) + len(word.rjust(9).strip())
    return time.thread_time() - began
