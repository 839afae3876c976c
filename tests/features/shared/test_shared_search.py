"""Searching a library on a real Chroma server together with the own one, or instead of it."""

from __future__ import annotations

import asyncio
import shutil
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.base import ModelSettings
from app.core.search import remote
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import ExchangeState
from app.domain.events import AnswerDone
from app.domain.scope import Scope
from app.features.shared.model import PublishProgress
from tests.support.chroma_server import ChromaProxy, Fault
from tests.support.class_library import libraries_of, publishing_of
from tests.support.courses import TITLES, ingest, library
from tests.support.publishing import publish
from tests.support.scripted_turns import Cite, Text, ToolUse, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.conversations import Exchange
    from app.domain.search import SearchResults
    from app.domain.shared import ServerAddress
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.chroma_server import ChromaServer
    from tests.support.courses import KeptEmbedder

QUESTIONS = (
    "Why are there two high tides a day?",
    "How do I feed a sourdough starter?",
    "lunar gravity and water levels",
    "What makes iron gall ink dark?",
)
VALVES = """\
Course Title: Valves

Lesson 1: Sizes
A valve in the harbour is a hand wide and closes when spring tides follow the full moon.

Lesson 2: Codes
The valve of the eastern quay is a QZ8841. It was made in the Jahrhundertwerft.

Lesson 3: Hände und Häuser
Die Ventile in den Häusern am Hafen schließen von selbst, und die Fischer öffnen sie mit den Händen.
"""


@pytest.fixture(scope="module")
def address(
    chroma_server: ChromaServer,
    stored_courses: tuple[Path, Path],
    tmp_path_factory: pytest.TempPathFactory,
    embedder: KeptEmbedder,
) -> ServerAddress:
    """A database with the three tiny courses."""
    found = chroma_server.new_database()
    # A library that publishes takes a name by which servers know it, which its copies would have, too.
    place = shutil.copytree(stored_courses[1], tmp_path_factory.mktemp("published") / "library")
    with library(place, embedder, index=False) as teacher:
        publish(teacher, found)
    return found


