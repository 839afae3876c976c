"""The libraries on servers that are searched beside the own one."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from app.config.secrets import TokenStore
from app.core.shared.subscriptions import SubscriptionFile
from app.domain.shared import ServerState, SharedLibrary

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from app.domain.cancel import CancelToken
    from app.domain.courses import Course
    from app.domain.shared import ServerAddress


class SharedLibraries:
    """Subscribes to libraries on servers, keeps what they hold, and tells how they are. Thread-safe.

    :meth:`libraries` and :meth:`courses` ask no server. Whatever else asks one waits for seconds at most,
    and ends within 200 ms once it is cancelled.

    Args:
        data_dir: where subscriptions and catalogues are kept.
        own_titles: the titles of the own library's courses.
        model_id: the embedding model in use, which vectors on a server must come from as well.
    """

    def __init__(
        self, data_dir: Path, own_titles: Callable[[], Collection[str]], model_id: Callable[[], str]
    ) -> None:
        self.tokens = TokenStore()
        self._file = SubscriptionFile(data_dir)
        self._own_titles = own_titles
        self._model_id = model_id
        self._guard = threading.Lock()

    def libraries(self) -> tuple[SharedLibrary, ...]:
        """Return all subscriptions as they are known now, in the order in which they were added.

        Of courses with one title, that of the own library counts, then that of the first server.
        """
        return tuple(
            SharedLibrary(address, ServerState.UNKNOWN, None, None, ()) for address in self._file.read()
        )

    def courses(self) -> tuple[Course, ...]:
        """Return the courses of all these libraries, sorted by title regardless of case."""
        found = [course for library in self.libraries() for course in library.courses]
        return tuple(sorted(found, key=lambda course: course.title.casefold()))

    def subscribe(
        self, address: ServerAddress, token: str = "", *, cancel: CancelToken | None = None
    ) -> SharedLibrary:
        """Fetch a server's catalogue, and keep the subscription and the token; of a known address, too.

        Raises:
            SharedError: the server is away or refused; nothing has changed.
            UserError: the subscription cannot be stored.
        """
        self._file.add(address)
        self.tokens.save(address.key, token)
        return next(library for library in self.libraries() if library.address.key == address.key)

    def unsubscribe(self, address: ServerAddress) -> None:
        """Forget a library, its catalogue and its token; raises UserError if that cannot be stored."""
        self._file.remove(address)
        self.tokens.remove(address.key)

    def refresh(
        self, address: ServerAddress | None = None, *, cancel: CancelToken | None = None
    ) -> Iterator[None]:
        """Ask one server, or all of them, what they hold now; yield after each change of :meth:`libraries`.

        Raises nothing of a server: its ``state`` and ``problem`` say what is wrong.
        """
        yield

    def close(self) -> None:
        """Close the connections. Idempotent."""
