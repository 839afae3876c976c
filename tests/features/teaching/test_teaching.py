"""What a library teaches of an exam, and whether questions still find their passages."""

from __future__ import annotations

import asyncio
import csv
from typing import TYPE_CHECKING

import pytest

from app.core.search.exam_map import map_exam
from app.domain.cancel import Cancelled, CancelToken
from app.domain.errors import UserError
from app.domain.exam_map import QuestionMap, QuestionProgress
from app.features.teaching.model import CheckReport
from app.features.teaching.reports import write_report
from app.features.teaching.service import TeachingService
from tests.support.courses import ingest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.core.rag_system import RAGSystem

EXAM = """\
1. What lives in a sourdough starter?
2. Why are there two high tides a day? (2 points)
3. Which treaty ended the Thirty Years' War?
"""


@pytest.fixture
def exam(tmp_path: Path) -> Path:
    path = tmp_path / "exam.txt"
    path.write_text(EXAM, encoding="utf-8")
    return path


def mapped(rag: RAGSystem, path: Path, course: str | None = None) -> QuestionMap:
    *_, last = map_exam(rag.search, path, course, CancelToken())
    assert isinstance(last, QuestionMap)
    return last


def checked(rag: RAGSystem, path: Path) -> CheckReport:
    *_, last = rag.service(TeachingService).check(path, CancelToken())
    assert isinstance(last, CheckReport)
    return last


def test_questions_lead_to_their_lessons_and_back(rag: RAGSystem, exam: Path) -> None:
    found = mapped(rag, exam)
    starter, tides, war = found.questions
    assert (starter.question.label, starter.question.text) == ("1", "What lives in a sourdough starter?")
    best = starter.lessons[0]
    assert (best.course_title, best.number, best.title) == ("Bread Baking at Home", 1, "Sourdough starters")
    assert "wild yeast" in best.passages[0].text
    assert tides.is_taught
    assert tides.lessons[0].title == "Why the sea rises"
    assert not war.is_taught
    assert found.taught == 2
    unasked = {(lesson.course_title, lesson.number) for lesson in found.unasked}
    assert ("Bread Baking at Home", 1) not in unasked
    assert {title for title, _ in unasked} <= {"Bread Baking at Home", "Tides and Currents"}
    assert ("Bread Baking at Home", 2) in unasked


def test_one_course_alone_is_searched(rag: RAGSystem, exam: Path) -> None:
    found = mapped(rag, exam, "tides")
    assert [question.is_taught for question in found.questions] == [False, True, False]
    assert {lesson.course_title for lesson in found.unasked} == {"Tides and Currents"}
    with pytest.raises(UserError, match="No course found matching 'Chemistry of steel'"):
        mapped(rag, exam, "Chemistry of steel")


def test_an_exam_in_the_library_teaches_nothing(rag: RAGSystem, exam: Path, tmp_path: Path) -> None:
    folder = tmp_path / "Bread" / "Old exams"
    folder.mkdir(parents=True)
    own = folder / exam.name
    own.write_text(exam.read_text("utf-8"), encoding="utf-8")
    ingest(rag, folder)
    assert any(hit.path == str(own) for hit in rag.search.retrieve("sourdough starter").hits)
    found = mapped(rag, own)
    assert [question.is_taught for question in found.questions] == [True, True, False]
    lessons = [lesson for question in found.questions for lesson in question.lessons]
    assert all(hit.path != str(own) for lesson in lessons for hit in lesson.passages)
    assert not {lesson.course_title for lesson in found.unasked} & {"Bread", "Old exams"}


def test_progress_is_told_and_can_be_cancelled(rag: RAGSystem, exam: Path) -> None:
    token = CancelToken()
    events: Iterator[object] = map_exam(rag.search, exam, None, token)
    assert next(events) == QuestionProgress(0, 3)
    assert next(events) == QuestionProgress(1, 3)
    token.cancel()
    with pytest.raises(Cancelled):
        next(events)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("essay.txt", "Bread is old. It is baked in ovens.\n", "No question was found in essay.txt."),
        ("empty.txt", "", "empty.txt is empty"),
        ("gone.txt", None, "gone.txt"),
    ],
)
def test_a_file_without_questions_is_refused_in_one_sentence(
    rag: RAGSystem, tmp_path: Path, name: str, text: str | None, sentence: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=sentence):
        mapped(rag, tmp_path / name)


