"""When the exams of courses are, and which lessons were studied; both follow their courses by title.

Functions with a connection run inside the caller's transaction.
"""

from __future__ import annotations

import json
import time
from datetime import date
from typing import TYPE_CHECKING

from app.core.storage import sql
from app.core.storage.codec import fits, require
from app.features.study.model.exam_plans import MOST_MINUTES, Exam, LessonName

if TYPE_CHECKING:
    import sqlite3

    from app.core.storage.database import Database, LibraryCopy

_LIVE = "course_title IN (SELECT c.title FROM courses AS c JOIN documents AS d ON d.course_id = c.id {})"


class ExamDates:
    """Reads and writes exams and the lessons that were studied. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def exams(self) -> dict[str, Exam]:
        """Return the exams of the courses in the library by title, the next one first."""
        live = _LIVE.format("WHERE d.trashed_at IS NULL")
        rows = self._db.connection.execute(f"SELECT * FROM exams WHERE {live} ORDER BY day, course_title")
        return {row["course_title"]: exam_of(row) for row in rows}

    def put(self, course_title: str, exam: Exam | None) -> None:
        """Store when the exam of a course is; None for none."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM exams WHERE course_title = ?", (course_title,))
            if exam is not None:
                off = [*sorted(exam.weekdays_off), *sorted(map(str, exam.days_off))]
                sql.insert(
                    connection,
                    "exams",
                    course_title=course_title,
                    day=str(exam.day),
                    minutes=exam.minutes,
                    retention=exam.retention,
                    days_off=json.dumps(off),
                    weights=json.dumps([[*lesson, points] for lesson, points in exam.weights]),
                    since=str(exam.since),
                    changed_at=time.time(),
                )

    def lessons(self, course_title: str) -> list[tuple[LessonName, int]]:
        """Return the lessons of a course's teaching texts with their characters, in order."""
        rows = self._db.connection.execute(
            """SELECT l.number, l.title, sum(l."end" - l.start) AS characters
               FROM courses AS c JOIN documents AS d ON d.course_id = c.id
               JOIN lessons AS l ON l.document_id = d.id
               WHERE c.title = ? AND d.trashed_at IS NULL AND d.use = 'teaching'
               GROUP BY l.number, l.title ORDER BY l.number, min(d.id), min(l.position)""",
            (course_title,),
        )
        return [((row["number"], row["title"]), row["characters"]) for row in rows]

    def studied(self, course_title: str) -> dict[LessonName, float]:
        """Return when lessons were studied, in seconds since the epoch."""
        rows = self._db.connection.execute(
            "SELECT number, title, at FROM studied WHERE course_title = ? ORDER BY at", (course_title,)
        )
        return {(row["number"], row["title"]): row["at"] for row in rows}

    def mark(self, course_title: str, lesson: LessonName, at: float | None) -> None:
        """Note that a lesson was studied at a moment; None if it was not."""
        with self._db.transaction() as connection:
            connection.execute(
                "DELETE FROM studied WHERE course_title = ? AND number IS ? AND title = ?",
                (course_title, *lesson),
            )
            if at is not None:
                sql.insert(
                    connection, "studied", course_title=course_title, number=lesson[0], title=lesson[1], at=at
                )


def exam_of(row: sqlite3.Row) -> Exam:
    off = json.loads(row["days_off"])
    return Exam(
        date.fromisoformat(row["day"]),
        row["minutes"],
        row["retention"],
        frozenset(day for day in off if isinstance(day, int)),
        frozenset(date.fromisoformat(day) for day in off if isinstance(day, str)),
        tuple(((number, title), points) for number, title, points in json.loads(row["weights"])),
        date.fromisoformat(row["since"]),
    )


def rename(connection: sqlite3.Connection, old: str, new: str) -> None:
    for table in ("exams", "studied"):
        connection.execute(
            f"UPDATE OR REPLACE {table} SET course_title = ? WHERE course_title = ?", (new, old)
        )


def forget(connection: sqlite3.Connection) -> None:
    """Delete what belongs to courses that were deleted for good."""
    for table in ("exams", "studied"):
        connection.execute(f"DELETE FROM {table} WHERE NOT {_LIVE.format('')}")


def copy_exams(merge: LibraryCopy) -> None:
    """Copy exams, of which the one that was changed last holds, and the lessons that were studied.

    Raises:
        Inconsistent: the source contradicts itself.
        ValueError, TypeError: a stored value cannot be decoded.
    """
    for row in merge.read("SELECT * FROM exams"):
        exam = exam_of(row)
        require(1 <= exam.minutes <= MOST_MINUTES and 70 <= exam.retention <= 97)
        require(exam.weekdays_off <= set(range(7)))
        require(all(fits(title, str) and fits(points, int | float) for (_, title), points in exam.weights))
        merge.target.execute(
            """INSERT INTO exams VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (course_title) DO UPDATE SET
               day = excluded.day, minutes = excluded.minutes, retention = excluded.retention,
               days_off = excluded.days_off, weights = excluded.weights,
               since = excluded.since, changed_at = excluded.changed_at
               WHERE excluded.changed_at > changed_at""",
            tuple(row),
        )
    for row in merge.read("SELECT * FROM studied"):
        known = "SELECT 1 FROM studied WHERE course_title = ? AND number IS ? AND title = ?"
        if merge.target.execute(known, tuple(row)[:3]).fetchone() is None:
            sql.insert(merge.target, "studied", **dict(row))
