"""The repositories of one library file: its courses, places, failed files and the queue for Chroma."""

import os
import sqlite3
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from app.core.ocr.kept_texts import RecognizedTexts
from app.core.storage import sql
from app.core.storage.codec import decode_vector
from app.core.storage.database import Database
from app.core.storage.documents import DocumentRepository
from app.core.storage.passages import PassageRepository
from app.core.storage.transcripts import Transcripts
from app.domain.courses import Correction, Course, Facts, LessonInfo, LibraryCounts, Use
from app.domain.events import FileDone, FileStatus
from app.domain.file_paths import NaturalKey, natural_path
from app.domain.messages import Message

_INDEX_MARK = "index_mark"
_SEARCHABLE = """SELECT {} FROM courses WHERE id IN
                 (SELECT course_id FROM documents WHERE trashed_at IS NULL) ORDER BY title"""


class Catalog:
    def __init__(self, database: Database) -> None:
        self.courses = CourseRepository(database)
        self.documents = DocumentRepository(database)
        self.passages = PassageRepository(database)
        self.places = Places(database)
        self.failures = Failures(database)
        self.recognized = RecognizedTexts(database.data_dir / "ocr")
        self.transcripts = Transcripts(database)
        self.index_queue = IndexQueue(database)


class Places:
    """Chosen folders, corrections, and changes of where documents belong. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def set_facts(self, facts: Mapping[int, Facts]) -> None:
        self._db.write(
            "UPDATE documents SET claim = ?, heading = ?, marked = ?, use = ? WHERE id = ?",
            [(item.claim, item.heading, int(item.marked), item.use, key) for key, item in facts.items()],
        )

    def renumber(self, numbers: Mapping[int, int | None]) -> None:
        """Change the lesson numbers of documents that are a single lesson; their text stays unchanged."""
        with self._db.transaction() as connection:
            rows = [(number, key) for key, number in numbers.items()]
            connection.executemany("UPDATE lessons SET number = ? WHERE document_id = ?", rows)
            connection.executemany("UPDATE chunks SET lesson_number = ? WHERE document_id = ?", rows)
            sql.queue_passages(connection, list(numbers))
            sql.queue_courses(connection, list(numbers))
            sql.touch(connection)
            connection.execute(
                "INSERT OR REPLACE INTO meta SELECT 'renumbered', value FROM meta WHERE key = 'generation'"
            )

    def folders(self) -> dict[str, bool | None]:
        """Return the chosen folders, and whether each is one course; None as long as that is undecided.

        A nested folder was chosen before the outer one.
        """
        rows = self._db.connection.execute("SELECT path, one_course FROM folders ORDER BY path")
        return {row["path"]: None if row["one_course"] is None else bool(row["one_course"]) for row in rows}

    def remember_folders(self, folders: Mapping[str, bool | None]) -> None:
        rows = [(folder, time.time(), one_course) for folder, one_course in folders.items()]
        self._db.write(
            """INSERT INTO folders (path, added_at, one_course) VALUES (?, ?, ?)
               ON CONFLICT (path) DO UPDATE SET one_course = excluded.one_course""",
            rows,
        )

    def forget_folders(self, kept: Collection[str]) -> None:
        """Forget which folders were chosen, except those ``kept``; their documents stay."""
        gone = self.folders().keys() - set(kept)
        self._db.write("DELETE FROM folders WHERE path = ?", [(path,) for path in gone])

    def corrections(self) -> dict[str, Correction]:
        """Return the user's corrections by path."""
        rows = self._db.connection.execute("SELECT path, course_title, left_out, use FROM corrections")
        return {
            path: Correction(title, bool(left_out), use and Use(use)) for path, title, left_out, use in rows
        }

    def set_corrections(self, corrections: Mapping[str, Correction]) -> None:
        """Store corrections, replacing earlier ones of the same paths."""
        with self._db.transaction() as connection:
            put_corrections(connection, corrections)


def put_corrections(connection: sqlite3.Connection, corrections: Mapping[str, Correction]) -> None:
    connection.executemany(
        "INSERT OR REPLACE INTO corrections (path, course_title, left_out, use) VALUES (?, ?, ?, ?)",
        [(path, item.course, int(bool(item.left_out)), item.use) for path, item in corrections.items()],
    )


