from __future__ import annotations

import os
import sys
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.courses import Course
from app.domain.errors import UserError
from app.domain.scope import Scope
from app.domain.search import LessonPart
from app.domain.sources import OUTLINE, SourceState
from app.features.shared.connection import CONTENT, ServerConnection
from tests.support.chroma_server import ChromaProxy, Fault
from tests.support.class_library import changed, libraries_of, publishing_of, student, teacher
from tests.support.courses import BREAD, FILES, TITLES
from tests.support.publishing import publish

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress
    from tests.support.courses import KeptEmbedder

EVERYTHING = Scope()
INK, BREAD_TITLE, TIDES_TITLE = TITLES


@pytest.fixture(scope="module")
def reader(
    tmp_path_factory: pytest.TempPathFactory, embedder: KeptEmbedder, class_library: ServerAddress
) -> Iterator[RAGSystem]:
    """A student who has subscribed to the three courses."""
    with student(tmp_path_factory.mktemp("reader"), embedder) as rag:
        libraries_of(rag).subscribe(class_library)
        yield rag


def test_a_lesson_is_read_in_order_at_its_places(reader: RAGSystem, class_library: ServerAddress) -> None:
    found = reader.search.read_lesson("bread", 1, 1, EVERYTHING)

    assert isinstance(found, LessonPart)
    [hit] = found.hits
    assert hit.text == BREAD[hit.start : hit.end]
    assert hit.text.startswith("A sourdough starter") and hit.text.endswith("raise a loaf.")
    assert (hit.course_title, hit.lesson_number, hit.lesson_title) == (BREAD_TITLE, 1, "Sourdough starters")
    assert (hit.link, hit.server, hit.path) == (
        "https://example.org/bread/1",
        class_library.host,
        f"{class_library.host}/bread.txt",
    )
    assert hit.document_id < 0


def test_a_whole_course_is_read_as_its_teacher_reads_it(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, embedder: KeptEmbedder, reader: RAGSystem
) -> None:
    with teacher(tmp_path, embedder) as own:
        for title in TITLES:
            expected = own.search.read_lesson(title, None, 1, EVERYTHING)
            found = reader.search.read_lesson(title, None, 1, EVERYTHING)
            assert isinstance(expected, LessonPart) and isinstance(found, LessonPart)
            kept = ("course_title", "lesson_number", "lesson_title", "text", "start", "end", "anchor", "link")
            assert [[getattr(hit, name) for name in kept] for hit in found.hits] == [
                [getattr(hit, name) for name in kept] for hit in expected.hits
            ]
            digest, own_digest = (rag.search.digest(title, None, EVERYTHING) for rag in (reader, own))
            assert digest and own_digest
            texts, own_texts = ([hit.text for hit in each.parts] for each in (digest, own_digest))
            assert (digest.headings, texts) == (own_digest.headings, own_texts)
        whole, own_whole = (rag.search.whole(Scope(courses=(TITLES[1],)), 5_000) for rag in (reader, own))
        assert [(hit.rank, hit.text) for hit in whole] == [(hit.rank, hit.text) for hit in own_whole]
    assert reader.search.whole(Scope(courses=tuple(TITLES)), 100) == ()


def test_courses_are_found_by_name_and_listed(reader: RAGSystem) -> None:
    outline = reader.search.outline("tides", EVERYTHING)
    assert isinstance(outline, Course) and len(outline.lessons) == 2
    limited = reader.search.outline("tides", Scope(up_to=((TIDES_TITLE, 1),)))
    assert isinstance(limited, Course) and [one.number for one in limited.lessons] == [1]
    meant = reader.search.outline("how the ocean moves because of the moon", EVERYTHING)  # by its meaning
    assert isinstance(meant, Course) and meant.title == TIDES_TITLE
    assert "restricted" in str(reader.search.outline("tides", Scope(courses=(INK,))))
    assert "Nearest" in str(reader.search.outline("quantum chromodynamics", EVERYTHING))
    assert reader.search.place_asked_for("Summarize lesson 2 of Tides and Currents", EVERYTHING) == (
        TIDES_TITLE,
        2,
    )
    assert reader.search.scope_of("bread", 1) == Scope(lessons=((BREAD_TITLE, 1),))
    assert "no text" in str(reader.search.read_lesson("bread", 9, 1, EVERYTHING))


def test_an_outline_can_be_cited(reader: RAGSystem) -> None:
    course = reader.search.outline("bread", EVERYTHING)
    assert isinstance(course, Course)
    source = reader.search.make_outline_source(1, course, "Bread Baking at Home\n0 Before you start")

    assert source.hit.chunk_index == OUTLINE and len(source.sentences) == 2
    assert reader.search.source_state(source) is SourceState.CURRENT
    with pytest.raises(KeyError):
        reader.search.make_outline_source(1, replace(course, title="Another"), "x")


def test_a_source_has_its_sentences_and_its_lesson(reader: RAGSystem) -> None:
    source = reader.search.lesson_source(BREAD_TITLE, 1, "Sourdough starters")

    assert source.texts == (
        "A sourdough starter is flour and water in which wild yeast and bacteria live.",
        "It is fed once a day.",
        "A starter that doubles within six hours is ready to raise a loaf.",
    )
    lesson = reader.search.lesson_text(source)
    assert (lesson.state, lesson.is_whole, lesson.file_exists) == (SourceState.CURRENT, True, False)
    assert lesson.text == BREAD[lesson.start : lesson.end]
    assert source.hit.text in lesson.text
    with pytest.raises(UserError):
        reader.search.lesson_source(BREAD_TITLE, 1, "Another title")


