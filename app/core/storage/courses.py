"""Courses in the library file: their list, titles and vectors."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.storage.codec import decode_vector
from app.domain.courses import Course, LessonInfo, LibraryCounts
from app.domain.file_paths import NaturalKey, natural_path

if TYPE_CHECKING:
    import sqlite3

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
        connection = self._db.connection
        documents = _documents(connection)
        found = [
            _course(row, sorted(documents[row["id"]].values(), key=_Document.order))
            for row in connection.execute("SELECT id, title, instructor, link, is_sample FROM courses")
            if row["id"] in documents
        ]
        return tuple(sorted(found, key=lambda course: course.title.casefold()))

    def counts(self) -> LibraryCounts:
        row = self._db.connection.execute(
            """SELECT count(DISTINCT d.course_id) AS courses, count(*) AS documents,
                      (SELECT count(*) FROM chunks JOIN documents AS live ON live.id = document_id
                       WHERE live.trashed_at IS NULL) AS passages
               FROM documents AS d WHERE d.trashed_at IS NULL"""
        ).fetchone()
        return LibraryCounts(row["courses"], row["documents"], row["passages"])

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


@dataclass(slots=True)
class _Document:
    path: str
    description: str | None
    lessons: list[LessonInfo] = field(default_factory=list)

    def order(self) -> tuple[int, NaturalKey]:
        """Sort key within a course: by lesson number, documents without one first."""
        numbers = [lesson.number for lesson in self.lessons if lesson.number is not None]
        return (min(numbers, default=-1), natural_path(self.path))


def _documents(connection: sqlite3.Connection) -> dict[int, dict[int, _Document]]:
    """Return the searchable documents by course and key."""
    documents: dict[int, dict[int, _Document]] = {}
    for row in connection.execute(
        "SELECT id, course_id, path, description FROM documents WHERE trashed_at IS NULL ORDER BY id"
    ):
        document = _Document(row["path"], row["description"])
        documents.setdefault(row["course_id"], {})[row["id"]] = document
    for row in connection.execute(
        """SELECT d.course_id, d.id, l.number, l.title, l.link, count(c.id) AS passages
           FROM documents AS d JOIN lessons AS l ON l.document_id = d.id
           LEFT JOIN chunks AS c ON c.lesson_id = l.id
           WHERE d.trashed_at IS NULL
           GROUP BY l.id ORDER BY d.id, l.position"""
    ):
        info = LessonInfo(row["number"], row["title"], row["link"], row["passages"])
        documents[row["course_id"]][row["id"]].lessons.append(info)
    return documents


def _course(row: sqlite3.Row, documents: list[_Document]) -> Course:
    lessons: dict[tuple[int | None, str], LessonInfo] = {}
    for document in documents:
        for lesson in document.lessons:
            key = (lesson.number, lesson.title)
            known = lessons.get(key)
            passages = lesson.passages + (known.passages if known else 0)
            link = (known.link if known else None) or lesson.link
            lessons[key] = LessonInfo(lesson.number, lesson.title, link, passages)
    return Course(
        title=row["title"],
        instructor=row["instructor"],
        link=row["link"],
        passages=sum(lesson.passages for lesson in lessons.values()),
        files=tuple(document.path for document in documents),
        lessons=tuple(lessons.values()),
        is_sample=bool(row["is_sample"]),
        description=next((document.description for document in documents if document.description), None),
    )
