"""Operations: which callback runs, in which thread, and until when."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QObject

from app.domain.cancel import Cancelled
from app.domain.errors import UserError
from app.workers.job import Courier, Job, QueueThread

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from pytestqt.qtbot import QtBot


class Office:
    """A queue, and everything its jobs reported."""

    def __init__(self, qtbot: QtBot) -> None:
        self.courier = Courier()
        self.courier.is_running = True
        self.courier.problem.connect(lambda message: self.told.append(f"problem: {message}"))
        self.courier.crashed.connect(lambda what: self.told.append(f"crashed: {what}"))
        self.queue = QueueThread("test")
        self.queue.start()
        self.told: list[object] = []
        self.threads: set[int] = set()
        self.owner = QObject()
        self._qtbot = qtbot

    def run(self, work: Callable[[Job[object]], object]) -> Job[object]:
        operation: Job[object] = Job(self.courier, self.queue, "Testing", work)
        return operation.run(self.owner, success=self.tell, event=self.tell, finished=self.finished)

    def tell(self, what: object) -> None:
        self.told.append(what)
        self.threads.add(threading.get_ident())

    def finished(self) -> None:
        self.tell("finished")

    def wait_for_end(self) -> None:
        """Wait for another job, which reports after all earlier ones."""
        last = object()
        Job(self.courier, self.queue, "Ending", lambda _: last).run(self.courier, success=self.tell)
        self._qtbot.waitUntil(lambda: last in self.told)
        self.told.remove(last)


@pytest.fixture
def office(qtbot: QtBot) -> Iterator[Office]:
    office = Office(qtbot)
    yield office
    office.queue.close()
    office.queue.wait()


def steps(job: Job[object]) -> Generator[object, None, object]:
    yield "one"
    yield "two"
    return "result"


def test_events_come_first_then_the_result_in_the_window_s_thread(office: Office) -> None:
    office.run(steps)
    office.wait_for_end()
    assert office.told == ["one", "two", "result", "finished"]
    assert office.threads == {threading.get_ident()}


def test_an_expected_error_is_a_message_and_any_other_a_crash(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: Job[object]) -> object:
        raise UserError("The file is gone.")

    def fail(_: Job[object]) -> object:
        raise ZeroDivisionError

    office.run(refuse)
    office.run(fail)
    office.wait_for_end()
    assert office.told == ["problem: The file is gone.", "finished", "crashed: Testing", "finished"]
    assert "Testing failed." in caplog.text


def test_a_cancelled_job_reports_only_its_end(office: Office) -> None:
    began, go_on = threading.Event(), threading.Event()

    def work(job: Job[object]) -> object:
        began.set()
        go_on.wait(60)
        return "too late"

    def stop(_: Job[object]) -> object:
        raise Cancelled

    job = office.run(work)
    began.wait(60)
    job.cancel()
    go_on.set()
    office.run(stop)
    office.wait_for_end()
    assert office.told == ["finished", "finished"]


def test_a_job_is_cancelled_that_the_thread_has_yet_to_take(qtbot: QtBot) -> None:
    queue, told = QueueThread("test"), list[object]()
    courier = Courier()
    courier.is_running = True
    waiting: Job[object] = Job(courier, queue, "Testing", lambda _: "done")
    waiting.run(courier, success=told.append, finished=lambda: told.append("finished"))
    queue.cancel()
    queue.start()
    qtbot.waitUntil(lambda: "finished" in told)
    queue.close()
    queue.wait()
    assert told == ["finished"]


def test_a_dropped_job_reports_nothing_not_even_queued_events(office: Office) -> None:
    done = threading.Event()

    def work(_: Job[object]) -> object:
        done.set()
        return "on its way"

    job = office.run(work)
    done.wait(60)
    job.drop()
    office.wait_for_end()
    assert office.told == []


def test_nothing_is_reported_once_the_owner_is_gone(office: Office) -> None:
    owner = QObject()
    operation: Job[object] = Job(office.courier, office.queue, "Testing", steps)
    operation.run(owner, success=office.tell, event=office.tell, finished=office.finished)
    shiboken6.delete(owner)
    office.wait_for_end()
    assert office.told == []


def test_nothing_starts_and_nothing_is_reported_after_the_end(office: Office, qtbot: QtBot) -> None:
    office.run(steps)
    office.courier.is_running = False
    office.run(steps)
    office.queue.close()
    office.queue.wait()
    qtbot.wait(10)
    assert office.told == []


def test_a_closing_queue_cancels_the_current_job(office: Office) -> None:
    began = threading.Event()

    def work(job: Job[object]) -> Generator[object, None, object]:
        began.set()
        job.token.pause()
        yield "resting"
        job.token.rest()
        job.token.check()
        return "too late"

    office.run(work)
    began.wait(60)
    office.queue.close()
    assert office.queue.wait(60_000)


def test_a_closing_queue_does_what_is_to_be_kept_and_nothing_else(office: Office) -> None:
    began, closed, done = threading.Event(), threading.Event(), list[str]()

    def work(job: Job[object]) -> object:
        began.set()
        closed.wait(10)
        job.token.check()
        done.append("current")
        return None

    Job(office.courier, office.queue, "Testing", work, is_kept=True).run(office.owner)
    office.run(lambda _: done.append("read"))
    Job(office.courier, office.queue, "Testing", lambda _: done.append("kept"), is_kept=True).run(
        office.owner
    )
    began.wait(60)
    office.queue.close()
    closed.set()
    assert office.queue.wait(60_000)
    assert done == ["current", "kept"]
