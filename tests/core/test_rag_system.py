from __future__ import annotations

import asyncio
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.paths import resource_path
from app.config.settings import Settings
from app.core.answers.providers.base import ModelSettings
from app.core.documents.document_processor import DocumentProcessor
from app.core.documents.document_reader import read_document
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.courses import Course
from app.domain.errors import UserError
from app.domain.events import (
    AnswerCitation,
    AnswerDone,
    AnswerInterrupted,
    AnswerStarted,
    AnswerText,
    FileDone,
    SearchStarted,
    SourcesFound,
)
from app.domain.messages import Message
from app.domain.scope import Scope
from tests.support.anthropic_server import AnthropicServer
from tests.support.courses import FILES, TITLES, document_text, ingest, last_report, library, write_courses
from tests.support.scripted_turns import Cite, ErrorReply, Gate, Text, ToolUse, Turn, Wait

if TYPE_CHECKING:
    from app.core.rag_system import RAGSystem
    from app.domain.events import AnswerEvent
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.courses import KeptEmbedder

INK, BREAD, TIDES = TITLES
SAVED = Path(__file__).parent.parent / "data" / "libraries"


def model(server: AnthropicServer) -> ModelSettings:
    return ModelSettings("claude-sonnet-5-5", server.url, server.key, retry_delays=(0.01, 0.01))


def ask(
    rag: RAGSystem,
    question: str,
    connection: ModelSettings | None = None,
    *,
    conversation: int | None = None,
    scope: Scope | None = None,
) -> list[AnswerEvent]:
    async def run() -> list[AnswerEvent]:
        events = rag.answers.query(question, connection, conversation_id=conversation, scope=scope)
        try:
            return [event async for event in events]
        finally:
            await rag.answers.disconnect()

    return asyncio.run(run())


def last(events: list[AnswerEvent]) -> Exchange:
    event = events[-1]
    assert isinstance(event, AnswerDone | AnswerInterrupted)
    return event.exchange


class TestSearch:
    def test_at_most_as_many_as_the_setting_says(self, data_dir: Path, embedder: KeptEmbedder) -> None:
        with library(data_dir, embedder, Settings(passages_per_search=2), index=False) as rag:
            assert len(rag.search.retrieve("water").hits) == 2
            assert len(rag.search.retrieve("water", limit=4).hits) == 4

    def test_text_is_the_documents(self, rag: RAGSystem) -> None:
        for hit in rag.search.retrieve("water, flour, moon and ink", limit=20).hits:
            document = FILES[Path(hit.path).name]
            assert hit.text == document[hit.start : hit.end]
            assert hit.text == hit.text.strip()
            assert document_text(rag, hit.document_id) == document

    def test_lesson_0_is_a_lesson(self, rag: RAGSystem) -> None:
        hits = rag.search.retrieve("what to buy", lesson_number=0).hits
        assert {(hit.course_title, hit.lesson_number) for hit in hits} == {(BREAD, 0)}

    def test_a_passage_without_a_lesson_is_left_out_by_a_lesson(self, rag: RAGSystem) -> None:
        for number in (0, 1, 2):
            assert INK not in {
                hit.course_title for hit in rag.search.retrieve("ink", lesson_number=number).hits
            }

    def test_a_name_that_fits_several_searches_all_of_them(self, rag: RAGSystem, tmp_path: Path) -> None:
        path = tmp_path / "more.txt"
        path.write_text(
            "Course Title: Bread in History\n\nLesson 1: Rome\nRomans baked bread.\n", encoding="utf-8"
        )
        ingest(rag, path)
        results = rag.search.retrieve("who baked bread?", course_name="bread", limit=10)
        assert results.course_title is None
        assert "fits several courses" in str(results.message)
        assert {hit.course_title for hit in results.hits} == {BREAD, "Bread in History"}

    @pytest.mark.parametrize("name", ["", "   "])
    def test_a_blank_course_name_is_none(self, rag: RAGSystem, name: str) -> None:
        assert rag.search.retrieve("moon", course_name=name).hits[0].course_title == TIDES

    @pytest.mark.parametrize(
        "question", ["", "   ", "the and of", "\"quoted' -NEAR(*) AND :", "日本語 🙂", "x" * 5000]
    )
    def test_odd_questions(self, rag: RAGSystem, question: str) -> None:
        assert rag.search.retrieve(question).query == question

    @pytest.mark.parametrize("characters", [1, 20, 60, 150, 400, 5000])
    def test_texts_within_a_number_of_characters(self, rag: RAGSystem, characters: int) -> None:
        hits = rag.search.retrieve("how is dough raised?", max_chars=characters).hits
        assert hits
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
        assert 0 < sum(len(hit.text) for hit in hits) <= characters
        for hit in hits:
            assert hit.text == FILES[Path(hit.path).name][hit.start : hit.end]
        if characters == 5000:
            assert sum(len(hit.text) for hit in hits) > 500

    def test_a_piece_is_cut_at_a_sentence(self, rag: RAGSystem) -> None:
        (hit,) = rag.search.retrieve("what kind of scale and oven?", max_chars=60).hits
        assert hit.text == "A kitchen scale matters more than an expensive oven."


