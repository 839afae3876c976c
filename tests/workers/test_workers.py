"""The workers in their threads, on real parts, driven as the window drives them."""

from __future__ import annotations

import json
import shutil
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from app.config.secrets import KeyOrigin, KeyStore
from app.config.settings import Settings, load_settings, save_settings, with_environment
from app.core.rag_system import RAGSystem
from app.domain.conversations import ExchangeState
from app.domain.events import (
    AnswerDone,
    AnswerInterrupted,
    AnswerStarted,
    AnswerText,
    FileStarted,
    IngestDone,
    IngestProgress,
    SourcesFound,
)
from app.domain.messages import Message
from app.domain.scope import Scope
from app.workers import library as workers_library
from app.workers.job import Lane
from app.workers.workers import Rested, Workers
from tests.support.courses import TITLES, library, write_courses
from tests.support.scripted_turns import Gate, Text, Turn, Wait

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.domain.conversations import Exchange
    from app.domain.model_servers import ModelInfo
    from app.workers.job import Job
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.courses import KeptEmbedder

PROMPT = 20.0  # seconds on a busy machine; a fraction of one on any other


class Heard:
    """Everything the workers reported, in order."""

    def __init__(self, workers: Workers) -> None:
        self.said: list[tuple[Any, ...]] = []
        for name in ("opened", "ready", "failed", "status", "snapshot", "problem", "crashed"):
            getattr(workers, name).connect(self._listener(f"library.{name}"))
        workers.key_status.connect(self._listener("library.key_status"))
        workers.settings_saved.connect(self._listener("library.settings_saved"))

    def tell(self, *said: object) -> None:
        self.said.append(said)

    def _listener(self, name: str) -> Callable[..., None]:
        return lambda *arguments: self.said.append((name, *arguments))

    def all(self, name: str) -> list[tuple[Any, ...]]:
        return [entry[1:] for entry in self.said if entry[0] == name]

    def events(self, name: str, job: int) -> list[Any]:
        return [event for number, event in self.all(f"{name}.happened") if number == job]


class Running:
    """Workers on a library, and everything they reported."""

    def __init__(self, rag: RAGSystem, keys: KeyStore, settings_file: Path, qtbot: QtBot) -> None:
        self.workers = Workers()
        self.heard = Heard(self.workers)
        self._rag, self._keys, self._settings_file = rag, keys, settings_file
        self._qtbot = qtbot
        self.closed = False

    def until(self, condition: Callable[[], object]) -> None:
        self._qtbot.waitUntil(lambda: bool(condition()))

    def begin(self) -> None:
        self.workers.start(self._rag, self._keys, self._settings_file)

    def open(self) -> None:
        self.begin()
        self.until(lambda: self.heard.all("library.status").count((None,)) == 2)
        assert self.heard.all("library.ready")

    def run(self, name: str, number: int, operation: Job[None]) -> Job[None]:
        """Run an operation and record its events under ``number``."""
        tell = self.heard.tell
        return operation.run(
            self.workers,
            event=partial(tell, f"{name}.happened", number),
            failure=partial(tell, f"{name}.failed", number),
            finished=partial(tell, f"{name}.finished", number),
        )

    def read(self, number: int, *paths: Path) -> Job[None]:
        return self.run(
            "ingest",
            number,
            self.workers.ingest.run(lambda rag, job: rag.ingest.add_course_folder(paths, job.token)),
        )

    def begin_answer(self, number: int, question: str, conversation: int | None = None) -> Job[None]:
        return self.run("chat", number, self.workers.answers.ask(question, conversation, Scope()))

    def add(self, job: int, *paths: Path) -> None:
        self.read(job, *paths)
        self.until(lambda: (job,) in self.heard.all("ingest.finished"))

    def rested(self, job: int) -> list[bool]:
        return [event.resting for event in self.heard.events("ingest", job) if isinstance(event, Rested)]

    def ask(self, job: int, question: str, conversation: int | None = None) -> list[Any]:
        self.begin_answer(job, question, conversation)
        self.until(lambda: (job,) in self.heard.all("chat.finished"))
        return self.heard.events("chat", job)

    def close(self) -> float:
        """Close and return the seconds it took."""
        self.closed = True
        began = time.monotonic()
        self.workers.close()
        return time.monotonic() - began


@pytest.fixture
def settings_file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "settings.json"


