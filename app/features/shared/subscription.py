"""One library on a server: the connection to it, what it lists, and how it is."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

from app.domain.cancel import Cancelled
from app.domain.errors import LecternError, SharedError
from app.domain.messages import Message
from app.domain.shared import ServerState
from app.features.shared.catalogue import KeptCatalogue, fetch
from app.features.shared.connection import ServerConnection

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.domain.cancel import CancelToken
    from app.domain.shared import ServerAddress
    from app.features.shared.catalogue import Catalogue
    from app.features.shared.records import SharedPassage

_POLL = 0.05  # seconds between two looks at the token while another thread fetches
_KEPT = 4_000  # passages of texts that were read last, about 20 megabytes
_FRESH = 5.0  # seconds for which a catalogue is not fetched again because of what a search found


class Subscription:
    """A library on a server. Thread-safe.

    Args:
        address: of the server.
        token: returns the server's token; asks the keychain, once.
        model: returns the id and the dimension of the embedding model in use.
        path: of the file that keeps the catalogue.

    Attributes:
        state: what the last request came to.
        problem: why it is away or refused.
        model: see above.
    """

    def __init__(
        self,
        address: ServerAddress,
        token: Callable[[], str],
        model: Callable[[], tuple[str, int]],
        path: Path,
    ) -> None:
        self.address = address
        self.state = ServerState.UNKNOWN
        self.problem: Message | None = None
        self.model = model
        self._token = token
        self._kept = KeptCatalogue(path)
        self._texts: OrderedDict[tuple[str, int | None], list[SharedPassage]] = OrderedDict()
        self._fetching = threading.Lock()
        self._guard = threading.Lock()
        self._connecting = threading.Lock()
        self._connection: ServerConnection | None = None
        self._catalogue: Catalogue | None = None
        self._was_read = False
        self._is_closed = False
        self.checked = -1.0  # time.monotonic() when the server last gave its catalogue; not yet

    @property
    def catalogue(self) -> Catalogue | None:
        """What the server listed last, from the disk at first; None if that was never fetched."""
        with self._guard:
            if not self._was_read:
                self._catalogue, self._was_read = self._kept.read(), True
            return self._catalogue

    @property
    def connection(self) -> ServerConnection:
        """The connection, which is made with its first request; a keychain may ask the user for its token."""
        with self._connecting:
            if self._connection is None:
                made = ServerConnection(self.address, self._token())
                with self._guard:
                    self._connection = made
                    is_closed = self._is_closed
                if is_closed:
                    made.close()
            return self._connection

    def of_other_model(self) -> Message | None:
        """Say why what is kept cannot be searched now: its vectors come from another embedding model."""
        catalogue = self.catalogue
        try:
            ours = self.model()[0]
        except LecternError:  # without a model nothing is searched
            return None
        if catalogue is None or catalogue.model == ours:
            return None
        names = (catalogue.model.partition("@")[0], ours.partition("@")[0])
        return Message("shared.other_model", theirs=names[0], ours=names[1])

    def refresh(self, *, fresh: float = 0.0, cancel: CancelToken | None = None) -> Catalogue:
        """Fetch the catalogue, unless that was done so many seconds ago; return it.

        Raises:
            SharedError: the server is away or refuses; ``state`` and ``problem`` say so, too.
        """
        began = time.monotonic()
        while not self._fetching.acquire(timeout=_POLL):
            if cancel is not None:
                cancel.check()
        before = (self.state, self.problem)
        try:
            known = self.catalogue
            if known is not None and self.checked > max(began - fresh, 0):
                return known
            catalogue = fetch(self.connection, self.model(), self._kept, known, cancel)
        except SharedError as error:
            self.failed(error)
            raise
        except (Cancelled, LecternError):
            self.state, self.problem = before
            raise
        finally:
            self._fetching.release()
        with self._guard:
            self._catalogue, self._was_read = catalogue, True
        self.state, self.problem, self.checked = ServerState.READY, None, time.monotonic()
        return catalogue

    def renew(self, cancel: CancelToken | None = None) -> Catalogue:
        """Fetch the catalogue because something was found that it does not list; raises as refresh does."""
        return self.refresh(fresh=_FRESH, cancel=cancel)

    def kept_text(self, document: str, lesson: int | None) -> list[SharedPassage] | None:
        """Return the passages of a document, or of a lesson of it, if they were read lately."""
        with self._guard:
            found = self._texts.get((document, lesson))
            if found is not None:
                self._texts.move_to_end((document, lesson))
            return found

    def keep_text(self, document: str, lesson: int | None, passages: list[SharedPassage]) -> None:
        """Keep passages that were read: a version of a document never changes."""
        with self._guard:
            self._texts[document, lesson] = passages
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > _KEPT:
                self._texts.popitem(last=False)

    def failed(self, error: SharedError) -> None:
        self.state, self.problem = error.state, error.message

    def worked(self) -> None:
        """Note that a server that was away answers again."""
        if self.state is ServerState.AWAY:
            self.state, self.problem = ServerState.READY, None

    def forget(self) -> None:
        """Close the connection, and delete what is kept."""
        self.close()
        with self._fetching:  # which ends now, and keeps nothing after this
            self._kept.delete()

    def close(self) -> None:
        """Close the connection. Idempotent."""
        with self._guard:
            self._is_closed = True
            connection = self._connection
        if connection is not None:
            connection.close()