class TestScope:
    def titles(self, rag: RAGSystem, scope: Scope, **more: object) -> set[tuple[str, int | None]]:
        hits = rag.search.retrieve("water moon flour ink", scope=scope, limit=30, **more).hits  # type: ignore[arg-type]
        return {(hit.course_title, hit.lesson_number) for hit in hits}

    def test_is_always_enforced(self, rag: RAGSystem) -> None:
        assert self.titles(rag, Scope(courses=(TIDES,))) == {(TIDES, 1), (TIDES, 2)}
        assert self.titles(rag, Scope(lessons=((BREAD, 0), (TIDES, 2)))) == {(BREAD, 0), (TIDES, 2)}
        assert self.titles(rag, Scope(up_to=((BREAD, 0), (TIDES, 1)))) == {
            (BREAD, 0),
            (TIDES, 1),
            (INK, None),
        }
        assert self.titles(rag, Scope(courses=(TIDES,)), lesson_number=1) == {(TIDES, 1)}

    def test_a_course_outside_of_it_has_nothing(self, rag: RAGSystem) -> None:
        results = rag.search.retrieve("ink", course_name="ink", scope=Scope(courses=(TIDES,)))
        assert results.hits == ()
        assert results.message

    def test_from_a_name_and_a_number(self, rag: RAGSystem) -> None:
        assert rag.search.scope_of(None, None).is_everything
        assert rag.search.scope_of("tides", None) == Scope(courses=(TIDES,))
        assert rag.search.scope_of("tides", 0) == Scope(lessons=((TIDES, 0),))
        assert set(rag.search.scope_of(None, 0).lessons) == {(title, 0) for title in TITLES}
        with pytest.raises(UserError, match="No course found matching 'Underwater basket weaving'"):
            rag.search.scope_of("Underwater basket weaving", None)


class TestOutline:
    def test_lists_a_course(self, rag: RAGSystem) -> None:
        course = rag.search.outline("bread", Scope())
        assert isinstance(course, Course)
        assert (course.title, course.instructor, course.link) == (
            BREAD,
            "Mira Holt",
            "https://example.org/bread",
        )
        assert [(item.number, item.title) for item in course.lessons] == [
            (0, "Before you start"),
            (1, "Sourdough starters"),
            (2, "Kneading and proofing"),
        ]

    def test_says_why_not(self, rag: RAGSystem) -> None:
        unknown = rag.search.outline("Underwater basket weaving", Scope())
        assert isinstance(unknown, str)
        assert unknown.startswith("No course found matching")
        outside = rag.search.outline("bread", Scope(courses=(TIDES,)))
        assert isinstance(outside, str)
        assert TIDES in outside
        assert "Sourdough" not in outside

    def test_keeps_later_lessons_out(self, rag: RAGSystem) -> None:
        course = rag.search.outline("bread", Scope(up_to=((BREAD, 0),)))
        assert isinstance(course, Course)
        assert [lesson.number for lesson in course.lessons] == [0]


