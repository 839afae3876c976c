"""The threads that write and read, which share out their jobs."""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QThread

if TYPE_CHECKING:
    from app.workers.job import Job


class JobThreads:
    """Run jobs in the order they were put; those of one key one after another. Thread-safe."""

    def __init__(self, name: str, number: int = 1) -> None:
        self._changed = Condition()
        self._waiting: list[Job[Any]] = []
        self._running: list[Job[Any]] = []
        self._closing = False
        self.threads = [JobThread(self, f"{name} {n}") for n in range(1, number + 1)]

    def start(self) -> None:
        for thread in self.threads:
            thread.start()

    def put(self, job: Job[Any]) -> None:
        """Queue a job behind the others, or before those in the background."""
        with self._changed:
            if self._closing and not job.is_kept:
                return
            replaced = [
                other for other in self._waiting if other.newest and job.newest and other.key == job.key
            ]
            before = [other for other in self._waiting if other not in replaced]
            self._waiting = sorted([*before, job], key=lambda one: one.background)
            in_the_way = [other for other in self._running if other.background and not job.background]
            self._changed.notify()
        for other in (*replaced, *in_the_way):
            other.cancel()
        for other in replaced:
            other.execute()  # which reports its end

    def take(self) -> Job[Any] | None:
        """Wait for the next job; None once there is none to come."""
        with self._changed:
            while (job := self._next()) is None:
                if self._closing and not self._waiting:
                    return None
                self._changed.wait()
            self._waiting.remove(job)
            self._running.append(job)
            return job

    def done(self, job: Job[Any]) -> None:
        """Let the next job of its key run."""
        with self._changed:
            self._running.remove(job)
            self._changed.notify_all()

    def cancel(self) -> None:
        """Cancel the current job: the first one that runs or waits and is not in the background."""
        if job := self._current:
            job.cancel()

    def pause(self) -> None:
        """Pause the current job at the next point where it can wait."""
        if job := self._current:
            job.token.pause()

    def resume(self) -> None:
        if job := self._current:
            job.token.resume()

    def close(self) -> None:
        """Cancel what runs and drop what waits, but for jobs to keep; return at once."""
        with self._changed:
            self._closing = True
            self._waiting = [job for job in self._waiting if job.is_kept]
            running = [job for job in self._running if not job.is_kept]
            self._changed.notify_all()
        for job in running:
            job.cancel()

    def wait(self) -> None:
        """Wait until the threads have ended."""
        for thread in self.threads:
            thread.wait()

    def _next(self) -> Job[Any] | None:
        busy = {job.key for job in self._running if job.key}
        return next((job for job in self._waiting if job.key not in busy), None)

    @property
    def _current(self) -> Job[Any] | None:
        with self._changed:
            unfinished = [*self._running, *self._waiting]
        return next(iter(sorted(unfinished, key=lambda job: job.background)), None)


class JobThread(QThread):
    """Runs jobs as long as there are any to take."""

    def __init__(self, jobs: JobThreads, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._jobs = jobs

    def run(self) -> None:
        while (job := self._jobs.take()) is not None:
            job.execute()
            self._jobs.done(job)
