"""Courses in the library file: their list, titles and vectors."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from app.core.storage.codec import decode_vector
from app.domain.courses import Course, LessonInfo, LibraryCounts
from app.domain.file_paths import NaturalKey, natural_path

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from app.core.storage.database import Database

_SEARCHABLE = """SELECT {} FROM courses WHERE id IN
                 (SELECT course_id FROM documents WHERE trashed_at IS NULL) ORDER BY title"""


class CourseRepository:
    """Reads courses; documents bring and remove them. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def all(self) -> tuple[Course, ...]:
        """Return all courses with their lessons, sorted by title regardless of case."""
        courses: dict[int, dict[int, list[sqlite3.Row]]] = {}
        for row in self._db.connection.execute(
            """SELECT d.course_id, d.id AS document_id, d.path, d.description,
                      c.title AS course_title, c.instructor, c.link AS course_link, c.is_sample,
                      l.number, l.title, l.link,
                      -- Joined and grouped, they would all be sorted: eight times as slow.
                      (SELECT count(*) FROM chunks WHERE lesson_id = l.id) AS passages
               FROM documents AS d JOIN courses AS c ON c.id = d.course_id
               JOIN lessons AS l ON l.document_id = d.id
               WHERE d.trashed_at IS NULL ORDER BY d.id, l.position"""
        ):
            courses.setdefault(row["course_id"], {}).setdefault(row["document_id"], []).append(row)
        found = [_course(sorted(documents.values(), key=_order)) for documents in courses.values()]
        return tuple(sorted(found, key=lambda course: course.title.casefold()))

    def passages(self, title: str, number: int | None = None) -> list[sqlite3.Row]:
        """Return a course's passages in reading order: id, lesson_id, number, title, start, end, text.

        Neighbours of one lesson may overlap. With ``number`` only those of the lessons with this number.
        """
        documents: dict[int, list[sqlite3.Row]] = {}
        for row in self._db.connection.execute(
            """SELECT k.id, k.lesson_id, k.start, k."end", k.text, l.number, l.title,
                      d.id AS document_id, d.path
               FROM courses AS c JOIN chunks AS k ON k.course_id = c.id
               JOIN lessons AS l ON l.id = k.lesson_id JOIN documents AS d ON d.id = k.document_id
               WHERE c.title = :title AND d.trashed_at IS NULL
               AND (:number IS NULL OR k.lesson_number = :number) ORDER BY k.document_id, k.start""",
            {"title": title, "number": number},
        ):
            documents.setdefault(row["document_id"], []).append(row)
        ordered = sorted(documents.values(), key=_order)
        return list(chain.from_iterable(ordered))

    def first_passages(self, title: str, most: int) -> list[sqlite3.Row]:
        """Return the first passages of a course, lesson by lesson: lesson_id, title (the lesson's), text."""
        return self._db.connection.execute(
            """SELECT k.lesson_id, l.title, k.text FROM courses AS c JOIN chunks AS k ON k.course_id = c.id
               JOIN lessons AS l ON l.id = k.lesson_id JOIN documents AS d ON d.id = k.document_id
               WHERE c.title = ? AND d.trashed_at IS NULL ORDER BY k.lesson_number, k.id LIMIT ?""",
            (title, most),
        ).fetchall()

    def with_lesson(self, number: int) -> tuple[str, ...]:
        """Return the titles of the courses that have a lesson of this number, in order."""
        rows = self._db.connection.execute(
            """SELECT DISTINCT c.title FROM lessons AS l JOIN documents AS d ON d.id = l.document_id
               JOIN courses AS c ON c.id = d.course_id
               WHERE l.number = ? AND d.trashed_at IS NULL ORDER BY c.title""",
            (number,),
        )
        return tuple(row["title"] for row in rows)

    def lesson_numbers(self, title: str) -> list[int]:
        rows = self._db.connection.execute(
            """SELECT DISTINCT k.lesson_number FROM courses AS c JOIN chunks AS k ON k.course_id = c.id
               WHERE c.title = ? AND k.lesson_number IS NOT NULL""",
            (title,),
        )
        return [row["lesson_number"] for row in rows]

    def headings(self, lessons: Iterable[int]) -> list[str]:
        """Return the headings inside lessons, given by their keys, in order of these."""
        return [
            row["value"]
            for lesson in lessons
            for row in self._db.connection.execute(
                """SELECT a.value FROM lessons AS l JOIN anchors AS a ON a.document_id = l.document_id
                   WHERE l.id = ? AND a.kind = 'heading' AND a.start >= l.start AND a.start < l."end"
                   ORDER BY a.start""",
                (lesson,),
            )
        ]

    def counts(self) -> LibraryCounts:
        row = self._db.connection.execute(
            """SELECT count(DISTINCT d.course_id) AS courses, count(*) AS documents,
                      (SELECT count(*) FROM chunks JOIN documents AS live ON live.id = document_id
                       WHERE live.trashed_at IS NULL) AS passages
               FROM documents AS d WHERE d.trashed_at IS NULL"""
        ).fetchone()
        return LibraryCounts(**row)

    def generation(self) -> str | None:
        """Return what differs once anything of the library's courses has changed."""
        return self._db.meta("generation")

    def titles(self) -> tuple[str, ...]:
        """Return the titles of searchable courses, in order."""
        return tuple(row["title"] for row in self._db.connection.execute(_SEARCHABLE.format("title")))

    def vectors(self) -> dict[str, NDArray[np.float32]]:
        """Return the vector of each searchable course's title, in order of the titles."""
        rows = self._db.connection.execute(_SEARCHABLE.format("title, embedding"))
        return {row["title"]: decode_vector(row["embedding"]) for row in rows}

    def ids(self) -> dict[str, int]:
        """Return the keys of all courses by title, including those in the trash."""
        rows = self._db.connection.execute("SELECT id, title FROM courses")
        return {row["title"]: row["id"] for row in rows}


def _order(document: list[sqlite3.Row]) -> tuple[int, NaturalKey]:
    """Return the sort key of a document within its course: by lesson number, those without one first."""
    numbers = [lesson["number"] for lesson in document if lesson["number"] is not None]
    return min(numbers, default=-1), natural_path(document[0]["path"])


def _course(documents: list[list[sqlite3.Row]]) -> Course:
    """Return the course of documents, each given by its lessons."""
    lessons: dict[tuple[int | None, str], LessonInfo] = {}
    for row in chain.from_iterable(documents):
        key = (row["number"], row["title"])
        known = lessons.get(key, LessonInfo(*key, None, 0))
        link, passages = known.link or row["link"], known.passages + row["passages"]
        files = tuple(dict.fromkeys((*known.files, row["path"])))
        lessons[key] = replace(known, link=link, passages=passages, files=files)
    firsts = [document[0] for document in documents]
    return Course(
        title=firsts[0]["course_title"],
        instructor=firsts[0]["instructor"],
        link=firsts[0]["course_link"],
        passages=sum(lesson.passages for lesson in lessons.values()),
        files=tuple(row["path"] for row in firsts),
        lessons=tuple(lessons.values()),
        is_sample=bool(firsts[0]["is_sample"]),
        description=next((row["description"] for row in firsts if row["description"]), None),
    )
