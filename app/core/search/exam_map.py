"""Reads the questions of an exam or a list of learning goals, and finds the lessons that teach them."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from app.core.documents.reading import ReadingProcess
from app.core.search.exam_questions import questions_in, searched_words
from app.domain.errors import UserError
from app.domain.exam_map import AskedQuestion, MappedLesson, MappedQuestion, QuestionMap, QuestionProgress
from app.domain.messages import Message
from app.domain.plain_text import shown_name

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from app.core.search.service import SearchService
    from app.domain.cancel import CancelToken
    from app.domain.scope import Scope
    from app.domain.search import SearchHit, SearchResults

PASSAGES = 10  # retrieved for each question
_LESSONS = 3  # shown for each question
_WORTH = 0.75  # share of the best passage's score that another lesson needs to be listed


def map_exam(
    search: SearchService, path: Path, course_name: str | None, token: CancelToken
) -> Generator[QuestionProgress | QuestionMap, None, None]:
    """Find the lessons that teach what a file asks; any readable format will do. The map is yielded last.

    The file itself teaches nothing, if it is in the library.

    Raises UserError if the file cannot be read or asks nothing, or there is no such course.
    """
    if not path.exists():  # not "no longer", as for a file of the library
        reason = os.strerror(errno.ENOENT)
        raise UserError(Message("exam.unreadable", name=shown_name(path), reason=reason))
    scope, own = search.scope_of(course_name, None), os.path.realpath(path)
    with ReadingProcess() as reader:
        questions = questions_in(reader.read(path, token).text)
    if not search.titles():
        raise UserError(Message("search.empty_library"))
    if not questions:
        raise UserError(Message("exam.no_question", name=shown_name(path)))
    mapped: list[MappedQuestion] = []
    for question in questions:
        token.check()
        yield QuestionProgress(len(mapped), len(questions))
        mapped.append(map_question(search, question, scope, own))
    yield QuestionMap(str(path), tuple(mapped), _unasked(search, mapped, scope, own))


def map_question(
    search: SearchService, question: AskedQuestion, scope: Scope, without: str = ""
) -> MappedQuestion:
    """Find the lessons of a scope that teach one question, except a file's.

    Raises UserError while the library is being embedded with another model.
    """
    found = search.retrieve(searched_words(question.text), scope=scope, limit=PASSAGES, without=without)
    taught = is_taught(found)
    passages: dict[tuple[str, int | None, str], list[SearchHit]] = {}
    for hit in found.hits:
        if hit.score >= _WORTH * found.hits[0].score:
            passages.setdefault((hit.course_title, hit.lesson_number, hit.lesson_title), []).append(hit)
    lessons = [MappedLesson(*lesson, tuple(hits)) for lesson, hits in passages.items()]
    return MappedQuestion(question, taught, tuple(lessons[:_LESSONS]))


def _unasked(
    search: SearchService, mapped: Sequence[MappedQuestion], scope: Scope, own: str
) -> tuple[MappedLesson, ...]:
    """Return the lessons that no question asks about, in the scope or in the courses concerned."""
    asked = {
        (lesson.course_title, lesson.number, lesson.title)
        for question in mapped
        if question.is_taught
        for lesson in question.lessons
    }
    courses = scope.courses or {title for title, _, _ in asked}
    return tuple(
        MappedLesson(course.title, lesson.number, lesson.title)
        for course in search.courses()
        if course.title in courses
        for lesson in course.lessons
        if lesson.passages
        and lesson.files != (own,)
        and (course.title, lesson.number, lesson.title) not in asked
    )


def is_taught(found: SearchResults) -> bool:
    """Return whether a lesson teaches what was searched for; raise UserError while that is unknown."""
    if found.hits and found.taught is None:
        raise UserError(Message("exam.models_change"))
    return bool(found.taught)
