"""TeachingService: which lessons teach what is asked, and whether questions still find their passages."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

from app.core.documents.reading import ReadingProcess
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.plain_text import shown_name
from app.features.teaching.check_file import SavedPassage, checked_questions, read_check, write_check
from app.features.teaching.model import (
    AskedQuestion,
    CheckedPassage,
    CheckedQuestion,
    CheckReport,
    MappedLesson,
    MappedQuestion,
    QuestionMap,
    TeachingProgress,
)
from app.features.teaching.question_text import questions_in, searched_words

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from app.core.search.service import SearchService
    from app.core.storage.catalog import Catalog
    from app.domain.cancel import CancelToken
    from app.domain.conversations import Exchange
    from app.domain.scope import Scope
    from app.domain.search import SearchHit, SearchResults

PASSAGES = 10  # searched for each question
_LESSONS = 3  # shown of each question
_WORTH = 0.75  # of the best passage's score: other lessons with less are not said to teach it


class TeachingService:
    """Asks no model. Thread-safe."""

    def __init__(self, search: SearchService, catalog: Catalog) -> None:
        self._search = search
        self._catalog = catalog

    def map_questions(
        self, path: Path, course_name: str | None, token: CancelToken
    ) -> Generator[TeachingProgress | QuestionMap, None, None]:
        """Find the lessons that teach what a file asks, of any format; the map comes last.

        Raises UserError if the file cannot be read or asks nothing, or there is no such course.
        """
        if not path.exists():  # not "no longer", as for a file of the library
            reason = os.strerror(errno.ENOENT)
            raise UserError(Message("teaching.check_unreadable", name=shown_name(path), reason=reason))
        scope = self._search.scope_of(course_name, None)
        with ReadingProcess() as reader:
            questions = questions_in(reader.read(path, token).text)
        if not self._search.titles():
            raise UserError(Message("search.empty_library"))
        if not questions:
            raise UserError(Message("teaching.no_question", name=shown_name(path)))
        mapped: list[MappedQuestion] = []
        for question in questions:
            token.check()
            yield TeachingProgress(len(mapped), len(questions))
            mapped.append(self.map_question(question, scope))
        yield QuestionMap(str(path), tuple(mapped), self._unasked(mapped, scope))

    def map_question(self, question: AskedQuestion, scope: Scope) -> MappedQuestion:
        """Find the lessons of a scope that teach one question.

        Raises UserError while that cannot be told, because another embedding model takes over.
        """
        found = self._search.retrieve(searched_words(question.text), scope=scope, limit=PASSAGES)
        is_taught = _decided(found)
        passages: dict[tuple[str, int | None, str], list[SearchHit]] = {}
        for hit in found.hits:
            if hit.score >= _WORTH * found.hits[0].score:
                passages.setdefault((hit.course_title, hit.lesson_number, hit.lesson_title), []).append(hit)
        lessons = [MappedLesson(*lesson, tuple(hits)) for lesson, hits in passages.items()]
        return MappedQuestion(question, is_taught, tuple(lessons[:_LESSONS]))

    def make_check(self, exchanges: Sequence[Exchange], path: Path, token: CancelToken) -> int:
        """Write a chat's questions with the passages that their answers cite, as far as they find them.

        Return how many questions are left out, since they find none.

        Raises:
            UserError: there are none, or the file cannot be written.
        """
        kept: list[tuple[str, list[SavedPassage]]] = []
        left_out = 0
        for question, passages in checked_questions(exchanges):
            token.check()
            checked = zip(passages, self._found(question, passages), strict=True)
            if found := [passage for passage, result in checked if result.hit]:
                kept.append((question, found))
            else:
                left_out += 1
        if not kept:
            raise UserError(Message("teaching.nothing_to_check"))
        write_check(kept, path)
        return left_out

    def check(self, path: Path, token: CancelToken) -> Generator[TeachingProgress | CheckReport, None, None]:
        """Ask the questions of a check again; the report comes last.

        Raises:
            UserError: the file is no check.
        """
        questions = read_check(path)
        checked: list[CheckedQuestion] = []
        for question, passages in questions:
            token.check()
            yield TeachingProgress(len(checked), len(questions))
            checked.append(CheckedQuestion(question, tuple(self._found(question, passages))))
        yield CheckReport(str(path), tuple(checked))

    def _unasked(self, mapped: Sequence[MappedQuestion], scope: Scope) -> tuple[MappedLesson, ...]:
        """Return the lessons that teach no question, of the scope or else of the courses that teach some."""
        asked = {
            (lesson.course_title, lesson.number, lesson.title)
            for question in mapped
            if question.is_taught
            for lesson in question.lessons
        }
        courses = scope.courses or {title for title, _, _ in asked}
        return tuple(
            MappedLesson(course.title, lesson.number, lesson.title)
            for course in self._search.courses()
            if course.title in courses
            for lesson in course.lessons
            if lesson.passages and (course.title, lesson.number, lesson.title) not in asked
        )

    def _found(self, question: str, passages: Sequence[SavedPassage]) -> list[CheckedPassage]:
        """Return for each passage the hit that holds it, or why the question no longer finds it."""
        results = self._search.retrieve(question, limit=PASSAGES)
        _decided(results)
        held = [(" ".join(hit.text.split()), hit) for hit in results.hits]
        checked = []
        for passage in passages:
            quote = " ".join(passage.quote.split())
            hit = next((hit for text, hit in held if quote in text), None)
            problem = None if hit else self._problem(passage)
            names = (passage.course_title, passage.lesson_number, passage.lesson_title)
            checked.append(CheckedPassage(passage.quote, *names, problem, hit))
        return checked

    def _problem(self, passage: SavedPassage) -> Message:
        is_own = passage.course_title in self._catalog.courses.titles()
        is_elsewhere = not is_own and passage.course_title in self._search.titles()
        is_there = is_elsewhere or self._catalog.documents.holds(passage.quote)
        return Message("teaching.not_found" if is_there else "teaching.gone")


def _decided(found: SearchResults) -> bool:
    """Return whether what was searched for is taught; raise UserError if that cannot be told now."""
    if found.hits and found.taught is None:
        raise UserError(Message("teaching.models_change"))
    return bool(found.taught)