@pytest.fixture
def start(
    data_dir: Path, embedder: KeptEmbedder, settings_file: Path, qtbot: QtBot
) -> Iterator[Callable[..., Running]]:
    started: list[Running] = []

    def start(place: Path = data_dir, settings: Settings | None = None, key: str = "") -> Running:
        keys = KeyStore({"ANTHROPIC_API_KEY": key})
        rag = RAGSystem(place, settings or Settings(), embedder)
        started.append(Running(rag, keys, settings_file, qtbot))
        return started[-1]

    yield start
    for running in started:
        if not running.closed:
            running.close()
        assert running.heard.all("library.crashed") == []


def many_files(folder: Path, number: int = 60) -> Path:
    folder.mkdir()
    for n in range(number):
        text = f"Course Title: Course {n}\n\nLesson 1: A\n" + f"Thing {n} is number {n} of all things. " * 60
        (folder / f"{n}.txt").write_text(text, encoding="utf-8")
    return folder


def exchange_of(events: list[Any]) -> Exchange:
    assert isinstance(events[-1], AnswerDone | AnswerInterrupted)
    return events[-1].exchange


class TestOpening:
    def test_shows_what_is_there_before_it_is_ready(self, start: Callable[..., Running]) -> None:
        running = start()
        running.open()
        names = [entry[0] for entry in running.heard.said]
        assert names[0] == "library.opened"
        assert (
            names.index("library.opened") < names.index("library.key_status") < names.index("library.ready")
        )
        ((snapshot,),) = running.heard.all("library.opened")
        assert [course.title for course in snapshot.courses] == TITLES
        assert snapshot.counts.courses == 3
        ((status, can_ask),) = running.heard.all("library.key_status")
        assert status.origin is KeyOrigin.NONE
        assert not can_ask

    def test_a_library_in_use_is_said(
        self,
        start: Callable[..., Running],
        data_dir: Path,
        embedder: KeptEmbedder,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(workers_library, "_PATIENCE", 0.3)
        with library(data_dir, embedder, index=False):
            running = start()
            running.begin()
            running.until(lambda: running.heard.all("library.failed"))
            ((sentence,),) = running.heard.all("library.failed")
            assert "Another Lectern" in str(sentence)
            # Later requests are refused and write nothing.
            running.read(1, data_dir)
            running.until(lambda: (1,) in running.heard.all("ingest.finished"))
            assert running.heard.all("ingest.failed")[0][0] == 1
            running.close()

    def test_a_data_directory_that_cannot_be_used(
        self, start: Callable[..., Running], tmp_path: Path
    ) -> None:
        (tmp_path / "file").touch()
        running = start(tmp_path / "file")
        running.begin()
        running.until(lambda: running.heard.all("library.failed"))
        assert "cannot be used" in str(running.heard.all("library.failed")[0][0])

    def test_the_library_is_free_again_after_closing(
        self, start: Callable[..., Running], data_dir: Path, embedder: KeptEmbedder
    ) -> None:
        running = start()
        running.open()
        assert running.close() < PROMPT
        with library(data_dir, embedder, index=False) as rag:
            assert rag.courses.counts().courses == 3

    def test_closing_before_anything_was_opened(self, start: Callable[..., Running]) -> None:
        running = start()
        assert running.close() < PROMPT
        running.begin()  # the import of the core has only just finished
        assert not running.workers.is_running
        lanes = running.workers.writing, running.workers.reading
        assert not any(thread.isRunning() for lane in lanes for thread in lane.threads)

    def test_closing_while_it_opens(
        self, start: Callable[..., Running], data_dir: Path, embedder: KeptEmbedder
    ) -> None:
        shutil.rmtree(data_dir / "chroma")
        running = start()
        running.begin()
        running.until(lambda: running.heard.all("library.opened"))
        assert running.close() < PROMPT
        with library(data_dir, embedder) as rag:
            assert rag.search.retrieve("moon").hits


class TestReading:
    def test_a_folder(self, start: Callable[..., Running], tmp_path: Path) -> None:
        running = start(tmp_path / "new")
        running.open()
        courses = write_courses(tmp_path / "courses")
        running.add(7, courses)
        events = running.heard.events("ingest", 7)
        assert isinstance(events[-1], IngestDone)
        assert {file.status.value for file in events[-1].files} == {"added"}
        assert any(isinstance(event, FileStarted | IngestProgress) for event in events)
        snapshot = running.heard.all("library.snapshot")[-1][0]
        assert [course.title for course in snapshot.courses] == TITLES
        said = [entry[0] for entry in running.heard.said]
        assert said[-2:] == ["library.snapshot", "ingest.finished"]

    def test_a_folder_that_is_gone_is_said_and_the_next_is_read(
        self, start: Callable[..., Running], tmp_path: Path
    ) -> None:
        running = start(tmp_path / "new")
        running.open()
        running.add(1, tmp_path / "gone")
        ((job, sentence),) = running.heard.all("ingest.failed")
        assert job == 1
        assert "no longer exists" in str(sentence)
        running.add(2, write_courses(tmp_path / "courses"))
        assert isinstance(running.heard.events("ingest", 2)[-1], IngestDone)

    def test_cancel_keeps_what_is_done(self, start: Callable[..., Running], tmp_path: Path) -> None:
        running = start(tmp_path / "new")
        running.open()
        running.read(1, many_files(tmp_path / "many"))
        running.until(lambda: len(running.heard.events("ingest", 1)) > 3)
        running.workers.writing.cancel()
        running.until(lambda: (1,) in running.heard.all("ingest.finished"))
        assert not any(isinstance(event, IngestDone) for event in running.heard.events("ingest", 1))
        assert running.heard.all("ingest.failed") == []
        snapshot = running.heard.all("library.snapshot")[-1][0]
        assert 0 < snapshot.counts.documents < 60
        running.add(2, write_courses(tmp_path / "courses"))
        assert running.heard.events("ingest", 2)[-1].counts.documents == snapshot.counts.documents + 3

    def test_a_pause_holds_reading_and_nothing_else(
        self, start: Callable[..., Running], tmp_path: Path, data_dir: Path
    ) -> None:
        running = start()
        running.open()
        running.read(1, many_files(tmp_path / "many", 15))
        running.until(lambda: running.heard.events("ingest", 1))
        running.workers.writing.pause()
        running.until(lambda: running.rested(1) == [True])
        held = running.heard.all("library.snapshot")[-1][0].counts
        shown, snapshots = len(running.heard.events("ingest", 1)), len(running.heard.all("library.snapshot"))
        exchange = exchange_of(running.ask(2, "When do spring tides come?"))
        assert exchange.sources
        running.workers.library.change(
            "Removing", lambda rag, token: rag.courses.remove_courses([TITLES[0]], token)
        ).run(running.workers)
        running.until(lambda: len(running.heard.all("library.snapshot")) > snapshots)
        assert running.heard.all("library.snapshot")[-1][0].counts.documents == held.documents - 1
        assert len(running.heard.events("ingest", 1)) == shown
        running.workers.writing.resume()
        running.until(lambda: (1,) in running.heard.all("ingest.finished"))
        assert running.rested(1) == [True, False]
        done = running.heard.events("ingest", 1)[-1]
        assert isinstance(done, IngestDone)
        assert done.counts.documents == 17

    @pytest.mark.slow
    def test_time_left_does_not_count_a_pause(
        self, start: Callable[..., Running], tmp_path: Path, qtbot: QtBot
    ) -> None:
        running = start(tmp_path / "new")
        running.open()
        began = time.monotonic()
        running.read(1, many_files(tmp_path / "many", 12))
        running.until(lambda: running.heard.events("ingest", 1))
        running.workers.writing.pause()
        running.until(lambda: running.rested(1))
        paused = time.monotonic()
        qtbot.wait(500)  # the pause, which must not count
        running.workers.writing.resume()
        pause = time.monotonic() - paused
        running.until(lambda: (1,) in running.heard.all("ingest.finished"))
        done = running.heard.events("ingest", 1)[-1]
        assert done.seconds <= time.monotonic() - began - pause + 0.1

    @pytest.mark.parametrize("way", ["cancel", "close"])
    def test_a_paused_job_ends_at_once(
        self, start: Callable[..., Running], tmp_path: Path, way: str, embedder: KeptEmbedder
    ) -> None:
        running = start(tmp_path / "new")
        running.open()
        running.read(1, many_files(tmp_path / "many"))
        running.until(lambda: len(running.heard.events("ingest", 1)) > 2)
        running.workers.writing.pause()
        running.until(lambda: running.rested(1))
        if way == "close":
            assert running.close() < PROMPT
        else:
            running.workers.writing.cancel()
            running.until(lambda: (1,) in running.heard.all("ingest.finished"))
            assert not any(isinstance(event, IngestDone) for event in running.heard.events("ingest", 1))
            running.close()
        with library(tmp_path / "new", embedder) as rag:
            assert 0 < rag.courses.counts().documents < 60

    def test_closing_in_the_middle_does_not_wait_for_the_rest(
        self, start: Callable[..., Running], tmp_path: Path, embedder: KeptEmbedder
    ) -> None:
        running = start(tmp_path / "new")
        running.open()
        running.read(1, many_files(tmp_path / "many"))
        running.read(2, write_courses(tmp_path / "courses"))
        running.until(lambda: len(running.heard.events("ingest", 1)) > 3)
        assert running.close() < PROMPT
        assert running.heard.events("ingest", 2) == []
        with library(tmp_path / "new", embedder) as rag:
            assert 0 < rag.courses.counts().documents < 60
            assert rag.index.chroma.count() == rag.courses.counts().passages

    def test_reading_runs_beside_a_question(self, start: Callable[..., Running], tmp_path: Path) -> None:
        running = start()
        running.open()
        running.read(1, many_files(tmp_path / "many"))
        running.until(lambda: running.heard.events("ingest", 1))
        exchange = exchange_of(running.ask(2, "what is a sourdough starter?"))
        assert exchange.sources[0].hit.course_title == "Bread Baking at Home"
        assert (1,) not in running.heard.all("ingest.finished")

    def test_removing_a_course(self, start: Callable[..., Running]) -> None:
        running = start()
        running.open()
        running.workers.library.change(
            "Removing", lambda rag, token: rag.courses.remove_courses([TITLES[0]], token)
        ).run(running.workers)
        running.until(lambda: running.heard.all("library.snapshot"))
        ((snapshot,),) = running.heard.all("library.snapshot")
        assert [course.title for course in snapshot.courses] == TITLES[1:]


class TestAsking:
    def test_without_a_key_the_passages_answer(self, start: Callable[..., Running]) -> None:
        running = start()
        running.open()
        events = running.ask(1, "what is a sourdough starter?")
        assert isinstance(events[0], AnswerStarted)
        assert any(isinstance(event, SourcesFound) for event in events)
        exchange = exchange_of(events)
        assert (exchange.state, exchange.model) == (ExchangeState.DONE, None)

    def test_with_a_model_and_in_the_same_conversation(
        self, start: Callable[..., Running], server: AnthropicServer
    ) -> None:
        running = start(settings=Settings(base_url=server.url), key=server.key)
        running.open()
        assert running.heard.all("library.key_status")[0][1]
        server.script(Turn(Text("First answer.")), Turn(Text("Second answer.")))
        events = running.ask(1, "First?")
        assert exchange_of(events).answer == "First answer."
        conversation = events[0].conversation_id
        assert exchange_of(running.ask(2, "Second?", conversation)).parent_id == exchange_of(events).id
        sent = json.dumps(server.requests[-1].body)
        assert "First answer." in sent

    def test_stop_keeps_what_came(self, start: Callable[..., Running], server: AnthropicServer) -> None:
        running = start(settings=Settings(base_url=server.url), key=server.key)
        running.open()
        gate = Gate()
        server.script(Turn(Text("Half an", Wait(gate), " answer.")), Turn(Text("Whole.")))
        answer = running.begin_answer(1, "x")
        running.until(lambda: any(isinstance(event, AnswerText) for event in running.heard.events("chat", 1)))
        answer.cancel()
        running.until(lambda: (1,) in running.heard.all("chat.finished"))
        exchange = exchange_of(running.heard.events("chat", 1))
        assert exchange.state is ExchangeState.STOPPED
        assert exchange.answer.startswith("Half")
        assert exchange_of(running.ask(2, "y")).answer == "Whole."

    def test_stopping_at_once_still_ends_the_job(
        self, start: Callable[..., Running], server: AnthropicServer
    ) -> None:
        running = start(settings=Settings(base_url=server.url), key=server.key)
        running.open()
        for job in range(1, 6):
            running.begin_answer(job, "x").cancel()
        running.until(lambda: len(running.heard.all("chat.finished")) == 5)
        assert exchange_of(running.ask(6, "what is a sourdough starter?")).state is ExchangeState.DONE

    def test_a_failure_is_the_last_event(
        self, start: Callable[..., Running], server: AnthropicServer
    ) -> None:
        running = start(settings=Settings(base_url=server.url), key="wrong")
        running.open()
        events = running.ask(1, "x")
        assert isinstance(events[-1], AnswerInterrupted)
        assert events[-1].exchange.error == Message("answers.key_refused")

    def test_closing_in_the_middle_saves_what_came(
        self, start: Callable[..., Running], server: AnthropicServer, data_dir: Path, embedder: KeptEmbedder
    ) -> None:
        running = start(settings=Settings(base_url=server.url), key=server.key)
        running.open()
        server.script(Turn(Text("Half an", Wait(Gate()), " answer.")))
        running.begin_answer(1, "x")
        running.until(lambda: any(isinstance(event, AnswerText) for event in running.heard.events("chat", 1)))
        assert running.close() < PROMPT
        with library(data_dir, embedder, index=False) as rag:
            (conversation,) = rag.conversations.all()
            (exchange,) = rag.conversations.exchanges(conversation.id)
        assert (exchange.state, exchange.answer.startswith("Half")) == (ExchangeState.STOPPED, True)

    def test_requests_of_one_key_wait_for_each_other_and_no_answer_for_them(
        self, start: Callable[..., Running]
    ) -> None:
        running, done = start(), list[str]()
        running.open()
        began, go_on = threading.Event(), threading.Event()

        def first(_: RAGSystem, job: Job[None]) -> None:
            began.set()
            go_on.wait(60)
            done.append("first")
            job.token.check()

        def put(function: Callable[[RAGSystem, Any], None], ends: str) -> Job[None]:
            job: Job[None] = running.workers.job(Lane.NETWORK, "Asking a server", function, key="server")
            return job.run(running.workers, finished=lambda: done.append(ends))

        asking = put(first, "first ended")
        put(lambda *_: done.append("second"), "second ended")
        running.until(began.is_set)
        assert exchange_of(running.ask(1, "moon")).sources
        asking.cancel()  # which its thread has yet to notice
        assert exchange_of(running.ask(2, "moon")).sources
        assert done == []
        go_on.set()
        running.until(lambda: "second ended" in done)
        assert done == ["first", "second", "first ended", "second ended"] or done == [
            "first",
            "first ended",
            "second",
            "second ended",
        ]

    def test_no_thread_is_left(self, start: Callable[..., Running]) -> None:
        before = set(threading.enumerate())
        running = start()
        running.open()
        running.ask(1, "moon")
        running.close()
        assert running.workers.chat is not None
        lanes = (*running.workers.writing.threads, *running.workers.reading.threads, running.workers.chat)
        assert all(thread.isFinished() for thread in lanes)
        left = [thread for thread in set(threading.enumerate()) - before if "asyncio" in thread.name]
        assert left == []


class TestSettings:
    def save(
        self, running: Running, settings: Settings, key: str | None = None, *, remove: bool = False
    ) -> tuple[Settings, bool]:
        before = len(running.heard.all("library.settings_saved"))
        running.workers.library.save_settings(settings, key, remove).run(running.workers)
        running.until(lambda: len(running.heard.all("library.settings_saved")) > before)
        saved, must_cut = running.heard.all("library.settings_saved")[-1]
        return saved, must_cut

    def test_take_effect_at_once(self, start: Callable[..., Running], settings_file: Path) -> None:
        running = start()
        running.open()
        wanted = Settings(passages_per_search=1)
        assert self.save(running, wanted) == (wanted, False)
        assert load_settings(settings_file) == wanted
        assert len(exchange_of(running.ask(1, "water")).sources) == 1

    def test_other_chunks_are_cut_when_that_is_asked_for(self, start: Callable[..., Running]) -> None:
        running = start()
        running.open()
        _, must_cut = self.save(running, Settings(chunk_size=200, chunk_overlap=0))
        assert must_cut
        running.run("ingest", 3, running.workers.ingest.reindex())
        running.until(lambda: (3,) in running.heard.all("ingest.finished"))
        assert isinstance(running.heard.events("ingest", 3)[-1], IngestDone)
        _, must_cut = self.save(running, Settings(chunk_size=200, chunk_overlap=0))
        assert not must_cut

    def test_a_key_is_used_and_never_written(
        self, start: Callable[..., Running], server: AnthropicServer, settings_file: Path, data_dir: Path
    ) -> None:
        running = start(settings=Settings(base_url=server.url))
        running.open()
        self.save(running, Settings(base_url=server.url), server.key)
        status, can_ask = running.heard.all("library.key_status")[-1]
        assert (status.origin, can_ask) == (KeyOrigin.SESSION, True)
        server.script(Turn(Text("With a key.")))
        assert exchange_of(running.ask(1, "x")).answer == "With a key."
        found: list[tuple[ModelInfo, ...]] = []
        running.workers.answers.list_models().run(running.workers, success=found.append)
        running.until(lambda: found)
        assert found[0][0].id in {model.id for model in server.models}
        self.save(running, Settings(base_url=server.url), remove=True)
        assert running.heard.all("library.key_status")[-1][0].origin is KeyOrigin.NONE
        running.close()
        for path in (settings_file, *data_dir.glob("*.sqlite3*")):
            assert server.key.encode() not in path.read_bytes()

    def test_a_key_goes_to_no_server_that_another_program_has_chosen_meanwhile(
        self, start: Callable[..., Running], settings_file: Path
    ) -> None:
        running = start()
        running.open()
        elsewhere = Settings(base_url="https://elsewhere.example")
        save_settings(elsewhere, settings_file)
        saving = running.workers.library.save_settings(Settings(), "sk-mine", before=Settings())
        saving.run(running.workers)
        running.until(lambda: running.heard.all("library.settings_saved") == [(elsewhere, False)])
        assert running.workers.keys.read()[0] == "sk-mine"
        assert running.workers.keys.read(elsewhere.base_url)[0] is None

    def test_a_key_is_stored_for_the_server_that_the_environment_sets(
        self, start: Callable[..., Running], server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        running = start(settings=with_environment(Settings()))
        running.open()
        self.save(running, Settings(), server.key)
        assert running.heard.all("library.key_status")[-1][0].origin is KeyOrigin.SESSION
        server.script(Turn(Text("With a key.")))
        assert exchange_of(running.ask(1, "x")).answer == "With a key."

    def test_an_unwritable_settings_file_is_reported(
        self, start: Callable[..., Running], settings_file: Path
    ) -> None:
        settings_file.parent.parent.mkdir(exist_ok=True)
        settings_file.parent.write_text("in the way", encoding="utf-8")
        running = start()
        running.open()
        running.workers.library.save_settings(Settings()).run(running.workers)
        running.until(lambda: running.heard.all("library.problem"))
        ((sentence,),) = running.heard.all("library.problem")
        assert str(settings_file) in str(sentence)


class TestWhatFails:
    """Expected failures reach the caller as a sentence, or the log where nobody waits for them."""

    def export(self, running: Running, conversation_id: int, path: Path) -> str:
        said: list[object] = []
        exporting = running.workers.conversations.export(conversation_id, 0, path, None)
        exporting.run(running.workers, success=said.append, failure=said.append)
        running.until(lambda: said)
        return str(said[0])

    def test_a_chat_deleted_meanwhile_is_not_exported(
        self, start: Callable[..., Running], tmp_path: Path
    ) -> None:
        running = start()
        running.open()
        assert self.export(running, 99, tmp_path / "chat.md") == "This chat was deleted."
        assert not (tmp_path / "chat.md").exists()

    def test_an_export_that_cannot_be_written_leaves_nothing_behind(
        self, start: Callable[..., Running], tmp_path: Path
    ) -> None:
        running = start()
        running.open()
        chat = running.ask(1, "moon")[0].conversation_id
        (tmp_path / "out" / "chat.md").mkdir(parents=True)
        assert "could not be written" in self.export(running, chat, tmp_path / "out" / "chat.md")
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["chat.md"]
        written = tmp_path / "chat.md"
        assert self.export(running, chat, written) == str(written)
        assert written.read_text(encoding="utf-8").startswith("# ")

    def test_a_server_that_cannot_be_reached_has_no_models(self, start: Callable[..., Running]) -> None:
        running = start(settings=Settings(base_url="http://127.0.0.1:1"), key="any")
        running.open()
        found: list[tuple[ModelInfo, ...]] = []
        running.workers.answers.list_models().run(running.workers, success=found.append)
        running.until(lambda: found)
        assert found == [()]

    def test_a_closed_library_has_no_watched_folders_and_no_costs(
        self, start: Callable[..., Running], caplog: pytest.LogCaptureFixture
    ) -> None:
        running = start()
        running.open()
        rag = running.workers.rag
        running.until(lambda: rag.backups.all())  # nothing else uses it then
        rag.close()
        ended: list[bool] = []
        running.workers.library.watch(True).run(running.workers)
        spending = running.workers.answers.tell_spending()
        spending.run(running.workers, finished=lambda: ended.append(True))
        running.until(lambda: ended and "watched folders cannot be listed" in caplog.text)
        assert "spending cannot be read" in caplog.text
        assert running.heard.all("library.problem") == []
