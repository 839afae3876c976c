from __future__ import annotations

import json
import shutil
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from app.config.redaction import TOKEN_VARIABLE
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import SharedError
from app.domain.shared import ServerState
from app.features.shared.connection import CATALOG, CONTENT, ServerConnection
from app.features.shared.records import collection_metadata
from app.features.shared.service import SharedLibraries
from app.features.shared.subscription import read_catalogue
from tests.support.chroma_server import ChromaProxy, Fault
from tests.support.class_library import changed, libraries_of, student, teacher
from tests.support.courses import TITLES, ingest
from tests.support.publishing import publish

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress
    from app.features.shared.connection import Value
    from app.features.shared.subscription import Catalogue
    from tests.support.courses import KeptEmbedder


def test_who_subscribes_sees_the_courses_without_files(
    rag: RAGSystem, class_library: ServerAddress, tmp_path: Path
) -> None:
    found = libraries_of(rag).subscribe(class_library)

    assert (found.state, found.problem, found.hidden) == (ServerState.READY, None, ())
    assert (
        [course.title for course in found.courses]
        == TITLES
        == [one.title for one in libraries_of(rag).courses()]
    )
    bread = found.courses[1]
    assert (bread.instructor, bread.link) == ("Mira Holt", "https://example.org/bread")
    assert [(one.number, one.title, one.passages) for one in bread.lessons] == [
        (0, "Before you start", 1),
        (1, "Sourdough starters", 1),
        (2, "Kneading and proofing", 1),
    ]
    assert all(course.server == class_library.url and not course.files for course in found.courses)
    assert not any(lesson.files for course in found.courses for lesson in course.lessons)
    assert rag.courses.all() == ()  # its own library stays as it is


def test_the_catalogue_is_kept_for_a_server_that_is_away(
    tmp_path: Path, embedder: KeptEmbedder, class_library: ServerAddress
) -> None:
    with ChromaProxy(class_library.url) as proxy:
        address = proxy.address_of(class_library)
        with student(tmp_path, embedder) as rag:
            libraries_of(rag).subscribe(address)
        requests = len(proxy.seen)
        proxy.fault = Fault(status=503)
        with student(tmp_path, embedder) as rag:
            [before] = libraries_of(rag).libraries()
            assert before.state is ServerState.UNKNOWN and len(proxy.seen) == requests
            assert [course.title for course in before.courses] == TITLES
            states = [
                [one.state for one in libraries_of(rag).libraries()] for _ in libraries_of(rag).refresh()
            ]
            [after] = libraries_of(rag).libraries()
            assert states == [[ServerState.CHECKING], [ServerState.AWAY]]
            assert after.problem and after.courses == before.courses and after.fetched_at == before.fetched_at
            assert libraries_of(rag).known()[0].refused is None
            proxy.fault = None
            list(libraries_of(rag).refresh(address))
            assert libraries_of(rag).libraries()[0].state is ServerState.READY


def test_only_what_has_changed_is_fetched_again(
    tmp_path: Path, embedder: KeptEmbedder, chroma_database: ServerAddress
) -> None:
    with teacher(tmp_path, embedder) as own:
        publish(own, chroma_database)
    with ChromaProxy(chroma_database.url) as proxy, student(tmp_path, embedder) as rag:
        libraries_of(rag).subscribe(proxy.address_of(chroma_database))
        first = libraries_of(rag).known()[0].catalogue
        proxy.seen.clear()
        list(libraries_of(rag).refresh())
        asked = len(proxy.seen)
        with teacher(tmp_path, embedder) as own:
            bread = tmp_path / "files" / "bread.txt"
            bread.write_text(bread.read_text() + "\nLesson 3: Baking\nSteam keeps the crust soft at first.\n")
            ingest(own, bread)
            publish(own, chroma_database)
        proxy.seen.clear()
        list(libraries_of(rag).refresh())

        now = libraries_of(rag).known()[0].catalogue
        same = {title for title, _ in _entries(first) & _entries(now)}
        assert same == {"A Short History of Ink", "Tides and Currents"}
        assert len(proxy.seen) == asked + 1
        assert len(libraries_of(rag).courses()[1].lessons) == 4


def _entries(catalogue: Catalogue) -> set[tuple[str, int]]:
    return {(entry.course.title, id(entry)) for entry in catalogue.entries}


def test_of_one_title_the_own_course_counts_then_the_first_server(
    tmp_path: Path, rag: RAGSystem, class_library: ServerAddress, class_copy: ServerAddress
) -> None:
    libraries_of(rag).subscribe(class_library)
    second = libraries_of(rag).subscribe(class_copy)
    assert (second.courses, second.hidden) == ((), tuple(TITLES))
    own = tmp_path / "own"
    own.mkdir()
    (own / "ink.md").write_text("Course Title: A SHORT history of ink\n\n# Own ink\n", encoding="utf-8")
    ingest(rag, own)

    first, second = libraries_of(rag).libraries()
    assert (first.hidden, second.hidden) == (("A Short History of Ink",), tuple(TITLES))
    assert [course.title for course in libraries_of(rag).courses()] == TITLES[1:]
    libraries_of(rag).unsubscribe(class_library)
    [second] = libraries_of(rag).libraries()
    assert second.hidden == ("A Short History of Ink",)
    assert [course.title for course in second.courses] == TITLES[1:]


