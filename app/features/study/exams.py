"""Practice exams: as many questions on each lesson as a past paper asks, from the deck of a course."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from app.core.storage import sql
from app.core.storage.database import Database
from app.domain.exam_map import QuestionMap
from app.domain.search import SearchHit
from app.features.study.kinds import KINDS
from app.features.study.model.items import Item, NewItem
from app.features.study.model.names import ItemKind, ItemText
from app.features.study.store.items import StudyRepository

_LONGEST_ANSWER = 20_000  # characters that are kept


class ExamLesson(NamedTuple):
    number: int | None
    title: str


@dataclass(frozen=True, slots=True)
class ExamTask:
    """A question of an exam; ``share`` is how much of its points was reached, None before it is graded."""

    uid: str  # of its item
    lesson: ExamLesson
    points: float
    answer: str = ""
    share: float | None = None


@dataclass(frozen=True, slots=True)
class PracticeExam:
    """A practice exam; times are in seconds, points in time since the epoch."""

    deck_id: int
    paper: str  # the name of its file
    tasks: tuple[ExamTask, ...]
    minutes: int = 0  # 0 without a limit
    spent: float = 0.0
    started_at: float = 0.0
    finished_at: float | None = None
    exam_id: int = 0

    def by_lesson(self) -> dict[ExamLesson, tuple[float, float]]:
        """Return the points reached of each lesson, and all there are, in the order of the lessons."""
        found: dict[ExamLesson, list[ExamTask]] = defaultdict(list)
        for task in self.tasks:
            found[task.lesson].append(task)
        ordered = sorted(found, key=lambda lesson: (lesson.number is None, lesson.number or 0, lesson.title))
        return {lesson: _points(found[lesson]) for lesson in ordered}

    def changed(self, at: int, **changes: Any) -> "PracticeExam":  # noqa: ANN401 - fields of a task
        """Return the exam with a task that was answered or graded."""
        tasks = (*self.tasks[:at], replace(self.tasks[at], **changes), *self.tasks[at + 1 :])
        return replace(self, tasks=tasks)

    @property
    def reached(self) -> tuple[float, float]:
        return _points(self.tasks)


def _points(tasks: Iterable[ExamTask]) -> tuple[float, float]:
    listed = list(tasks)
    reached = sum(task.points * (task.share or 0.0) for task in listed)
    return reached, sum(task.points for task in listed)


@dataclass(frozen=True, slots=True)
class PlannedExam:
    """What an exam would ask.

    Attributes:
        lacking: how many questions on a lesson the deck lacks.
        untaught: how many questions of the paper no lesson teaches.
    """

    exam: PracticeExam
    lacking: dict[ExamLesson, int] = field(default_factory=dict)
    untaught: int = 0


def plan_exam(found: QuestionMap, items: Sequence[Item], deck_id: int, paper: str, seed: int) -> PlannedExam:
    """Choose an item of the deck for each question of a paper.

    It rests on a passage found for the question, or is in the lesson that teaches it best. Items in that
    lesson are preferred, then those of the question's kind, then those on the best passage.
    """
    kinds = [name for name, kind in KINDS.items() if kind.is_scheduled or kind.is_quiz]
    left = [item for item in Random(seed).sample(list(items), len(items)) if item.kind in kinds]
    tasks: list[ExamTask] = []
    lacking: dict[ExamLesson, int] = defaultdict(int)
    for mapped in found.questions:
        if not mapped.is_taught:
            continue
        best, asked = ExamLesson(mapped.lessons[0].number, mapped.lessons[0].title), mapped.question
        wanted = _kinds(has_choices=asked.has_choices, has_blank="____" in asked.text)
        hits = [hit for lesson in mapped.lessons for hit in lesson.passages]
        fitting = [
            (
                _lesson(item) != best,
                wanted.index(item.kind) if item.kind in wanted else len(wanted),
                place,
                at,
            )
            for at, item in enumerate(left)
            if (place := _place(item, hits)) < len(hits) or _lesson(item) == best
        ]
        if not fitting:
            lacking[best] += 1
            continue
        item = left.pop(min(fitting)[-1])
        tasks.append(ExamTask(item.uid, _lesson(item), asked.points or 1.0))
    untaught = sum(not mapped.is_taught for mapped in found.questions)
    return PlannedExam(PracticeExam(deck_id, paper, tuple(tasks)), dict(lacking), untaught)


def _lesson(item: Item) -> ExamLesson:
    return ExamLesson(item.source.hit.lesson_number, item.source.hit.lesson_title)


def _place(item: Item, hits: Sequence[SearchHit]) -> int:
    """Return the place of the passage that an item rests on; the number of passages if there is none."""
    document = item.source.hit.document_id
    for at, hit in enumerate(hits):
        if hit.document_id == document and hit.start <= item.start < hit.end:
            return at
    return len(hits)


def _kinds(*, has_choices: bool, has_blank: bool) -> tuple[ItemKind, ...]:
    """Return the kinds that ask as a question of the paper does, best first."""
    if has_choices:
        return ItemKind.CHOICE, ItemKind.SHORT
    if has_blank:
        return ItemKind.CLOZE, ItemKind.SHORT
    return ItemKind.CARD, ItemKind.SHORT, ItemKind.TERM, ItemKind.CLOZE


class ExamRepository:
    """Keeps practice exams; each method is one transaction. Thread-safe."""

    def __init__(self, database: Database, study: StudyRepository) -> None:
        self._db = database
        self._study = study

    def begin(self, exam: PracticeExam) -> PracticeExam:
        """Store an exam, replacing an unfinished one of the same deck."""
        with self._db.transaction() as connection:
            connection.execute(
                "DELETE FROM practice_exams WHERE deck_id = ? AND finished_at IS NULL", (exam.deck_id,)
            )
            return replace(exam, exam_id=sql.insert(connection, "practice_exams", **_columns(exam)))

    def save(self, exam: PracticeExam) -> None:
        """Keep how far an exam is; nothing if its deck was deleted."""
        row = _columns(exam)
        del row["deck_id"]  # the deck may have become part of another
        columns = ", ".join(f"{name} = ?" for name in row)
        self._db.write(f"UPDATE practice_exams SET {columns} WHERE id = ?", [(*row.values(), exam.exam_id)])

    def of_deck(self, deck_id: int) -> tuple[PracticeExam, ...]:
        """Return the exams of a deck, the last one first; one that goes on has no ``finished_at``."""
        rows = self._db.connection.execute(
            "SELECT * FROM practice_exams WHERE deck_id = ? ORDER BY started_at DESC", (deck_id,)
        )
        return tuple(map(exam_of, rows))

    def items_of(self, exam: PracticeExam) -> dict[str, Item]:
        """Return the items that an exam asks, by uid, without those deleted meanwhile."""
        uids = {task.uid for task in exam.tasks}
        return {item.uid: item for item in self._study.items() if item.uid in uids}

    def add_cards(self, items: Collection[Item]) -> int:
        """Make cards of questions that only the quiz asks, unless the deck has them; return how many."""
        known = {_question(item) for item in self._study.items(kinds=(ItemKind.CARD,))}
        new = {_question(item): item for item in items if _question(item) not in known}
        for item in new.values():
            self._study.add(item.deck_id, [_as_card(item)])
        return len(new)


def _question(item: Item) -> tuple[int, str]:
    return item.deck_id, item.text.front


def _as_card(item: Item) -> NewItem:
    text = ItemText(item.text.front, item.text.back, (), item.text.explanation)
    place = item.source, item.start, item.end, item.quote, item.difficulty, item.language, item.automatic
    return NewItem(ItemKind.CARD, text, *place)


def exam_of(row: sqlite3.Row) -> PracticeExam:
    """Return an exam of the library; raises ValueError, TypeError or KeyError for other JSON."""
    tasks = tuple(map(_task, json.loads(row["tasks"])))
    facts = row["minutes"], row["spent"], row["started_at"], row["finished_at"], row["id"]
    return PracticeExam(row["deck_id"], row["paper"], tasks, *facts)


def _columns(exam: PracticeExam) -> dict[str, Any]:
    tasks = [asdict(replace(task, answer=task.answer[:_LONGEST_ANSWER])) for task in exam.tasks]
    row = {name: value for name, value in asdict(exam).items() if name not in ("exam_id", "tasks")}
    return row | {"tasks": json.dumps(tasks, ensure_ascii=False)}


def _task(stored: dict[str, Any]) -> ExamTask:
    return ExamTask(**(stored | {"lesson": ExamLesson(*stored["lesson"])}))
