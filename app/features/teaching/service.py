"""TeachingService: makes checks of a course, and says whether their questions still find their passages."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.search.exam_map import PASSAGES, is_taught
from app.domain.errors import UserError
from app.domain.exam_map import QuestionProgress
from app.domain.messages import Message
from app.features.teaching.check_file import checked_questions, read_check, write_check
from app.features.teaching.model import CheckedPassage, CheckedQuestion, CheckReport

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from app.core.search.service import SearchService
    from app.core.storage.catalog import Catalog
    from app.domain.cancel import CancelToken
    from app.domain.conversations import Exchange


class TeachingService:
    """Asks no model. Thread-safe."""

    def __init__(self, search: SearchService, catalog: Catalog) -> None:
        self._search = search
        self._catalog = catalog

    def make_check(self, exchanges: Sequence[Exchange], path: Path, token: CancelToken) -> int:
        """Write a chat's questions with the passages that their answers cite and that they find.

        Return how many questions are left out, since they find none.

        Raises:
            UserError: there are none, or the file cannot be written.
        """
        kept: list[CheckedQuestion] = []
        left_out = 0
        for one in checked_questions(exchanges):
            token.check()
            if found := tuple(passage for passage in self._checked(one).passages if passage.hit):
                kept.append(CheckedQuestion(one.question, found))
            else:
                left_out += 1
        if not kept:
            raise UserError(Message("teaching.nothing_to_check"))
        write_check(kept, path)
        return left_out

    def check(self, path: Path, token: CancelToken) -> Generator[QuestionProgress | CheckReport, None, None]:
        """Ask the questions of a check again; the report comes last.

        Raises:
            UserError: the file is not a check.
        """
        questions = read_check(path)
        checked: list[CheckedQuestion] = []
        for one in questions:
            token.check()
            yield QuestionProgress(len(checked), len(questions))
            checked.append(self._checked(one))
        yield CheckReport(str(path), tuple(checked))

    def _checked(self, one: CheckedQuestion) -> CheckedQuestion:
        """Return for each passage the hit that holds it, or why the question no longer finds it."""
        results = self._search.retrieve(one.question, limit=PASSAGES)
        is_taught(results)
        held = [(" ".join(hit.text.split()), hit) for hit in results.hits]
        checked = []
        for passage in one.passages:
            quote = " ".join(passage.quote.split())
            hit = next((hit for text, hit in held if quote in text), None)
            checked.append(replace(passage, hit=hit, problem=None if hit else self._problem(passage)))
        return CheckedQuestion(one.question, tuple(checked))

    def _problem(self, passage: CheckedPassage) -> Message:
        is_own = passage.course_title in self._catalog.courses.titles()
        is_elsewhere = not is_own and passage.course_title in self._search.titles()
        is_there = is_elsewhere or self._catalog.documents.holds(passage.quote)
        return Message("teaching.not_found" if is_there else "teaching.gone")