def test_who_unsubscribes_keeps_nothing(tmp_path: Path, rag: RAGSystem, class_library: ServerAddress) -> None:
    libraries_of(rag).subscribe(class_library, "ck-planted-token")
    folder = tmp_path / "student" / "shared"
    assert "ck-planted-token" not in "".join(path.read_text() for path in folder.rglob("*") if path.is_file())
    assert (folder / f"{class_library.key}.json").is_file()
    libraries_of(rag).unsubscribe(class_library)

    assert libraries_of(rag).libraries() == () == libraries_of(rag).courses()
    assert not list(folder.glob(f"{class_library.key}*"))
    assert libraries_of(rag).tokens.read(class_library.key) == ""
    libraries_of(rag).unsubscribe(class_library)  # again


@pytest.mark.parametrize(
    ("metadata", "reason"),
    [
        ({"model": "other-model@0123"}, "model"),
        ({"schema": 2}, "another version"),
        ({"lectern": "notes"}, "no library"),
    ],
    ids=["model", "schema", "not ours"],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(
    rag: RAGSystem,
    embedder: KeptEmbedder,
    chroma_database: ServerAddress,
    metadata: dict[str, Value],
    reason: str,
) -> None:
    connection = ServerConnection(chroma_database)
    connection.create({**collection_metadata(embedder.model_id, embedder.dimension), **metadata})
    connection.close()
    with pytest.raises(SharedError) as raised:
        libraries_of(rag).subscribe(chroma_database)

    assert raised.value.state is ServerState.REFUSED
    assert reason in str(raised.value)
    assert libraries_of(rag).libraries() == ()


def test_an_empty_database_is_refused(rag: RAGSystem, chroma_database: ServerAddress) -> None:
    with pytest.raises(SharedError, match="no library"):
        libraries_of(rag).subscribe(chroma_database)


def test_a_library_of_the_former_model_is_not_searched(
    rag: RAGSystem, class_library: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries_of(rag).subscribe(class_library)
    monkeypatch.setattr(libraries_of(rag).known()[0].subscription, "model", lambda: ("newer-model@0", 384))

    [library] = libraries_of(rag).libraries()
    assert library.state is ServerState.REFUSED and "newer-model" in str(library.problem)
    assert libraries_of(rag).known()[0].refused == library.problem


def test_a_refresh_can_be_stopped_at_once(rag: RAGSystem, class_library: ServerAddress) -> None:
    with ChromaProxy(class_library.url) as proxy:
        address = proxy.address_of(class_library)
        libraries_of(rag).subscribe(address)
        proxy.fault = Fault(is_silent=True)
        token = CancelToken()
        began = 0.0
        for step, _ in enumerate(libraries_of(rag).refresh(cancel=token)):
            if step == 0:
                began = time.monotonic()
                token.cancel()
        assert time.monotonic() - began < 20  # of the minute that it would take
        assert libraries_of(rag).libraries()[0].state is ServerState.READY  # as it was
        with pytest.raises(Cancelled):
            libraries_of(rag).known()[0].subscription.refresh(cancel=token)


def test_half_of_a_switch_leaves_a_course_as_it_was(
    tmp_path: Path, embedder: KeptEmbedder, rag: RAGSystem, class_copy: ServerAddress
) -> None:
    libraries_of(rag).subscribe(class_copy)
    before = libraries_of(rag).courses()
    with closing(ServerConnection(class_copy)) as connection:
        [tides] = connection.get(CATALOG, where={"title": TITLES[2]}, metadatas=True, embeddings=True)
        connection.put(CATALOG, [changed(tides, {**(tides.metadata or {}), "revision": "0" * 32})])
    list(libraries_of(rag).refresh())

    assert libraries_of(rag).courses() == before
    with student(tmp_path, embedder, "another") as other:
        libraries_of(other).subscribe(class_copy)
        assert [course.title for course in libraries_of(other).courses()] == TITLES[:2]
        [sentence] = libraries_of(other).libraries()[0].left_out
        assert str(sentence).startswith("1 course cannot be shown: it is damaged")


def test_hostile_records_are_left_out(tmp_path: Path, rag: RAGSystem, class_copy: ServerAddress) -> None:
    connection = ServerConnection(class_copy)
    [head, *_] = connection.get(CATALOG, where={"kind": "course"}, metadatas=True, embeddings=True)
    good = dict(head.metadata or {})
    bad: list[dict[str, Value]] = [
        {},
        {"kind": "course"},
        good | {"parts": 10**9},
        good | {"parts": "many"},
        good | {"sha256": "0" * 64},
        good | {"title": "../../etc/passwd"},
        good | {"revision": "../../../etc/passwd"},
        good | {"lectern_schema": 99},
        good | {"parts": 4_000},
    ]
    for n, metadata in enumerate(bad):
        connection.put(CATALOG, [changed(head._replace(id=f"{n:032x}"), {"x": 1} | metadata)])
    connection.put(CATALOG, [changed(head._replace(id="../../escape"), good)])
    connection.put(CONTENT, [changed(head._replace(id="x" * 100), {"document": "y", "start": -5})])
    connection.close()
    library = libraries_of(rag).subscribe(class_copy)

    assert [course.title for course in library.courses] == TITLES
    [sentence] = library.left_out
    assert str(sentence).startswith(
        "9 courses cannot be shown: they are damaged on the server, or of another"
    )
    folder = tmp_path / "student" / "shared"
    kept = {path.name for path in folder.iterdir()}
    assert kept == {"lock", "subscriptions.json", f"{class_copy.key}.json"}
    catalogue = read_catalogue(folder / f"{class_copy.key}.json")
    assert catalogue is not None and catalogue.left_out == 9


def test_what_is_broken_on_the_disk_is_fetched_again(
    tmp_path: Path, embedder: KeptEmbedder, class_library: ServerAddress
) -> None:
    with student(tmp_path, embedder) as rag:
        libraries_of(rag).subscribe(class_library)
        whole = libraries_of(rag).courses()
    path = tmp_path / "student" / "shared" / f"{class_library.key}.json"
    stored = json.loads(path.read_bytes())
    stored["courses"][0]["entry"] = stored["courses"][0]["entry"][:-7]
    path.write_text(json.dumps(stored), encoding="utf-8")
    with student(tmp_path, embedder) as rag:
        assert len(libraries_of(rag).courses()) == 2  # those of the entries that are whole
        list(libraries_of(rag).refresh())
        assert libraries_of(rag).courses() == whole
    for content in (b"", b"{", b'{"courses": [{"uid": 3}]}', b"[" * 100_000, b'{"courses": [1], "model": 0}'):
        path.write_bytes(content)
        with student(tmp_path, embedder) as rag:
            assert libraries_of(rag).courses() == ()
            list(libraries_of(rag).refresh())
            assert libraries_of(rag).courses() == whole


def test_processes_that_refresh_at_once_leave_it_whole(
    tmp_path: Path, embedder: KeptEmbedder, rag: RAGSystem, class_library: ServerAddress
) -> None:
    libraries_of(rag).subscribe(class_library)
    courses = libraries_of(rag).courses()
    beside = [
        SharedLibraries(tmp_path / "student", tuple, lambda: (embedder.model_id, embedder.dimension))
        for _ in range(2)
    ]
    threads = [threading.Thread(target=lambda one=one: list(one.refresh())) for one in beside]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        kept = read_catalogue(tmp_path / "student" / "shared" / f"{class_library.key}.json")
        assert kept is not None and len(kept.courses) == 3
    for thread, one in zip(threads, beside, strict=True):
        thread.join()
        assert one.courses() == courses
        one.close()


def test_a_window_sees_what_a_command_subscribes_to(
    tmp_path: Path, embedder: KeptEmbedder, class_library: ServerAddress
) -> None:
    with student(tmp_path, embedder) as window:
        assert libraries_of(window).libraries() == ()
        command_dir = tmp_path / "command"
        with student(tmp_path, embedder, "command") as command:
            libraries_of(command).subscribe(class_library)
        shutil.copytree(command_dir / "shared", tmp_path / "student" / "shared")
        assert [course.title for course in libraries_of(window).courses()] == TITLES


def test_a_token_that_no_keychain_takes_comes_from_the_environment_for_its_server_alone(
    tmp_path: Path,
    embedder: KeptEmbedder,
    class_library: ServerAddress,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TOKEN_VARIABLE, "ck-planted-token")
    with ChromaProxy(class_library.url) as proxy, ChromaProxy(class_library.url) as public:
        proxy.token = "ck-planted-token"
        address, other = proxy.address_of(class_library), public.address_of(class_library)
        with student(tmp_path, embedder) as rag:
            libraries_of(rag).subscribe(address, "ck-planted-token")
            libraries_of(rag).subscribe(other)
        with student(tmp_path, embedder) as rag:
            list(libraries_of(rag).refresh())
            assert [one.state for one in libraries_of(rag).libraries()] == [ServerState.READY] * 2
        monkeypatch.delenv(TOKEN_VARIABLE)
        with student(tmp_path, embedder) as rag:
            list(libraries_of(rag).refresh())
            assert [one.state for one in libraries_of(rag).libraries()] == [
                ServerState.REFUSED,
                ServerState.READY,
            ]
        assert not any("planted" in str(request) for request in public.seen)
