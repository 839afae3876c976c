"""Publishing to a real Chroma server: what readers see, what is sent, and what an interruption leaves."""

from __future__ import annotations

import shutil
import threading
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import SharedError, UserError
from app.domain.shared import ServerState
from app.features.shared.connection import CATALOG, CONTENT, ServerConnection
from app.features.shared.model import CoursePublished, PublishProgress, PublishStatus
from app.features.shared.records import collection_metadata, course_uid
from tests.support.chroma_server import ChromaProxy, Fault
from tests.support.class_library import publishing_of
from tests.support.courses import TITLES, ingest, library
from tests.support.publishing import (
    FIRST,
    HARBOUR,
    Reader,
    contents,
    last_report,
    leftovers,
    publish,
    stored,
    write_harbour,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress
    from tests.support.chroma_server import ChromaServer
    from tests.support.courses import KeptEmbedder

pytestmark = pytest.mark.slow

ADDED, CHANGED, UNCHANGED = PublishStatus.ADDED, PublishStatus.CHANGED, PublishStatus.UNCHANGED
REMOVED, FAILED = PublishStatus.REMOVED, PublishStatus.FAILED
BREAD, TIDES = "Bread Baking at Home", "Tides and Currents"
CHANGED_FIRST = FIRST.replace("lee side", "weather side")


@pytest.fixture
def rag(data_dir: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """A teacher's library of three courses; that of the folder is a student's."""
    with library(data_dir, embedder, index=False) as opened:
        yield opened


@pytest.fixture
def harbour(rag: RAGSystem, tmp_path: Path) -> Path:
    """The folder of a course of two files, which the library holds too."""
    folder = write_harbour(tmp_path / "courses").resolve()
    ingest(rag, folder.parent)
    return folder


def change(rag: RAGSystem, harbour: Path) -> None:
    """Change one of the two files."""
    (harbour / "boarding.txt").write_text(CHANGED_FIRST, encoding="utf-8")
    ingest(rag, harbour.parent)


@pytest.fixture
def other(data_dir: Path, tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """The library of another teacher, with the same courses."""
    place = shutil.copytree(data_dir, tmp_path / "other")
    with library(place, embedder, index=False) as opened:
        yield opened


def test_a_reader_finds_what_the_library_holds(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    done = publish(rag, chroma_database)
    assert {title: course.status for title, course in done.items()} == dict.fromkeys(
        [*TITLES, HARBOUR], ADDED
    )
    assert contents(chroma_database) == stored(rag)
    assert not leftovers(chroma_database)
    with closing(Reader(chroma_database)) as reader:
        course = reader.course(reader.heads()[course_uid(HARBOUR)])
        assert course is not None
        assert [document.name for document in course.documents] == [
            "harbour/boarding.txt",
            "harbour/berthing.txt",
        ]
        assert [(lesson.number, lesson.title) for lesson in course.lessons] == [
            (1, "Boarding"),
            (2, "Berthing"),
        ]
        assert course.passages == len(stored(rag)[HARBOUR])
        everything = str(reader.everything())
    for path in rag.catalog.documents.files():
        assert path.rpartition("/")[0] not in everything


def test_what_is_there_is_not_sent_again(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database)
    with ChromaProxy(chroma_database.url) as proxy:
        done = publish(rag, proxy.address_of(chroma_database))
        assert {course.status for course in done.values()} == {UNCHANGED}
        assert not [seen.path for seen in proxy.seen if seen.path.endswith(("/upsert", "/add", "/delete"))]


def test_of_a_changed_course_only_what_changed_is_sent(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database)
    change(rag, harbour)
    done = publish(rag, chroma_database)
    assert (done[HARBOUR].status, done[HARBOUR].sent, done[HARBOUR].retired) == (CHANGED, 1, 1)
    assert {done[title].status for title in TITLES} == {UNCHANGED}
    assert contents(chroma_database) == stored(rag)
    assert "weather side" in str(contents(chroma_database)[HARBOUR])
    assert not leftovers(chroma_database)


def test_a_change_of_a_lessons_name_alone_reaches_readers(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database, HARBOUR)
    (harbour / "boarding.txt").write_text(FIRST.replace("Boarding", "Coming aboard"), encoding="utf-8")
    ingest(rag, harbour.parent)
    assert publish(rag, chroma_database, HARBOUR)[HARBOUR].status is CHANGED
    with closing(Reader(chroma_database)) as reader:
        course = reader.course(reader.heads()[course_uid(HARBOUR)])
        assert course is not None
        assert [lesson.title for lesson in course.lessons] == ["Coming aboard", "Berthing"]


def test_only_chosen_courses_are_published_and_the_others_stay(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database, BREAD)
    publish(rag, chroma_database, TIDES)
    assert contents(chroma_database) == {title: stored(rag)[title] for title in (BREAD, TIDES)}


def test_a_renamed_course_takes_the_place_of_the_old_one(
    rag: RAGSystem, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database)
    for _ in rag.ingest.rename_course(BREAD, "Baking", CancelToken()):
        pass
    done = publish(rag, chroma_database)
    assert (done["Baking"].status, done[BREAD].status) == (ADDED, REMOVED)
    assert contents(chroma_database) == stored(rag)
    assert not leftovers(chroma_database)


def test_a_course_that_has_left_the_library_is_removed_when_all_is_published(
    rag: RAGSystem, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database)
    rag.courses.remove_courses([BREAD], CancelToken())
    assert publish(rag, chroma_database, TIDES).keys() == {TIDES}  # not when some are chosen
    assert BREAD in contents(chroma_database)
    assert publish(rag, chroma_database)[BREAD].status is REMOVED
    assert contents(chroma_database) == stored(rag)
    assert not leftovers(chroma_database)


def test_a_course_is_removed_by_part_of_its_title(rag: RAGSystem, chroma_database: ServerAddress) -> None:
    publish(rag, chroma_database)
    with pytest.raises(UserError, match="does not name one course"):
        last_report(
            publishing_of(rag).publish(chroma_database, "", (), remove=["bread"], exactly=True)
        )  # the whole title is needed
    assert contents(chroma_database).keys() == set(TITLES)
    done = last_report(publishing_of(rag).publish(chroma_database, remove=["bread"]))
    assert done[BREAD].status is REMOVED
    assert contents(chroma_database).keys() == {*TITLES} - {BREAD}
    assert not leftovers(chroma_database)
    with pytest.raises(UserError, match="does not name one course"):
        last_report(publishing_of(rag).publish(chroma_database, remove=["bread"]))


def test_readers_see_the_old_course_or_the_new_one_at_any_moment(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database)
    states = [contents(chroma_database)]
    ended = threading.Event()
    seen: list[dict[str, tuple[str, ...]]] = []

    def poll() -> None:
        with closing(Reader(chroma_database)) as reader:
            while not ended.is_set():
                seen.append(reader.contents())

    with _Thread(poll) as thread:
        for text in (CHANGED_FIRST, FIRST, CHANGED_FIRST):
            (harbour / "boarding.txt").write_text(text, encoding="utf-8")
            ingest(rag, harbour.parent)
            publish(rag, chroma_database)
            states.append(contents(chroma_database))
        ended.set()
        thread.finish()
    assert states[0] == states[2] != states[1] == states[3]
    assert len(seen) > 3
    assert all(found in states for found in seen)


INTERRUPTIONS = {
    "the entry": Fault(on="/upsert", is_silent=True),
    "passages": Fault(on="/upsert", after=1, is_silent=True),
    "the switch": Fault(on="/upsert", after=2, is_silent=True),
    "deleting passages": Fault(on="/delete", is_silent=True),
    "deleting the entry": Fault(on="/delete", after=1, is_silent=True),
}


@pytest.mark.parametrize("fault", INTERRUPTIONS.values(), ids=INTERRUPTIONS)
def test_an_interrupted_publication_leaves_the_old_course_or_the_new_one_and_is_continued(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress, fault: Fault
) -> None:
    publish(rag, chroma_database, HARBOUR)
    old = contents(chroma_database)
    change(rag, harbour)
    new = {HARBOUR: stored(rag)[HARBOUR]}
    with ChromaProxy(chroma_database.url, fault=fault) as proxy:
        token = CancelToken()

        def interrupt() -> None:
            proxy.stuck.wait(120)
            token.cancel()

        with _Thread(interrupt), pytest.raises(Cancelled):
            last_report(
                publishing_of(rag).publish(proxy.address_of(chroma_database), "", [HARBOUR], cancel=token)
            )
    is_switched = fault.on == "/delete"
    assert contents(chroma_database) == (new if is_switched else old)
    done = publish(rag, chroma_database, HARBOUR)[HARBOUR]
    assert done.sent == (1 if fault.on == "/upsert" and fault.after < 2 else 0)
    assert contents(chroma_database) == new
    assert not leftovers(chroma_database)


def test_what_was_begun_under_a_title_of_before_is_removed(
    rag: RAGSystem, other: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(other, chroma_database, BREAD)
    with ChromaProxy(chroma_database.url, fault=Fault(on="/upsert", after=2, status=403)) as proxy:
        address = proxy.address_of(chroma_database)
        with pytest.raises(SharedError):
            publish(rag, address, HARBOUR)
    assert leftovers(chroma_database)
    publish(other, chroma_database, BREAD)
    assert leftovers(chroma_database), "another library's"
    for _ in rag.ingest.rename_course(HARBOUR, "Pilots", CancelToken()):
        pass
    publish(rag, chroma_database, "Pilots")
    assert contents(chroma_database) == {title: stored(rag)[title] for title in (BREAD, "Pilots")}
    assert not leftovers(chroma_database)


def test_two_publishers_at_once_leave_one_whole_course(
    rag: RAGSystem, other: RAGSystem, chroma_database: ServerAddress
) -> None:
    done: list[CoursePublished] = []

    def also() -> None:
        done.extend(publish(other, chroma_database).values())

    with _Thread(also) as thread:
        done.extend(publish(rag, chroma_database).values())
        thread.finish()
    # Who comes second may find the course published from another library.
    assert {course.status for course in done} <= {ADDED, FAILED}
    assert {course.title for course in done if course.status is ADDED} <= {*TITLES}
    publish(rag, chroma_database, replaces=True)
    assert contents(chroma_database) == stored(rag)


def test_a_course_of_another_library_is_only_replaced_or_removed_when_asked(
    rag: RAGSystem, other: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(other, chroma_database, BREAD)
    with closing(Reader(chroma_database)) as reader:
        before = reader.everything()
        for done in (
            publish(rag, chroma_database, BREAD),
            last_report(publishing_of(rag).publish(chroma_database, "", (), remove=[BREAD], exactly=True)),
        ):
            assert done[BREAD].status is FAILED
            assert "from another library" in str(done[BREAD].reason)
        publish(rag, chroma_database, HARBOUR)
        publish(rag, chroma_database, HARBOUR)
        last_report(publishing_of(rag).publish(chroma_database, "", (), remove=[HARBOUR], exactly=True))
        assert reader.everything() == before
    assert publish(rag, chroma_database, BREAD, replaces=True)[BREAD].status is UNCHANGED


@pytest.fixture
def deletions(monkeypatch: pytest.MonkeyPatch) -> list[Callable[[], None]]:
    """What is done after the first deletion of passages."""
    hooks: list[Callable[[], None]] = []
    delete = ServerConnection.delete

    def then(
        self: ServerConnection, collection: str, ids: Sequence[str], *, cancel: CancelToken | None = None
    ) -> None:
        delete(self, collection, ids, cancel=cancel)
        if collection == CONTENT and hooks:
            hooks.pop()()

    monkeypatch.setattr(ServerConnection, "delete", then)
    return hooks


def test_a_removal_that_was_interrupted_is_continued_by_the_same_name(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress, deletions: list[Callable[[], None]]
) -> None:
    publish(rag, chroma_database, HARBOUR)
    cancel = CancelToken()
    deletions.append(cancel.cancel)
    with pytest.raises(Cancelled):
        last_report(
            publishing_of(rag).publish(chroma_database, "", (), remove=[HARBOUR], exactly=True, cancel=cancel)
        )
    done = last_report(publishing_of(rag).publish(chroma_database, "", (), remove=[HARBOUR], exactly=True))
    assert done[HARBOUR].status is REMOVED
    assert not leftovers(chroma_database)


def test_one_library_publishes_once_at_a_time(rag: RAGSystem, chroma_database: ServerAddress) -> None:
    first = publishing_of(rag).publish(chroma_database)
    assert isinstance(next(first), PublishProgress)
    with pytest.raises(UserError, match="being published already"):
        next(publishing_of(rag).publish(chroma_database))
    first.close()  # type: ignore[attr-defined]
    assert publish(rag, chroma_database)[BREAD].status is ADDED


@pytest.mark.parametrize(
    "theirs",
    [
        {"lectern": "other", "dimension": 384},
        collection_metadata("another@model", 384),
        collection_metadata("another@model", 3),
        {"schema": 9, "lectern": "library", "dimension": 384, "model": "x"},
    ],
    ids=["somebody's", "other model", "other dimension", "other schema"],
)
def test_collections_that_are_not_ours_or_do_not_fit_stay_as_they_are(
    rag: RAGSystem, chroma_database: ServerAddress, theirs: dict[str, str | int]
) -> None:
    with closing(ServerConnection(chroma_database)) as connection:
        connection.create(theirs)
        before = connection.metadatas()
        with pytest.raises(SharedError) as caught:
            publish(rag, chroma_database)
        assert caught.value.state is ServerState.REFUSED
        assert connection.metadatas() == before
        assert connection.get(CATALOG) == connection.get(CONTENT) == []


def test_a_file_that_changes_meanwhile_is_published_as_it_is_in_the_end(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    events = publishing_of(rag).publish(chroma_database, "", [HARBOUR])
    next(events)
    rag.courses.remove_files([str(harbour / "berthing.txt")], CancelToken())
    assert last_report(events)[HARBOUR].status is ADDED
    assert contents(chroma_database) == {HARBOUR: stored(rag)[HARBOUR]}
    assert not leftovers(chroma_database)


def test_a_course_that_vanishes_meanwhile_fails_and_the_others_go_on(
    rag: RAGSystem, chroma_database: ServerAddress
) -> None:
    events = publishing_of(rag).publish(chroma_database)
    next(events)
    rag.courses.remove_courses([TITLES[0], BREAD], CancelToken())
    done = last_report(events)
    assert [done[title].status for title in TITLES] == [FAILED, FAILED, ADDED]


def test_records_that_the_server_has_lost_are_sent_again_after_an_interruption(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database)
    with closing(ServerConnection(chroma_database)) as connection:
        lost = connection.get(CONTENT, where={"course": course_uid(HARBOUR)})
        connection.delete(CONTENT, [lost[0].id])
    change(rag, harbour)
    publish(rag, chroma_database)
    assert contents(chroma_database) == stored(rag)


def test_passages_of_an_unchanged_course_that_the_server_has_lost_are_sent_again(
    rag: RAGSystem, harbour: Path, chroma_database: ServerAddress
) -> None:
    publish(rag, chroma_database)
    with closing(ServerConnection(chroma_database)) as connection:
        lost = connection.get(CONTENT, where={"course": course_uid(HARBOUR)})
        connection.delete(CONTENT, [lost[0].id])
    done = publish(rag, chroma_database)
    assert {title for title, course in done.items() if course.status is CHANGED} == {HARBOUR}
    assert (done[HARBOUR].sent, done[HARBOUR].retired) == (1, 0)
    assert contents(chroma_database) == stored(rag)


def test_a_server_that_is_away_is_said_to_be_and_publishing_goes_on_later(
    rag: RAGSystem, chroma_database: ServerAddress
) -> None:
    with ChromaProxy(chroma_database.url, fault=Fault(on="/upsert", after=4, status=403)) as proxy:
        with pytest.raises(SharedError) as caught:
            publish(rag, proxy.address_of(chroma_database))
        assert caught.value.state is ServerState.REFUSED
    assert publish(rag, chroma_database).keys() == {*TITLES}
    assert contents(chroma_database) == stored(rag)
    assert not leftovers(chroma_database)


def test_a_database_is_made_where_it_is_missing(rag: RAGSystem, chroma_server: ChromaServer) -> None:
    address = replace(chroma_server.new_database(), database="a-new-one")
    publish(rag, address, BREAD)
    assert contents(address).keys() == {BREAD}


def test_samples_and_unknown_courses_are_not_published(
    embedder: KeptEmbedder, tmp_path: Path, rag: RAGSystem, chroma_database: ServerAddress
) -> None:
    with (
        library(tmp_path / "empty", embedder, index=False) as empty,
        pytest.raises(UserError, match="no course"),
    ):
        publish(empty, chroma_database)
    with pytest.raises(UserError, match="no-such"):
        publish(rag, chroma_database, "no-such")
    rag.database.write("UPDATE courses SET is_sample = 1 WHERE title = ?", [(BREAD,)])
    assert BREAD not in publish(rag, chroma_database)
    assert publish(rag, chroma_database, BREAD)[BREAD].status is ADDED


class _Thread:
    """Runs something beside the test, which fails if it fails."""

    def __init__(self, run: object) -> None:
        self._run = run
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._guarded)

    def _guarded(self) -> None:
        try:
            self._run()  # type: ignore[operator]
        except BaseException as error:
            self._error = error

    def finish(self) -> None:
        self._thread.join(120)
        if self._error is not None:
            raise self._error

    def __enter__(self) -> _Thread:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.finish()
