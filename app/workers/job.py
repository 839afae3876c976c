"""Background work: jobs, the threads that run them, and who receives the results."""

import logging
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from threading import Condition
from typing import Any, Generic, Protocol, TypeVar, cast

import shiboken6
from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot

from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LecternError
from app.domain.messages import Message

_log = logging.getLogger(__name__)

R = TypeVar("R")
Work = Callable[["Job[R]"], R | Generator[object, None, R] | AsyncGenerator[object, None]]


class Lane(Enum):
    WRITE = "write"  # one thread: what writes documents, or the whole library
    READ = "read"  # four threads: everything else that needs this computer alone
    NETWORK = "network"  # the asyncio loop: what waits for a server


class JobQueue(Protocol):
    def put(self, job: "Job[Any]") -> None:
        """Run a job when its turn comes. Thread-safe."""


class Courier(QObject):
    """Calls functions in the thread it was created in, in the order sent."""

    problem = Signal(object)  # A job failed and its caller does not handle the failure: a Message
    crashed = Signal()  # A job failed because of a bug, which the log tells

    _sent = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.is_running = False
        self._sent.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def send(self, function: Callable[..., object], *arguments: object) -> None:
        """Queue a call; dropped once this has stopped running. Thread-safe."""
        self._sent.emit(partial(function, *arguments))

    @Slot(object)
    def _call(self, function: Callable[[], object]) -> None:
        if self.is_running:
            function()


@dataclass(eq=False)
class Job(Generic[R]):
    """Something the window asks for, started by :meth:`run`.

    ::

        workers.library.remove_courses(titles).run(self, success=self._offer_undo)

    Attributes:
        courier: delivers the callbacks.
        queue: runs the work; None before the workers have started.
        what: describes the work in the log, such as "Removing a course".
        work: returns the result, or yields events and then returns it; in the network lane, it may also
            return an async generator of events.
        key: jobs of one key run one after another, in the order they were put; any others side by side.
        newest: whether a later job of the same key replaces this one as long as it waits.
        background: whether it runs after all jobs that do not, and is cancelled when one of those comes.
        is_kept: whether closing the window waits for the work, which is short and stores what a user did.
        token: stops and pauses the work.
        on_cancel: called by :meth:`cancel`, for work that waits without checking the token.
    """

    courier: Courier
    queue: JobQueue | None
    what: str
    work: Work[R]
    key: str = ""
    newest: bool = False
    background: bool = False
    is_kept: bool = False
    token: CancelToken = field(default_factory=CancelToken)
    on_cancel: Callable[[], object] = lambda: None
    _dropped: bool = False

    def run(
        self,
        owner: QObject,
        *,
        success: Callable[[R], object] | None = None,
        failure: Callable[[Message], object] | None = None,
        event: Callable[[Any], object] | None = None,
        finished: Callable[[], object] | None = None,
    ) -> "Job[R]":
        """Start the work; does nothing unless the workers are running.

        The callbacks run in the window's thread, as long as ``owner`` lives.
        """
        self._owner, self._success, self._event, self._finished = owner, success, event, finished
        self._failure = failure or self.courier.problem.emit
        if self.courier.is_running and self.queue is not None:
            self.queue.put(self)
        return self

    def cancel(self) -> None:
        """Stop the work as soon as possible; neither result nor failure is reported."""
        self.token.cancel()
        self.on_cancel()

    def drop(self) -> None:
        """Stop the work and make no further callbacks, not even queued ones."""
        self._dropped = True
        self.cancel()

    # For the thread that does the work

    def execute(self) -> None:
        """Do the work and report how it ends."""
        with self.reporting():
            self.succeed(self.begin())

    def begin(self) -> R | AsyncGenerator[object, None]:
        """Do the work and report its events; return the result, or the events that are still to come."""
        self.token.check()
        outcome = self.work(self)
        return self._drain(outcome) if isinstance(outcome, Generator) else outcome

    def succeed(self, result: object) -> None:
        """Report the result, unless the job was cancelled."""
        self.token.check()
        self._send(self._success, result)

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Report what the block raises: expected errors and bugs, but not a cancellation."""
        try:
            yield
        except Cancelled:
            pass
        except LecternError as error:
            if not self.token.cancelled:
                self._send(self._failure, error.message)
        except Exception:
            _log.exception("%s failed.", self.what)
            self._send(self.courier.crashed.emit)
        finally:
            self._send(self._finished)

    def tell(self, event: object) -> None:
        self._send(self._event, event)

    def _drain(self, events: Generator[object, None, R]) -> R:
        while True:
            try:
                event = next(events)
            except StopIteration as end:
                return cast("R", end.value)
            self.tell(event)

    def _send(self, callback: Callable[..., object] | None, *arguments: object) -> None:
        if callback is not None:
            self.courier.send(self._call, partial(callback, *arguments))

    def _call(self, callback: Callable[[], object]) -> None:
        if not self._dropped and shiboken6.isValid(self._owner):
            callback()


class JobThreads:
    """Run jobs in the order they were put; jobs with the same key one after another. Thread-safe."""

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
        """Queue a job after the others, but before those in the background."""
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
        """Wait for the next job; None once no more will come."""
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
        """Cancel what runs and drop what waits, except jobs to keep; return at once."""
        with self._changed:
            self._closing = True
            self._waiting = [job for job in self._waiting if job.is_kept]
            running = [job for job in self._running if not job.is_kept]
            self._changed.notify_all()
        for job in running:
            job.cancel()

    def wait(self) -> None:
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