def test_sentences_are_found_without_what_was_fetched(
    reader: RAGSystem, rag: RAGSystem, class_library: ServerAddress
) -> None:
    source = reader.search.lesson_source(BREAD_TITLE, 2, "Kneading and proofing")
    libraries_of(rag).subscribe(class_library)

    assert rag.search.make_source(1, source.hit).texts == source.texts


@pytest.mark.skipif(sys.platform == "win32", reason="the name of a folder cannot have a port")
def test_a_file_of_the_same_path_is_never_opened(
    reader: RAGSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = reader.search.lesson_source(BREAD_TITLE, 1, "Sourdough starters")
    monkeypatch.chdir(tmp_path)
    os.makedirs(source.hit.server)
    (tmp_path / source.hit.path).write_text("something else", encoding="utf-8")

    assert not reader.search.lesson_text(source).file_exists
    gone = replace(source, hit=replace(source.hit, document_id=-5), document_sha256="0" * 64)
    assert not reader.search.lesson_text(gone).file_exists


@pytest.mark.slow
def test_away_the_passage_is_left(
    tmp_path: Path, embedder: KeptEmbedder, class_library: ServerAddress
) -> None:
    with ChromaProxy(class_library.url) as proxy:
        with student(tmp_path, embedder) as rag:
            libraries_of(rag).subscribe(proxy.address_of(class_library))
            source = rag.search.lesson_source(BREAD_TITLE, 1, "Sourdough starters")
        proxy.fault = Fault(status=503)
        with student(tmp_path, embedder) as rag:
            assert rag.search.source_state(source) is SourceState.CURRENT
            lesson = rag.search.lesson_text(source)
            assert (lesson.text, lesson.start, lesson.is_whole) == (source.hit.text, source.hit.start, False)
            answer = rag.search.read_lesson("bread", 1, 1, EVERYTHING)
            assert isinstance(answer, str) and "127.0.0.1" in answer
            assert rag.search.digest(BREAD_TITLE, 1, EVERYTHING) is None
            assert rag.search.whole(Scope(courses=(BREAD_TITLE,)), 5_000) == ()
            assert isinstance(rag.search.outline("bread", EVERYTHING), Course)


@pytest.mark.slow
def test_sources_of_a_republished_and_of_an_unpublished_course(
    tmp_path: Path, embedder: KeptEmbedder, chroma_database: ServerAddress, rag: RAGSystem
) -> None:
    with teacher(tmp_path, embedder) as own:
        publish(own, chroma_database)
        libraries_of(rag).subscribe(chroma_database)
        starter = rag.search.lesson_source(BREAD_TITLE, 1, "Sourdough starters")
        scale = rag.search.lesson_source(BREAD_TITLE, 0, "Before you start")
        tides = rag.search.lesson_source(TIDES_TITLE, 1, "Why the sea rises")
        file = tmp_path / "files" / "bread.txt"
        file.write_text(BREAD.replace("fed once", "fed twice"), encoding="utf-8")
        own_report = list(own.ingest.add_course_folder([file], CancelToken()))
        assert own_report
        publish(own, chroma_database)
        list(publishing_of(own).publish(chroma_database, "", (), remove=[TIDES_TITLE], exactly=True))
    list(libraries_of(rag).refresh())

    states = {name: rag.search.source_state(one) for name, one in (("starter", starter), ("tides", tides))}
    assert states == {"starter": SourceState.CHANGED, "tides": SourceState.REMOVED}
    changed_lesson = rag.search.lesson_text(starter)
    assert (changed_lesson.text, changed_lesson.is_whole) == (starter.hit.text, False)
    same = rag.search.lesson_text(scale)  # it changed elsewhere
    assert (same.state, same.is_whole) == (SourceState.CURRENT, True)
    gone = rag.search.lesson_text(tides)
    assert (gone.state, gone.text, gone.is_whole) == (SourceState.REMOVED, tides.hit.text, False)
    with pytest.raises(KeyError):
        rag.search.make_source(1, tides.hit)


def test_a_copy_of_the_file_in_the_own_library_takes_over(
    tmp_path: Path, rag: RAGSystem, class_library: ServerAddress
) -> None:
    libraries_of(rag).subscribe(class_library)
    source = rag.search.lesson_source(BREAD_TITLE, 1, "Sourdough starters")
    libraries_of(rag).unsubscribe(class_library)
    assert rag.search.source_state(source) is SourceState.REMOVED
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "own.txt").write_text(FILES["bread.txt"], encoding="utf-8", newline="\n")
    list(rag.ingest.add_course_folder([folder], CancelToken()))

    lesson = rag.search.lesson_text(source)
    assert (lesson.state, lesson.is_whole, lesson.file_exists) == (SourceState.CURRENT, True, True)


def test_passages_that_are_not_as_listed_are_not_shown(
    tmp_path: Path, rag: RAGSystem, class_copy: ServerAddress
) -> None:
    libraries_of(rag).subscribe(class_copy)
    with closing(ServerConnection(class_copy)) as connection:
        where = {"$and": [{"course_title": BREAD_TITLE}, {"lesson_number": 1}]}
        [found] = connection.get(CONTENT, where=where, documents=True, metadatas=True, embeddings=True)
        text = "<script>alert(1)</script> and longer than it may be"
        connection.put(CONTENT, [changed(found, found.metadata or {}, text)])
    answer = rag.search.read_lesson("bread", 1, 1, EVERYTHING)
    assert isinstance(answer, str) and "missing" in answer