def test_a_map_is_written_as_csv_and_markdown(rag: RAGSystem, tmp_path: Path) -> None:
    path = tmp_path / "exam.md"
    path.write_text(f"{EXAM}4. =SUM(A1) is *what*?\n", encoding="utf-8")
    found = mapped(rag, path)
    write_report(found, tmp_path / "map.csv", is_markdown=False)
    rows = list(csv.reader((tmp_path / "map.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert rows[0][:4] == ["Number", "Question", "Taught", "Course"]
    assert rows[1][:6] == [
        *("1", "What lives in a sourdough starter?", "yes", "Bread Baking at Home", "1"),
        "Sourdough starters",
    ]
    assert {len(row) for row in rows} == {8}
    (war, *_) = (row for row in rows if row[:3] == ["3", "Which treaty ended the Thirty Years' War?", "no"])
    assert all((war[3], war[6], war[7])), "the nearest passage"
    assert ["4", "'=SUM(A1) is *what*?", "no"] in [row[:3] for row in rows]
    assert ["", "", "not asked", "Bread Baking at Home", "2", "Kneading and proofing", "", ""] in rows
    write_report(found, tmp_path / "map.md", is_markdown=True)
    text = (tmp_path / "map.md").read_text(encoding="utf-8")
    assert "## 1 What lives in a sourdough starter?\n\n- Bread Baking at Home, Lesson 1" in text
    assert "*Not in the material*\n\nThe nearest passages:\n\n- " in text
    assert r"is \*what\*" in text
    with pytest.raises(UserError, match="could not be written to"):
        write_report(found, tmp_path / "nowhere" / "map.csv", is_markdown=False)


def ask(rag: RAGSystem, *questions: str) -> int:
    """Ask without a model, so that the passages are the answer; return the chat's number."""

    chat = rag.conversations.create_session()

    async def answered() -> None:
        for question in questions:
            async for _ in rag.answers.query(question, None, conversation_id=chat):
                pass

    asyncio.run(answered())
    return chat


def test_a_check_made_from_a_chat_tells_what_is_found_no_more(
    rag: RAGSystem, stored_courses: tuple[Path, Path], tmp_path: Path
) -> None:
    chat = ask(rag, "How often is a sourdough starter fed?", "Why are there two high tides a day?")
    path = tmp_path / "bread.jsonl"
    exchanges = rag.conversations.exchanges(chat)
    assert rag.service(TeachingService).make_check(exchanges, path, CancelToken()) == 0

    first = checked(rag, path)
    assert (len(first.questions), first.good) == (2, 2)
    quotes = [passage.quote for passage in first.questions[0].passages]
    assert not any(quote != other and quote in other for quote in quotes for other in quotes)

    bread = next(stored_courses[0].glob("bread.txt"))
    changed = tmp_path / "bread.txt"
    changed.write_text(
        bread.read_text(encoding="utf-8").replace("wild yeast", "some yeast"), encoding="utf-8"
    )
    rag.courses.remove_courses(["Bread Baking at Home"], CancelToken())
    ingest(rag, changed)
    report = checked(rag, path)
    fed, tides = report.questions
    assert tides.is_good
    assert not fed.is_good
    problems = [passage for passage in fed.passages if passage.problem]
    assert any("wild yeast" in passage.quote for passage in problems)
    assert {str(passage.problem) for passage in problems} == {"It is no longer in the material."}


def test_a_check_quotes_no_heading(rag: RAGSystem, tmp_path: Path) -> None:
    sentence = "The Calvin cycle binds carbon dioxide to a sugar."
    (tmp_path / "cycle.md").write_text(f"# Calvin cycle\n\n{sentence}\n", encoding="utf-8")
    ingest(rag, tmp_path / "cycle.md")
    chat = ask(rag, "What does the Calvin cycle bind?")
    path = tmp_path / "cycle.jsonl"
    rag.service(TeachingService).make_check(rag.conversations.exchanges(chat), path, CancelToken())
    [question] = checked(rag, path).questions
    quotes = [passage.quote for passage in question.passages]
    assert sentence in quotes
    assert not any("#" in quote for quote in quotes)


def test_a_passage_that_another_hides_is_said_to_be_there(rag: RAGSystem, tmp_path: Path) -> None:
    path = tmp_path / "hidden.jsonl"
    path.write_text(
        '{"question": "ink?", "passages": [{"quote": "Flour is weighed in grams"}]}\n', encoding="utf-8"
    )
    for index in range(12):
        (tmp_path / f"ink {index}.md").write_text(f"# Ink {index}\n\nInk number {index} is black ink.\n")
    ingest(rag, *tmp_path.glob("ink *.md"))
    [passage] = checked(rag, path).questions[0].passages
    assert str(passage.problem) == "It is in the material, but the question no longer finds it."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "hand.jsonl is not a course check: it is empty."),
        ('{"question": "Why?"}\n', "line 1 has no question with its passages"),
        ('\n{"question": "Why?", "passages": [{"quote": ""}]}\n', "line 2 has no"),
        ("[1]\n", "line 1 has no"),
        ("{" * 100_000, "line 1 has no"),
        ("\udcff\udcfe rubbish", "line 1 has no"),
    ],
)
def test_a_file_that_is_no_check_is_refused(rag: RAGSystem, tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "hand.jsonl"
    path.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(UserError, match=sentence):
        checked(rag, path)


def test_a_chat_that_cites_nothing_makes_no_check(rag: RAGSystem, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Nothing was written"):
        rag.service(TeachingService).make_check((), tmp_path / "none.jsonl", CancelToken())
    assert not (tmp_path / "none.jsonl").exists()
