"""A library on a server: its connection, its catalogue, and the files that store both."""

import hashlib
import json
import logging
import shutil
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from app.config.files import private_directory, private_file, replacing
from app.domain.cancel import Cancelled, CancelToken
from app.domain.courses import Course
from app.domain.errors import LecternError, SharedError, UserError
from app.domain.messages import Message
from app.domain.shared import ServerAddress, ServerState
from app.features.shared.connection import CATALOG, ServerConnection
from app.features.shared.model import SharedCourse, SharedDocument, server_address
from app.features.shared.records import (
    COURSE,
    TEXT_BYTES,
    CourseEntry,
    CourseHead,
    SharedPassage,
    decode_entry,
    head_of,
    refusal,
)

_POLL = 0.05  # seconds between two looks at the token while another thread fetches
_FRESH = 5.0  # seconds for which a catalogue is not fetched again because of what a search found
PARTS = 32  # of entries sent or fetched at once, about half a megabyte: a slow line has seconds for it
_log = logging.getLogger(__name__)
FOLDER = "shared"
_PATIENCE = 5.0  # seconds for another process, which holds the file for milliseconds
_LARGEST = 2**20  # bytes of a file of subscriptions, which has about a hundred for each


def shared_id(key: str, uid: str) -> int:
    """Return the ``document_id`` of a document on a server, always the same: negative, of 62 bits."""
    return -1 - (int.from_bytes(hashlib.sha256(f"{key} {uid}".encode()).digest()[:8]) >> 2)


