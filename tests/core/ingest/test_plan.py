"""The plan of chosen folders before their files are read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from app.core.documents.formats import TEXT
from app.domain.cancel import Cancelled, CancelToken
from app.domain.courses import Corrections, IngestPlan, PlannedState, Use
from app.domain.errors import UserError
from tests.support.courses import ingest, last_report, library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.core.rag_system import RAGSystem
    from tests.support.courses import KeptEmbedder


@pytest.fixture
def rag(tmp_path: Path, embedder: KeptEmbedder) -> Iterator[RAGSystem]:
    with library(tmp_path / "library", embedder, index=False) as opened:
        yield opened


@pytest.fixture
def uni(tmp_path: Path) -> Path:
    folder = (tmp_path / "uni").resolve()
    for name, text in {
        "bio/01 Ferns.md": "# All about ferns\n\nFerns have no seeds.\n",
        "bio/02 Moss.txt": "Moss is soft.\n",
        "bio/photo.heic": "not a picture",
        "chem/Week 1/Acids.txt": "Acids are sour.\n",
        "bees.txt": "Course Title: Bees\n\nLesson 4: Dance\nBees dance.\n",
        "loose.txt": "Something loose.\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def plan(rag: RAGSystem, *paths: Path, corrections: Corrections | None = None) -> IngestPlan:
    return rag.ingest.plan(paths, CancelToken(), corrections)


def shown(found: IngestPlan) -> dict[str, list[tuple[str, int | None, str]]]:
    return {
        course.title: [(Path(file.path).name, file.lesson_number, file.lesson_title) for file in course.files]
        for course in found.courses
    }


def states(found: IngestPlan) -> dict[str, PlannedState]:
    return {Path(file.path).name: file.state for course in found.courses for file in course.files}


def test_courses_files_and_ignored_files(rag: RAGSystem, uni: Path) -> None:
    found = plan(rag, uni)
    assert shown(found) == {
        "Bees": [("bees.txt", None, "")],
        "bio": [("01 Ferns.md", 1, "All about ferns"), ("02 Moss.txt", 2, "Moss")],
        "chem": [("Acids.txt", 1, "Week 1 › Acids")],
        "uni": [("loose.txt", 1, "loose")],
    }
    assert [file.own_course for course in found.courses for file in course.files] == [True] + [False] * 4
    assert [(Path(item.path).name, str(item.reason)) for item in found.left_out] == [
        (
            "photo.heic",
            "Pictures of this kind (.heic) aren't read. Save those that hold text as PNG or JPEG.",
        )
    ]
    assert (found.files, found.to_read) == (5, 5)


def test_reading_does_what_was_planned(rag: RAGSystem, uni: Path) -> None:
    found = shown(plan(rag, uni))
    ingest(rag, uni)
    courses = {course.title: [(x.number, x.title) for x in course.lessons] for course in rag.courses.all()}
    del found["Bees"], courses["Bees"]
    assert courses == {title: [(number, name) for _, number, name in files] for title, files in found.items()}


def test_planning_changes_nothing(rag: RAGSystem, uni: Path) -> None:
    corrections = Corrections(renamed=(("bio", "Biology"),), left_out=(str(uni / "loose.txt"),))
    assert "Biology" in shown(plan(rag, uni, corrections=corrections))
    assert "bio" in shown(plan(rag, uni))
    assert not rag.catalog.places.folders()
    assert rag.courses.counts().documents == 0


def test_known_files_are_unchanged_or_changed(rag: RAGSystem, uni: Path) -> None:
    ingest(rag, uni)
    assert set(states(plan(rag, uni)).values()) == {PlannedState.UNCHANGED}
    assert not any(course.is_new for course in plan(rag, uni).courses)
    (uni / "loose.txt").write_text("Something else and longer.\n", encoding="utf-8")
    (uni / "new.txt").write_text("Something new.\n", encoding="utf-8")
    found = plan(rag, uni)
    assert states(found) == {
        "bees.txt": PlannedState.UNCHANGED,
        "01 Ferns.md": PlannedState.UNCHANGED,
        "02 Moss.txt": PlannedState.UNCHANGED,
        "Acids.txt": PlannedState.UNCHANGED,
        "loose.txt": PlannedState.CHANGED,
        "new.txt": PlannedState.NEW,
    }
    assert found.to_read == 2


def test_corrections_apply_to_the_plan(rag: RAGSystem, uni: Path) -> None:
    moss, loose = str(uni / "bio" / "02 Moss.txt"), str(uni / "loose.txt")
    found = plan(
        rag,
        uni,
        corrections=Corrections(
            renamed=(("chem", "Chemistry"), ("Bees", "Honey")),
            moved=((moss, "Chemistry"), (str(uni / "bio" / "01 Ferns.md"), "Plants")),
            left_out=(loose,),
        ),
    )
    assert shown(found) == {
        "Chemistry": [("Acids.txt", 1, "Week 1 › Acids"), ("02 Moss.txt", 2, "Moss")],
        "Honey": [("bees.txt", None, "")],
        "Plants": [("01 Ferns.md", 1, "All about ferns")],
    }
    assert [item.optional for item in found.left_out] == [True, False]


def test_unreadable_files_are_in_the_plan_with_a_reason(rag: RAGSystem, uni: Path) -> None:
    (uni / "empty.txt").touch()
    ingest(rag, uni)
    with (uni / "huge.txt").open("wb") as file:
        file.truncate(TEXT.max_bytes + 1)  # sparse
    (uni / "paper.pages").write_text("x", encoding="utf-8")
    reasons = {Path(item.path).name: str(item.reason) for item in plan(rag, uni).left_out}
    assert reasons["empty.txt"] == "empty.txt is empty."
    assert reasons["huge.txt"].startswith("huge.txt is 32 MB; Lectern reads at most 32 MB")
    assert reasons["paper.pages"] == ".pages files aren't supported yet. Save it as PDF and add that."


def test_a_file_that_is_too_large_is_not_even_opened(
    rag: RAGSystem, uni: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    huge = uni / "huge.txt"
    with huge.open("wb") as file:
        file.truncate(TEXT.max_bytes + 1)
    opened: list[str] = []
    real = Path.open

    def watched(path: Path, *rest: Any, **named: Any) -> Any:  # noqa: ANN401 - as open is
        opened.append(path.name)
        return real(path, *rest, **named)

    monkeypatch.setattr(Path, "open", watched)
    done = ingest(rag, uni)
    assert "loose.txt" in opened
    assert "huge.txt" not in opened
    (failed,) = [file for file in done.files if file.path == str(huge)]
    assert "Split it into smaller files" in str(failed.reason)


def test_individually_chosen_files_are_courses_of_their_own(rag: RAGSystem, uni: Path) -> None:
    assert shown(plan(rag, uni / "loose.txt", uni / "bees.txt")) == {
        "Bees": [("bees.txt", None, "")],
        "Something loose.": [("loose.txt", None, "")],
    }


def test_a_missing_folder_and_cancelling(rag: RAGSystem, uni: Path) -> None:
    with pytest.raises(UserError, match="no longer exists"):
        plan(rag, uni / "gone")
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        rag.ingest.plan([uni], token)


def test_a_file_changed_between_plan_and_run_is_examined_again(rag: RAGSystem, uni: Path) -> None:
    assert "bio" in shown(plan(rag, uni))
    (uni / "bio/01 Ferns.md").write_text(
        "Course Title: Ferns\n\nLesson 1: Spores\nNo seeds.\n", encoding="utf-8"
    )
    ingest(rag, uni)
    assert "Ferns" in [course.title for course in rag.courses.all()]


def test_source_code_is_read_if_asked_for_where_a_folder_holds_much_of_it(rag: RAGSystem, uni: Path) -> None:
    programs = [uni / "bio" / f"part_{number}.py" for number in range(11)]
    for program in programs[:10]:
        program.write_text(f"def {program.stem}():\n    pass\n", encoding="utf-8")
    assert plan(rag, uni).files == 15
    programs[-1].write_text("def last():\n    pass\n", encoding="utf-8")
    found = plan(rag, uni)
    assert found.files == 5
    reasons = {str(item.reason) for item in found.left_out if item.optional}
    assert reasons == {
        "Source code is left out where a folder holds much of it. Include the files you need, "
        "or add them one by one."
    }
    wanted = Corrections(taken_in=(str(programs[2]),))
    assert plan(rag, uni, corrections=wanted).files == 6
    last_report(rag.ingest.add_course_folder([uni], CancelToken(), corrections=wanted))
    assert plan(rag, uni).files == 6  # and keeps it
    assert plan(rag, uni, programs[1]).files == 7


def test_what_a_file_is_for_is_planned_corrected_and_kept(rag: RAGSystem, uni: Path) -> None:
    for name, text in {
        "bio/Exercise 3.md": "# Exercise 3\n\nName three ferns.\n",
        "bio/README.md": "# Botany\n\nProfessor Fern teaches this course on Mondays.\n",
        "bio/02 Moss.txt": "Moss has neither roots nor flowers.\n",
        "bio/roster.txt": "Ann 12\nBob 17\n",
    }.items():
        (uni / name).write_text(text, encoding="utf-8")
    moss, roster = uni / "bio" / "02 Moss.txt", uni / "bio" / "roster.txt"

    def uses() -> dict[str, Use]:
        (botany,) = (course for course in plan(rag, uni).courses if course.title == "Botany")
        return {Path(file.path).name: file.use for file in botany.files}

    expected = {
        "01 Ferns.md": Use.TEACHING,
        "02 Moss.txt": Use.TEACHING,
        "Exercise 3.md": Use.EXERCISE,
        "README.md": Use.ABOUT,
        "roster.txt": Use.DATA,
    }
    assert uses() == expected
    ingest(rag, uni)
    assert uses() == expected
    wanted = Corrections(used=((str(moss), Use.DATA), (str(roster), Use.TEACHING)))
    last_report(rag.ingest.add_course_folder([uni], CancelToken(), corrections=wanted))
    expected |= {moss.name: Use.DATA, roster.name: Use.TEACHING}
    assert uses() == expected
    moss.write_text("Moss has neither true roots nor flowers.\n", encoding="utf-8")
    ingest(rag, uni)
    assert uses() == expected
    stored = {Path(path).name: record.facts for path, record in rag.catalog.documents.files().items()}
    assert {name: facts.use for name, facts in stored.items() if facts and name in expected} == expected
