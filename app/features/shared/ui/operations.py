"""Subscribes to libraries on servers, asks how they are, and publishes courses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.workers.job import Job, Lane
from app.workers.workers import Operations, Workers

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from app.core.rag_system import RAGSystem
    from app.domain.shared import ServerAddress, SharedLibrary
    from app.features.shared.service import SharedLibraries


class SharedOperations(Operations):
    """Run in the network lane: a server may take seconds to answer, and minutes to take courses.

    Lessons on servers wait neither for a check of a server nor for the sending of courses.
    """

    def __init__(self, workers: Workers) -> None:
        super().__init__(workers, "shared", Lane.NETWORK)

    @property
    def _libraries(self) -> SharedLibraries:
        from app.features.shared.service import SharedLibraries  # after the first frame

        return self._rag.service(SharedLibraries)

    def refresh(self, address: ServerAddress | None = None) -> Job[None]:
        """Ask one server, or all, what they hold; ``workers.shared_listed`` follows each change."""

        def refresh(job: Job[None]) -> None:
            for _ in self._libraries.refresh(address, cancel=job.token):
                self._workers.remote.send()
                job.token.check()

        return self._job("Checking shared libraries", refresh)

    def subscribe(self, address: ServerAddress, token: str | None) -> Job[SharedLibrary]:
        """Subscribe to a library; without a token, with the one that is kept for this server, if any."""

        def subscribe(job: Job[SharedLibrary]) -> SharedLibrary:
            try:
                return self._libraries.subscribe(address, token, cancel=job.token)
            finally:
                self._workers.remote.send()

        return self._job("Subscribing to a shared library", subscribe)

    def unsubscribe(self, address: ServerAddress) -> Job[None]:
        """Forget a library and its token."""

        def unsubscribe(_: RAGSystem, __: Job[None]) -> None:
            self._libraries.unsubscribe(address)
            self._workers.remote.send()

        return self._workers.job(Lane.NETWORK, "Removing a shared library", unsubscribe, key="shared reading")

    def publish(
        self,
        address: ServerAddress,
        token: str | None,
        titles: Sequence[str] | None,
        *,
        remove: Sequence[str] = (),
        replaces: bool = False,
    ) -> Job[None]:
        """Send what has changed in courses to a server; the events are PublishEvents.

        Without a token, the stored one is used. Without courses, all are published, and those that are gone
        are removed; ``replaces``: also those that another library published.
        """

        def publish(_: RAGSystem, job: Job[None]) -> Generator[object, None, None]:
            from app.features.shared.publishing import PublishingService  # after the first frame

            tokens, is_new = self._libraries.tokens, bool(token)
            used = token if token is not None else tokens.read(address.key)
            service = self._rag.service(PublishingService)
            for event in service.publish(
                address, used, titles, remove=remove, replaces=replaces, exactly=True, cancel=job.token
            ):
                if is_new:  # the server has accepted it
                    tokens.save(address.key, used)
                    is_new = False
                yield event

        return self._workers.job(Lane.NETWORK, "Publishing courses", publish, key="publishing")
