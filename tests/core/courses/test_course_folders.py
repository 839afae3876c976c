"""Courses and lessons made from typical folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.courses import Corrections
from app.domain.events import FileStatus
from app.domain.scope import Scope
from tests.support.courses import ingest, last_report, library, outcome, reasons

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from app.domain.events import IngestDone
    from tests.support.courses import KeptEmbedder

Lessons = list[tuple[int | None, str]]


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as opened:
        yield opened


@pytest.fixture
def uni(tmp_path: Path) -> Path:
    """The chosen folder."""
    folder = (tmp_path / "uni").resolve()
    folder.mkdir()
    return folder


def put(path: Path, text: str = "") -> Path:
    """Write a file; the default text is unique, because equal files become one document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text or f"What is said in {path.parent.name} {path.name}.\n", encoding="utf-8")
    return path


def put_all(folder: Path, *names: str) -> None:
    for name in names:
        put(folder / name)


def listed(rag: RAGSystem) -> dict[str, Lessons]:
    return {
        course.title: [(lesson.number, lesson.title) for lesson in course.lessons]
        for course in rag.courses.all()
    }


def keys(rag: RAGSystem) -> list[int]:
    return [row[0] for row in rag.database.connection.execute("SELECT id FROM documents ORDER BY id")]


class TestCourses:
    def test_each_folder_is_one_and_so_are_the_files_beside_them(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Biology/1.md", "Chemistry/1.md", "b.txt", "a.txt")
        ingest(rag, uni)
        assert listed(rag) == {
            "Biology": [(1, "")],
            "Chemistry": [(1, "")],
            "uni": [(1, "a"), (2, "b")],
        }

    def test_a_folder_of_files_is_one_course(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "10 - Forests.md", "2 - Seas.md", "01 - Cells.txt")
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(1, "Cells"), (2, "Seas"), (10, "Forests")]}
        assert [path.rsplit("/", 1)[-1][:2] for path in rag.courses.all()[0].files] == ["01", "2 ", "10"]

    def test_a_folder_of_one_file_is_one_course(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "notes.txt")
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(1, "notes")]}

    def test_a_file_chosen_by_itself_stays_one(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "notes.txt", "The Life of Bees\n\nBees dance to tell where flowers are.\n")
        ingest(rag, uni / "notes.txt")
        assert listed(rag) == {"The Life of Bees": [(None, "")]}
        # Added with its folder, it becomes one of the lessons; its vectors stay.
        put(uni / "more.txt")
        done = ingest(rag, uni)
        assert listed(rag) == {"uni": [(1, "more"), (2, "notes")]}
        assert {file.path: file.embedded for file in done.files}[str(uni / "notes.txt")] == 0

    def test_a_header_names_the_course_wherever_the_file_is(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Biology/1.md", "Biology/2.md")
        put(uni / "Biology" / "bees.txt", "Course Title: Bees\n\nLesson 4: Dance\nBees dance.\n")
        ingest(rag, uni)
        assert listed(rag) == {"Bees": [(4, "Dance")], "Biology": [(1, ""), (2, "")]}

    def test_a_readme_gives_title_and_description(self, rag: RAGSystem, uni: Path) -> None:
        put(
            uni / "bio" / "README.md",
            "# Biology for Beginners\n\n[![built](x.svg)](y)\n\nAll about *living* things,\nfrom cells on.\n",
        )
        put_all(uni, "bio/1 Cells.md")
        ingest(rag, uni)
        (course,) = rag.courses.all()
        assert (course.title, course.description) == (
            "Biology for Beginners",
            "All about living things, from cells on.",
        )
        assert listed(rag)[course.title] == [(None, "README"), (1, "Cells")]
        assert rag.search.retrieve("living things", course_name=course.title).hits[0].lesson_number is None
        # A new course title does not cause its lessons to be embedded again.
        put(uni / "bio" / "README.md", "# Botany\n\nPlants alone.\n")
        done = ingest(rag, uni)
        assert outcome(done.files) == {"README.md": "changed", "1 Cells.md": "unchanged"}
        assert {file.course_title for file in done.files} == {"Botany"}
        assert done.passages_embedded == 1
        assert rag.courses.all()[0].description == "Plants alone."

    def test_a_readme_with_a_header_names_the_course(self, rag: RAGSystem, uni: Path) -> None:
        put(
            uni / "index.md",
            "Course Title: Botany\nCourse Instructor: Mira Holt\nCourse Link: https://example.org/\n\nPlants.\n",
        )
        put_all(uni, "1.md", "2.md")
        ingest(rag, uni)
        (course,) = rag.courses.all()
        assert (course.title, course.instructor, course.link) == (
            "Botany",
            "Mira Holt",
            "https://example.org/",
        )
        assert [lesson.number for lesson in course.lessons] == [None, 1, 2]

    def test_a_readme_alone_is_a_text_without_lessons(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "README.md", "# Only Me\n\nThere is nothing else here.\n")
        ingest(rag, uni)
        assert listed(rag) == {"Only Me": [(None, "README")]}

    def test_pictures_alone_are_not_a_course(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "pictures/a.png", "pictures/b.jpg", "Biology/1.md")
        done = ingest(rag, uni)
        assert listed(rag) == {"Biology": [(1, "")]}
        assert outcome(done.files)["a.png"] == "skipped"

    def test_names_in_other_scripts(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Übungen/Blatt 2.md", "Übungen/Blatt 10.md", "生物学/02 細胞.md")
        put(uni / "生物学" / "一.md", "# 細胞の構造\n\n細胞は生命の単位です。\n")
        ingest(rag, uni)
        assert listed(rag) == {
            "Übungen": [(2, "Blatt 2"), (10, "Blatt 10")],
            "生物学": [(2, "細胞"), (3, "細胞の構造")],
        }

    def test_two_folders_of_one_name_keep_distinct_titles(
        self, rag: RAGSystem, uni: Path, tmp_path: Path
    ) -> None:
        put_all(uni, "2023/notes/a.md")
        put_all(tmp_path, "more/2024/b.md")
        other = tmp_path / "other" / "2023"
        put_all(other, "c.md")
        ingest(rag, uni)
        assert list(listed(rag)) == ["2023"]
        ingest(rag, other)
        ingest(rag, tmp_path / "more")
        expected = {"2023": [(1, "notes › a")], "2023 (other)": [(1, "c")], "2024": [(1, "b")]}
        assert listed(rag) == expected
        before = keys(rag)
        ingest(rag, other, uni)
        assert listed(rag) == expected
        assert keys(rag) == before

    def test_files_of_one_header_are_merged_unless_their_lessons_conflict(
        self, rag: RAGSystem, uni: Path
    ) -> None:
        for name, number in (("a", 2), ("b", 1), ("c", 2)):
            text = f"Course Title: Bees\n\nLesson {number}: Of {name}\nBees fly to {name}.\n"
            put(uni / name / f"{name}.txt", text)
        done = ingest(rag, uni)
        assert listed(rag) == {"Bees": [(1, "Of b"), (2, "Of a")]}
        (failed,) = [file for file in done.files if file.status is FileStatus.FAILED]
        assert str(failed.reason) == (
            f"c.txt contains the same lessons of the course “Bees” as {uni / 'a' / 'a.txt'}. "
            "Give one of them another course title or other lesson numbers, then add it again."
        )
        put(uni / "c" / "c.txt", "Course Title: Bees\n\nLesson 3: Of c\nBees fly to c.\n")
        ingest(rag, uni)
        assert [number for number, _ in listed(rag)["Bees"]] == [1, 2, 3]

    def test_files_of_one_header_without_markers_are_numbered_by_name(
        self, rag: RAGSystem, uni: Path
    ) -> None:
        for number in (1, 2):
            put(uni / f"0{number} part.txt", f"Course Title: Bees\n\nBees fly {number} miles.\n")
        ingest(rag, uni)
        assert listed(rag) == {"Bees": [(1, "part"), (2, "part")]}


class TestLessons:
    def test_markers_in_a_file_without_a_header_stay(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "script.txt", "Lesson 1: Ants\nAnts carry.\n\nLesson 2: Bees\nBees dance.\n")
        put_all(uni, "7 Wasps.txt")
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(1, "Ants"), (2, "Bees"), (7, "Wasps")]}

    def test_the_first_heading_gives_title_and_number(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "a.md", "# Lecture 5: Ferns\n\nFerns have no seeds.\n")
        put(uni / "2 b.md", "---\ntitle: Moss\n---\n\nMoss is soft.\n")
        put(uni / "c.txt", "Lecture 3: Algae\n\nAlgae float.\n")
        put(uni / "d.html", "<html><body><h1>Lecture 4: Fungi</h1><p>Fungi are no plants.</p></body></html>")
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(2, "Moss"), (3, "Algae"), (4, "Fungi"), (5, "Ferns")]}

    def test_a_heading_that_repeats_the_course_is_not_a_title(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "1 Ferns.md", "# Uni\n\nFerns have no seeds.\n")
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(1, "Ferns")]}

    def test_files_that_differ_only_in_extension_are_one_lesson(
        self, rag: RAGSystem, uni: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LANGUAGE", "en")
        put(uni / "01 Ferns.md", "# All about ferns\n\nFerns have no seeds.\n")
        put(uni / "01 Ferns.srt", "1\n00:00:01,000 --> 00:00:04,000\nToday we look at spores.\n")
        put(uni / "01 Ferns.de.srt", "1\n00:00:01,000 --> 00:00:04,000\nHeute geht es um Farne.\n")
        put_all(uni, "02 Moss.txt")
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(1, "All about ferns"), (2, "Moss")]}
        (course,) = rag.courses.all()
        assert len(course.files) == 3  # the German captions are left out
        assert course.lessons[0].passages == 2
        assert len({hit.path for hit in rag.search.retrieve("ferns", lesson_number=1, limit=9).hits}) == 2

    def test_dates_give_the_order_but_no_numbers(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "2023-10-08 notes.txt", "2023-10-01 notes.txt", "2023-12-01 notes.txt")
        ingest(rag, uni)
        assert listed(rag) == {
            "uni": [(1, "2023-10-01 notes"), (2, "2023-10-08 notes"), (3, "2023-12-01 notes")]
        }

    def test_files_without_a_number_get_the_next(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "a/01.md", "a/02.md", "a/Summary.md", "b/Appendix.md", "b/Lecture 1.md")
        put_all(uni, "c/Basics.md", "c/Lecture 2.md")
        ingest(rag, uni)
        assert listed(rag) == {
            "a": [(1, ""), (2, ""), (3, "Summary")],
            "b": [(1, ""), (2, "Appendix")],
            "c": [(1, "Basics"), (2, "")],
        }

    def test_what_lies_above_counted_folders_has_no_place_among_their_lessons(
        self, rag: RAGSystem, uni: Path
    ) -> None:
        put_all(uni, "README.md", "contenidos/1-basics/1-1-go.md", "contenidos/2-more/2-1-maps.md")
        put_all(uni, "contenidos/introduccion.md", "contenidos/zz-glossary.md")
        put(uni / "scripts/build.py", "print(1)\n")
        ingest(rag, uni)
        (lessons,) = listed(rag).values()
        assert [(number, title) for number, title in lessons if number is None or number > 2] == [
            (None, "README"),
            (None, "introduccion"),
            (None, "scripts › build"),
            (3, "zz glossary"),
        ]

    def test_a_copy_takes_no_number_when_the_folder_is_read_again(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "Bio/a.md", "Cells divide.\n")
        put(uni / "Bio/b.md", "Cells divide.\n")
        put(uni / "Bio/c.md", "Spores travel.\n")
        ingest(rag, uni)
        before = listed(rag)
        assert [number for number, _ in before["Bio"]] == [1, 2]
        ingest(rag, uni)
        assert listed(rag) == before

    def test_a_number_may_occur_twice(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "01 Cells.md", "01 Exercises.md", "02 Seas.md")
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(1, "Cells"), (1, "Exercises"), (2, "Seas")]}
        so_far = rag.search.retrieve("what is said", scope=Scope(("uni",), (), (("uni", 1),)), limit=9)
        assert {hit.lesson_title for hit in so_far.hits} == {"Cells", "Exercises"}

    def test_deeper_folders_are_sections(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Bio/Plants/Ferns/3 spores.md", "Bio/1 start.md")
        ingest(rag, uni)
        assert listed(rag) == {"Bio": [(1, "start"), (3, "Plants › Ferns › spores")]}

    def test_a_folder_called_like_its_lesson_is_named_once(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Bio/07-sea-plants/kelp.md", "Bio/start.md")
        (uni / "Bio/07-sea-plants/kelp.md").write_text("# Sea Plants\n\nKelp grows fast.\n", "utf-8")
        ingest(rag, uni)
        assert listed(rag) == {"Bio": [(1, "start"), (7, "Sea Plants")]}

    def test_weeks_directly_in_the_chosen_folder_are_one_course(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Week 3/Lecture 2.md", "Week 4/Lecture 3 - Acids.md")
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(2, "Week 3 › Lecture 2"), (3, "Week 4 › Acids")]}

    def test_numbers_that_restart_each_week_yield_to_the_weeks(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Week 1/Lecture 1.md", "Week 1/Lecture 2.md", "Week 2/Lecture 1.md")
        ingest(rag, uni)
        assert listed(rag) == {
            "uni": [(1, "Week 1 › Lecture 1"), (1, "Week 1 › Lecture 2"), (2, "Week 2 › Lecture 1")]
        }

    def test_numbers_that_restart_in_unnumbered_sections_yield_to_the_position(
        self, rag: RAGSystem, uni: Path
    ) -> None:
        put_all(uni, "Bio/Plants/01.md", "Bio/Plants/02.md", "Bio/Animals/01.md")
        ingest(rag, uni)
        assert listed(rag) == {
            "Bio": [(1, "Animals › 01"), (2, "Plants › 01"), (3, "Plants › 02")],
        }


class TestAgain:
    def test_a_file_in_the_middle_renumbers_the_others_without_embedding_them(
        self, rag: RAGSystem, uni: Path
    ) -> None:
        put_all(uni, "a.txt", "c.txt")
        ingest(rag, uni)
        before = keys(rag)
        put_all(uni, "b.txt")
        done = ingest(rag, uni)
        assert done.passages_embedded == 1
        assert listed(rag) == {"uni": [(1, "a"), (2, "b"), (3, "c")]}
        assert keys(rag)[:2] == before
        assert [hit.lesson_title for hit in rag.search.retrieve("said", lesson_number=3).hits] == ["c"]
        (uni / "a.txt").unlink()
        ingest(rag, uni)
        assert listed(rag) == {"uni": [(1, "b"), (2, "c")]}

    def test_choosing_a_folder_in_it_or_a_file_of_it_changes_nothing(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Bio/Plants/01 Ferns.md", "Bio/02 Seas.md", "loose.txt")
        ingest(rag, uni)
        courses, before = listed(rag), keys(rag)
        for path in (uni / "Bio", uni / "Bio" / "Plants", uni / "loose.txt"):
            assert set(outcome(ingest(rag, path).files).values()) == {"unchanged"}
        assert listed(rag) == courses
        put(uni / "Bio" / "Plants" / "01 Ferns.md", "Ferns have changed.\n")
        assert ingest(rag, uni / "Bio" / "Plants" / "01 Ferns.md").passages_embedded == 1
        put_all(uni, "Bio/Plants/03 Moss.md")
        ingest(rag, uni / "Bio" / "Plants" / "03 Moss.md")
        assert listed(rag)["Bio"] == [(1, "Plants › Ferns"), (2, "Seas"), (3, "Plants › Moss")]
        assert len(keys(rag)) == len(before) + 1

    def test_choosing_the_folder_around_it_keeps_its_courses(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Year 1/Bio/1.md", "Year 1/Chem/1.md", "Year 2/Maths/1.md")
        ingest(rag, uni / "Year 1")
        before = keys(rag)
        ingest(rag, uni)
        assert listed(rag) == {"Bio": [(1, "")], "Chem": [(1, "")], "Year 2": [(1, "Maths › 1")]}
        assert keys(rag)[:2] == before

    def test_a_file_moved_to_another_folder_changes_its_course(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Bio/1 Ferns.md", "Bio/2 Seas.md", "Chem/1 Acids.md")
        ingest(rag, uni)
        (uni / "Bio" / "2 Seas.md").rename(uni / "Chem" / "2 Seas.md")
        done = ingest(rag, uni)
        assert outcome(done.files)["2 Seas.md"] == "moved"
        assert done.passages_embedded == 0
        assert listed(rag) == {"Bio": [(1, "Ferns")], "Chem": [(1, "Acids"), (2, "Seas")]}
        assert {file.course_title for file in done.files if file.path.endswith("Seas.md")} == {"Chem"}

    def test_reindexing_keeps_every_lesson(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Bio/README.md", "Bio/1 Ferns.md", "Bio/Week 2/a.md", "Bio/Week 2/a.txt")
        put(uni / "script.txt", "Lesson 1: Ants\nAnts carry.\n\nLesson 2: Bees\nBees dance.\n")
        put(uni / "own.txt", "Course Title: Own\n\nWithout a marker.\n")
        ingest(rag, uni)
        before = listed(rag)
        list(rag.reindex.run(CancelToken()))
        assert listed(rag) == before

    def test_a_restored_file_returns_to_its_lesson(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "01 Cells.md", "01 Exercises.md", "README.md")
        ingest(rag, uni)
        before = listed(rag)
        removed = rag.courses.find(str(uni / "01 Exercises.md"))
        rag.courses.remove([record.document_id for record in removed], CancelToken())
        (entry,) = rag.trash.entries()
        assert not entry.whole_course
        list(rag.trash.restore(entry.documents, CancelToken()))
        assert listed(rag) == before


class TestCorrections:
    def correct(self, rag: RAGSystem, uni: Path, corrections: Corrections) -> IngestDone:
        return last_report(rag.ingest.add_course_folder([uni], CancelToken(), corrections=corrections))

    def test_renaming_a_course_is_permanent(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "bio/1.md", "bio/2.md")
        self.correct(rag, uni, Corrections(renamed=(("bio", "Biology"),)))
        assert list(listed(rag)) == ["Biology"]
        before = keys(rag)
        ingest(rag, uni)
        put_all(uni, "bio/3.md")
        ingest(rag, uni / "bio" / "3.md")
        assert listed(rag) == {"Biology": [(1, ""), (2, ""), (3, "")]}
        assert keys(rag)[:2] == before
        self.correct(rag, uni, Corrections(renamed=(("Biology", "Life"),)))
        assert list(listed(rag)) == ["Life"]

    def test_a_course_named_by_a_header_can_be_renamed(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "bees.txt", "Course Title: Bees\n\nLesson 4: Dance\nBees dance.\n")
        ingest(rag, uni)
        done = self.correct(rag, uni, Corrections(renamed=(("Bees", "Honey"),)))
        assert done.passages_embedded == 0
        assert listed(rag) == {"Honey": [(4, "Dance")]}
        put(uni / "bees.txt", "Course Title: Bees\n\nLesson 4: Dance\nBees dance all day.\n")
        ingest(rag, uni)
        assert listed(rag) == {"Honey": [(4, "Dance")]}

    def test_two_courses_renamed_alike_become_one(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "bio a/1.md", "bio b/2.md")
        self.correct(rag, uni, Corrections(renamed=(("bio a", "Bio"), ("bio b", "Bio"))))
        assert listed(rag) == {"Bio": [(1, ""), (2, "")]}

    def test_a_file_is_moved_to_another_course(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "bio/1 Ferns.md", "bio/2 Acids.md", "chem/1 Bases.md")
        ingest(rag, uni)
        acids = str(uni / "bio" / "2 Acids.md")
        done = self.correct(
            rag, uni, Corrections(renamed=(("chem", "Chemistry"),), moved=((acids, "Chemistry"),))
        )
        assert done.passages_embedded == 0
        assert listed(rag) == {"bio": [(1, "Ferns")], "Chemistry": [(1, "Bases"), (2, "Acids")]}
        ingest(rag, uni)
        self.correct(rag, uni, Corrections(renamed=(("Chemistry", "chem"),), moved=((acids, "Alone"),)))
        assert listed(rag) == {"Alone": [(2, "Acids")], "bio": [(1, "Ferns")], "chem": [(1, "Bases")]}

    def test_a_file_is_excluded_until_it_is_included_again(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "bio/1.md", "bio/2.md")
        ingest(rag, uni)
        second = str(uni / "bio" / "2.md")
        self.correct(rag, uni, Corrections(left_out=(second,)))
        assert listed(rag) == {"bio": [(1, "")]}
        again = ingest(rag, uni)
        assert reasons(again.files)["2.md"] == "You excluded it."
        (left_out,) = rag.ingest.plan([uni], CancelToken()).left_out
        assert (left_out.path, left_out.optional) == (second, True)
        self.correct(rag, uni, Corrections(taken_in=(second,)))
        assert listed(rag) == {"bio": [(1, ""), (2, "")]}

    def test_restoring_a_file_from_the_trash_includes_it_again(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "bio/1.md", "bio/2.md")
        ingest(rag, uni)
        self.correct(rag, uni, Corrections(left_out=(str(uni / "bio" / "2.md"),)))
        (entry,) = rag.trash.entries()
        list(rag.trash.restore(entry.documents, CancelToken()))
        ingest(rag, uni)
        assert listed(rag) == {"bio": [(1, ""), (2, "")]}


def test_pages_of_a_book_are_numbered_by_chapter_and_called_by_their_own_titles(
    rag: RAGSystem, tmp_path: Path
) -> None:
    pages = {"appendix-01": "A - Words", "ch01-00-start": "Start", "ch03-04-comments": "Comments"}
    for name, title in pages.items():
        file = tmp_path / "Foam" / f"{name}.html"
        file.parent.mkdir(exist_ok=True)
        heading = f'<h1 id="comments">{title}</h1>' if title == "Comments" else "<h3>More</h3>"
        text = f"{heading}<p>Most of a foam is gas, and the rest is a little soap water: {name}.</p>"
        head = f"<head><title>{title} - Foam</title></head>"
        file.write_text(f"<html>{head}<body><main>{text}</main></body></html>", encoding="utf-8")
    ingest(rag, tmp_path / "Foam")
    assert listed(rag)["Foam"] == [(1, "Start"), (3, "Comments"), (4, "A - Words")]


def test_a_folder_for_one_lesson_is_no_part_of_its_title(rag: RAGSystem, tmp_path: Path) -> None:
    for path in ("01-stlc/stlc.md", "02-monads/monads.md", "02-monads/laws.md", "Week 3/end.md"):
        file = tmp_path / "types" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# The {file.stem} chapter\n\nA type says what a term may be.\n", encoding="utf-8")
    ingest(rag, tmp_path / "types")
    titles = [
        lesson.title for course in rag.courses.all() for lesson in course.lessons if course.title == "types"
    ]
    assert titles == [
        "The stlc chapter",
        "monads › The laws chapter",
        "monads › The monads chapter",
        "Week 3 › The end chapter",
    ]
