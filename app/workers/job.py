"""Background work: what runs, in which thread, and who receives the result."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

import shiboken6
from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot

from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import LecternError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.rag_system import RAGSystem
    from app.domain.messages import Message
    from app.workers.workers import Workers

_log = logging.getLogger(__name__)

R = TypeVar("R")
Work = Callable[["Job[R]"], R | Generator[object, None, R] | AsyncGenerator[object, None]]


class JobQueue(Protocol):
    """A thread that runs jobs, one after another or concurrently."""

    def put(self, job: Job[Any]) -> None:
        """Run a job when its turn comes. Thread-safe."""


class Courier(QObject):
    """Calls functions in the thread it was created in, in the order sent."""

    problem = Signal(object)  # A job failed and its caller does not handle the failure: a Message
    crashed = Signal(str)  # A bug: what the program was doing

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
        what: describes the work in the report of a bug, such as "Removing a course".
        work: returns the result, or yields events and then returns it; in the chat loop, it yields events
            asynchronously.
        token: stops and pauses the work.
        on_cancel: called by :meth:`cancel`, for work that waits without checking the token.
        is_kept: whether closing the window waits for the work, which is short and stores what a user did.
    """

    courier: Courier
    queue: JobQueue | None
    what: str
    work: Work[R]
    token: CancelToken = field(default_factory=CancelToken)
    on_cancel: Callable[[], object] = lambda: None
    is_kept: bool = False
    _dropped: bool = False

    def run(
        self,
        owner: QObject,
        *,
        success: Callable[[R], object] | None = None,
        failure: Callable[[Message], object] | None = None,
        event: Callable[[Any], object] | None = None,
        finished: Callable[[], object] | None = None,
    ) -> Job[R]:
        """Start the work; does nothing unless the workers are running.

        The callbacks run in the window's thread, as long as ``owner`` lives.

        Args:
            owner: of the callbacks.
            success: receives the result.
            failure: receives the message of an expected error; by default, the window shows it.
            event: receives the events.
            finished: called last, whatever the outcome.
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
        with self.reporting():
            self.token.check()
            outcome = self.work(self)
            if isinstance(outcome, Generator):
                outcome = self._drain(outcome)
            self.token.check()
            self._send(self._success, outcome)

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
            self._send(self.courier.crashed.emit, self.what)
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


class QueueThread(QThread):
    """Runs one job after another, in the order they were put."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._jobs: SimpleQueue[Job[Any] | None] = SimpleQueue()
        self._unfinished: deque[Job[Any]] = deque()  # the first is the one that runs, or is about to
        self._closing = False

    def put(self, job: Job[Any]) -> None:
        self._unfinished.append(job)
        self._jobs.put(job)

    def run(self) -> None:
        """Run jobs until :meth:`close`, and then those to keep."""
        while (job := self._jobs.get()) is not None:
            if job.is_kept or not self._closing:
                job.execute()
            self._unfinished.popleft()

    def cancel(self) -> None:
        """Cancel the current job, also one that the thread has yet to take."""
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
        """Cancel the current job and start no other, but for jobs to keep; returns at once."""
        self._closing = True
        if (job := self._current) and not job.is_kept:
            job.cancel()
        self._jobs.put(None)

    @property
    def _current(self) -> Job[Any] | None:
        with suppress(IndexError):
            return self._unfinished[0]
        return None


class Operations:
    """The operations on one subject, and the thread that runs them."""

    def __init__(self, workers: Workers, thread: str) -> None:
        self._workers = workers
        self.queue = QueueThread(thread)

    @property
    def _rag(self) -> RAGSystem:
        return self._workers.rag

    def _job(self, what: str, work: Work[R], *, is_kept: bool = False) -> Job[R]:
        return Job(self._workers, self.queue, what, work, is_kept=is_kept)
