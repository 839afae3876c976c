"""Folders that are one course, and the order of their lessons."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.domain.cancel import CancelToken
from app.domain.courses import Corrections, PlannedFolder
from app.domain.scope import Scope
from tests.support.courses import ingest, last_report, library, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder

Lessons = list[tuple[int | None, str]]


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as opened:
        yield opened


@pytest.fixture
def uni(tmp_path: Path) -> Path:
    """The chosen folder."""
    return (tmp_path / "uni").resolve()


def put(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text or f"What is said in {path}.\n", encoding="utf-8")
    return path


def put_all(folder: Path, *names: str) -> None:
    for name in names:
        put(folder / name)


def planned(rag: RAGSystem, folder: Path, corrections: Corrections | None = None) -> dict[str, Lessons]:
    plan = rag.ingest.plan([folder], CancelToken(), corrections)
    return {
        course.title: [(file.lesson_number, file.lesson_title) for file in course.files]
        for course in plan.courses
    }


def numbers(rag: RAGSystem, folder: Path) -> dict[str, int | None]:
    """Return the planned numbers by the last two parts of each path."""
    plan = rag.ingest.plan([folder], CancelToken())
    return {
        "/".join(file.path.rsplit("/", 2)[1:]): file.lesson_number
        for course in plan.courses
        for file in course.files
    }


class TestOneCourse:
    @pytest.mark.parametrize(
        "names",
        [
            ("README.md", "Beginnings/a.md", "Endings/b.md"),
            ("index.html", "Beginnings/a.md", "Endings/b.md"),
            ("README.rst", "Beginnings/a.md", "Endings/b.md"),
            ("CS 7 Syllabus.md", "Syllabus.docx", "Beginnings/a.md", "Endings/b.md"),
            ("slides/a.md", "notes/b.md", "Lecture Notes/c.md"),
            ("labs/a.md", "psets/b.md", "subtitles/c.md", "exercises/d.md"),
            ("docs/a.md", "src/b.md", "html/c.md"),
            ("week1/a.md", "week2/b.md", "final project ideas/c.md"),
            ("Module 1 - Cells/a.md", "Module 2 - Seas/b.md", "Extras/c.md"),
            ("chapter_1/a.md", "chapter_2/b.md", "Preface/c.md"),
            ("01-intro/a.md", "02-loops/b.md", "03-lists/c.md"),
            ("0_start/a.md", "1_go_on/b.md", "cohorts/2024/c.md"),
            ("pset1/a.md", "pset2/b.md", "lecture1/c.md"),
        ],
    )
    def test_a_folder_with_an_introduction_or_of_parts(
        self, rag: RAGSystem, uni: Path, names: tuple[str, ...]
    ) -> None:
        put_all(uni, *names)
        plan = rag.ingest.plan([uni], CancelToken())
        assert len(plan.courses) == 1
        assert plan.folders == (PlannedFolder(str(uni), one_course=True),)

    @pytest.mark.parametrize(
        "names",
        [
            ("Biology/README.md", "Biology/1.md", "Chemistry/index.md", "Chemistry/1.md"),
            ("Biology/1.md", "Chemistry/1.md", "notes/a.md"),
            ("6.042 Mathematics/1.md", "18.06 Algebra/1.md"),
            ("101 Biology/1.md", "102 Chemistry/1.md"),
            ("CS 50/1.md", "CS 61/1.md"),
            ("2023/1.md", "2024/1.md"),
        ],
    )
    def test_a_folder_of_courses(self, rag: RAGSystem, uni: Path, names: tuple[str, ...]) -> None:
        put_all(uni, *names)
        plan = rag.ingest.plan([uni], CancelToken())
        assert len(plan.courses) == len({name.split("/")[0] for name in names})
        assert plan.folders == (PlannedFolder(str(uni), one_course=False),)

    def test_a_folder_without_subfolders_leaves_nothing_to_decide(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "1.md")
        ingest(rag, uni)
        assert rag.ingest.plan([uni], CancelToken()).folders == ()
        put_all(uni, "Biology/1.md", "Chemistry/1.md")
        assert rag.ingest.plan([uni], CancelToken()).folders == (PlannedFolder(str(uni), one_course=False),)

    def test_the_decision_is_kept_until_the_user_changes_it(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Biology/1.md", "Chemistry/2.md")
        ingest(rag, uni)
        put(uni / "README.md", "# All I learn\n\nNotes of each course.\n")
        plan = rag.ingest.plan([uni], CancelToken())
        assert plan.folders == (PlannedFolder(str(uni), one_course=False, is_new=False),)
        assert [course.title for course in plan.courses] == ["All I learn", "Biology", "Chemistry"]
        other_way = Corrections(one_course=((str(uni), True),))
        assert list(planned(rag, uni, other_way)) == ["All I learn"]
        assert len(planned(rag, uni)) == 3  # a plan stores nothing
        done = last_report(rag.ingest.add_course_folder([uni], CancelToken(), corrections=other_way))
        assert [course.title for course in rag.courses.all()] == ["All I learn"]
        assert done.passages_embedded == 1  # the README
        assert set(outcome(ingest(rag, uni).files).values()) == {"unchanged"}
        assert [course.title for course in rag.courses.all()] == ["All I learn"]

    def test_a_file_of_it_added_later_stays_in_it(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "slides/1.md", "notes/1.md")
        ingest(rag, uni)
        put_all(uni, "Guest talks/a.md")
        ingest(rag, uni / "Guest talks" / "a.md")
        assert [course.title for course in rag.courses.all()] == ["uni"]


class TestOrder:
    def test_an_exercise_without_a_number_comes_with_its_week(self, rag: RAGSystem, uni: Path) -> None:
        lectures = [f"Week {1 + number // 2}/Lecture {number}.md" for number in range(1, 17)]
        put_all(uni, *lectures, "Week 2/Exercise.md")
        found = numbers(rag, uni)
        assert found["Week 9/Lecture 16.md"] == 16
        assert found["Week 2/Exercise.md"] == 3

    def test_numbers_that_restart_yield_to_the_number_of_the_folder(self, rag: RAGSystem, uni: Path) -> None:
        put_all(
            uni, "README.md", "10-deep/01-a.md", "2-loops/01-a.md", "2-loops/02-b.md", "2-loops/README.md"
        )
        put_all(uni, "2-loops/homework.md", "cohorts/2024/02-loops/homework.md", "closing/words.md")
        assert numbers(rag, uni) == {
            "uni/README.md": None,
            "2-loops/01-a.md": 2,
            "2-loops/02-b.md": 2,
            "2-loops/homework.md": 2,
            "2-loops/README.md": 2,
            "02-loops/homework.md": 2,
            "10-deep/01-a.md": 10,
            "closing/words.md": 11,
        }

    def test_chapters_that_go_on_through_the_parts_keep_their_numbers(
        self, rag: RAGSystem, uni: Path
    ) -> None:
        put_all(uni, "Part 1/Chapter 1/1 a.md", "Part 1/Chapter 2/1 b.md", "Part 2/Chapter 3/1 c.md")
        assert numbers(rag, uni) == {"Chapter 1/1 a.md": 1, "Chapter 2/1 b.md": 2, "Chapter 3/1 c.md": 3}

    def test_kinds_of_material_share_the_numbers_of_their_lessons(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "slides/01 Cells.md", "slides/02 Seas.md", "notes/01 Cells.md", "notes/02.md")
        assert planned(rag, uni) == {
            "uni": [(1, "notes › Cells"), (1, "slides › Cells"), (2, "notes › 02"), (2, "slides › Seas")]
        }

    def test_a_folder_of_each_lecture_gives_its_number(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "README.md", "lectures/lecture1/Boxes.md", "lectures/lecture1/Aims.md")
        put_all(uni, "lectures/lecture3/Types.md", "psets/pset1.md")
        assert [number for number, _ in planned(rag, uni)["uni"]] == [None, 1, 1, 1, 3]

    def test_exercises_carry_their_own_numbers(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, *(f"slides/{name}.md" for name in ("Aims", "Boxes", "Cells")))
        put_all(uni, "Blatt 2.md", "Übung 4 - Seas.md", "hw01.md", "Problem Set 5/task.md", "psets/pset3.md")
        assert planned(rag, uni) == {
            "uni": [
                (1, "hw01"),
                (1, "slides › Aims"),
                (2, "Blatt 2"),
                (2, "slides › Boxes"),
                (3, "psets › pset3"),
                (3, "slides › Cells"),
                (4, "Übung 4 - Seas"),
                (5, "Problem Set 5 › task"),
            ]
        }

    def test_exercises_leave_lectures_their_numbers(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "Week 1/Lecture 1.md", "Week 1/Lecture 2.md", "Week 1/hw1.md")
        put_all(uni, "Week 2/Lecture 3.md", "Week 2/hw2.md")
        assert numbers(rag, uni) == {
            "Week 1/Lecture 1.md": 1,
            "Week 1/Lecture 2.md": 2,
            "Week 1/hw1.md": 2,
            "Week 2/Lecture 3.md": 3,
            "Week 2/hw2.md": 3,
        }

    def test_a_folder_that_repeats_the_lessons_keeps_their_numbers(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "README.md", "01_intro.md", "02_loops.md", "tidy/01_intro.md")
        assert planned(rag, uni)["uni"][1:] == [(1, "intro"), (1, "tidy › intro"), (2, "loops")]

    def test_a_readme_in_a_numbered_folder_is_its_lesson(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "README.md", "# Machines that learn\n\nTwelve weeks.\n")
        put(uni / "1-Start/1-what-it-is/README.md", "# What it is\n\nWords.\n")
        put(uni / "1-Start/2-history/README.md", "Words.\n")
        put(uni / "2-Lines/1-tools/README.md", "# Tools to use\n\nWords.\n")
        assert planned(rag, uni) == {
            "Machines that learn": [
                (None, "README"),
                (1, "Start › What it is"),
                (1, "Start › history"),
                (2, "Lines › Tools to use"),
            ]
        }

    def test_a_page_that_is_the_index_of_its_folder_is_a_lesson(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "docs/index.md", "# Handbook\n\nWelcome.\n")
        put(uni / "docs/README.md", "# How to build this site\n\nRun make.\n")
        put(uni / "docs/cells/index.md", "# Of cells\n\nWords.\n")
        put(uni / "docs/seas/index.md", "# Of seas\n\nWords.\n")
        assert planned(rag, uni) == {
            "Handbook": [(None, "index"), (None, "How to build this site"), (1, "Of cells"), (2, "Of seas")]
        }

    def test_up_to_a_lesson_is_up_to_that_time_of_the_course(self, rag: RAGSystem, uni: Path) -> None:
        put(uni / "Week 1/Lecture 1.md", "Ferns are plants without seeds.\n")
        put(uni / "Week 2/Lecture 2.md", "Moss has no roots, and drinks the rain.\n")
        put(uni / "Week 2/Exercise.md", "Which plants grow on the wall behind your house?\n")
        put(uni / "Week 3/Lecture 3.md", "Trees are the tallest plants.\n")
        ingest(rag, uni)
        hits = rag.search.retrieve("plants", scope=Scope(("uni",), (), (("uni", 2),)), limit=9).hits
        assert {hit.lesson_title for hit in hits} == {
            "Week 1 › Lecture 1",
            "Week 2 › Lecture 2",
            "Week 2 › Exercise",
        }

    def test_two_versions_of_a_lecture_are_one_lesson(self, rag: RAGSystem, uni: Path) -> None:
        put_all(uni, "pdf/Lecture 1 Cells.txt", "pptx/Lecture 1 Cells.md", "pdf/Lecture 2 Seas.txt")
        assert planned(rag, uni) == {"uni": [(1, "Cells"), (1, "Cells"), (2, "Seas")]}


class TestSameNames:
    def test_files_named_alike_in_two_folders_are_both_read(self, rag: RAGSystem, uni: Path) -> None:
        for folder in ("cells", "seas"):
            put(uni / folder / "slides" / "00.txt", f"Course Title: Life\n\nToday we look at {folder}.\n")
        done = ingest(rag, uni)
        assert [file.status for file in done.files] == ["added", "added"]
        (course,) = rag.courses.all()
        assert len(course.files) == 2
        assert {lesson.number for lesson in course.lessons} == {0}

    def test_files_of_one_header_without_numbers_are_both_read(self, rag: RAGSystem, uni: Path) -> None:
        for name in ("cells", "seas"):
            put(uni / f"{name}.txt", f"Course Title: Life\n\nToday we look at {name}.\n")
        assert [file.status for file in ingest(rag, uni).files] == ["added", "added"]


class TestTitles:
    def test_a_heading_of_many_lessons_is_the_title_of_none(self, rag: RAGSystem, uni: Path) -> None:
        for number, name in enumerate(("Cells", "Seas", "Woods", "Lakes", "Winds"), 1):
            put(uni / f"{number} {name}.md", f"# Prof. Ada Holt\n\nToday we look at {name}.\n")
        put(uni / "6 Fires.md", "# Fires and floods\n\nToday we look at fires.\n")
        assert [title for _, title in planned(rag, uni)["uni"]] == [
            "Cells",
            "Seas",
            "Woods",
            "Lakes",
            "Winds",
            "Fires and floods",
        ]
