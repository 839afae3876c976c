"""Questions that a model wrote for a course: once, and kept in the library."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.storage.courses import CourseRepository
    from app.core.storage.database import Database

_KEY = "questions/{}"  # the key of a course, with which it goes


class WrittenQuestions:
    """Thread-safe. A course that was renamed keeps its questions."""

    def __init__(self, database: Database, courses: CourseRepository) -> None:
        self._db = database
        self._courses = courses

    def of(self, title: str) -> tuple[str, ...] | None:
        """Return the questions of a course, perhaps none; None if they were never written."""
        key = self._courses.ids().get(title)
        stored = None if key is None else self._db.meta(_KEY.format(key))
        return None if stored is None else tuple(map(str, json.loads(stored)))

    def keep(self, title: str, questions: Sequence[str]) -> None:
        key = self._courses.ids().get(title)
        if key is not None:
            self._db.set_meta(_KEY.format(key), json.dumps(list(questions)))
