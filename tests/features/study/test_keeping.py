"""Whatever happens to a course, its cards are kept: removed, renamed, read again, moved, damaged."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.features.keeping.transfer import TransferService
from app.features.study.model.reviews import Rating
from tests.support.courses import BREAD, ingest, library, write_courses
from tests.support.study import BREAD_TITLE, MOON, SCALE, STARTER, TIDES_TITLE, add_item, study_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


@pytest.fixture
def rag(data_dir: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(data_dir, embedder, index=False) as opened:
        yield opened


def learnt(rag: RAGSystem, course: str = BREAD_TITLE, sentence: str = STARTER) -> int:
    """Add a card that was reviewed; return its key."""
    key = add_item(rag, course, sentence)
    study_of(rag).reviews.rate(key, Rating.EASY)
    return key


def decks(rag: RAGSystem) -> dict[str, int]:
    return {deck.course_title: deck.items for deck in study_of(rag).decks()}


def remove(rag: RAGSystem, course: str = BREAD_TITLE) -> list[int]:
    entries = rag.courses.remove_courses([course], CancelToken())
    return [key for entry in entries for key in entry.documents]


def restore(rag: RAGSystem, documents: list[int]) -> None:
    list(rag.trash.restore(documents, CancelToken()))


def is_learnt(rag: RAGSystem, key: int) -> bool:
    return (
        key in study_of(rag).reviews.repository.schedules([key])
        and study_of(rag).repository.item(key) is not None
    )


def test_a_course_takes_its_deck_to_the_trash_and_back(rag: RAGSystem) -> None:
    key, tides = learnt(rag), add_item(rag, TIDES_TITLE, MOON)
    documents = remove(rag)
    assert decks(rag) == {TIDES_TITLE: 1}
    assert study_of(rag).reviews.due().total == 1
    card = study_of(rag).reviews.next_card()
    assert card is not None
    assert card.item.item_id == tides
    assert [entry.items for entry in rag.trash.entries()] == [1]
    restore(rag, documents)
    assert decks(rag) == {BREAD_TITLE: 1, TIDES_TITLE: 1}
    assert is_learnt(rag, key)


def test_a_deck_that_was_made_meanwhile_takes_in_the_one_that_comes_back(rag: RAGSystem) -> None:
    key, other = learnt(rag), add_item(rag, TIDES_TITLE, MOON)
    documents = remove(rag)
    study_of(rag).move([other], BREAD_TITLE)
    restore(rag, documents)
    assert decks(rag) == {BREAD_TITLE: 2}
    assert is_learnt(rag, key)


def test_a_deck_stays_as_long_as_a_part_of_its_course_does(rag: RAGSystem, tmp_path: Path) -> None:
    path = tmp_path / "more.txt"
    path.write_text(
        f"Course Title: {BREAD_TITLE}\n\nLesson 9: Crust\nSteam makes it thin.\n", encoding="utf-8"
    )
    ingest(rag, path)
    learnt(rag)
    rag.courses.remove_files([str(path)], CancelToken())
    assert decks(rag) == {BREAD_TITLE: 1}
    assert [entry.items for entry in rag.trash.entries()] == [0]
    remove(rag)
    assert decks(rag) == {}
    assert sorted(entry.items for entry in rag.trash.entries()) == [0, 1]


def test_a_course_that_is_read_again_gets_its_deck_back(rag: RAGSystem, tmp_path: Path) -> None:
    key = learnt(rag)
    remove(rag)
    ingest(rag, write_courses(tmp_path / "again"))
    assert decks(rag) == {BREAD_TITLE: 1}
    assert is_learnt(rag, key)


def test_a_deck_belongs_to_the_course_that_has_its_title(rag: RAGSystem, tmp_path: Path) -> None:
    def course() -> str | None:
        query = (
            "SELECT c.title FROM decks LEFT JOIN courses AS c ON c.id = course_id WHERE trashed_at IS NULL"
        )
        title: str | None = rag.database.connection.execute(query).fetchone()[0]
        return title

    study_of(rag).move([learnt(rag)], "Loaves")
    study_of(rag).repository.sweep()
    assert course() is None
    (tmp_path / "loaves.txt").write_text(BREAD.replace(BREAD_TITLE, "Loaves"), encoding="utf-8")
    ingest(rag, tmp_path / "loaves.txt")
    assert course() == "Loaves"
    remove(rag, "Loaves")
    assert decks(rag) == {}
    list(rag.trash.empty(CancelToken()))
    assert rag.database.connection.execute("SELECT count(*) FROM decks").fetchone()[0] == 0


def test_what_is_deleted_for_good_takes_its_deck_along(rag: RAGSystem) -> None:
    key, tides = learnt(rag), learnt(rag, TIDES_TITLE, MOON)
    remove(rag)
    list(rag.trash.empty(CancelToken()))
    assert rag.database.connection.execute("SELECT count(*) FROM decks").fetchone()[0] == 1
    assert not is_learnt(rag, key)
    assert is_learnt(rag, tides)
    remove(rag, TIDES_TITLE)
    assert list(rag.trash.expire(CancelToken())) is not None
    assert [entry.items for entry in rag.trash.entries()] == [1], "it is kept for 30 days"


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_renamed_course_renames_its_deck(rag: RAGSystem, is_taken: bool) -> None:
    key = learnt(rag)
    if is_taken:  # by a deck without a course
        add_item(rag, TIDES_TITLE, MOON)
        study_of(rag).move([one.item_id for one in study_of(rag).items() if one.quote == MOON], "Loaves")
    list(rag.ingest.rename_course(BREAD_TITLE, "Loaves", CancelToken()))
    assert decks(rag).get("Loaves") == 1 + is_taken
    assert BREAD_TITLE not in decks(rag)
    item = study_of(rag).repository.item(key)
    assert item is not None
    assert item.source.hit.course_title == "Loaves"
    assert is_learnt(rag, key)


def test_a_file_that_says_it_is_another_course_loses_no_card(tmp_path: Path, embedder: KeptEmbedder) -> None:
    folder = tmp_path / "courses"
    folder.mkdir()
    (folder / "bread.txt").write_text(BREAD, encoding="utf-8")
    with library(tmp_path / "data", embedder, index=False) as rag:
        ingest(rag, folder)
        key, trashed = learnt(rag), learnt(rag, sentence=SCALE)
        (folder / "bread.txt").write_text(BREAD.replace(BREAD_TITLE, "Loaves"), encoding="utf-8")
        ingest(rag, folder)
        assert decks(rag) == {BREAD_TITLE: 2}
        remove(rag, "Loaves")
        (folder / "bread.txt").write_text(BREAD.replace(BREAD_TITLE, "Buns"), encoding="utf-8")
        ingest(rag, folder)
        assert decks(rag) == {BREAD_TITLE: 2}
        assert is_learnt(rag, key)
        assert is_learnt(rag, trashed)


def test_a_backup_is_made_when_only_a_card_was_reviewed(rag: RAGSystem) -> None:
    key = learnt(rag)
    first = rag.backups.make_daily(CancelToken())
    assert first is not None
    yesterday = time.strftime("%Y-%m-%d", time.localtime(time.time() - 86_400))
    first.path.rename(first.path.with_name(f"library.v{rag_version(rag)}.{yesterday}.sqlite3"))
    assert rag.backups.make_daily(CancelToken()) is None
    study_of(rag).reviews.rate(key, Rating.GOOD)
    assert rag.backups.make_daily(CancelToken()) is not None


def rag_version(rag: RAGSystem) -> int:
    return int(rag.database.connection.execute("PRAGMA user_version").fetchone()[0])


def test_a_library_takes_its_cards_to_another_computer(
    rag: RAGSystem, tmp_path: Path, embedder: KeptEmbedder
) -> None:
    key = learnt(rag)
    list(rag.service(TransferService).export_library(tmp_path / "a.zip", CancelToken()))
    with library(tmp_path / "other", embedder, index=False) as other:
        for _ in range(2):
            list(other.service(TransferService).import_library(tmp_path / "a.zip", CancelToken()))
            (item,) = study_of(other).items()
            assert other.search.lesson_text(item.source).is_whole
            assert study_of(other).reviews.repository.schedules([item.item_id]).values()
        study_of(rag).reviews.rate(key, Rating.GOOD)
        list(rag.service(TransferService).export_library(tmp_path / "b.zip", CancelToken()))
        list(other.service(TransferService).import_library(tmp_path / "b.zip", CancelToken(), replace=True))
        assert len(list(study_of(other).reviews.repository.log())) == 2
        assert len(study_of(other).items()) == 1
