"""Another embedding model takes over in an open library: both real, questions asked all the while."""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING

import pytest

from app.core.embedding import model_files
from app.core.embedding.embedder import Embedder
from app.core.embedding.model_files import find_model
from app.domain.cancel import CancelToken
from app.domain.courses import Course
from app.domain.errors import ModelMissing
from app.domain.events import FileDone, FileStarted, FileStatus, IngestProgress
from app.domain.messages import Message
from app.domain.scope import Scope
from tests.support.courses import KeptEmbedder, library
from tests.support.model_folders import make_model

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.conftest import OtherModel

pytestmark = pytest.mark.slow

QUESTION = "sourdough starter"
BY_MEANING = "making loaves in an oven"  # of a course whose title has none of these words
BREAD = "Bread Baking at Home"


@pytest.fixture
def rag(data_dir: Path, other_model: OtherModel) -> Iterator[RAGSystem]:
    embedder = KeptEmbedder(None, other_model.cache)
    with library(data_dir, embedder) as opened:
        yield opened
    embedder.release()


def ensure_current(rag: RAGSystem) -> None:
    for _ in rag.reindex.ensure_current(CancelToken()):
        pass


def title_of(course: Course | str) -> str:
    return course.title if isinstance(course, Course) else course


def test_questions_are_answered_before_meanwhile_and_after(rag: RAGSystem, other_model: OtherModel) -> None:
    shutil.rmtree(find_model(other_model.folder, other_model.cache).graph, ignore_errors=True)
    before = rag.search.retrieve(QUESTION)
    assert before.covered is not None
    assert title_of(rag.search.outline(BY_MEANING, Scope())) == BREAD

    rag.reindex.choose_model(str(other_model.folder))
    assert rag.reindex.needed()
    assert rag.search.retrieve(QUESTION) == before, (
        "the model that the library was embedded with still serves"
    )
    assert title_of(rag.search.outline(BY_MEANING, Scope())) == BREAD

    steps: list[Message] = []
    meanwhile = 0
    for event in rag.reindex.run(CancelToken(), steps.append):
        if isinstance(event, FileStarted | FileDone):
            found = rag.search.retrieve(QUESTION)
            assert found.covered is None, "compared by meaning though vectors come from two models"
            assert found.hits[0].course_title == BREAD
            assert title_of(rag.search.outline("bread", Scope())) == BREAD
            assert rag.search.outline(BY_MEANING, Scope()) == f"No course found matching '{BY_MEANING}'."
            meanwhile += 1
    assert meanwhile == 6
    assert Message("embedding.exporting") in steps

    assert not rag.reindex.needed()
    assert rag.search.retrieve(QUESTION).covered is not None
    assert {len(vector) for vector in rag.catalog.courses.vectors().values()} == {16}
    rag.search.outline(BY_MEANING, Scope())  # whatever a model with made-up weights makes of it
    assert rag.index.chroma.count() == rag.courses.counts().passages

    rag.reindex.choose_model("")
    ensure_current(rag)
    assert {len(vector) for vector in rag.catalog.courses.vectors().values()} == {384}
    again = rag.search.retrieve(QUESTION)
    assert [hit.text for hit in again.hits] == [hit.text for hit in before.hits]
    assert [hit.score for hit in again.hits] == pytest.approx([hit.score for hit in before.hits], abs=1e-4)


def test_questions_in_another_thread_never_meet_two_models(rag: RAGSystem, other_model: OtherModel) -> None:
    over, errors, asked = threading.Event(), list[Exception](), 0

    def ask() -> None:
        nonlocal asked
        while not over.is_set():
            try:
                assert rag.search.retrieve(QUESTION).hits
                rag.search.outline(BY_MEANING, Scope())
            except Exception as error:
                errors.append(error)
                return
            asked += 1

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        for folder in (str(other_model.folder), "", str(other_model.folder)):
            rag.reindex.choose_model(folder)
            ensure_current(rag)
    finally:
        over.set()
        asker.join()
    assert not errors
    assert asked


def test_what_was_cut_short_is_done_again_whichever_model_is_chosen(
    rag: RAGSystem, other_model: OtherModel
) -> None:
    before = rag.search.retrieve(QUESTION)
    rag.reindex.choose_model(str(other_model.folder))
    events = rag.reindex.run(CancelToken())
    assert any(isinstance(event, FileDone) for event in events)  # the first; no further
    events.close()

    rag.reindex.choose_model("")
    assert rag.reindex.needed()
    assert rag.search.retrieve(QUESTION).covered is None
    ensure_current(rag)
    assert not rag.reindex.needed()
    scores = [hit.score for hit in rag.search.retrieve(QUESTION).hits]
    assert scores == pytest.approx([hit.score for hit in before.hits], abs=1e-4)


