"""Subscriptions to libraries on servers, which are searched along with the user's own."""

import logging
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from app.config.redaction import TOKEN_VARIABLE
from app.config.secrets import KeyOrigin, TokenStore
from app.domain.cancel import Cancelled, CancelToken
from app.domain.courses import Course
from app.domain.errors import LecternError, SharedError
from app.domain.messages import Message
from app.domain.shared import ServerAddress, ServerState, SharedLibrary
from app.features.shared.subscription import Catalogue, Subscribed, Subscription, SubscriptionFile

_log = logging.getLogger(__name__)


class KnownLibrary(NamedTuple):
    """A subscription and the last catalogue of its server, empty if the server has never answered."""

    subscription: Subscription
    catalogue: Catalogue
    uids: frozenset[str]  # of the courses that are used: no other course has their titles
    courses: tuple[Course, ...]  # these, as they are listed
    hidden: tuple[str, ...]  # titles of the others
    other_model: Message | None  # why it cannot be searched with the current model

    @property
    def refused(self) -> Message | None:
        """Why it cannot be searched, even if it is asked again."""
        library = self.as_library()
        return library.problem if library.state is ServerState.REFUSED else None

    def as_library(self) -> SharedLibrary:
        state, problem = self.subscription.state, self.subscription.problem
        if self.other_model is not None and state is not ServerState.CHECKING:
            state, problem = ServerState.REFUSED, self.other_model
        left_out = self.catalogue.left_out
        return SharedLibrary(
            self.subscription.address,
            state,
            problem,
            self.catalogue.fetched_at or None,
            self.courses,
            self.hidden,
            (Message("shared.left_out", n=left_out),) if left_out else (),
        )


