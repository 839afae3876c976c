"""Lists the courses: their documents in the order of their lessons, each lesson once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.core.courses.lesson_names import NaturalKey, natural_path
from app.domain.courses import Course, LessonInfo

if TYPE_CHECKING:
    import sqlite3


@dataclass(slots=True)
class _Document:
    path: str
    description: str | None
    lessons: list[LessonInfo] = field(default_factory=list)

    def order(self) -> tuple[int, NaturalKey]:
        """Return what the documents of a course are sorted by: by number, without one first."""
        numbers = [lesson.number for lesson in self.lessons if lesson.number is not None]
        return (min(numbers, default=-1), natural_path(self.path))


def courses(connection: sqlite3.Connection) -> tuple[Course, ...]:
    """Return all courses with their lessons, sorted by title without regard to case."""
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
    found = [
        _course(row, sorted(documents[row["id"]].values(), key=_Document.order))
        for row in connection.execute("SELECT id, title, instructor, link, is_sample FROM courses")
        if row["id"] in documents
    ]
    return tuple(sorted(found, key=lambda course: course.title.casefold()))


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