def test_one_still_being_exported_does_not_come_back(other_model: OtherModel) -> None:
    shutil.rmtree(find_model(other_model.folder, other_model.cache).graph, ignore_errors=True)
    embedder = Embedder(other_model.folder, other_model.cache)
    exporting, go_on = threading.Event(), threading.Event()

    def hold_up(_: Message) -> None:
        exporting.set()
        go_on.wait(60)

    preparing = threading.Thread(target=embedder.prepare, args=(CancelToken(), hold_up))
    preparing.start()
    assert exporting.wait(60)
    embedder.choose(None)
    taking = threading.Thread(target=embedder.take, args=(CancelToken(),))
    taking.start()
    taking.join(3)  # it may have to wait for the other one
    go_on.set()
    preparing.join()
    taking.join()
    assert embedder.embed_query(QUESTION).shape == (embedder.dimension,) == (384,)


def test_a_model_chosen_and_given_up_changes_nothing(rag: RAGSystem, other_model: OtherModel) -> None:
    rag.reindex.choose_model(str(other_model.folder))
    assert rag.reindex.needed()
    rag.reindex.choose_model("")
    assert not rag.reindex.needed()


def test_removing_and_restoring_meanwhile_hold(rag: RAGSystem, other_model: OtherModel) -> None:
    first, _, third = (record.document_id for record in rag.catalog.documents.files().values())
    rag.courses.remove([first], CancelToken())
    rag.reindex.choose_model(str(other_model.folder))
    events = rag.reindex.run(CancelToken())
    assert isinstance(next(events), FileStarted)
    rag.courses.remove([third], CancelToken())
    for _ in rag.trash.restore([first], CancelToken()):
        pass
    for _ in events:
        pass
    assert rag.courses.counts().documents == 2
    (entry,) = rag.trash.entries()
    assert entry.documents == (third,)
    assert {len(vector) for vector in rag.catalog.courses.vectors().values()} == {16}
    for _ in rag.trash.restore([third], CancelToken()):
        pass
    assert {len(vector) for vector in rag.catalog.courses.vectors().values()} == {16}
    assert rag.courses.counts().documents == 3


def test_what_is_removed_while_it_is_embedded_stays_in_the_trash(
    rag: RAGSystem, other_model: OtherModel
) -> None:
    rag.reindex.choose_model(str(other_model.folder))
    events = rag.reindex.run(CancelToken())
    path = next(event.path for event in events if isinstance(event, IngestProgress))
    (key,) = (record.document_id for record in rag.catalog.documents.files().values() if record.path == path)
    rag.courses.remove([key], CancelToken())
    done = [event for event in events if isinstance(event, FileDone) and event.path == path]
    assert [event.status for event in done] == [FileStatus.REMOVED]
    assert rag.courses.counts().documents == 2
    (entry,) = rag.trash.entries()
    assert entry.documents == (key,)


def test_a_folder_without_a_model_keeps_the_one_before(rag: RAGSystem, tmp_path: Path) -> None:
    before = rag.search.retrieve(QUESTION)
    with pytest.raises(ModelMissing, match="no modules.json"):
        rag.reindex.choose_model(str(tmp_path))
    assert not rag.reindex.needed()
    assert rag.search.retrieve(QUESTION) == before


def test_a_model_that_can_not_be_prepared_leaves_the_library_alone(rag: RAGSystem, tmp_path: Path) -> None:
    before = rag.search.retrieve(QUESTION)
    rag.reindex.choose_model(str(make_model(tmp_path / "broken")))
    with pytest.raises(ModelMissing):
        list(rag.reindex.run(CancelToken()))
    assert rag.search.retrieve(QUESTION) == before
    assert rag.reindex.needed()
    rag.reindex.choose_model("")
    assert not rag.reindex.needed()


def test_a_packaged_program_says_which_models_it_can_not_prepare(
    rag: RAGSystem, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_files, "is_frozen", lambda: True)
    with pytest.raises(ModelMissing, match="cannot prepare this embedding model"):
        rag.reindex.choose_model(str(make_model(tmp_path / "another")))
    assert not rag.reindex.needed()


def test_an_empty_library_takes_the_model_at_once(tmp_path: Path, other_model: OtherModel) -> None:
    embedder = KeptEmbedder(None, other_model.cache)
    with library(tmp_path / "empty", embedder) as rag:
        rag.reindex.choose_model(str(other_model.folder))
        assert rag.reindex.needed()
        ensure_current(rag)
        assert not rag.reindex.needed()
        message = rag.search.retrieve(QUESTION).message
        assert str(message) == "The library is empty. Add a folder with course files first."
    embedder.release()
