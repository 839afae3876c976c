"""How fast this machine is, for limits in milliseconds."""

from __future__ import annotations

import statistics
import time

_REFERENCE = 0.0045  # seconds the work takes on the machine that the limits are meant for


def slowness() -> float:
    """Return how many times longer Python takes here and now than on that machine, at least 1.

    Processor time of this thread: other programs count only as far as they slow down the processor.
    """
    return max(1.0, statistics.median(_work() for _ in range(5)) / _REFERENCE)


def _work() -> float:
    began = time.thread_time()
    words: dict[str, int] = {}
    for number in range(20_000):
        word = f"w{number % 997}"
        words[word] = words.get(word, 0) + len(word.rjust(9).strip())
    return time.thread_time() - began
