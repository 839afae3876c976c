"""Courses on servers beside those of the own library: in results, exams and study material."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.core.search.exam_map import map_exam
from app.core.search.ranking import StoredChunk
from app.core.search.remote import RemotePassage, chunks_of, numbered
from app.domain.cancel import CancelToken
from app.domain.conversations import Exchange, ExchangeState
from app.domain.exam_map import QuestionMap
from app.domain.messages import Message
from app.domain.scope import Scope
from app.domain.sources import Citation, SourceState
from tests.support.class_library import libraries_of, teacher
from tests.support.courses import TITLES, ingest
from tests.support.publishing import publish
from tests.support.study import study_of

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress
    from tests.support.chroma_server import ChromaServer
    from tests.support.courses import KeptEmbedder

INK, BREAD, TIDES = TITLES
VALVES = "Course Title: Valves\n\nLesson 1: Sizes\nA valve of the harbour closes when spring tides follow.\n"


@pytest.fixture
def subscribed(tmp_path: Path, rag: RAGSystem, class_library: ServerAddress) -> RAGSystem:
    """A library with a course of the own, and three on a server."""
    (tmp_path / "valves.txt").write_text(VALVES, encoding="utf-8")
    ingest(rag, tmp_path / "valves.txt")
    libraries_of(rag).subscribe(class_library)
    return rag


@pytest.mark.parametrize(
    ("scope", "reason"),
    [
        (Scope(courses=(BREAD,)), "study.on_server"),
        (Scope(lessons=((BREAD, 1),)), "study.on_server"),
        (Scope(courses=("Unknown",)), "study.nothing_to_ask"),
    ],
)
def test_no_study_material_is_made_from_a_course_on_a_server(
    subscribed: RAGSystem, scope: Scope, reason: str
) -> None:
    assert study_of(subscribed).passages.read(scope) == ()
    said = study_of(subscribed).passages.remark(scope, None, has_passages=False)
    assert said == Message(reason)


def test_of_a_chat_that_cites_a_server_only_the_own_courses_are_material(subscribed: RAGSystem) -> None:
    (theirs, *_), (ours, *_) = (
        subscribed.search.retrieve(query, title).hits
        for query, title in (
            ("What lives in a sourdough starter?", BREAD),
            ("valve of the harbour", "Valves"),
        )
    )
    sources = [subscribed.search.make_source(n, hit) for n, hit in enumerate((theirs, ours), 1)]
    cited = [Citation(one.n, 0, 5, one.hit.start, one.hit.end, "", verified=True) for one in sources]
    chat = Exchange(
        1, None, "?", "Yeast.", ExchangeState.DONE, sources=tuple(sources), citations=tuple(cited)
    )
    reader = study_of(subscribed).passages
    for citations, titles, remark in (
        (cited, ["Valves"], Message("study.on_server")),
        (cited[:1], [], Message("study.on_server")),
        (cited[1:], ["Valves"], None),
        ([], [], Message("making.no_cited_passages")),
    ):
        exchanges = [replace(chat, citations=tuple(citations))]
        assert [one.course_title for one in reader.asked_for(Scope(), exchanges)] == titles
        assert reader.remark(Scope(), exchanges, has_passages=bool(titles)) == remark


def test_of_everything_the_own_courses_are_material(subscribed: RAGSystem) -> None:
    assert {one.course_title for one in study_of(subscribed).passages.read(Scope())} == {"Valves"}


def test_lessons_on_a_server_that_an_exam_does_not_ask_about_are_listed(
    subscribed: RAGSystem, tmp_path: Path
) -> None:
    exam = tmp_path / "exam.txt"
    exam.write_text(
        "1. What lives in a sourdough starter?\n2. Which treaty ended the war?\n", encoding="utf-8"
    )
    *_, found = map_exam(subscribed.search, exam, None, CancelToken())
    assert isinstance(found, QuestionMap)
    assert [question.is_taught for question in found.questions] == [True, False]
    assert [(one.course_title, one.number) for one in found.unasked] == [(BREAD, 0), (BREAD, 2)]
    *_, found = map_exam(subscribed.search, exam, "tides", CancelToken())
    assert isinstance(found, QuestionMap)
    assert [(one.course_title, one.number) for one in found.unasked] == [(TIDES, 1), (TIDES, 2)]


def test_hits_of_two_servers_and_the_own_library_lead_to_their_documents(
    tmp_path: Path, embedder: KeptEmbedder, chroma_server: ChromaServer, rag: RAGSystem
) -> None:
    (tmp_path / "valves.txt").write_text(VALVES, encoding="utf-8")
    ingest(rag, tmp_path / "valves.txt")
    with teacher(tmp_path, embedder) as published:
        for title in (INK, TIDES):
            address = chroma_server.new_database()
            publish(published, address, title)
            libraries_of(rag).subscribe(address)
    hits = rag.search.retrieve("When do spring tides follow vitriol at a valve?", limit=20).hits
    assert {hit.course_title for hit in hits} == {INK, TIDES, "Valves"}
    documents = {(hit.course_title, hit.document_id) for hit in hits}
    assert len(documents) == 3
    assert {title for title, document in documents if document < 0} == {INK, TIDES}
    for hit in hits:
        source = rag.search.make_source(1, hit)
        assert rag.search.source_state(source) is SourceState.CURRENT
        lesson = rag.search.lesson_text(source)
        assert lesson.is_whole
        assert lesson.text[hit.start - lesson.start :].startswith(hit.text)


def test_passages_of_documents_with_negative_keys_keep_their_order_and_neighbours() -> None:
    found = [passage(document, n) for document, n in ((-7, 4), (-9, 2), (-7, 3), (-9, 4), (-2, 0))]
    keyed = numbered(found)
    assert list(keyed) == sorted(keyed) and min(keyed) > 2**49
    assert [(one.document, one.chunk.key) for one in keyed.values()] == [
        (-9, 2),
        (-9, 4),
        (-7, 3),
        (-7, 4),
        (-2, 0),
    ]
    neighbours = {(keyed[key].chunk.key, keyed[key + 1].chunk.key) for key in keyed if key + 1 in keyed}
    assert neighbours == {(3, 4)}
    chunks = chunks_of(keyed)
    assert [chunk.key for chunk in chunks] == list(keyed)
    lessons = [chunk.lesson for chunk in chunks]
    assert [lessons.count(lesson) for lesson in lessons] == [2, 2, 2, 2, 1]


def passage(document: int, n: int) -> RemotePassage:
    """Return the nth passage of a document with one lesson."""
    chunk = StoredChunk(key=n, lesson=0, start=n * 10, text="x", pieces=b"", terms=b"", vectors=b"")  # type: ignore[arg-type]
    return RemotePassage(chunk, document, "host/x", "Course", 1, "Lesson", n, None, "", ())
