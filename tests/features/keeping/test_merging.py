"""Copying from one library file into another: what arrives, what is left out, what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.core.conversations.session_manager import SessionManager
from app.core.storage.catalog import Catalog
from app.core.storage.codec import Inconsistent
from app.core.storage.database import Database
from app.core.storage.documents import FileStamp, IndexedChunk, NewDocument
from app.domain.cancel import Cancelled, CancelToken
from app.domain.conversations import INTERRUPTED, Exchange, ExchangeState
from app.domain.documents import Anchor, AnchorMark, CourseChunk, Lesson, ParsedDocument
from app.domain.scope import Scope
from app.domain.search import SearchHit
from app.domain.sources import Citation, Source
from app.features.keeping.merging import Merge

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DIMENSION = 4
BREAD, TIDES = "Flour is weighed.", "The moon pulls."


@pytest.fixture
def source(tmp_path: Path) -> Iterator[Database]:
    yield from opened(tmp_path / "source")


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Database]:
    yield from opened(tmp_path / "target")


def opened(folder: Path) -> Iterator[Database]:
    database = Database(folder)
    database.open()
    yield database
    database.close()


def add(database: Database, path: str, title: str, text: str, number: int | None = 1) -> int:
    """Commit a document of one lesson with one passage."""
    lesson = Lesson(number, "One", "https://example.org", 0, len(text))
    marks = (AnchorMark(0, Anchor("page", 1)), AnchorMark(5, Anchor("heading", "A › B")))
    parsed = ParsedDocument(title, None, "Ada", text, marks, (lesson,))
    vectors = np.full((1, DIMENSION), 0.5, np.float32)
    cut = CourseChunk(0, len(text), 0, text, ((0, len(text)),))
    chunk = IndexedChunk(cut, vectors, vectors, vectors[0], np.array([[0, 7]], np.uint32))
    stamp = FileStamp(path, len(text), 5, f"sha of {text}")
    key = Catalog(database).documents.commit(
        NewDocument(stamp, parsed, ((0, len(text)),), (chunk,), vectors[0])
    )
    assert key is not None
    return key


def cited(document_id: int) -> tuple[Source, Citation]:
    hit = SearchHit(1, 0.5, "Bread", 1, "One", 0, BREAD, "/bread.txt", 0, 17, None, None, document_id)
    return Source(1, "ref", hit, ((0, 17),), "sha"), Citation(1, 0, 3, 0, 17, BREAD, verified=True)


def say(database: Database, conversation: int, question: str, document_id: int = 1) -> Exchange:
    sessions = SessionManager(database)
    source, citation = cited(document_id)
    exchange = sessions.begin_exchange(conversation, question, Scope(courses=("Bread",)), "model")
    done = replace(
        exchange, answer="Yes.", state=ExchangeState.DONE, sources=(source,), citations=(citation,)
    )
    sessions.save(done)
    return done


def merge(source: Database, target: Database, *, index: bool = True, dimension: int = DIMENSION) -> Merge:
    with target.transaction() as connection:
        job = Merge(source.connection, connection, CancelToken(), dimension)
        list(job.copy_documents(index=index))
        job.copy_conversations()
    return job


def found(database: Database, word: str, table: str = "passages_fts") -> int:
    query = f"SELECT count(*) FROM {table} WHERE {table} MATCH ?"
    return int(database.connection.execute(query, (word,)).fetchone()[0])


class TestDocuments:
    def test_arrive_whole_and_can_be_searched(self, source: Database, target: Database) -> None:
        add(source, "/bread.txt", "Bread", BREAD)
        add(source, "/tides.txt", "Tides", TIDES)
        merged = merge(source, target)
        assert (len(merged.documents), merged.passages, merged.already_there) == (2, 2, 0)
        theirs, ours = Catalog(source), Catalog(target)
        assert ours.courses.all() == theirs.courses.all()
        for key, copied in merged.known.items():
            record = replace(theirs.documents.record(key), document_id=copied)
            assert ours.documents.record(copied) == record
            assert ours.documents.text(copied) == theirs.documents.text(key)
            sentences = "SELECT sentences FROM documents WHERE id = ?"
            (there,) = source.connection.execute(sentences, (key,)).fetchone()
            (here,) = target.connection.execute(sentences, (copied,)).fetchone()
            assert here == there
        assert found(target, "flour") == found(target, "moon") == 1
        assert {row["op"] for row in ours.index_queue.next(10)} == {"add", "course"}

    def test_that_are_not_to_be_indexed_are_in_no_index(self, source: Database, target: Database) -> None:
        add(source, "/bread.txt", "Bread", BREAD)
        merge(source, target, index=False)
        assert found(target, "flour") == Catalog(target).index_queue.count() == 0

    def test_in_the_trash_stay_behind(self, source: Database, target: Database) -> None:
        Catalog(source).documents.trash([add(source, "/bread.txt", "Bread", BREAD)])
        assert merge(source, target).documents == []

    def test_that_are_there_are_not_copied_again(self, source: Database, target: Database) -> None:
        theirs = add(source, "/bread.txt", "Bread", BREAD)
        add(target, "/other.txt", "Tides", TIDES)
        ours = add(target, "/elsewhere/bread.txt", "Bread", BREAD)
        merged = merge(source, target)
        assert (merged.documents, merged.already_there, merged.known) == ([], 1, {theirs: ours})

    def test_whose_place_is_taken_are_left_out(self, source: Database, target: Database) -> None:
        add(source, "/new/bread.txt", "Bread", BREAD)
        add(target, "/old/flour.txt", "Bread", "Another text.")
        merged = merge(source, target)
        assert merged.documents == []
        assert [(item.path, str(item.reason)) for item in merged.left_out] == [
            ("/new/bread.txt", "The library already holds flour.txt in its place (course “Bread”).")
        ]

    def test_join_a_course_with_numbers_of_their_own(self, source: Database, target: Database) -> None:
        add(source, "/two.txt", "Bread", BREAD, 2)
        add(target, "/one.txt", "Bread", "Another text.", 1)
        merge(source, target)
        rows = target.connection.execute("SELECT chunk_index FROM chunks ORDER BY id").fetchall()
        assert [row["chunk_index"] for row in rows] == [0, 1]
        add(target, "/three.txt", "Bread", "A third text.", 3)
        assert target.connection.execute("SELECT max(chunk_index) FROM chunks").fetchone()[0] == 2

    def test_of_a_course_without_a_title_are_named_after_the_file(
        self, source: Database, target: Database
    ) -> None:
        add(source, "/courses/rye bread.txt", "Bread", BREAD)
        source.connection.execute("UPDATE courses SET title = ' '")
        merge(source, target)
        (course,) = Catalog(target).courses.all()
        assert course.title.casefold() == "rye bread"

    def test_cancelled_between_two_of_them_nothing_is_copied(
        self, source: Database, target: Database
    ) -> None:
        add(source, "/bread.txt", "Bread", BREAD)
        add(source, "/tides.txt", "Tides", TIDES)
        token = CancelToken()
        with pytest.raises(Cancelled), target.transaction() as connection:
            for _ in Merge(source.connection, connection, token).copy_documents():
                token.cancel()
        assert Catalog(target).courses.counts().documents == 0


class TestConversations:
    def test_arrive_with_sources_and_citations(self, source: Database, target: Database) -> None:
        document = add(source, "/bread.txt", "Bread", BREAD)
        sessions = SessionManager(source)
        say(source, sessions.create_session(), "Is flour weighed?", document)
        add(target, "/tides.txt", "Tides", TIDES)
        merged = merge(source, target)
        (conversation,) = merged.conversations
        (exchange,) = SessionManager(target).exchanges(conversation)
        assert (exchange.question, exchange.answer, exchange.model) == ("Is flour weighed?", "Yes.", "model")
        assert exchange.citations == (cited(0)[1],)
        assert exchange.sources[0].hit.document_id == merged.known[document] != document
        assert found(target, "weighed", "exchanges_fts") == 1

    def test_about_a_document_that_stays_behind_name_none(self, source: Database, target: Database) -> None:
        say(source, SessionManager(source).create_session(), "Is flour weighed?", 77)
        (conversation,) = merge(source, target).conversations
        (exchange,) = SessionManager(target).exchanges(conversation)
        assert exchange.sources[0].hit.document_id == 0

    def test_that_both_have_get_what_is_missing(self, source: Database, target: Database) -> None:
        talk = SessionManager(source).create_session()
        first = say(source, talk, "One?")
        (copied,) = merge(source, target).conversations
        assert merge(source, target).conversations == []
        SessionManager(target).delete(copied)
        say(source, talk, "Two?")
        edited = SessionManager(source).begin_exchange(talk, "Two, again?", Scope(), "model", first.id)
        assert merge(source, target).conversations == [copied]
        sessions = SessionManager(target)
        assert [item.id for item in sessions.all()] == [copied], "it is back"
        branch = sessions.exchanges(copied)
        assert [item.question for item in branch] == ["One?", "Two, again?"]
        assert (branch[1].state, branch[1].stop_reason) == (ExchangeState.STOPPED, INTERRUPTED)
        assert len(branch[1].siblings) == 2
        assert edited.state is ExchangeState.WRITING

    def test_that_were_deleted_or_never_used_stay_behind(self, source: Database, target: Database) -> None:
        sessions = SessionManager(source)
        deleted = sessions.create_session()
        say(source, deleted, "One?")
        sessions.delete(deleted)
        sessions.create_session()
        assert merge(source, target).conversations == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE courses SET embedding = x'0000'",
        "UPDATE courses SET link = x'00'",
        "UPDATE documents SET size = 'large'",
        "UPDATE documents SET path = ''",
        "UPDATE documents SET sentences = x'0000000000000100'",
        "UPDATE anchors SET kind = 'line' WHERE kind = 'page'",
        "UPDATE anchors SET value = 'three' WHERE kind = 'page'",
        "UPDATE lessons SET start = -1",
        'UPDATE lessons SET "end" = 1000',
        "UPDATE lessons SET number = 'one'",
        "UPDATE chunks SET text = 'Flour is not weighed.'",
        "UPDATE chunks SET pieces = x''",
        "UPDATE chunks SET terms = x'0500000007000000'",
        "UPDATE chunks SET terms = x'00'",
        "UPDATE chunks SET context = 5",
        "UPDATE chunks SET vectors = x'007c007c007c007c'",
        "UPDATE conversations SET created_at = 'yesterday'",
        "UPDATE conversations SET scope = '[]'",
        "UPDATE exchanges SET seconds = 9e999",
        "UPDATE exchanges SET parent_id = 77",
        "UPDATE exchanges SET usage = 'none'",
        "UPDATE sources SET sentences = '[[0, \"x\"]]'",
        "UPDATE sources SET hit = '{}'",
        "UPDATE citations SET start = 'x'",
    ],
)
def test_rows_that_contradict_themselves_are_refused(
    source: Database, target: Database, statement: str
) -> None:
    add(source, "/bread.txt", "Bread", BREAD)
    say(source, SessionManager(source).create_session(), "Is flour weighed?")
    connection = source.connection
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(statement)
    with pytest.raises((Inconsistent, ValueError, TypeError, KeyError, AttributeError)):
        merge(source, target)
    assert Catalog(target).courses.counts().documents == 0
    assert SessionManager(target).all() == ()


def test_a_document_without_a_lesson_is_refused(source: Database, target: Database) -> None:
    """It would be counted, and its course could be searched, but not be listed."""
    add(source, "/bread.txt", "Bread", BREAD)
    source.connection.execute("DELETE FROM chunks")
    source.connection.execute("DELETE FROM lessons")
    with pytest.raises(Inconsistent):
        merge(source, target)


def test_vectors_of_another_dimension_are_refused(source: Database, target: Database) -> None:
    add(source, "/bread.txt", "Bread", BREAD)
    with pytest.raises(Inconsistent):
        merge(source, target, dimension=DIMENSION + 1)
