"""Pages, pictures and formulas of documents as they look, made in their child processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.domain.cancel import CancelToken
from app.workers.job import Job, Operations

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from app.domain.figures import FileVersion, Formula, PlacedPicture, SetFormula
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


class PictureOperations(Operations):
    """Run one after another: a file may take seconds to be opened."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "pictures")

    def placed(self, file: FileVersion, text: str, start: int) -> Job[tuple[PlacedPicture, ...]]:
        """List the pictures within a text, which begins at ``start`` of its document."""
        return self._job(
            "Looking for pictures", lambda job: self._rag.pictures.placed(file, text, start, job.token)
        )

    def pixels(self, file: FileVersion, n: int, width: int, height: int) -> Job[bytes]:
        """Give a picture in a size, in four bytes a pixel; nothing if it cannot be shown."""
        return self._job(
            "Drawing a picture", lambda job: self._rag.pictures.pixels(file, n, width, height, job.token)
        )

    def close(self) -> Job[None]:
        """Let go of the file and of the process that holds it."""
        return self._job("Closing a file", lambda _: self._rag.pictures.close())


class FormulaOperations(Operations):
    """Sets formulas, which answers that are being written wait for."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "formulas")

    def set(self, formulas: Sequence[Formula]) -> Job[None]:
        """The events are pairs of a formula and its picture, None if it cannot be set."""

        def work(job: Job[None]) -> Generator[tuple[Formula, SetFormula | None], None, None]:
            for formula in formulas:
                yield formula, self._rag.formulas.set(formula, job.token)

        return self._job("Setting formulas", work)

    def set_at_once(self, formula: Formula) -> SetFormula | None:
        """Set a formula in the thread that calls, which must not be the window's."""
        return self._rag.formulas.set(formula, CancelToken())