class SharedLibraries:
    """Subscribes to libraries on servers, stores their catalogues, and reports their state. Thread-safe.

    :meth:`libraries`, :meth:`courses` and :meth:`known` ask no server. Whatever else asks one waits for
    seconds at most, and ends within 200 ms once it is cancelled.

    ``model`` returns the id and the dimension of the embedding model, which vectors on a server must come
    from.
    """

    def __init__(
        self, data_dir: Path, own_titles: Callable[[], Sequence[str]], model: Callable[[], tuple[str, int]]
    ) -> None:
        self.tokens = TokenStore()
        self._file = SubscriptionFile(data_dir)
        self._own_titles = own_titles
        self._model = model
        self._guard = threading.Lock()
        self._stamp: tuple[int, int, int] | None = None
        self._subscriptions: dict[str, Subscription] = {}
        self._known: tuple[object, tuple[KnownLibrary, ...]] = (None, ())

    def libraries(self) -> tuple[SharedLibrary, ...]:
        """Return all subscriptions in their present state, in the order in which they were added.

        If several courses have the same title, the user's own is used, or else that of the first server.
        """
        return tuple(one.as_library() for one in self.known())

    def courses(self) -> tuple[Course, ...]:
        """Return the courses of all these libraries, sorted by title regardless of case."""
        found = [course for one in self.known() for course in one.courses]
        return tuple(sorted(found, key=lambda course: course.title.casefold()))

    def subscribe(
        self, address: ServerAddress, token: str | None = None, *, cancel: CancelToken | None = None
    ) -> SharedLibrary:
        """Fetch a server's catalogue, and store the subscription and the token; replaces an earlier one.

        Without a token, the stored one is used; an empty one removes it.

        Raises:
            SharedError: the server is away or refused; nothing has changed.
            UserError: the subscription cannot be stored.
        """
        given = self.tokens.read(address.key) if token is None else token.strip()
        made = Subscription(address, lambda: given, self._model, self._path(address))
        try:
            made.refresh(cancel=cancel)
            origin = self.tokens.save(address.key, given)
            self._file.add(Subscribed(address, asks_environment=origin is KeyOrigin.SESSION))
        except BaseException:
            made.connection.close()
            raise
        self._update()
        with self._guard:
            former = self._subscriptions.get(address.key)
            self._subscriptions[address.key] = made
        if former is not None:
            former.connection.close()
        return next(one for one in self.libraries() if one.address.key == address.key)

    def is_token_lost(self, address: ServerAddress) -> bool:
        """Return whether the token of a subscription is lost when this process ends: there is no keychain."""
        return any(one.address.key == address.key and one.asks_environment for one in self._file.read())

    def unsubscribe(self, address: ServerAddress) -> None:
        """Forget a library, its catalogue and its token.

        Raises UserError if that cannot be stored.
        """
        self._file.remove(address)
        self.tokens.remove(address.key)
        with self._guard:
            former = self._subscriptions.get(address.key)
        (former or self._made(Subscribed(address))).forget()
        self._update()

    def refresh(
        self, address: ServerAddress | None = None, *, cancel: CancelToken | None = None
    ) -> Iterator[None]:
        """Fetch the catalogue of one server, or of all; yield after each change of :meth:`libraries`.

        Problems of a server raise nothing; they are in its ``state`` and ``problem``.
        """
        wanted = [one for one in self._update() if address is None or one.address.key == address.key]
        if not wanted:
            return
        before = [(one, one.state, one.problem) for one in wanted]
        for one in wanted:
            one.state, one.problem = ServerState.CHECKING, None
        yield
        pool = ThreadPoolExecutor(len(wanted), "shared")
        try:
            asked = [pool.submit(_ask, one, cancel) for one in wanted]
            for answered in as_completed(asked):
                answered.result()
                yield
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            for one, state, problem in before:
                if one.state is ServerState.CHECKING:  # cancelled
                    one.state, one.problem = state, problem

    def known(self) -> tuple[KnownLibrary, ...]:
        subscriptions = self._update()
        if not subscriptions:
            return ()
        catalogues = [(one, one.catalogue, one.of_other_model()) for one in subscriptions]
        own = tuple(self._own_titles())
        with self._guard:
            if self._known[0] != (own, catalogues):
                self._known = (own, catalogues), _known(own, catalogues)
            return self._known[1]

    def close(self) -> None:
        """Close the connections. Idempotent."""
        with self._guard:
            subscriptions = list(self._subscriptions.values())
        for one in subscriptions:
            one.connection.close()

    def _update(self) -> list[Subscription]:
        """Return the subscriptions, read again if another process has changed them."""
        with self._guard:
            stamp = self._file.stamp()
            gone: list[Subscription] = []
            if stamp != self._stamp:
                known, self._subscriptions = self._subscriptions, {}
                for entry in self._file.read():
                    same = known.get(entry.address.key)
                    is_same = same is not None and same.address == entry.address
                    self._subscriptions[entry.address.key] = same if is_same and same else self._made(entry)
                gone = [one for one in known.values() if one not in self._subscriptions.values()]
                self._stamp = stamp
            current = list(self._subscriptions.values())
        for one in gone:
            one.connection.close()
        return current

    def _made(self, entry: Subscribed) -> Subscription:
        def token() -> str:
            kept = self.tokens.read(entry.address.key)
            return kept or (os.environ.get(TOKEN_VARIABLE, "") if entry.asks_environment else "")

        return Subscription(entry.address, token, self._model, self._path(entry.address))

    def _path(self, address: ServerAddress) -> Path:
        return self._file.folder / f"{address.key}.json"


def _known(
    own: Sequence[str], catalogues: Sequence[tuple[Subscription, Catalogue | None, Message | None]]
) -> tuple[KnownLibrary, ...]:
    taken = {title.casefold() for title in own}
    found = []
    for subscription, listed, other_model in catalogues:
        catalogue = listed or Catalogue(subscription.address.key, "", 0.0, ())
        uids, hidden = [], []
        for uid, course in catalogue.courses.items():
            if course.title.casefold() in taken:
                hidden.append(course.title)
            else:
                taken.add(course.title.casefold())
                uids.append(uid)
        courses = tuple(catalogue.listed(uid, subscription.address) for uid in uids)
        found.append(
            KnownLibrary(subscription, catalogue, frozenset(uids), courses, tuple(hidden), other_model)
        )
    return tuple(found)


def _ask(subscription: Subscription, cancel: CancelToken | None) -> None:
    """Refresh a subscription; its state holds the result."""
    try:
        subscription.refresh(cancel=cancel)
    except (SharedError, Cancelled):
        pass
    except LecternError as error:  # there is no embedding model to compare with
        subscription.failed(SharedError(error.message, ServerState.REFUSED))
    except Exception:  # an answer that nobody thought of must not keep the other servers from being asked
        server = subscription.address.host
        _log.exception("The catalogue of %s cannot be used.", server)
        message = Message("server.unusable_answer", server=server)
        subscription.failed(SharedError(message, ServerState.AWAY))
