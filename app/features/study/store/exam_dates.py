"""When the exams of courses are; they follow their courses by title.

Functions with a connection run inside the caller's transaction.
"""

import json
import sqlite3
import time
from datetime import date

from app.core.storage.codec import fits, require
from app.core.storage.database import Database, LibraryCopy
from app.features.study.model.exam_plans import (
    LEAST_RETENTION,
    MOST_MINUTES,
    MOST_RETENTION,
    Exam,
    LessonName,
)

_OF = "SELECT c.title FROM courses AS c JOIN documents AS d ON d.course_id = c.id"


class ExamDates:
    """Reads and writes exams. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def exams(self) -> dict[str, Exam]:
        """Return the exams of the courses in the library by title, the next one first."""
        rows = self._db.connection.execute(
            f"""SELECT * FROM exams WHERE course_title IN ({_OF} WHERE d.trashed_at IS NULL)
                ORDER BY day, course_title"""
        )
        return {row["course_title"]: _exam_of(row) for row in rows}

    def put(self, course_title: str, exam: Exam | None) -> None:
        """Store when the exam of a course is; None for none."""
        if exam is None:
            self._db.write("DELETE FROM exams WHERE course_title = ?", [(course_title,)])
            return
        off = [day if isinstance(day, int) else str(day) for day in exam.days_off]
        values = (
            exam.minutes,
            exam.retention,
            json.dumps(off),
            json.dumps(exam.weights),
            json.dumps(exam.studied),
        )
        row = (course_title, str(exam.day), *values, time.time())
        self._db.write("INSERT OR REPLACE INTO exams VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [row])

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


def _exam_of(row: sqlite3.Row) -> Exam:
    """Return a stored exam.

    Raises:
        Inconsistent, ValueError, TypeError: it is not as :meth:`ExamDates.put` writes it.
    """
    minutes, retention = row["minutes"], row["retention"]
    off = frozenset(
        day if day in range(7) else date.fromisoformat(day) for day in json.loads(row["days_off"])
    )
    weights, studied = _by_lesson(row["weights"]), _by_lesson(row["studied"])
    require(1 <= minutes <= MOST_MINUTES and LEAST_RETENTION <= retention <= MOST_RETENTION)
    return Exam(date.fromisoformat(row["day"]), minutes, retention, off, weights, studied)


def _by_lesson(stored: str) -> tuple[tuple[LessonName, float], ...]:
    found = tuple(((number, title), value) for (number, title), value in json.loads(stored))
    for (number, title), value in found:
        require(fits(number, int | None) and fits(title, str) and fits(value, int | float))
    return found


def rename(connection: sqlite3.Connection, old: str, new: str) -> None:
    connection.execute("UPDATE OR REPLACE exams SET course_title = ? WHERE course_title = ?", (new, old))


def forget(connection: sqlite3.Connection) -> None:
    """Delete the exams of courses that were deleted for good."""
    connection.execute(f"DELETE FROM exams WHERE course_title NOT IN ({_OF})")


def copy_exams(merge: LibraryCopy) -> None:
    """Copy exams, of which the one that was changed last holds.

    Raises:
        Inconsistent: the source contradicts itself.
        ValueError, TypeError: a stored value cannot be decoded.
    """
    for row in merge.read("SELECT * FROM exams"):
        _exam_of(row)
        merge.target.execute(
            """INSERT OR REPLACE INTO exams SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE NOT EXISTS (
               SELECT 1 FROM exams WHERE course_title = ?1 AND changed_at >= ?8)""",
            tuple(row),
        )
