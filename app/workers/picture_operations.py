"""Pictures of documents: where they stand in a text, and what they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.workers.job import Job, Operations

if TYPE_CHECKING:
    from app.domain.figures import FileVersion, PlacedPicture
    from app.workers.workers import Workers


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
