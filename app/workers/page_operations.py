"""Pages of a document as they look: opening the file, pictures, characters, places of sentences and words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.workers.job import Job, Operations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.pages import Mark, PagedFile, PagePicture, PageText, Strip
    from app.domain.sources import LessonText
    from app.workers.workers import Workers


class PageOperations(Operations):
    """Run one after another, on one file at a time; each fails if its page cannot be shown."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "pages")

    def open(self, lesson: LessonText) -> Job[PagedFile]:
        """Open the file of a lesson; fails if it is not the one that was read."""
        sha256 = lesson.source.document_sha256
        return self._job("Opening a file", lambda job: self._rag.pages.open(lesson.path, sha256, job.token))

    def picture(self, strip: Strip) -> Job[PagePicture]:
        return self._job("Drawing a page", lambda job: self._rag.pages.picture(strip, job.token))

    def text(self, page: int) -> Job[PageText]:
        return self._job("Reading a page", lambda job: self._rag.pages.text(page, job.token))

    def marks(self, lesson: LessonText, span: tuple[int, int]) -> Job[tuple[Mark, ...]]:
        """Give the lines that a span of the document takes on its pages; none if it is not found."""

        def marks(job: Job[tuple[Mark, ...]]) -> tuple[Mark, ...]:
            around = lesson.around(*span)
            if around is None:
                return ()
            inside = (span[0] - around.start, span[1] - around.start)
            return self._rag.pages.marks(around.pages, around.text, [inside], job.token)[0]

        return self._job("Looking for a sentence on its page", marks)

    def find(self, query: str, pages: range) -> Job[Sequence[tuple[Mark, ...]]]:
        return self._job("Searching pages", lambda job: self._rag.pages.find(query, pages, job.token))

    def close(self) -> Job[None]:
        """Let go of the file and of the process that holds it."""
        return self._job("Closing a file", lambda _: self._rag.pages.close())
