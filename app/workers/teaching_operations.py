"""Maps questions to lessons; makes and runs course checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.teaching import CheckReport, QuestionMap
from app.workers.job import Job, Operations

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from app.domain.search import SearchHit
    from app.domain.sources import Source
    from app.domain.teaching import CheckMade
    from app.workers.workers import Workers

translate = QCoreApplication.translate


class TeachingOperations(Operations):
    """Run in a thread of their own: hundreds of questions take seconds."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "teaching")

    def map_questions(self, path: Path, course: str | None) -> Job[QuestionMap]:
        """Map the questions of a file to the lessons of a course, or of all; events are TeachingProgress."""

        def work(job: Job[QuestionMap]) -> Generator[object, None, QuestionMap]:
            for event in self._rag.teaching.map_questions(path, course, job.token):
                if isinstance(event, QuestionMap):
                    return event
                yield event
            raise AssertionError

        return self._job(translate("Workers", "Mapping questions to lessons"), work)

    def check(self, path: Path) -> Job[CheckReport]:
        """Run a course check; the events are TeachingProgress."""

        def work(job: Job[CheckReport]) -> Generator[object, None, CheckReport]:
            for event in self._rag.teaching.check(path, job.token):
                if isinstance(event, CheckReport):
                    return event
                yield event
            raise AssertionError

        return self._job(translate("Workers", "Checking a course"), work)

    def make_check(self, conversation_id: int, through: int, path: Path) -> Job[CheckMade]:
        """Write the questions of a chat's branch, as shown, with the passages that they find."""

        def make(job: Job[CheckMade]) -> CheckMade:
            exchanges = self._rag.conversations.exchanges(conversation_id, through or None)
            return self._rag.teaching.make_check(exchanges, path, job.token)

        return self._job(translate("Workers", "Making a course check"), make)

    def write_report(self, found: QuestionMap, path: Path) -> Job[None]:
        """Write a map as Markdown if the file is called so, else as CSV."""

        def write(_: Job[None]) -> None:
            from app.core.teaching.reports import write_report

            write_report(found, path, is_markdown=path.suffix.lower() in (".md", ".markdown"))

        return self._job(translate("Workers", "Exporting a question map"), write)

    def find(self, hit: SearchHit) -> Job[Source | None]:
        """Give a passage as a source, to open it; None if it is no longer in the library."""

        def find(_: Job[Source | None]) -> Source | None:
            try:
                return self._rag.search.make_source(1, hit)
            except KeyError:
                return None

        return self._job(translate("Workers", "Opening a lesson"), find)