class Failures:
    """Files that could not be read, stored until they change, disappear or are retried. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def files(self) -> tuple[FileDone, ...]:
        """Return the failed files that still exist, sorted by path; accesses the disk for each."""
        return tuple(
            FileDone(path, FileStatus.FAILED, reason=reason)
            for (path, _, _), reason in self.known().items()
            if os.path.exists(path)
        )

    def known(self) -> dict[tuple[str, int, int], Message]:
        """Return why files could not be read, by path, size and mtime_ns, sorted; some may be gone."""
        rows = self._db.connection.execute("SELECT * FROM failures ORDER BY path")
        return {(row["path"], row["size"], row["mtime_ns"]): Message.from_json(row["reason"]) for row in rows}

    def add(self, path: str, size: int, mtime_ns: int, reason: Message) -> None:
        self._db.write(
            "INSERT OR REPLACE INTO failures (path, size, mtime_ns, reason) VALUES (?, ?, ?, ?)",
            [(path, size, mtime_ns, reason.to_json())],
        )

    def forget(self, paths: Iterable[str]) -> None:
        """Delete failures, so that the files are read again the next time."""
        self._db.write("DELETE FROM failures WHERE path = ?", [(path,) for path in paths])


class IndexQueue:
    """The changes that Chroma still has to be told, and the mark of its index. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def next(self, limit: int) -> list[sqlite3.Row]:
        """Return the next entries in order: seq, op, item."""
        return self._db.connection.execute(
            "SELECT seq, op, item FROM index_queue ORDER BY seq LIMIT ?", (limit,)
        ).fetchall()

    def count(self) -> int:
        return int(self._db.connection.execute("SELECT count(*) FROM index_queue").fetchone()[0])

    def passages_and_count(self) -> tuple[int, int]:
        """Return the numbers of searchable passages and of entries, both at the same moment."""
        row = self._db.connection.execute(
            """SELECT (SELECT count(*) FROM chunks JOIN documents ON documents.id = document_id
                       WHERE trashed_at IS NULL) AS passages,
                      (SELECT count(*) FROM index_queue) AS pending"""
        ).fetchone()
        return row["passages"], row["pending"]

    def remove(self, up_to: int) -> None:
        """Remove all entries up to ``seq``: Chroma has them."""
        self._db.write("DELETE FROM index_queue WHERE seq <= ?", [(up_to,)])

    def refill(self) -> None:
        """Queue everything, for an empty Chroma index."""
        with self._db.transaction() as connection:
            connection.execute("DELETE FROM index_queue")
            connection.execute(
                "INSERT INTO index_queue (op, item) SELECT 'course', title FROM courses ORDER BY id"
            )
            connection.execute(
                """INSERT INTO index_queue (op, item) SELECT 'add', k.id FROM chunks AS k
                   JOIN documents AS d ON d.id = k.document_id WHERE d.trashed_at IS NULL ORDER BY k.id"""
            )

    def mark(self) -> str | None:
        """Return the mark that a Chroma index of this library must have."""
        return self._db.meta(_INDEX_MARK)

    def set_mark(self, mark: str) -> None:
        self._db.set_meta(_INDEX_MARK, mark)


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
        """Return the first teaching passages of a course: lesson_id, lesson_number, title, language, text."""
        return self._db.connection.execute(
            """SELECT k.lesson_id, k.lesson_number, l.title, d.language, k.text
               FROM courses AS c JOIN chunks AS k ON k.course_id = c.id
               JOIN lessons AS l ON l.id = k.lesson_id JOIN documents AS d ON d.id = k.document_id
               WHERE c.title = ? AND d.trashed_at IS NULL AND d.use = 'teaching'
               AND k.lesson_number IS NOT NULL ORDER BY k.lesson_number, k.id LIMIT ?""",
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

    def headings(self, lessons: Iterable[int]) -> list[tuple[int, int, str]]:
        """Return the headings inside lessons, given by their keys, in order of these, with their starts."""
        return [
            (lesson, row["start"], row["value"])
            for lesson in lessons
            for row in self._db.connection.execute(
                """SELECT a.start, a.value FROM lessons AS l
                   JOIN anchors AS a ON a.document_id = l.document_id
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
