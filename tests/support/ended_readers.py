"""Ends reader processes from outside, as the system does when it runs out of memory."""

from __future__ import annotations

import multiprocessing
import os
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tests.support.kept_sandbox import KeptSandbox

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def readers_ended_by(*signals: int) -> Iterator[None]:
    """Send each signal to another reader process, as soon as that has been started."""
    done = threading.Event()

    def send() -> None:
        ended = set()
        for number in signals:
            while not done.wait(0.001):
                pids = [
                    child.pid
                    for child in multiprocessing.active_children()
                    if child.name == "lectern-reader" and child.pid not in ended
                ]
                if pids and pids[0] is not None:
                    os.kill(pids[0], number)
                    ended.add(pids[0])
                    break

    KeptSandbox.end_idle()
    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