def test_a_source_has_its_sentences_and_the_files_hash(rag: RAGSystem) -> None:
    hit = rag.search.retrieve("what is a sourdough starter?").hits[0]
    source = rag.search.make_source(4, hit)
    text = document_text(rag, hit.document_id)
    assert source.n == 4
    sentences = [text[start:end] for start, end in source.sentences]
    assert "It is fed once a day." in [" ".join(sentence.split()) for sentence in sentences]
    assert all(hit.start <= start < end <= hit.end for start, end in source.sentences)
    assert len(source.document_sha256) == 64
    other = rag.search.make_source(5, rag.search.retrieve("moon").hits[0])
    assert other.ref != source.ref


class TestSearchOnly:
    def test_the_passages_are_the_answer(self, rag: RAGSystem) -> None:
        events = ask(rag, "what is a sourdough starter?")
        assert isinstance(events[0], AnswerStarted)
        assert isinstance(events[1], SearchStarted)
        assert isinstance(events[2], SourcesFound)
        exchange = last(events)
        assert exchange.state is ExchangeState.DONE
        assert exchange.model is None
        assert exchange.answer == "".join(event.text for event in events if isinstance(event, AnswerText))
        assert "A sourdough starter is flour and water" in exchange.answer
        assert exchange.answer.index("> ") < exchange.answer.index("Sourdough starters")
        assert [source.n for source in exchange.sources] == list(range(1, len(exchange.sources) + 1))
        assert 0 < len(exchange.citations) <= 3
        citations = [event.citation for event in events if isinstance(event, AnswerCitation)]
        assert tuple(citations) == exchange.citations
        for citation in citations:
            document = document_text(rag, exchange.sources[citation.source_n - 1].hit.document_id)
            assert document[citation.start : citation.end] == citation.cited_text
            assert exchange.answer[citation.answer_start : citation.answer_end].startswith("> ")

    def test_nothing_found_is_said(self, tmp_path: Path, embedder: KeptEmbedder) -> None:
        with library(tmp_path / "empty", embedder, index=False) as rag:
            exchange = last(ask(rag, "anything"))
        assert exchange.answer == "The library is empty. Add a folder with course files first."
        assert exchange.sources == ()

    def test_within_the_scope(self, rag: RAGSystem) -> None:
        exchange = last(ask(rag, "ink", scope=Scope(courses=(TIDES,))))
        assert {source.hit.course_title for source in exchange.sources} == {TIDES}

    def test_is_saved_with_its_sources(self, rag: RAGSystem) -> None:
        conversation = rag.conversations.create_session()
        exchange = last(ask(rag, "moon", conversation=conversation))
        (stored,) = rag.conversations.exchanges(conversation)
        assert stored == exchange
        assert stored.sources
        assert [item.title for item in rag.conversations.all()] == ["moon"]


