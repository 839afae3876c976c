"""Maps questions to lessons; makes and runs course checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.workers.job import Job, Lane, Operations

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.search import SearchHit
    from app.domain.sources import Source
    from app.features.teaching.model import QuestionMap
    from app.features.teaching.service import TeachingService
    from app.workers.workers import Workers


class TeachingOperations(Operations):
    """Share a thread with other long work: hundreds of questions take seconds."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "long")

    @property
    def _teaching(self) -> TeachingService:
        from app.features.teaching.service import TeachingService  # after the first frame

        return self._rag.service(TeachingService)

    def map_questions(self, path: Path, course: str | None) -> Job[None]:
        """Map the questions of a file to the lessons of a course, or of all; the last event is the map."""
        return self._job(
            "Mapping questions to lessons", lambda job: self._teaching.map_questions(path, course, job.token)
        )

    def check(self, path: Path) -> Job[None]:
        """Run a course check; the last event is the report."""
        return self._job("Checking a course", lambda job: self._teaching.check(path, job.token))

    def make_check(self, conversation_id: int, through: int, path: Path) -> Job[int]:
        """Write the questions of a chat's branch, as shown, with the passages that they find.

        Give how many are left out, since they find none.
        """

        def make(job: Job[int]) -> int:
            exchanges = self._rag.conversations.exchanges(conversation_id, through or None)
            return self._teaching.make_check(exchanges, path, job.token)

        return self._job("Making a course check", make)

    def write_report(self, found: QuestionMap, path: Path) -> Job[None]:
        """Write a map as Markdown if the file is called so, else as CSV."""

        def write(_: Job[None]) -> None:
            from app.features.teaching.reports import write_report

            write_report(found, path, is_markdown=path.suffix.lower() in (".md", ".markdown"))

        return self._job("Exporting a question map", write)

    def find(self, hit: SearchHit) -> Job[Source | None]:
        """Give a passage as a source, to open it; None if it is no longer in the library."""
        return self._workers.job(Lane.READ, "Opening a lesson", lambda rag, _: rag.search.source_of(hit))
