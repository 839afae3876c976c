"""What the window knows of courses on servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.workers.job import Job, Lane, Operations

if TYPE_CHECKING:
    from app.domain.shared import SharedLibrary
    from app.workers.workers import Workers


class RemoteOperations(Operations):
    """Opens no connection: what is known is listed, and what has changed is sent."""

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "shared reading", Lane.NETWORK)
        self.titles: frozenset[str] = frozenset()
        self._sent: tuple[SharedLibrary, ...] = ()

    def look(self) -> Job[None]:
        """Send ``workers.shared_listed`` if a search or a lesson has shown a change of a server.

        Asks no server.
        """
        return self._job("Checking shared libraries", lambda _: self.send_changed())

    # For operations, in their threads

    def send(self) -> None:
        self._workers.send(self._workers.shared_listed.emit, self.libraries())

    def send_changed(self) -> None:
        """Send the libraries if they are not as they were sent last."""
        before = self._sent
        if self.libraries() != before:
            self.send()

    def libraries(self) -> tuple[SharedLibrary, ...]:
        """Return the libraries on servers as they are known now."""
        libraries = self._sent = self._rag.search.remote.libraries()
        self.titles = frozenset(course.title for library in libraries for course in library.courses)
        return libraries
