"""How fast this machine is, for limits in milliseconds."""

from __future__ import annotations

import time
from functools import lru_cache

_REFERENCE = 0.005  # seconds the work takes on the machine that the limits are meant for


@lru_cache(maxsize=1)
def slowness() -> float:
    """Return how many times longer Python takes here than on that machine, at least 1.

    Processor time of this thread, so that other programs do not count.
    """
    return max(1.0, min(_work() for _ in range(5)) / _REFERENCE)


def _work() -> float:
    began = time.thread_time()
    words: dict[str, int] = {}
    for number in range(20_000):
        word = f"w{number % 997}"
        words[word] = words.get(word, 0) + len(word.rjust(9).strip())
    return time.thread_time() - began