class TestModel:
    def test_searches_answers_and_cites(self, rag: RAGSystem, server: AnthropicServer) -> None:
        server.script(
            Turn(ToolUse("search_course_content", {"query": "neap tides"}), stop_reason="tool_use"),
            Turn(Text("They come a week later.", citations=(Cite(0, 0, 1),))),
        )
        conversation = rag.conversations.create_session()
        exchange = last(ask(rag, "When do neap tides come?", model(server), conversation=conversation))
        assert exchange.state is ExchangeState.DONE
        assert exchange.answer == "They come a week later."
        assert exchange.usage.input_tokens > 0
        (citation,) = exchange.citations
        assert citation.verified
        assert rag.conversations.exchanges(conversation) == (exchange,)
        assert server.rejections == []

    def test_the_last_exchanges_go_with_a_question(
        self, data_dir: Path, embedder: KeptEmbedder, server: AnthropicServer
    ) -> None:
        with library(data_dir, embedder, index=False) as rag:
            conversation = rag.conversations.create_session()
            for number in range(4):
                server.script(Turn(Text(f"answer {number}")))
                ask(rag, f"question {number}", model(server), conversation=conversation)
            server.script(Turn(Text("fresh")))
            ask(rag, "alone", model(server), conversation=rag.conversations.create_session())
        bodies = [request.body or {} for request in server.requests if request.method == "POST"]

        def turns(body: dict[str, object]) -> list[str]:
            return [str(message) for message in body["messages"]]  # type: ignore[attr-defined]

        sent = turns(bodies[3])
        assert len(sent) == 5
        assert all(
            text in turn
            for text, turn in zip(
                ("question 1", "answer 1", "question 2", "answer 2", "question 3"), sent, strict=True
            )
        )
        assert len(turns(bodies[4])) == 1

    def test_a_failure_is_an_event_and_keeps_what_came(self, rag: RAGSystem, server: AnthropicServer) -> None:
        server.script(ErrorReply(400, "invalid_request_error", "No."))
        conversation = rag.conversations.create_session()
        events = ask(rag, "x", model(server), conversation=conversation)
        assert isinstance(events[-1], AnswerInterrupted)
        assert last(events).state is ExchangeState.FAILED
        assert last(events).error
        assert rag.conversations.exchanges(conversation)[0].state is ExchangeState.FAILED

    def test_a_wrong_key_says_that_one_is_needed(self, rag: RAGSystem, server: AnthropicServer) -> None:
        events = ask(rag, "x", replace(model(server), api_key="wrong"))
        assert isinstance(events[-1], AnswerInterrupted)
        assert last(events).error == Message("answers.key_refused")
        assert "wrong" not in str(last(events).error).split()

    def test_stopping_keeps_what_came(self, rag: RAGSystem, server: AnthropicServer) -> None:
        gate = Gate()
        server.script(Turn(Text("Half an", Wait(gate), " answer.")))
        conversation = rag.conversations.create_session()

        async def run() -> list[AnswerEvent]:
            events: list[AnswerEvent] = []

            async def collect() -> None:
                async for event in rag.answers.query("x", model(server), conversation_id=conversation):
                    events.append(event)
                    if isinstance(event, AnswerText):
                        task.cancel()

            task = asyncio.create_task(collect())
            await asyncio.wait([task])
            await rag.answers.disconnect()
            return events

        exchange = last(asyncio.run(run()))
        assert (exchange.state, exchange.stop_reason) == (ExchangeState.STOPPED, "stopped")
        assert exchange.answer.startswith("Half")
        assert rag.conversations.exchanges(conversation) == (exchange,)
        assert rag.conversations.get_conversation_history(conversation, 5) == []


