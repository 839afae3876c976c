"""Operations: which callback runs, in which thread, and until when."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QObject

from app.domain.cancel import Cancelled
from app.domain.errors import UserError
from app.workers.job import Courier, Job, JobThreads

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from pytestqt.qtbot import QtBot


class Office:
    """A lane of one thread, and everything its jobs reported."""

    def __init__(self, qtbot: QtBot) -> None:
        self.courier = Courier()
        self.courier.is_running = True
        self.courier.problem.connect(lambda message: self.told.append(f"problem: {message}"))
        self.courier.crashed.connect(lambda: self.told.append("crashed"))
        self.queue = JobThreads("test")
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
    assert office.told == ["problem: The file is gone.", "finished", "crashed", "finished"]
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
    queue, told = JobThreads("test"), list[object]()
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
    office.queue.wait()


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
    office.queue.wait()
    assert done == ["current", "kept"]


class Steps:
    """Jobs of a lane that wait to be told to end, and the order in which they began and ended."""

    def __init__(self, threads: int) -> None:
        self.courier = Courier()
        self.courier.is_running = True
        self.lane = JobThreads("test", threads)
        self.done: list[str] = []
        self._may_end: dict[str, threading.Event] = {}
        self._began: dict[str, threading.Event] = {}

    def put(self, name: str, *, key: str = "", newest: bool = False, background: bool = False) -> Job[None]:
        self._began[name], self._may_end[name] = threading.Event(), threading.Event()

        def work(job: Job[None]) -> None:
            self._began[name].set()
            while not self._may_end[name].wait(0.01):
                job.token.check()
            self.done.append(name)

        job = Job(self.courier, self.lane, name, work, key=key, newest=newest, background=background)
        return job.run(self.courier)

    def await_start(self, name: str) -> None:
        assert self._began[name].wait(60)

    def has_begun(self, name: str) -> bool:
        return self._began[name].is_set()

    def end(self, *names: str) -> None:
        for name in names:
            self._may_end[name].set()

    def close(self) -> None:
        for name in self._may_end:
            self.end(name)
        self.lane.close()
        self.lane.wait()


@pytest.fixture
def lane_of(qapp: object) -> Iterator[Callable[[int], Steps]]:
    made: list[Steps] = []

    def make(threads: int) -> Steps:
        made.append(Steps(threads))
        made[-1].lane.start()
        return made[-1]

    yield make
    for steps in made:
        steps.close()


def test_jobs_of_one_key_run_in_order_and_others_beside_them(lane_of: Callable[[int], Steps]) -> None:
    steps = lane_of(4)
    for name in ("first", "second", "third"):
        steps.put(name, key="pages")
    steps.put("other", key="chats")
    steps.put("free")
    for name in ("first", "other", "free"):
        steps.await_start(name)
    assert not steps.has_begun("second")
    steps.end("first")
    steps.await_start("second")
    assert not steps.has_begun("third")
    steps.end("second")
    steps.await_start("third")
    assert steps.done == ["first", "second"]


def test_one_kind_of_long_jobs_leaves_threads_to_the_others(lane_of: Callable[[int], Steps]) -> None:
    steps = lane_of(4)
    for n in range(8):
        steps.put(f"export {n}", key="long")
    steps.put("chat")
    steps.await_start("chat")


def test_a_newer_job_replaces_one_that_waits_but_not_one_that_runs(
    lane_of: Callable[[int], Steps], qtbot: QtBot
) -> None:
    steps, ended = lane_of(1), list[str]()
    steps.put("running", key="search", newest=True)
    steps.await_start("running")
    steps.put("another", key="search")
    old = Job[object](
        steps.courier, steps.lane, "old", lambda _: ended.append("worked"), key="search", newest=True
    )
    old.run(steps.courier, success=lambda _: ended.append("shown"), finished=lambda: ended.append("finished"))
    steps.put("new", key="search", newest=True)
    qtbot.waitUntil(lambda: ended == ["finished"])
    steps.end("running", "another", "new")
    qtbot.waitUntil(lambda: len(steps.done) == 3)
    assert steps.done == ["running", "another", "new"]


def test_work_in_the_background_gives_way_to_a_job_and_waits_for_the_others(
    lane_of: Callable[[int], Steps], qtbot: QtBot
) -> None:
    steps = lane_of(1)
    steps.put("backup", background=True)
    steps.await_start("backup")
    steps.put("check", background=True)
    assert not steps.has_begun("check"), "one in the background does not end another"
    steps.put("reading")  # ends the backup, and goes before the check
    steps.await_start("reading")
    steps.put("more reading")
    steps.end("reading", "more reading", "check")
    qtbot.waitUntil(lambda: len(steps.done) == 3)
    assert steps.done == ["reading", "more reading", "check"]


def test_stop_and_pause_concern_the_job_of_the_user(lane_of: Callable[[int], Steps]) -> None:
    steps = lane_of(1)
    steps.put("backup", background=True)
    steps.await_start("backup")
    reading = steps.put("reading")
    steps.lane.pause()
    assert reading.token.paused
    steps.lane.resume()
    assert not reading.token.paused
    steps.lane.cancel()
    assert reading.token.cancelled


def test_stop_hits_the_job_that_runs_while_many_threads_add_others(lane_of: Callable[[int], Steps]) -> None:
    steps = lane_of(1)
    first = steps.put("first")
    steps.await_start("first")
    adding = [
        threading.Thread(target=lambda n=n: [steps.put(f"{n} {i}") for i in range(50)]) for n in range(8)
    ]
    for thread in adding:
        thread.start()
    steps.lane.cancel()
    for thread in adding:
        thread.join()
    assert first.token.cancelled
    for n in range(8):
        steps.end(*(f"{n} {i}" for i in range(50)))