def shared_path(address: ServerAddress, document: SharedDocument) -> str:
    """Return what is stored as the path of a document on a server; no such file exists."""
    parts = "".join(one for one in document.name if unicodedata.category(one) != "Cc")
    names = [part for part in parts.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join((address.host, *names))


@dataclass(frozen=True, eq=False)
class Catalogue:
    """The courses of a server at one time, sorted by title. Immutable."""

    key: str  # of the server's address
    model: str  # id of the embedding model that the vectors come from
    fetched_at: float  # seconds since the epoch
    entries: tuple[CourseEntry, ...]
    left_out: int = 0  # number of courses that cannot be read

    @cached_property
    def courses(self) -> Mapping[str, SharedCourse]:
        return {entry.head.uid: entry.course for entry in self.entries}

    @cached_property
    def documents(self) -> Mapping[str, tuple[SharedCourse, SharedDocument]]:
        """The listed documents with their courses, by uid; passages of others are leftovers."""
        return {one.uid: (course, one) for course in self.courses.values() for one in course.documents}

    @cached_property
    def by_id(self) -> Mapping[int, tuple[SharedCourse, SharedDocument]]:
        return {shared_id(self.key, uid): found for uid, found in self.documents.items()}

    @cached_property
    def title_vectors(self) -> Mapping[str, NDArray[np.float32]]:
        return {entry.course.title: entry.title_vector for entry in self.entries}

    def listed(self, uid: str, address: ServerAddress) -> Course:
        """Return a course in the form in which courses are listed, without files."""
        course = self.courses[uid]
        lessons = tuple(replace(lesson, files=()) for lesson in course.lessons)
        passages = sum(lesson.passages for lesson in lessons)
        return Course(course.title, course.instructor, course.link, passages, (), lessons, server=address.url)


def fetch(
    connection: ServerConnection,
    model: tuple[str, int],
    known: Catalogue | None,
    cancel: CancelToken | None = None,
) -> Catalogue:
    """Return what a server lists now; unchanged courses are not fetched again.

    ``model`` is the id of the embedding model and its dimension. A course whose entry is being replaced or is
    broken stays as it is known, or is left out.

    Raises:
        SharedError: the server is away, or has no library for this model.
    """
    for found in connection.metadatas(cancel=cancel):
        if reason := refusal(found, *model):
            raise SharedError(reason, ServerState.REFUSED)
    heads, left_out = listed_heads(connection, cancel)
    entries = {entry.head.uid: entry for entry in (known.entries if known else ())}
    had = {uid: entry.head.revision for uid, entry in entries.items()}
    changed = [head for head in heads if had.get(head.uid) != head.revision]
    fetched = _usable(connection, changed, model[1], cancel)
    missing = {head.uid for head in changed} - fetched.keys()
    if missing:  # maybe because the course was replaced in between
        again = [head for head in listed_heads(connection, cancel)[0] if head.uid in missing]
        fetched |= _usable(connection, again, model[1], cancel)
    entries |= fetched
    left_out += len(missing - entries.keys())
    listed = [entries[head.uid] for head in heads if head.uid in entries]
    listed.sort(key=lambda entry: (entry.course.title.casefold(), entry.head.uid))
    return Catalogue(connection.address.key, model[0], time.time(), tuple(listed), left_out)


def listed_heads(connection: ServerConnection, cancel: CancelToken | None) -> tuple[list[CourseHead], int]:
    """Return the courses that a server lists, and how many of them cannot be read."""
    records = connection.get(CATALOG, where={"kind": COURSE}, metadatas=True, cancel=cancel)
    heads = [head for head in map(head_of, records) if head is not None]
    return heads, len(records) - len(heads)


def fetch_entries(
    connection: ServerConnection, heads: Sequence[CourseHead], cancel: CancelToken | None
) -> Iterator[CourseEntry]:
    """Yield the entries of courses, except those that cannot be fetched."""
    wanted = [name for head in heads for name in head.part_ids]
    texts: dict[str, str] = {}
    for start in range(0, len(wanted), PARTS):
        ids = wanted[start : start + PARTS]
        for found in connection.get(CATALOG, ids=ids, documents=True, cancel=cancel):
            texts[found.id] = (found.document or "")[:TEXT_BYTES]
    for head in heads:
        if entry := decode_entry(head, "".join(texts.get(part, "") for part in head.part_ids)):
            yield entry


def _usable(
    connection: ServerConnection, heads: Sequence[CourseHead], dimension: int, cancel: CancelToken | None
) -> dict[str, CourseEntry]:
    entries = fetch_entries(connection, heads, cancel)
    return {
        entry.head.uid: entry
        for entry in entries
        if len(entry.title_vector) == dimension and _is_title(entry.course.title)
    }


def _is_title(title: str) -> bool:
    return bool(title.strip()) and not any(unicodedata.category(one) == "Cc" for one in title)


def read_catalogue(path: Path) -> Catalogue | None:
    """Return the stored catalogue of the server whose key is the file's name; None if there is none."""
    try:
        stored = json.loads(path.read_bytes())
        found = [decode_entry(CourseHead(**course["head"]), course["entry"]) for course in stored["courses"]]
        entries = tuple(entry for entry in found if entry is not None)
        about = str(stored["model"]), float(stored["fetched_at"]), entries, int(stored["left_out"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        _log.info("The catalogue in %s cannot be read (%s).", path, type(error).__name__)
        return None
    return Catalogue(path.stem, *about)


def keep_catalogue(path: Path, catalogue: Catalogue) -> None:
    """Store a catalogue for when the server is away; failures are logged."""
    listed: dict[str, Any] = {
        "model": catalogue.model,
        "fetched_at": catalogue.fetched_at,
        "left_out": catalogue.left_out,
        "courses": [{"head": asdict(one.head), "entry": one.text} for one in catalogue.entries],
    }
    try:
        private_directory(path.parent)
        write_private(path, json.dumps(listed).encode())
    except OSError as error:
        _log.warning("The catalogue of a server cannot be kept in %s: %s", path, error)


class Subscribed(NamedTuple):
    address: ServerAddress
    asks_environment: bool = False  # for its token, which no keychain has taken


class SubscriptionFile:
    """The subscriptions, in the order in which they were added. Several processes may change the file."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / FOLDER
        self._path = self.folder / "subscriptions.json"

    def stamp(self) -> tuple[int, int, int] | None:
        """Return a value that changes with the file; None if there is none."""
        try:
            state = self._path.stat()
        except OSError:
            return None
        return state.st_ino, state.st_mtime_ns, state.st_size

    def read(self) -> tuple[Subscribed, ...]:
        """Return the subscriptions; malformed ones are logged and left out."""
        try:
            return tuple(self._read().values())
        except OSError as error:
            _log.warning("The subscriptions in %s cannot be read (%s).", self._path, error)
            return ()

    def add(self, new: Subscribed) -> None:
        """Add a subscription at the end, or replace the one with its key.

        Raises UserError if it cannot be stored.
        """
        self._change(new.address, new)

    def remove(self, address: ServerAddress) -> None:
        self._change(address, None)

    def _read(self) -> dict[str, Subscribed]:
        """Return the subscriptions by their keys; raises OSError if the file cannot be read."""
        try:
            with self._path.open("rb") as file:
                entries = json.loads(file.read(_LARGEST))["libraries"]
            found = list(filter(None, map(_subscribed, entries)))
        except FileNotFoundError:
            return {}
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            _log.warning("The subscriptions in %s cannot be read (%s).", self._path, type(error).__name__)
            return {}
        return {one.address.key: one for one in found}

    def _change(self, address: ServerAddress, new: Subscribed | None) -> None:
        try:
            private_directory(self.folder)
            private_file(self.folder / "lock")
            with FileLock(self.folder / "lock", timeout=_PATIENCE):
                known = self._read()
                if new is not None:
                    known[address.key] = new
                else:
                    known.pop(address.key, None)
                entries = [asdict(address) | {"asks_environment": asks} for address, asks in known.values()]
                write_private(self._path, json.dumps({"libraries": entries}, indent=1).encode())
        except (OSError, Timeout) as error:
            raise UserError(Message("shared.not_stored", path=self._path, reason=error)) from None


def write_private(path: Path, data: bytes) -> None:
    """Replace a file that only its user may read; raises OSError if it cannot be written."""
    with replacing(path) as unfinished:
        private_file(unfinished)
        unfinished.write_bytes(data)


def _subscribed(entry: object) -> Subscribed | None:
    if isinstance(entry, dict):
        names = ("url", "tenant", "database", "ca_file")
        with suppress(UserError, KeyError, AttributeError, TypeError):
            address = server_address(*(entry[name] for name in names))
            return Subscribed(address, asks_environment=bool(entry.get("asks_environment")))
    _log.warning("An entry of the subscriptions is not an address, and left out.")
    return None


class Subscription:
    """A library on a server. Thread-safe.

    ``token`` asks the keychain, with the first request; ``model`` returns the id and the dimension of the
    embedding model in use; ``path`` is that of the file that keeps the catalogue.
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
        self.problem: Message | None = None  # why it is away or refused
        self.model = model
        self.connection = ServerConnection(address, token)
        self._path = path
        # What was read, by document and lesson; a version of a document never changes.
        self.texts: dict[tuple[str, int | None], list[SharedPassage]] = {}
        self._fetching = threading.Lock()
        self._guard = threading.Lock()
        self._catalogue: Catalogue | None = None
        self._was_read = False
        self.checked = -1.0  # time.monotonic() when the server last gave its catalogue; not yet

    @property
    def catalogue(self) -> Catalogue | None:
        """The last known catalogue, at first from the disk; None if it was never fetched."""
        with self._guard:
            if not self._was_read:
                self._catalogue, self._was_read = read_catalogue(self._path), True
            return self._catalogue

    def of_other_model(self) -> Message | None:
        """Return a message if the catalogue's vectors come from another embedding model, else None."""
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
        """Return the catalogue, fetched again unless it is recent enough.

        Raises:
            SharedError: the server is away or refuses, which ``state`` and ``problem`` also say.
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
            catalogue = fetch(self.connection, self.model(), known, cancel)
            keep_catalogue(self._path, catalogue)
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
        """Fetch the catalogue because a search found something it does not list; raises as refresh does."""
        return self.refresh(fresh=_FRESH, cancel=cancel)

    def failed(self, error: SharedError) -> None:
        self.state, self.problem = error.state, error.message

    def worked(self) -> None:
        """Record that a server that was away answers again."""
        if self.state is ServerState.AWAY:
            self.state, self.problem = ServerState.READY, None

    def forget(self) -> None:
        self.connection.close()
        with self._fetching:  # which ends now, and keeps nothing after this
            with suppress(OSError):
                self._path.unlink()
            shutil.rmtree(self._path.with_suffix(""), ignore_errors=True)  # of an earlier version
