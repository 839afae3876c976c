"""PublishingService: puts courses of the library on a Chroma server, for others to search."""

from __future__ import annotations

import secrets
import time
from contextlib import closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from app.config.files import private_directory, private_file
from app.domain.cancel import CancelToken
from app.domain.errors import SharedError, UserError
from app.domain.messages import Message
from app.domain.shared import ServerState
from app.features.shared.connection import ServerConnection
from app.features.shared.course_publisher import CoursePublisher
from app.features.shared.model import CoursePublished, LibraryPublished
from app.features.shared.outgoing import OutgoingCourses
from app.features.shared.records import collection_metadata, course_uid, refusal
from app.features.shared.subscriptions import FOLDER, write_private

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from app.core.storage.catalog import Catalog
    from app.domain.shared import ServerAddress
    from app.features.shared.connection import Value
    from app.features.shared.model import PublishEvent

_ID_BYTES = 16


class PublishingService:
    """Publishes courses, and removes them from a server. Works beside a process that writes the library.

    Args:
        data_dir: where the library keeps the name by which servers know it.
        catalog: the library.
        model_id: the embedding model in use.
        has_same_model: whether the library's vectors come from it.
        now: seconds since the epoch.
    """

    def __init__(
        self,
        data_dir: Path,
        catalog: Catalog,
        model_id: Callable[[], str],
        has_same_model: Callable[[], bool],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._folder = data_dir / FOLDER
        self._catalog = catalog
        self._model_id = model_id
        self._has_same_model = has_same_model
        self._now = now

    def publish(
        self,
        address: ServerAddress,
        token: str = "",
        titles: Sequence[str] | None = None,
        *,
        remove: Sequence[str] = (),
        replaces: bool = False,
        exactly: bool = False,
        cancel: CancelToken | None = None,
    ) -> Iterator[PublishEvent]:
        """Bring courses on a server to the state of the library; the last event is ``LibraryPublished``.

        What an interrupted run has sent is not sent again. Readers have the old course or the new one.

        Args:
            address: the server and its database, which is made if need be.
            token: for the server.
            titles: the courses. Without them and without ``remove``, all but the samples; those that this
                library has published and does not have any more are removed then.
            remove: courses on the server; part of a title is enough.
            replaces: courses that another library has published may be replaced and removed.
            exactly: ``remove`` has whole titles.
            cancel: stops it; a later run continues.

        Raises:
            SharedError: the server is away or refuses; what readers see there is whole.
            UserError: nothing can be published.
        """
        cancel = cancel or CancelToken()
        started = time.monotonic()
        chosen = self._chosen(titles, remove)
        done: list[CoursePublished] = []
        with self._alone(), closing(ServerConnection(address, token)) as connection:
            if chosen:
                model = self._model_id(), self._dimension()
                connection.create(collection_metadata(*model), partial(_check, model), cancel=cancel)
            outgoing = OutgoingCourses(self._catalog, self._model_id())
            publisher = CoursePublisher(
                connection, outgoing, self._library_id(), self._now, cancel, replaces=replaces
            )
            publisher.look()
            for uid in publisher.unseen() - {course_uid(title) for title in self._catalog.courses.titles()}:
                publisher.remove(uid, "")  # begun under a title that no course has any more
            for title in chosen:
                for event in publisher.publish(title):
                    if isinstance(event, CoursePublished):
                        done.append(event)
                    yield event
            gone = publisher.gone(self._catalog.courses.titles()) if titles is None and not remove else {}
            for name in remove:
                gone |= publisher.named(name, exactly=exactly)
            for uid, title in gone.items():
                cancel.check()
                done.append(publisher.remove(uid, title))
                yield done[-1]
        yield LibraryPublished(tuple(done), time.monotonic() - started, sum(one.sent for one in done))

    def _chosen(self, titles: Sequence[str] | None, remove: Sequence[str]) -> tuple[str, ...]:
        if titles is None and not remove:
            found = tuple(course.title for course in self._catalog.courses.all() if not course.is_sample)
            if not found:
                raise UserError(Message("shared.nothing_to_publish"))
        else:
            found = tuple(dict.fromkeys(titles or ()))
            if unknown := [title for title in found if title not in self._catalog.courses.titles()]:
                raise UserError(Message("ingest.unknown_name", name=unknown[0]))
        if found and not self._has_same_model():
            raise UserError(Message("shared.index_first"))
        return found

    def _dimension(self) -> int:
        """Return the length of the library's vectors; 1 as long as it has none."""
        return max((len(vector) for vector in self._catalog.courses.vectors().values()), default=1)

    def _library_id(self) -> str:
        """Return the name by which servers know this library; made when it is first asked for."""
        path = self._folder / "publisher"
        try:
            if path.exists():
                return path.read_text(encoding="ascii")[: 2 * _ID_BYTES]
            private_directory(self._folder)
            name = secrets.token_hex(_ID_BYTES)
            write_private(path, name.encode())
        except (OSError, ValueError) as error:
            raise UserError(Message("shared.publisher_unknown", path=path, reason=error)) from error
        return name

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep a second run of this library out, which would delete what the first has sent."""
        path = self._folder / "publishing.lock"
        try:
            private_directory(self._folder)
            private_file(path)
            lock = FileLock(path, thread_local=False)
            lock.acquire(timeout=0)
        except Timeout:
            raise UserError(Message("shared.publishing_already")) from None
        except OSError as error:
            raise UserError(Message("shared.publisher_unknown", path=path, reason=error)) from error
        try:
            yield
        finally:
            lock.release()


def _check(model: tuple[str, int], metadata: Mapping[str, Value]) -> None:
    """Refuse a collection of somebody else, or of another form or model."""
    if reason := refusal(metadata, *model):
        raise SharedError(Message("shared.other_database", reason=reason), ServerState.REFUSED)
