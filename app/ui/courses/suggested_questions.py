"""Makes questions to start with from lesson titles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.courses import Course

# Titles that name a part of the course instead of a subject.
_NO_SUBJECT = re.compile(
    r"\W*(introduction|intro|overview|conclusion|summary|welcome|outro|wrap[- ]?up|recap|next steps|"
    r"other techniques|final thoughts|appendix|quiz|exercises?|read ?me|index|untitled|notes?)\W*",
    re.IGNORECASE,
)
_LONGEST_TITLE = 60


def suggested_questions(courses: Sequence[Course], most: int) -> tuple[str, ...]:
    """Return up to ``most`` questions, taking turns among the courses."""
    queues = [list(_subjects(course)) for course in courses]
    questions: list[str] = []
    turn = 0
    while len(questions) < most and any(queues):
        for queue in queues:
            if queue and len(questions) < most:
                questions.append(_question(queue.pop(0), turn))
        turn += 1
    return tuple(questions)


def _subjects(course: Course) -> Iterator[str]:
    for lesson in course.lessons:
        title = " ".join(lesson.title.split()).split(" › ")[-1]  # folder names come first
        if 0 < len(title) <= _LONGEST_TITLE and lesson.passages and not _NO_SUBJECT.fullmatch(title):
            yield title


def _question(subject: str, turn: int) -> str:
    if subject.endswith("?"):
        return subject
    forms = (
        QCoreApplication.translate("starters", "Tell me about “{0}”."),
        QCoreApplication.translate("starters", "What matters most in “{0}”?"),
    )
    return forms[turn % len(forms)].format(subject)
