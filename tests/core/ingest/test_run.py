"""Results for files: added, unchanged, changed, moved, removed, unreadable."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.config.settings import Settings
from app.core.documents.formats import UNREAD_ENDINGS
from app.core.search.lexical import TextIndex
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import UserError
from app.domain.events import FileDone, FileStarted, FileStatus, IngestDone, IngestProgress
from tests.support.courses import (
    BREAD,
    INK,
    TIDES,
    TITLES,
    document_text,
    ingest,
    last_report,
    library,
    outcome,
    reasons,
    write_courses,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


UNREAD = min(UNREAD_ENDINGS)


@pytest.fixture
def empty(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    """A new library without Chroma, which these tests do not need."""
    with library(tmp_path / "library", embedder, index=False) as rag:
        yield rag


@pytest.fixture
def courses(tmp_path: Path) -> Path:
    return write_courses(tmp_path / "courses")


def put(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(text, str):
        text = text.encode()
    path.write_bytes(text)
    return path.resolve()


def age(path: Path, seconds: int = 60) -> None:
    """Set a file's modification time to the past."""
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns - seconds * 10**9))


def found_text(rag: RAGSystem, question: str) -> str:
    return rag.search.retrieve(question).hits[0].text


def assert_consistent(rag: RAGSystem) -> None:
    assert TextIndex(rag.database).count() == rag.courses.counts().passages
    orphans = rag.database.connection.execute(
        "SELECT count(*) FROM chunks WHERE document_id NOT IN (SELECT id FROM documents)"
    )
    assert orphans.fetchone()[0] == 0


