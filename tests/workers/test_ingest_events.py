"""What the window hears of many files, however quickly they are read."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

from app.domain.cancel import CancelToken
from app.domain.events import FileDone, FileStarted, FileStatus, IngestEvent
from app.workers import workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


def test_each_file_that_takes_a_moment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=10.0)
    monkeypatch.setattr(workers, "time", SimpleNamespace(monotonic=lambda: clock.now))

    def reading() -> Iterator[IngestEvent]:
        for n in range(1, 6):
            yield FileStarted(f"{n}.txt", n, 5)
            clock.now += 0.06
            yield FileDone(f"{n}.txt", FileStatus.ADDED, "A")

    heard = workers.paced(reading(), CancelToken(), lambda: None)
    assert [one.path for one in heard if isinstance(one, FileStarted)] == [f"{n}.txt" for n in range(1, 6)]
