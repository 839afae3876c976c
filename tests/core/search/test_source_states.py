"""A source is read in its lesson, whatever became of its file since."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.scope import Scope
from app.domain.sources import Source, SourceState
from tests.support.courses import BREAD, ingest, library, write_courses
from tests.support.recordings import make_sound
from tests.support.set_pages import Setting, made_sentences, set_document

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

LESSON_1 = BREAD[BREAD.index("A sourdough starter is") : BREAD.index("Lesson 2")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_courses(tmp_path / "courses")


@pytest.fixture
def own_rag(tmp_path: Path, folder: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "own", embedder, index=False) as opened:
        ingest(opened, folder)
        yield opened


def starter_source(rag: RAGSystem) -> Source:
    hit = rag.search.retrieve("How is a sourdough starter fed?").hits[0]
    assert "sourdough starter" in hit.text
    return rag.search.make_source(1, hit)


def test_a_lesson_is_given_whole_with_its_place(own_rag: RAGSystem, folder: Path) -> None:
    source = starter_source(own_rag)
    lesson = own_rag.search.lesson_text(source)
    assert (lesson.state, lesson.is_whole, lesson.file_exists) == (SourceState.CURRENT, True, True)
    assert lesson.text.strip() == LESSON_1.strip()
    assert BREAD[lesson.start : lesson.end] == lesson.text
    assert lesson.path == str(folder / "bread.txt")
    assert lesson.source is source


def test_a_changed_file_leaves_the_passage_as_it_was(own_rag: RAGSystem, folder: Path) -> None:
    source = starter_source(own_rag)
    (folder / "bread.txt").write_text(BREAD.replace("once a day", "twice a day"), encoding="utf-8")
    ingest(own_rag, folder)
    assert own_rag.search.source_state(source) is SourceState.CHANGED
    lesson = own_rag.search.lesson_text(source)
    assert (lesson.state, lesson.is_whole) == (SourceState.CHANGED, False)
    assert "once a day" in lesson.text
    assert (lesson.text, lesson.start) == (source.hit.text, source.hit.start)


def test_a_removed_course_can_be_read_from_the_trash_and_then_only_its_passage(
    own_rag: RAGSystem, folder: Path
) -> None:
    source = starter_source(own_rag)
    own_rag.courses.remove_courses(("Bread Baking at Home",), CancelToken())
    lesson = own_rag.search.lesson_text(source)
    assert (lesson.state, lesson.is_whole) == (SourceState.REMOVED, True)
    own_rag.catalog.documents.empty_trash()
    (folder / "bread.txt").unlink()
    lesson = own_rag.search.lesson_text(source)
    assert (lesson.state, lesson.is_whole, lesson.file_exists) == (SourceState.REMOVED, False, False)
    assert lesson.text == source.hit.text


def test_a_file_that_only_moved_is_the_same(own_rag: RAGSystem, folder: Path) -> None:
    source = starter_source(own_rag)
    (folder / "bread.txt").rename(folder / "baking.txt")
    ingest(own_rag, folder)
    lesson = own_rag.search.lesson_text(source)
    assert (lesson.state, lesson.is_whole) == (SourceState.CURRENT, True)
    assert lesson.path == str(folder / "baking.txt")


def test_a_file_put_back_as_it_was_is_current_again(own_rag: RAGSystem, folder: Path) -> None:
    source = starter_source(own_rag)
    for text in (BREAD + "\nMore.\n", BREAD):
        (folder / "bread.txt").write_text(text, encoding="utf-8", newline="\n")
        ingest(own_rag, folder)
    assert own_rag.search.lesson_text(source).state is SourceState.CURRENT
    assert own_rag.search.lesson_text(source).is_whole


def test_another_document_with_the_same_key_is_not_taken_for_it(own_rag: RAGSystem, folder: Path) -> None:
    source = starter_source(own_rag)
    own_rag.courses.remove_courses(tuple(course.title for course in own_rag.courses.all()), CancelToken())
    own_rag.catalog.documents.empty_trash()
    (folder / "other.txt").write_text("Course Title: Other\n\nText.\n", encoding="utf-8")
    ingest(own_rag, folder / "other.txt")
    other = next(
        record for path, record in own_rag.catalog.documents.files().items() if path.endswith("other.txt")
    )
    # As in a chat that came from another library.
    source = replace(source, hit=replace(source.hit, document_id=other.document_id))
    assert own_rag.search.source_state(source) is SourceState.REMOVED


def test_a_scope_of_text_outside_the_lessons_finds_only_that(own_rag: RAGSystem) -> None:
    scope = Scope(lessons=(("A Short History of Ink", None), ("Bread Baking at Home", 0)))
    found = {
        (hit.course_title, hit.lesson_number) for hit in own_rag.search.retrieve("ink", scope=scope).hits
    }
    assert ("A Short History of Ink", None) in found
    assert found <= {("A Short History of Ink", None), ("Bread Baking at Home", 0)}
    assert own_rag.search.retrieve("ink", scope=Scope(lessons=(("Tides and Currents", None),))).hits == ()


def test_the_same_bytes_read_in_another_way_leave_only_the_passage(own_rag: RAGSystem) -> None:
    source = starter_source(own_rag)
    own_rag.database.connection.execute("UPDATE documents SET text = replace(text, ' ', '  ')")
    lesson = own_rag.search.lesson_text(source)
    assert (lesson.state, lesson.is_whole) == (SourceState.CURRENT, False)
    assert (lesson.text, lesson.start) == (source.hit.text, source.hit.start)


def test_a_passage_that_spans_two_lessons_is_read_in_the_whole_document(own_rag: RAGSystem) -> None:
    """As one of a chat that was saved before the file was divided into lessons in another way."""
    source = starter_source(own_rag)
    text = own_rag.catalog.documents.text(source.hit.document_id).text
    start, end = text.index("Flour is weighed"), source.hit.end
    source = replace(source, hit=replace(source.hit, start=start, end=end, text=text[start:end]))
    lesson = own_rag.search.lesson_text(source)
    assert (lesson.start, lesson.text, lesson.is_whole) == (0, text, True)


def test_a_hit_whose_document_is_gone_becomes_no_source(own_rag: RAGSystem) -> None:
    hit = starter_source(own_rag).hit
    own_rag.courses.remove_courses((hit.course_title,), CancelToken())
    own_rag.catalog.documents.empty_trash()
    with pytest.raises(KeyError):
        own_rag.search.make_source(1, hit)


def test_a_pdf_tells_where_the_text_of_each_page_begins(own_rag: RAGSystem, tmp_path: Path) -> None:
    made = set_document(made_sentences(40), Setting(lines=20))
    (tmp_path / "tides.pdf").write_bytes(made.data)
    ingest(own_rag, tmp_path / "tides.pdf")
    hits = own_rag.search.retrieve(made.sentences[-1]).hits
    source = own_rag.search.make_source(1, next(hit for hit in hits if hit.path.endswith(".pdf")))
    lesson = own_rag.search.lesson_text(source)
    assert [page.number for page in lesson.pages] == list(range(1, len(lesson.pages) + 1))
    starts = [lesson.text[page.start :].split()[0] for page in lesson.pages]
    firsts = [next(one for one in made.letters if one.page == page.number) for page in lesson.pages]
    assert [word[0] for word in starts] == [letter.character for letter in firsts]
    around = lesson.around(source.hit.start, source.hit.end)
    assert around is not None
    assert source.hit.text in around.text
    assert around.text == lesson.text[around.start : around.start + len(around.text)]
    assert starter_source(own_rag) and not own_rag.search.lesson_text(starter_source(own_rag)).pages


def test_captions_come_with_the_recording_that_lies_beside_them_now(
    tmp_path: Path, embedder: KeptEmbedder
) -> None:
    folder = tmp_path / "course"
    folder.mkdir()
    cues = ("The moon pulls the ocean.", "So there are two tides.", "The sun pulls, too.")
    times = (f"{n}\n00:00:0{n},500 --> 00:00:0{n + 1},000\n{said}\n" for n, said in enumerate(cues, 1))
    (folder / "tides.en.srt").write_text("\n".join(times), encoding="utf-8")
    with library(tmp_path / "own", embedder, index=False) as rag:
        ingest(rag, folder)
        source = rag.search.make_source(1, rag.search.retrieve("two tides").hits[0])
        assert rag.search.lesson_text(source).recording is None
        sound = make_sound(folder / "tides.wav", 1.0)
        lesson = rag.search.lesson_text(source)
        recording = lesson.recording
        assert recording is not None
        assert (recording.path, recording.is_known) == (str(sound.resolve()), True)
        at = lesson.start + lesson.text.index("two tides")
        assert recording.seconds_at(at) == 2.5
        start, end = recording.span_at(2.9, lesson.end) or (0, 0)
        assert lesson.text[start - lesson.start : end - lesson.start].strip() == cues[1]
        assert recording.span_at(1.0, lesson.end) is None
        assert recording.span_at(99.0, lesson.end) == (
            lesson.start + lesson.text.index("The sun"),
            lesson.end,
        )
        sound.write_bytes(b"#EXTM3U\nhttp://127.0.0.1/1.ts\n")
        named = rag.search.lesson_text(source).recording
        assert named is not None
        assert not named.is_known
