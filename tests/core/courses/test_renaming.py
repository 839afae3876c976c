"""Courses that people give another title."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.courses import Corrections
from app.domain.errors import UserError
from app.domain.events import CourseRenamed
from app.domain.scope import Scope
from app.domain.sources import SourceState
from tests.core.courses.test_later_files import courses
from tests.core.courses.test_one_course import put, put_all
from tests.core.ingest.test_sync import sync_folders
from tests.support.courses import TITLES, ingest, last_report, library

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

INK, BREAD, TIDES = TITLES


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as opened:
        yield opened


@pytest.fixture
def filled(data_dir: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """Three courses, and Chroma."""
    with library(data_dir, embedder) as opened:
        yield opened


@pytest.fixture
def uni(tmp_path: Path) -> Path:
    """The chosen folder."""
    return (tmp_path / "uni").resolve()


def rename(rag: RAGSystem, old: str, new: str) -> list[CourseRenamed]:
    events = rag.ingest.rename_course(old, new, CancelToken())
    return [event for event in events if isinstance(event, CourseRenamed)]


def titles(rag: RAGSystem) -> list[str]:
    return [course.title for course in rag.courses.all()]


def test_search_chats_and_sources_follow(filled: RAGSystem) -> None:
    hit = filled.search.retrieve("sourdough starter").hits[0]
    assert hit.course_title == BREAD
    source, scope = filled.search.make_source(1, hit), Scope(lessons=((BREAD, 1),), up_to=((BREAD, 1),))
    chat = filled.conversations.create_session(scope)
    exchange = filled.conversations.begin_exchange(chat, "What is a starter?", scope, None)

    assert rename(filled, BREAD, "  Loaves \n and crusts ") == [CourseRenamed(BREAD, "Loaves and crusts")]
    assert titles(filled) == [INK, "Loaves and crusts", TIDES]
    renamed = filled.search.retrieve("sourdough starter", scope=Scope(courses=("Loaves and crusts",))).hits[0]
    assert (renamed.text, renamed.document_id) == (hit.text, hit.document_id)
    assert filled.search.scope_of("crusts", None) == Scope(courses=("Loaves and crusts",))
    assert filled.search.source_state(source) is SourceState.CURRENT
    assert filled.search.lesson_text(source).is_whole
    (followed,) = filled.conversations.exchanges(chat)
    assert followed.id == exchange.id
    assert followed.scope == Scope(lessons=(("Loaves and crusts", 1),), up_to=(("Loaves and crusts", 1),))
    assert filled.index.matches()


def test_saved_sources_have_the_new_name(filled: RAGSystem) -> None:
    answer = filled.conversations.create_session()
    exchange = filled.conversations.begin_exchange(answer, "What is a starter?", Scope(), None)
    hit = filled.search.retrieve("sourdough starter").hits[0]
    source = filled.search.make_source(1, hit)
    filled.conversations.save(replace(exchange, sources=(source,)))
    rename(filled, BREAD, "Loaves")
    (followed,) = filled.conversations.exchanges(answer)
    assert [one.hit.course_title for one in followed.sources] == ["Loaves"]
    rename(filled, "Loaves", BREAD)
    (back,) = filled.conversations.exchanges(answer)
    assert back.sources == (source,)


def test_the_words_of_the_new_title_are_found_as_if_it_had_been_read_so(
    rag: RAGSystem, tmp_path: Path, embedder: KeptEmbedder, uni: Path
) -> None:
    text = "# Cells\n\nA membrane surrounds each of them.\n\n# Acids\n\nThey taste sour.\n"
    put(uni / "bio" / "1.md", text)
    ingest(rag, uni)
    rename(rag, "bio", "Zoology for beginners")
    wanted = Corrections(renamed=(("bio", "Zoology for beginners"),))
    with library(tmp_path / "other", embedder, index=False) as other:
        last_report(other.ingest.add_course_folder([uni], CancelToken(), corrections=wanted))
        for question in ("zoology", "beginners acids", "bio"):
            found, expected = (one.search.retrieve(question).hits for one in (rag, other))
            assert [hit.text for hit in found] == [hit.text for hit in expected]
            assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=0.01)


def test_a_renamed_folder_keeps_its_title_over_syncs_and_moves(rag: RAGSystem, uni: Path) -> None:
    put_all(uni, "bio/1 Ferns.md", "bio/2 Acids.md", "chem/1 Bases.md")
    ingest(rag, uni)
    rename(rag, "bio", "Biology")
    put_all(uni, "bio/3 Mosses.md")
    sync_folders(rag)
    expected = {"Biology": ["1 Ferns.md", "2 Acids.md", "3 Mosses.md"], "chem": ["1 Bases.md"]}
    assert {title: sorted(names) for title, names in courses(rag).items()} == expected
    (uni / "bio").rename(uni / "life")
    sync_folders(rag)
    assert {title: sorted(names) for title, names in courses(rag).items()} == expected
    assert [course.title for course in rag.ingest.plan([uni], CancelToken()).courses] == ["Biology", "chem"]
    rename(rag, "Biology", "bio")
    sync_folders(rag)
    assert sorted(courses(rag)) == ["bio", "chem"]


def test_a_later_file_whose_header_has_the_old_title_joins(rag: RAGSystem, uni: Path) -> None:
    text = "Course Title: Bees\n\nLesson {0}: Dance {0}\nBees dance, and that is dance {0}.\n"
    put(uni / "bees 1.txt", text.format(1))
    ingest(rag, uni)
    rename(rag, "Bees", "Honey")
    put(uni / "bees 2.txt", text.format(2))
    sync_folders(rag)
    assert courses(rag) == {"Honey": ["bees 1.txt", "bees 2.txt"]}
    put(uni / "bees 1.txt", text.format(1) + "All day.\n")
    (uni / "bees 2.txt").rename(uni / "more bees.txt")
    sync_folders(rag)
    assert {title: sorted(names) for title, names in courses(rag).items()} == {
        "Honey": ["bees 1.txt", "more bees.txt"]
    }


@pytest.mark.parametrize("taken", [TIDES, TIDES.upper()])
def test_two_courses_never_get_one_title(filled: RAGSystem, taken: str) -> None:
    with pytest.raises(UserError, match="already a course called “Tides and Currents”"):
        rename(filled, BREAD, taken)
    filled.courses.remove_courses([TIDES], CancelToken())
    with pytest.raises(UserError, match="in the trash"):
        rename(filled, BREAD, taken)
    with pytest.raises(UserError, match="No course or file is called"):
        rename(filled, "Cheese", "Butter")
    assert titles(filled) == [INK, BREAD]


def test_what_was_removed_comes_back_under_the_new_title(rag: RAGSystem, uni: Path) -> None:
    put_all(uni, "bio/1 Ferns.md", "bio/2 Acids.md")
    ingest(rag, uni)
    (entry,) = rag.courses.remove_files([str(uni / "bio" / "2 Acids.md")], CancelToken())
    rename(rag, "bio", "Biology")
    list(rag.trash.restore(entry.documents, CancelToken()))
    sync_folders(rag)
    assert courses(rag) == {"Biology": ["1 Ferns.md", "2 Acids.md"]}


def test_a_blank_title_changes_nothing(filled: RAGSystem) -> None:
    assert rename(filled, BREAD, " \n ") == []
    assert rename(filled, BREAD, f" {BREAD} ") == []
    assert titles(filled) == TITLES


def test_another_folder_that_has_the_new_title_is_a_course_of_its_own(rag: RAGSystem, uni: Path) -> None:
    put_all(uni, "bio/1 Ferns.md", "chem/1 Bases.md")
    ingest(rag, uni)
    rename(rag, "bio", "Biology")
    put_all(uni, "Biology/1 Whales.md")
    sync_folders(rag)
    expected = {"Biology": ["1 Ferns.md"], "Biology (uni)": ["1 Whales.md"], "chem": ["1 Bases.md"]}
    assert courses(rag) == expected
    sync_folders(rag)
    assert courses(rag) == expected


@pytest.mark.parametrize("joined", ["bio", "physics"])
def test_folders_that_were_joined_stay_so(rag: RAGSystem, uni: Path, joined: str) -> None:
    put_all(uni, f"{joined}/1 Ferns.md", "chem/1 Bases.md")
    wanted = Corrections(renamed=((joined, "chem"),))
    last_report(rag.ingest.add_course_folder([uni], CancelToken(), corrections=wanted))
    put_all(uni, f"{joined}/2 Mosses.md", "chem/2 Acids.md")
    sync_folders(rag)
    assert {title: sorted(names) for title, names in courses(rag).items()} == {
        "chem": ["1 Bases.md", "1 Ferns.md", "2 Acids.md", "2 Mosses.md"]
    }