class TestAdding:
    def test_a_folder_of_courses(self, empty: RAGSystem, courses: Path) -> None:
        events = list(empty.ingest.add_course_folder([courses], CancelToken()))
        done = events[-1]
        assert isinstance(done, IngestDone)
        assert outcome(done.files) == {"bread.txt": "added", "ink.md": "added", "tides.txt": "added"}
        assert (done.counts.courses, done.courses_added) == (3, 3)
        assert done.counts.passages == sum(file.passages for file in done.files) == done.passages_embedded
        assert all(file.embedded == file.passages > 0 for file in done.files)
        assert [course.title for course in empty.courses.all()] == TITLES
        started = [event for event in events if isinstance(event, FileStarted)]
        assert [(Path(event.path).name, event.index, event.total) for event in started] == [
            ("bread.txt", 1, 3),
            ("ink.md", 2, 3),
            ("tides.txt", 3, 3),
        ]
        progress = [event for event in events if isinstance(event, IngestProgress)]
        assert progress[-1].passages_per_second > 0
        assert progress[-1].seconds_left is not None
        assert_consistent(empty)

    def test_one_count_of_files_in_plan_progress_and_result(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        put(courses / "photo.jpg", b"\xff\xd8\xff" + bytes(99))
        put(courses / "new.txt", "Course Title: Knots\n\nLesson 1: Bends\nA bend joins two ropes.\n")
        put(courses / "new again.txt", (courses / "new.txt").read_text(encoding="utf-8"))
        plan = empty.ingest.plan([courses], CancelToken())
        events = list(empty.ingest.add_course_folder([courses], CancelToken()))
        done = events[-1]
        assert isinstance(done, IngestDone)
        started = [(event.index, event.total) for event in events if isinstance(event, FileStarted)]
        assert started == [(1, 2), (2, 2)]
        assert {event.files_total for event in events if isinstance(event, IngestProgress)} == {2}
        assert plan.to_read == done.to_read == 2
        assert len(done.files) == 6, "each file has a result, read or not"

    def test_the_share_read_grows_within_a_long_file(self, empty: RAGSystem, tmp_path: Path) -> None:
        put(
            tmp_path / "in" / "long.txt",
            "Course Title: Long\n\nLesson 1: A\n" + "Many words are here. " * 9_000,
        )
        events = list(empty.ingest.add_course_folder([tmp_path / "in"], CancelToken()))
        shares = [event.share for event in events if isinstance(event, IngestProgress)]
        assert shares == sorted(set(shares))
        assert shares[0] == 0
        assert 0.5 < shares[-1] < 1
        assert len(shares) > 3

    def test_the_time_left_counts_only_files_that_are_read(self, empty: RAGSystem, tmp_path: Path) -> None:
        folder = tmp_path / "long"
        for number in range(9):
            put(folder / f"b{number}.pdf", b"%PDF-1.7 " + bytes(100_000))
        ingest(empty, folder)  # they fail, and are not read again
        put(folder / "a1.txt", "Course Title: One\n\nLesson 1: A\n" + "A short line of text. " * 400)
        put(folder / "a2.txt", "Course Title: Two\n\nLesson 1: A\n" + "Other short lines of text. " * 400)
        events = list(empty.ingest.add_course_folder([folder], CancelToken()))
        done = events[-1]
        assert isinstance(done, IngestDone)
        known = [
            e.seconds_left for e in events if isinstance(e, IngestProgress) and e.seconds_left is not None
        ]
        assert known
        assert max(known) < 2 * done.seconds

    def test_the_time_left_is_unknown_until_something_is_read(self, empty: RAGSystem, tmp_path: Path) -> None:
        folder = tmp_path / "mixed"
        put(folder / "1.txt", "Bees dance.\n")
        put(folder / "2.txt", "Course Title: Words\n\nLesson 1: A\n" + "Many words are here. " * 6_000)
        events = list(empty.ingest.add_course_folder([folder], CancelToken()))
        left = [event.seconds_left for event in events if isinstance(event, IngestProgress)]
        assert left[:2] == [None, None]
        assert None not in left[2:]
        assert left[2:]

    def test_header_lessons_and_links(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        ink, bread, tides = empty.courses.all()
        assert (bread.instructor, bread.link) == ("Mira Holt", "https://example.org/bread")
        assert [(item.number, item.title, item.link) for item in bread.lessons] == [
            (0, "Before you start", "https://example.org/bread/0"),
            (1, "Sourdough starters", "https://example.org/bread/1"),
            (2, "Kneading and proofing", None),
        ]
        assert all(lesson.passages for lesson in bread.lessons)
        assert (tides.instructor, len(tides.lessons)) == ("Jon Apsley", 2)
        assert [item.number for item in ink.lessons] == [None]
        assert bread.files == (str(courses / "bread.txt"),)

    def test_a_title_comes_from_the_first_line_or_the_name(self, empty: RAGSystem, tmp_path: Path) -> None:
        folder = tmp_path / "mixed"
        put(folder / "one.txt", "The Life of Bees\n\nBees dance to tell where flowers are.\n")
        put(folder / "sea_and-sky.txt", "Lesson 1: Clouds\nClouds are drops of water.\n")
        ingest(empty, *folder.iterdir())
        titles = [course.title for course in empty.courses.all()]
        assert titles[0] == "sea and-sky"
        assert titles[1] == "The Life of Bees"

    def test_the_same_lesson_twice_keeps_both(self, empty: RAGSystem, tmp_path: Path) -> None:
        text = "Course Title: Twice\n\nLesson 3: First\nOwls hunt.\n\nLesson 3: Second\nLarks sing at dawn.\n"
        ingest(empty, put(tmp_path / "twice.txt", text))
        (course,) = empty.courses.all()
        assert [(item.number, item.title) for item in course.lessons] == [(3, "First"), (3, "Second")]
        hits = empty.search.retrieve("birds", lesson_number=3).hits
        assert {hit.lesson_title for hit in hits} == {"First", "Second"}

    def test_a_title_of_500_characters_is_shortened(self, empty: RAGSystem, tmp_path: Path) -> None:
        text = f"Course Title: {'Long ' * 100}\n\nLesson 1: A\nSnails are slow.\n"
        done = ingest(empty, put(tmp_path / "long.txt", text))
        assert outcome(done.files) == {"long.txt": "added"}
        (course,) = empty.courses.all()
        assert 100 < len(course.title) <= 200
        assert empty.search.retrieve("snails", course_name=course.title).course_title == course.title

    def test_one_very_long_line(self, empty: RAGSystem, tmp_path: Path) -> None:
        text = "Course Title: Line\n\nLesson 1: All\n" + "word " * 20_000
        done = ingest(empty, put(tmp_path / "line.txt", text))
        assert outcome(done.files) == {"line.txt": "added"}
        assert all(len(hit.text) <= 800 for hit in empty.search.retrieve("word").hits)

    def test_another_encoding_is_recognised(self, empty: RAGSystem, tmp_path: Path) -> None:
        text = (
            "Course Title: Bäume\r\n\r\nLesson 1: Eichen\r\nDie Eiche wächst langsam, für größere Höhen.\r\n"
        )
        folder = tmp_path / "encodings"
        put(folder / "latin.txt", text.encode("cp1252"))
        put(folder / "wide.txt", text.replace("Bäume", "Büsche").encode("utf-16"))
        ingest(empty, folder)
        assert [course.title for course in empty.courses.all()] == ["Bäume", "Büsche"]
        hit = empty.search.retrieve("Eiche", course_name="Bäume").hits[0]
        assert "wächst langsam, für größere Höhen" in hit.text

    def test_a_mark_at_the_start_is_dropped_and_newlines_are_one_character(
        self, empty: RAGSystem, tmp_path: Path
    ) -> None:
        ingest(empty, put(tmp_path / "bom.txt", b"\xef\xbb\xbf" + BREAD.replace("\n", "\r\n").encode()))
        hit = empty.search.retrieve("kitchen scale").hits[0]
        assert document_text(empty, hit.document_id) == BREAD
        assert BREAD[hit.start : hit.end] == hit.text

    def test_smaller_passages_by_the_settings(self, tmp_path: Path, embedder: KeptEmbedder) -> None:
        text = "Course Title: Small\n\nLesson 1: A\n" + "The heron waits in the reeds for a fish. " * 60
        path = put(tmp_path / "small.txt", text)
        small = Settings(chunk_size=200, chunk_overlap=0)
        with library(tmp_path / "library", embedder, small, index=False) as rag:
            ingest(rag, path)
            sizes = [len(row[0]) for row in rag.database.connection.execute("SELECT text FROM chunks")]
        assert max(sizes) <= 200
        assert len(sizes) > 12


class TestAgain:
    def test_nothing_is_read_again(self, empty: RAGSystem, courses: Path) -> None:
        first = ingest(empty, courses)
        # Same size and time, other text: only reading the file shows the difference.
        path = courses / "bread.txt"
        status = path.stat()
        put(path, BREAD.replace("scale", "spoon"))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        again = ingest(empty, courses)
        assert set(outcome(again.files).values()) == {"unchanged"}
        assert (again.passages_embedded, again.courses_added) == (0, 0)
        assert [file.passages for file in again.files] == [file.passages for file in first.files]
        assert "kitchen scale" in found_text(empty, "kitchen scale")

    def test_a_file_that_was_only_touched(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        keys = [row[0] for row in empty.database.connection.execute("SELECT id FROM chunks")]
        age(courses / "tides.txt")
        again = ingest(empty, courses)
        assert outcome(again.files)["tides.txt"] == "unchanged"
        assert again.passages_embedded == 0
        assert [row[0] for row in empty.database.connection.execute("SELECT id FROM chunks")] == keys

    def test_the_language_of_each_is_known(self, empty: RAGSystem, courses: Path) -> None:
        text = "Der Mond zieht das Meer zu zwei Bergen. An den meisten Küsten kommt zweimal am Tag die Flut."
        german = put(courses / "gezeiten.txt", text)
        ingest(empty, courses)
        assert empty.catalog.documents.languages() == {"en": 3, "de": 1}
        german.unlink()
        ingest(empty, courses)
        assert empty.catalog.documents.languages() == {"en": 3}

    def test_a_moved_file_is_recognised(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        (courses / "later").mkdir()
        (courses / "tides.txt").rename(courses / "later" / "sea.txt")
        again = ingest(empty, courses)
        assert outcome(again.files) == {"bread.txt": "unchanged", "ink.md": "unchanged", "sea.txt": "moved"}
        assert again.passages_embedded == 0
        assert again.counts.courses == 3
        assert empty.search.retrieve("spring tides").hits[0].path == str(courses / "later" / "sea.txt")

    def test_only_what_changed_is_embedded(self, empty: RAGSystem, tmp_path: Path) -> None:
        lessons = [
            f"Lesson {number}: Animal {number}\nThe animal of day {number} sleeps for {number} hours.\n"
            for number in range(8)
        ]
        path = put(tmp_path / "animals.txt", "Course Title: Animals\n\n" + "\n".join(lessons))
        first = ingest(empty, path)
        assert first.files[0].embedded == first.files[0].passages == 8
        lessons[5] = "Lesson 5: Animal 5\nThe otter floats on its back and cracks shells.\n"
        put(path, "Course Title: Animals\n\n" + "\n".join(lessons))
        again = ingest(empty, path)
        (file,) = again.files
        assert (file.status, file.passages, file.embedded) == (FileStatus.CHANGED, 8, 1)
        assert again.passages_embedded == 1
        assert "otter" in found_text(empty, "which animal floats on its back?")
        assert not [
            hit for hit in empty.search.retrieve("sleeps for 5 hours", limit=8).hits if "5 hours" in hit.text
        ]
        assert_consistent(empty)

    def test_a_passages_number_is_never_used_twice(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        old = {hit.chunk_index for hit in empty.search.retrieve("bread", course_name="bread", limit=9).hits}
        put(courses / "bread.txt", BREAD.replace("once a day", "twice a day"))
        ingest(empty, courses)
        new = {hit.chunk_index for hit in empty.search.retrieve("bread", course_name="bread", limit=9).hits}
        assert min(new) > max(old)

    def test_a_deleted_file_leaves_search_but_not_the_disk(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        (courses / "ink.md").unlink()
        again = ingest(empty, courses)
        assert outcome(again.files)["ink.md"] == "removed"
        assert again.counts.courses == 2
        assert not [hit for hit in empty.search.retrieve("oak galls").hits if hit.path.endswith("ink.md")]
        trashed = empty.database.connection.execute("SELECT text FROM documents WHERE trashed_at IS NOT NULL")
        assert trashed.fetchone()[0] == INK
        put(courses / "ink.md", INK)
        back = ingest(empty, courses)
        assert outcome(back.files)["ink.md"] == "added"
        assert back.passages_embedded == 0
        assert_consistent(empty)

    def test_an_emptied_folder_empties_its_part_of_the_library(
        self, empty: RAGSystem, courses: Path, tmp_path: Path
    ) -> None:
        other = put(tmp_path / "other" / "bees.txt", "Course Title: Bees\n\nLesson 1: Dance\nBees dance.\n")
        ingest(empty, courses, other)
        for path in courses.iterdir():
            path.unlink()
        done = ingest(empty, courses)
        assert set(outcome(done.files).values()) == {"removed"}
        assert [course.title for course in empty.courses.all()] == ["Bees"]

    def test_a_missing_folder_removes_nothing(self, empty: RAGSystem, courses: Path) -> None:
        """The file may be on a disconnected disk."""
        ingest(empty, courses)
        courses.rename(courses.with_name("renamed"))
        with pytest.raises(UserError, match="no longer exists"):
            ingest(empty, courses)
        assert empty.courses.counts().courses == 3

    def test_clear_and_rebuild(self, empty: RAGSystem, courses: Path, tmp_path: Path) -> None:
        bees = put(tmp_path / "bees.txt", "Course Title: Bees\n\nLesson 1: Dance\nBees dance.\n")
        ingest(empty, courses, bees)
        done = ingest(empty, courses, clear=True)
        assert set(outcome(done.files).values()) == {"added"}
        assert [course.title for course in empty.courses.all()] == TITLES
        assert_consistent(empty)

    def test_nothing_is_cleared_for_a_missing_folder(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        with pytest.raises(UserError):
            ingest(empty, courses / "gone", clear=True)
        assert empty.courses.counts().courses == 3

    def test_a_renamed_and_edited_file_is_a_new_version(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        (courses / "bread.txt").unlink()
        put(courses / "bread v2.txt", BREAD.replace("once a day", "twice a day"))
        done = ingest(empty, courses)
        assert outcome(done.files)["bread v2.txt"] == "changed"
        assert done.counts.courses == 3
        assert "twice a day" in found_text(empty, "how often is a starter fed?")
        assert_consistent(empty)

    def test_a_course_that_was_renamed_inside_its_file(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        put(courses / "bread.txt", BREAD.replace("Bread Baking at Home", "The Patient Baker"))
        done = ingest(empty, courses)
        assert outcome(done.files)["bread.txt"] == "changed"
        assert [course.title for course in empty.courses.all()] == [TITLES[0], "The Patient Baker", TITLES[2]]

    def test_new_chunk_settings_reindex_without_files(
        self, tmp_path: Path, courses: Path, embedder: KeptEmbedder
    ) -> None:
        text = "Course Title: Herons\n\nLesson 1: A\n" + "The heron waits in the reeds for a fish. " * 60
        put(courses / "herons.txt", text)
        with library(tmp_path / "library", embedder, index=False) as rag:
            before = ingest(rag, courses).counts.passages
            assert not rag.reindex.needed()
        (courses / "herons.txt").unlink()
        with library(tmp_path / "library", embedder, Settings(chunk_size=200), index=False) as rag:
            assert rag.reindex.needed()
            list(rag.reindex.run(CancelToken()))
            assert not rag.reindex.needed()
            assert rag.courses.counts().passages > before
            assert rag.courses.counts().documents == 4
            assert_consistent(rag)


class TestFailures:
    def test_one_bad_file_never_stops_the_rest(self, empty: RAGSystem, courses: Path) -> None:
        put(courses / "a empty.txt", "")
        put(courses / "a noise.txt", bytes(range(256)) * 20)
        put(courses / "a picture.txt", b"\x89PNG\r\n\x1a\n" + bytes(200))
        put(courses / "a header only.txt", "Course Title: Nothing in here\n")
        put(courses / f"paper{UNREAD}", b"not looked into")
        put(courses / "photo.jpg", b"\xff\xd8\xff")
        (courses / "a folder.txt").mkdir()
        (courses / "dangling.txt").symlink_to(courses / "nothing.txt")
        done = ingest(empty, courses)
        assert outcome(done.files) == {
            "a empty.txt": "failed",
            "a noise.txt": "failed",
            "a picture.txt": "failed",
            "a header only.txt": "failed",
            f"paper{UNREAD}": "failed",
            "photo.jpg": "skipped",
            "dangling.txt": "failed",
            "bread.txt": "added",
            "ink.md": "added",
            "tides.txt": "added",
        }
        why = reasons(done.files)
        assert why["a empty.txt"] == "a empty.txt is empty."
        assert why["a noise.txt"] == "a noise.txt is not text."
        assert why["a picture.txt"] == "a picture.txt is not text."
        assert why["a header only.txt"] == "a header only.txt has a course header but no text."
        assert (why[f"paper{UNREAD}"] or "").startswith(f"{UNREAD} files aren't supported yet.")
        assert (why["dangling.txt"] or "").startswith("It cannot be opened")
        assert why["bread.txt"] is None
        assert [course.title for course in empty.courses.all()] == TITLES

    def test_a_failure_is_stored_until_the_file_changes(self, empty: RAGSystem, tmp_path: Path) -> None:
        path = put(tmp_path / "in" / "x.txt", "")
        assert outcome(ingest(empty, path.parent).files) == {"x.txt": "failed"}
        again = ingest(empty, path.parent)
        assert reasons(again.files) == {"x.txt": "x.txt is empty."}
        put(path, "Course Title: Now\n\nLesson 1: A\nThere is text.\n")
        assert outcome(ingest(empty, path.parent).files) == {"x.txt": "added"}
        assert empty.database.connection.execute("SELECT count(*) FROM failures").fetchone()[0] == 0

    def test_a_file_that_could_not_be_opened_is_retried(self, empty: RAGSystem, tmp_path: Path) -> None:
        """A change of permissions, say, changes neither size nor modification time."""
        path = put(tmp_path / "in" / "lent.txt", "Course Title: Lent\n\nLesson 1: A\nThere is text.\n")
        events = []
        for event in empty.ingest.add_course_folder([path.parent], CancelToken()):
            if isinstance(event, FileStarted):
                path.rename(tmp_path / "away")
            events.append(event)
        assert reasons(last_report(iter(events)).files) == {"lent.txt": "lent.txt no longer exists."}
        (tmp_path / "away").rename(path)
        assert outcome(ingest(empty, path.parent).files) == {"lent.txt": "added"}

    def test_a_changed_unreadable_file_keeps_its_last_version(self, empty: RAGSystem, courses: Path) -> None:
        ingest(empty, courses)
        put(courses / "bread.txt", bytes(range(256)) * 20)
        assert outcome(ingest(empty, courses).files)["bread.txt"] == "failed"
        assert "sourdough starter" in found_text(empty, "what is a sourdough starter?")

    def test_two_files_with_one_title(self, empty: RAGSystem, courses: Path) -> None:
        put(
            courses / "second.txt",
            "Course Title: Tides and Currents\n\nLesson 1: Rivers\nRivers meet the sea.\n",
        )
        done = ingest(empty, courses)
        failed = [file for file in done.files if file.status is FileStatus.FAILED]
        assert len(failed) == 1
        reason = str(failed[0].reason)
        assert "Tides and Currents" in reason
        assert "Give one of them another course title" in reason
        assert done.counts.courses == 3
        # Once either file is corrected, both are in the library.
        put(courses / "second.txt", "Course Title: Rivers\n\nLesson 9: Rivers\nRivers meet the sea.\n")
        assert ingest(empty, courses).counts.courses == 4

    def test_a_copy_is_skipped_with_a_reason(self, empty: RAGSystem, courses: Path) -> None:
        put(courses / "copy.txt", TIDES)
        done = ingest(empty, courses)
        assert outcome(done.files)["tides.txt"] == "skipped"
        assert reasons(done.files)["tides.txt"] == "It has the same content as copy.txt."
        assert done.counts.courses == 3

    def test_one_missing_path_among_several(self, empty: RAGSystem, courses: Path) -> None:
        done = ingest(empty, courses / "gone.txt", courses)
        assert outcome(done.files)["gone.txt"] == "failed"
        assert done.counts.courses == 3


class TestCancelling:
    def test_what_is_done_stays(self, empty: RAGSystem, courses: Path) -> None:
        token = CancelToken()
        done: list[FileDone] = []
        with pytest.raises(Cancelled):
            for event in empty.ingest.add_course_folder([courses], token):
                if isinstance(event, FileDone):
                    done.append(event)
                    if len(done) == 2:
                        token.cancel()
        assert outcome(done) == {"bread.txt": "added", "ink.md": "added"}
        assert empty.courses.counts().courses == 2
        assert "oak galls" in found_text(empty, "oak galls")
        assert_consistent(empty)
        assert outcome(ingest(empty, courses).files)["tides.txt"] == "added"

    def test_in_the_middle_of_a_changed_file_the_old_version_stays(
        self, empty: RAGSystem, courses: Path
    ) -> None:
        ingest(empty, courses)
        put(courses / "bread.txt", BREAD.replace("once a day", "twice a day"))
        token = CancelToken()
        with pytest.raises(Cancelled):
            for event in empty.ingest.add_course_folder([courses], token):
                if isinstance(event, IngestProgress):
                    token.cancel()
        assert "once a day" in found_text(empty, "how often is a starter fed?")
        assert_consistent(empty)

    def test_before_the_first_file(self, empty: RAGSystem, courses: Path) -> None:
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            ingest(empty, courses, token=token)
        assert empty.courses.counts().documents == 0
