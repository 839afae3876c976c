"""Lists and removes the courses of the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.courses.questions import lesson_question
from app.core.courses.selectors import named

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from app.core.storage.catalog import Catalog
    from app.core.storage.documents import FileRecord
    from app.domain.cancel import CancelToken
    from app.domain.courses import Course, LibraryCounts
    from app.domain.keeping import TrashEntry

_ASKED_COURSES = 8  # more are not shown questions of
_ASKED_PASSAGES = 80  # of a course, from its beginning


class CourseService:
    """Lists and removes courses and files. Thread-safe.

    Args:
        exclude: keeps files from being read again.
        sync: tells the search index what has changed, step by step.
        trashed: returns what is in the trash.
    """

    def __init__(
        self,
        catalog: Catalog,
        exclude: Callable[[Sequence[int]], None],
        sync: Callable[[CancelToken], Iterable[object]],
        trashed: Callable[[], tuple[TrashEntry, ...]],
    ) -> None:
        self._catalog = catalog
        self._exclude = exclude
        self._sync = sync
        self._trashed = trashed
        self._questions: dict[Course, tuple[str, ...]] = {}

    def all(self) -> tuple[Course, ...]:
        return self._catalog.courses.all()

    def counts(self) -> LibraryCounts:
        return self._catalog.courses.counts()

    def questions(self, courses: Sequence[Course]) -> tuple[tuple[str, ...], ...]:
        """Return questions that each of the first courses answers."""
        known = self._questions
        self._questions = {
            course: known[course] if course in known else self._asked(course.title)
            for course in courses[:_ASKED_COURSES]
        }
        return tuple(self._questions.values())

    def _asked(self, title: str) -> tuple[str, ...]:
        """Return questions out of a course itself, at most one a lesson."""
        lessons: dict[tuple[int, str], list[str]] = {}
        for row in self._catalog.courses.first_passages(title, _ASKED_PASSAGES):
            lessons.setdefault((row["lesson_id"], row["title"]), []).append(row["text"])
        found = (lesson_question(name, texts) for (_, name), texts in lessons.items())
        return tuple(dict.fromkeys(question for question in found if question))

    def files(self) -> list[FileRecord]:
        """Return the searchable documents, sorted by path."""
        return sorted(self._catalog.documents.files().values(), key=lambda record: record.path)

    def find(self, name: str) -> list[FileRecord]:
        """Return the documents that a course name, file or folder refers to; see :func:`named`."""
        return named(name, self.files(), lambda record: record.course_title, lambda record: [record.path])

    def remove(self, document_ids: Collection[int], token: CancelToken) -> tuple[TrashEntry, ...]:
        """Move documents to the trash, where nothing finds or reads them; return the new trash entries."""
        keys = list(document_ids)
        self._exclude(keys)
        self._catalog.documents.trash(keys)
        for _ in self._sync(token):
            pass
        return tuple(entry for entry in self._trashed() if not set(keys).isdisjoint(entry.documents))

    def remove_courses(self, titles: Sequence[str], token: CancelToken) -> tuple[TrashEntry, ...]:
        """Move whole courses to the trash; see :meth:`remove`."""
        return self.remove(
            [record.document_id for title in titles for record in self._catalog.documents.of_course(title)],
            token,
        )

    def remove_files(self, paths: Collection[str], token: CancelToken) -> tuple[TrashEntry, ...]:
        """Move the documents of files to the trash; the files themselves stay. See :meth:`remove`."""
        files = self._catalog.documents.files()
        return self.remove([files[path].document_id for path in paths if path in files], token)