@pytest.fixture
def teacher(data_dir: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """The library that was published."""
    with library(data_dir, embedder, index=False) as opened:
        yield opened


@contextmanager
def reader(place: Path, embedder: KeptEmbedder, address: ServerAddress) -> Iterator[RAGSystem]:
    """A library without a file that is subscribed to what was published."""
    with library(place / "reader", embedder, index=False) as opened:
        libraries_of(opened).subscribe(address)
        yield opened


@pytest.fixture
def student(tmp_path: Path, embedder: KeptEmbedder, address: ServerAddress) -> Iterator[RAGSystem]:
    with reader(tmp_path, embedder, address) as opened:
        yield opened


@pytest.fixture
def proxy(address: ServerAddress) -> Iterator[ChromaProxy]:
    with ChromaProxy(address.url) as running:
        yield running


@pytest.fixture
def behind(
    tmp_path: Path, embedder: KeptEmbedder, address: ServerAddress, proxy: ChromaProxy
) -> Iterator[RAGSystem]:
    """A student with a course of the own, and a server that can fail."""
    with reader(tmp_path, embedder, proxy.address_of(address)) as opened:
        add(opened, tmp_path)
        yield opened


def add(rag: RAGSystem, tmp_path: Path) -> None:
    path = tmp_path / "valves.txt"
    path.write_text(VALVES, encoding="utf-8")
    ingest(rag, path)


def told(results: SearchResults) -> list[tuple[str, int | None, str, str | None]]:
    """Return what does not depend on where a library is."""
    return [(hit.course_title, hit.lesson_number, hit.text, hit.link) for hit in results.hits]


def courses(results: SearchResults) -> set[str]:
    return {hit.course_title for hit in results.hits}


@pytest.mark.parametrize("question", QUESTIONS)
def test_it_finds_what_the_library_finds_that_was_published(
    teacher: RAGSystem, student: RAGSystem, question: str
) -> None:
    here, there = teacher.search.retrieve(question, limit=5), student.search.retrieve(question, limit=5)
    assert told(there)[:2] == told(here)[:2]
    assert sorted(told(there)) == sorted(told(here))
    assert (there.covered, there.missing, there.taught) == (here.covered, here.missing, here.taught)
    assert [hit.anchor for hit in there.hits] == [hit.anchor for hit in here.hits]


def test_hits_name_the_server_and_no_file(student: RAGSystem, address: ServerAddress) -> None:
    hit = student.search.retrieve(QUESTIONS[0]).hits[0]
    assert hit.document_id < 0
    assert hit.path == f"{address.host}/tides.txt"


def test_both_libraries_are_ranked_together(behind: RAGSystem) -> None:
    found = behind.search.retrieve("When do spring tides follow?", limit=10)
    assert {"Valves", "Tides and Currents"} <= courses(found)
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    assert [hit.rank for hit in found.hits] == list(range(1, len(scores) + 1))


@pytest.mark.parametrize(
    "scope",
    [
        Scope(courses=("Tides and Currents", "Bread Baking at Home")),
        Scope(lessons=(("Bread Baking at Home", 1), ("Bread Baking at Home", 0))),
        Scope(lessons=(("Bread Baking at Home", 2), ("Tides and Currents", 2))),
        Scope(up_to=(("Bread Baking at Home", 0), ("Tides and Currents", 1))),
        Scope(courses=("A Short History of Ink",), lessons=(("Tides and Currents", None),)),
        Scope(courses=("Valves",)),
    ],
)
def test_a_scope_lets_pass_what_it_lets_pass_in_an_own_library(
    teacher: RAGSystem, student: RAGSystem, scope: Scope
) -> None:
    question = "How does the moon raise a sourdough of ink?"
    here = teacher.search.retrieve(question, scope=scope, limit=20)
    there = student.search.retrieve(question, scope=scope, limit=20)
    assert sorted(told(there)) == sorted(told(here))


def test_a_course_and_a_lesson_can_be_named(student: RAGSystem) -> None:
    found = student.search.retrieve("what is fed", "bread", 1)
    assert {(hit.course_title, hit.lesson_number) for hit in found.hits} == {("Bread Baking at Home", 1)}
    assert found.course_title == "Bread Baking at Home"


def test_words_that_stand_on_the_server_alone_are_not_missing(teacher: RAGSystem, behind: RAGSystem) -> None:
    assert behind.search.retrieve("vitriol and QZ8841").missing == ()
    assert behind.search.retrieve("vitriol and photosynthesis").missing == ("photosynthesis",)
    assert teacher.search.retrieve("vitriol and QZ8841").missing == ("QZ8841",)


def test_a_word_of_another_lesson_is_missing_where_it_is_not_searched(
    teacher: RAGSystem, student: RAGSystem
) -> None:
    scope = Scope(lessons=(("Bread Baking at Home", 2),))
    question = "Does the dough proof in the flour?"
    assert teacher.search.retrieve(question, scope=scope).missing == ("flour",)
    assert student.search.retrieve(question, scope=scope).missing == ("flour",)


def test_misspelt_words_are_looked_up_in_the_words_of_the_server(student: RAGSystem) -> None:
    found = student.search.retrieve("vitrol")
    assert (found.hits[0].course_title, found.missing) == ("A Short History of Ink", ())


def test_other_forms_of_german_words_are_found(
    tmp_path: Path, embedder: KeptEmbedder, chroma_database: ServerAddress
) -> None:
    with library(tmp_path / "teacher", embedder, index=False) as teacher:
        add(teacher, tmp_path)
        publish(teacher, chroma_database)
    with reader(tmp_path, embedder, chroma_database) as student:
        found = student.search.retrieve("Womit öffnet der Fischer das Ventil in einem Haus?")
        assert found.hits[0].lesson_number == 3


def test_what_is_republished_is_found_without_asking_for_it(
    tmp_path: Path, embedder: KeptEmbedder, chroma_database: ServerAddress
) -> None:
    with library(tmp_path / "teacher", embedder, index=False) as teacher:
        add(teacher, tmp_path)
        publish(teacher, chroma_database)
        with reader(tmp_path, embedder, chroma_database) as student:
            assert student.search.retrieve("QZ8841").missing == ()
            changed = VALVES.replace("QZ8841", "RK1200").replace("a hand wide", "as wide as a barrel")
            (tmp_path / "valves.txt").write_text(changed, encoding="utf-8")
            ingest(teacher, tmp_path / "valves.txt")
            publish(teacher, chroma_database)
            forget_age(student)
            found = student.search.retrieve("How wide is a valve?", limit=20)
            assert "as wide as a barrel" in found.hits[0].text
            assert not any("a hand wide" in hit.text for hit in found.hits)


@pytest.mark.slow
def test_what_is_republished_just_after_the_catalogue_was_fetched_is_found_soon(
    tmp_path: Path, embedder: KeptEmbedder, chroma_database: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    with library(tmp_path / "teacher", embedder, index=False) as teacher:
        add(teacher, tmp_path)
        publish(teacher, chroma_database)
        with reader(tmp_path, embedder, chroma_database) as student:
            changed = VALVES.replace("a hand wide", "as wide as a barrel")
            (tmp_path / "valves.txt").write_text(changed, encoding="utf-8")
            ingest(teacher, tmp_path / "valves.txt")
            publish(teacher, chroma_database)
            monkeypatch.setattr("app.features.shared.subscription._FRESH", 3600.0)
            assert not student.search.retrieve("How wide is a valve?", limit=20).hits
            monkeypatch.setattr("app.features.shared.subscription._FRESH", 0.0)
            found = student.search.retrieve("How wide is a valve?", limit=20)
            assert "as wide as a barrel" in found.hits[0].text


def forget_age(rag: RAGSystem) -> None:
    """Let the catalogues be fetched again as if they were old."""
    for searchable in libraries_of(rag).known():
        searchable.subscription.checked -= 3600


# A server that fails


@pytest.mark.slow
def test_a_server_that_is_killed_costs_a_sentence_until_it_is_back(
    behind: RAGSystem, proxy: ChromaProxy
) -> None:
    question = "When do spring tides follow?"
    assert "Tides and Currents" in courses(behind.search.retrieve(question))
    proxy.fault = Fault(status=503)
    found = behind.search.retrieve(question)
    assert courses(found) == {"Valves"}
    host = proxy.url.removeprefix("http://")
    assert str(found.message) == (
        f"The courses on {host} were not searched. {host} failed (error 503). Try again later."
    )
    again = behind.search.retrieve(question)
    assert (again.message, told(again)) == (found.message, told(found))
    proxy.fault = None
    back = behind.search.retrieve(question)
    assert back.message is None
    assert "Tides and Currents" in courses(back)


def test_a_server_that_refuses_costs_a_sentence_in_each_search(behind: RAGSystem, proxy: ChromaProxy) -> None:
    proxy.token = "sesame"
    for _ in libraries_of(behind).refresh():
        pass
    for _ in range(2):
        found = behind.search.retrieve("When do spring tides follow?")
        assert courses(found) == {"Valves"}
        host = proxy.url.removeprefix("http://")
        assert str(found.message).startswith(f"The courses on {host} were not searched. {host} wants a token")
    mine = behind.search.retrieve("When do spring tides follow?", scope=Scope(("Valves",)))
    assert mine.message is None


@pytest.mark.slow
def test_a_server_that_goes_after_its_first_answer_leaves_the_own_results_whole(
    behind: RAGSystem, proxy: ChromaProxy
) -> None:
    proxy.fault = Fault(on="/get", status=503)
    found = behind.search.retrieve("When do spring tides follow?", limit=20)
    assert courses(found) == {"Valves"}
    assert len(found.hits) == 3
    assert found.message is not None


def test_a_server_that_hangs_is_waited_for_only_so_long(
    behind: RAGSystem, proxy: ChromaProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    behind.search.retrieve("tides")
    monkeypatch.setattr(remote, "_PATIENCE", (0.5, 0.5))  # a request to it may take a minute
    proxy.fault = Fault(is_silent=True)
    began = time.monotonic()
    found = behind.search.retrieve("When do spring tides follow?")
    assert time.monotonic() - began < 20
    assert courses(found) == {"Valves"}
    assert found.message is not None
    monkeypatch.setattr(remote, "_PATIENCE", (60.0, 60.0))  # on a busy machine
    proxy.fault = None
    again = behind.search.retrieve("When do spring tides follow?")
    assert "Tides and Currents" in courses(again)
    assert again.message is None


@pytest.mark.parametrize(
    "step",
    ["app.features.shared.reading.where", "app.features.shared.reading.decode_passage"],
)
def test_a_bug_in_what_a_server_needs_costs_only_its_results(
    behind: RAGSystem, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: str
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(remote, "_PATIENCE", (60.0, 60.0))  # on a busy machine
    monkeypatch.setattr(step, fail)
    found = behind.search.retrieve("When do spring tides follow?", limit=20)
    assert courses(found) == {"Valves"}
    assert str(found.message).startswith("The courses on ") and "log file" in str(found.message)
    assert [one.exc_info[0] for one in caplog.records if one.exc_info] == [ZeroDivisionError]


def test_an_answer_is_stopped_at_once_while_a_server_hangs(behind: RAGSystem, proxy: ChromaProxy) -> None:
    behind.search.retrieve("tides")
    proxy.fault = Fault(is_silent=True)
    proxy.stuck.clear()

    async def run() -> float:
        asked = asyncio.create_task(collect(behind, "When do spring tides follow?", None))
        await asyncio.to_thread(proxy.stuck.wait, 60)
        began = time.monotonic()
        asked.cancel()
        await asyncio.wait({asked})
        took = time.monotonic() - began
        libraries_of(behind).close()  # the thread that searched need not wait any longer
        return took

    assert asyncio.run(run()) < 20  # of the minute that it would take


async def collect(rag: RAGSystem, question: str, model: ModelSettings | None) -> Exchange | None:
    done = None
    talk = rag.conversations.create_session()
    async for event in rag.answers.query(question, model, conversation_id=talk):
        if isinstance(event, AnswerDone):
            done = event.exchange
    await rag.answers.disconnect()
    return done


def test_an_answer_cites_the_server_with_verified_citations(
    student: RAGSystem, server: AnthropicServer
) -> None:
    server.script(
        Turn(ToolUse("search_course_content", {"query": "spring tides"}), stop_reason="tool_use"),
        Turn(Text("Their pull adds up", citations=(Cite(0, 0, 1),)), Text(".")),
    )
    model = ModelSettings("claude-sonnet-5-5", server.url, server.key)
    exchange = asyncio.run(collect(student, "When do spring tides follow?", model))
    assert exchange is not None
    assert exchange.state is ExchangeState.DONE
    (citation,) = exchange.citations
    assert citation.verified
    source = next(source for source in exchange.sources if source.n == citation.source_n)
    assert source.hit.course_title in TITLES
    assert source.text(citation.start, citation.end) == citation.cited_text


def test_what_was_staged_when_it_was_seen_is_found_once_it_counts(
    tmp_path: Path,
    embedder: KeptEmbedder,
    teacher: RAGSystem,
    chroma_database: ServerAddress,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("app.features.shared.subscription._FRESH", 0.0)
    question = "the valve of the eastern quay"
    publish(teacher, chroma_database, "Tides and Currents")
    with reader(tmp_path, embedder, chroma_database) as student:
        add(teacher, tmp_path)
        cancel = CancelToken()
        with pytest.raises(Cancelled):
            for event in publishing_of(teacher).publish(chroma_database, "", ["Valves"], cancel=cancel):
                if isinstance(event, PublishProgress) and event.done:
                    cancel.cancel()
        assert courses(student.search.retrieve(question)) <= {"Tides and Currents"}
        publish(teacher, chroma_database, "Valves")
        assert "Valves" in courses(student.search.retrieve(question))