class TestSamples:
    def test_a_new_library_wants_them_once(
        self, tmp_path: Path, embedder: KeptEmbedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_courses(tmp_path / "bundle" / "docs" / "courses")
        # A packaged program has its own; reading the real ones would take half a minute.
        monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "bundle"), raising=False)
        with library(tmp_path / "data", embedder, index=False) as rag:
            assert rag.ingest.wants_samples()
            done = last_report(rag.ingest.add_samples(CancelToken()))
            assert {file.status.value for file in done.files} == {"added"}
            assert [(course.title, course.is_sample) for course in rag.courses.all()] == [
                (title, True) for title in TITLES
            ]
            rag.courses.remove_courses(TITLES, CancelToken())
            assert not rag.ingest.wants_samples()
        with library(tmp_path / "data", embedder, index=False) as rag:
            assert not rag.ingest.wants_samples()

    def test_samples_that_were_cut_short_are_completed_at_the_next_start(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, embedder: KeptEmbedder
    ) -> None:
        write_courses(tmp_path / "bundle" / "docs" / "courses")
        monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path / "bundle"), raising=False)
        with library(tmp_path / "data", embedder, index=False) as rag:
            token = CancelToken()
            with pytest.raises(Cancelled):
                for event in rag.ingest.add_samples(token):
                    if isinstance(event, FileDone):
                        token.cancel()
            assert rag.courses.counts().courses == 1
        with library(tmp_path / "data", embedder, index=False) as rag:
            assert rag.ingest.wants_samples()
            last_report(rag.ingest.add_samples(CancelToken()))
            assert rag.courses.counts().courses == 3
            assert not rag.ingest.wants_samples()

    def test_four_courses_worth_asking_about_come_with_the_program(self) -> None:
        parsed = [
            DocumentProcessor().parse(read_document(path), path.name)
            for path in sorted(resource_path("docs/courses").glob("*.txt"))
        ]
        assert len(parsed) == 4
        assert len({course.course_title for course in parsed}) == 4
        for course in parsed:
            numbers = [lesson.number for lesson in course.lessons]
            assert numbers in ([*range(len(numbers))], [*range(1, len(numbers) + 1)])
            assert len(numbers) >= 6
            assert course.instructor
            assert course.course_link
            assert all(lesson.title and lesson.end - lesson.start > 500 for lesson in course.lessons)

    def test_a_library_with_courses_does_not(self, rag: RAGSystem) -> None:
        assert not rag.ingest.wants_samples()


class TestOpening:
    def test_read_only_adds_nothing(self, data_dir: Path, embedder: KeptEmbedder, tmp_path: Path) -> None:
        before = sorted(path.name for path in data_dir.iterdir())
        with library(data_dir, embedder, read_only=True) as rag:
            assert rag.courses.counts().courses == 3
            assert rag.search.retrieve("moon").hits[0].course_title == TIDES
            with pytest.raises(UserError):
                ingest(rag, tmp_path)
        assert {name for name in os.listdir(data_dir) if "-wal" not in name and "-shm" not in name} == set(
            before
        )

    def test_an_answer_cut_by_a_crash_is_stopped_at_the_next_start(
        self, data_dir: Path, embedder: KeptEmbedder
    ) -> None:
        with library(data_dir, embedder, index=False) as rag:
            conversation = rag.conversations.create_session()
            rag.conversations.begin_exchange(conversation, "q", Scope(), None)
        with library(data_dir, embedder, index=False) as rag:
            assert rag.conversations.exchanges(conversation)[0].state is ExchangeState.STOPPED

    def test_closing_twice_is_fine(self, data_dir: Path, embedder: KeptEmbedder) -> None:
        with library(data_dir, embedder) as rag:
            rag.close()


@pytest.mark.parametrize("version", sorted(path.name for path in SAVED.glob("v*")))
def test_a_library_of_an_earlier_version_opens_and_is_searched(
    version: str, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    (tmp_path / "data").mkdir()
    shutil.copy(SAVED / version / "library.sqlite3", tmp_path / "data")
    with library(tmp_path / "data", embedder) as rag:
        assert [course.title for course in rag.courses.all()] == [
            "Bread Baking at Home",
            "Tides and Currents",
        ]
        assert not rag.reindex.needed()
        hit = rag.search.retrieve("what is a sourdough starter?").hits[0]
        assert (hit.course_title, hit.lesson_number) == ("Bread Baking at Home", 1)
        assert document_text(rag, hit.document_id)[hit.start : hit.end] == hit.text
        assert rag.index.chroma.count() == rag.courses.counts().passages
        (conversation,) = rag.conversations.all()
        assert conversation.title == "When do neap tides come?"
        first, second = rag.conversations.exchanges(conversation.id)
        assert (first.state, second.state) == (ExchangeState.DONE, ExchangeState.STOPPED)
        assert first.answer == "They come a week later."
        assert first.scope == Scope(courses=("Tides and Currents",))
        (citation,) = first.citations
        source = first.sources[citation.source_n - 1]
        assert (
            document_text(rag, source.hit.document_id)[citation.start : citation.end] == citation.cited_text
        )
        assert second.parent_id == first.id
