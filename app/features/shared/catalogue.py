"""What a server lists: its courses with their lessons and documents; kept in a file for when it is away."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import time
import unicodedata
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from app.config.files import private_directory
from app.domain.courses import Course
from app.domain.errors import SharedError
from app.domain.shared import ServerState
from app.features.shared.connection import CATALOG
from app.features.shared.entries import COURSE, CourseEntry, CourseHead, decode_entry, head_of
from app.features.shared.records import TEXT_BYTES, refusal
from app.features.shared.subscriptions import write_private

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.cancel import CancelToken
    from app.domain.shared import ServerAddress
    from app.features.shared.connection import ServerConnection
    from app.features.shared.model import SharedCourse, SharedDocument

PARTS = 32  # of entries sent or fetched at once, about half a megabyte: a slow line has seconds for it

_log = logging.getLogger(__name__)


def shared_id(key: str, uid: str) -> int:
    """Return the ``document_id`` of a document on a server, always the same: negative, of 62 bits."""
    return -1 - (int.from_bytes(hashlib.sha256(f"{key} {uid}".encode()).digest()[:8]) >> 2)


def shared_path(address: ServerAddress, document: SharedDocument) -> str:
    """Return what stands in the place of a file's path; no file is ever there, and none is looked for."""
    parts = "".join(one for one in document.name if unicodedata.category(one) != "Cc")
    names = [part for part in parts.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join((address.host, *names))


@dataclass(frozen=True, eq=False)
class Catalogue:
    """The courses of a server at one time, in order of their titles; another time is another one."""

    key: str  # of the server's address
    model: str  # id of the embedding model that the vectors come from
    fetched_at: float  # seconds since the epoch
    entries: tuple[CourseEntry, ...]
    left_out: int = 0  # how many courses are not here, because they cannot be read

    @cached_property
    def courses(self) -> Mapping[str, SharedCourse]:
        return {entry.head.uid: entry.course for entry in self.entries}

    @cached_property
    def documents(self) -> Mapping[str, tuple[SharedCourse, SharedDocument]]:
        """The documents that count, with their courses, by their uids; passages of others are left over."""
        return {one.uid: (course, one) for course in self.courses.values() for one in course.documents}

    @cached_property
    def by_id(self) -> Mapping[int, tuple[SharedCourse, SharedDocument]]:
        return {shared_id(self.key, uid): found for uid, found in self.documents.items()}

    @cached_property
    def title_vectors(self) -> Mapping[str, NDArray[np.float32]]:
        return {entry.course.title: entry.title_vector for entry in self.entries}

    def listed(self, uid: str, address: ServerAddress) -> Course:
        """Return a course as courses are listed; it and its lessons have no files."""
        course = self.courses[uid]
        lessons = tuple(replace(lesson, files=()) for lesson in course.lessons)
        passages = sum(lesson.passages for lesson in lessons)
        return Course(course.title, course.instructor, course.link, passages, (), lessons, server=address.url)


def fetch(
    connection: ServerConnection,
    model: tuple[str, int],
    kept: KeptCatalogue,
    known: Catalogue | None,
    cancel: CancelToken | None = None,
) -> Catalogue:
    """Return what a server lists now, and keep it; of courses that have not changed nothing is sent again.

    ``model`` is the id of the embedding model and its dimension. A course whose entry cannot be had, because
    it is being replaced or broken, stays as it is known, or is left out.

    Raises:
        SharedError: the server is away, or what it has is no library for this model.
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
    catalogue = Catalogue(connection.address.key, model[0], time.time(), tuple(listed), left_out)
    kept.write(catalogue)
    return catalogue


def listed_heads(connection: ServerConnection, cancel: CancelToken | None) -> tuple[list[CourseHead], int]:
    """Return the courses that a server lists, and how many of them cannot be read."""
    records = connection.get(CATALOG, where={"kind": COURSE}, metadatas=True, cancel=cancel)
    heads = [head for head in map(head_of, records) if head is not None]
    return heads, len(records) - len(heads)


def fetch_entries(
    connection: ServerConnection, heads: Sequence[CourseHead], cancel: CancelToken | None
) -> Iterator[CourseEntry]:
    """Yield the entries of courses, without those that cannot be had."""
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


class KeptCatalogue:
    """The last catalogue of a server in a file, from which it is read while the server is away.

    The file has the key of the server's address as its name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> Catalogue | None:
        """Return what was kept, without what is broken; None if nothing was."""
        try:
            stored = json.loads(self.path.read_bytes())
            found = [
                decode_entry(CourseHead(**course["head"]), course["entry"]) for course in stored["courses"]
            ]
            entries = tuple(entry for entry in found if entry is not None)
            model, fetched_at = str(stored["model"]), float(stored["fetched_at"])
            left_out = int(stored["left_out"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            _log.info("The catalogue in %s cannot be read (%s).", self.path, type(error).__name__)
            return None
        return Catalogue(self.path.stem, model, fetched_at, entries, left_out)

    def write(self, catalogue: Catalogue) -> None:
        """Keep a catalogue; a disk that does not take it is logged."""
        listed: dict[str, Any] = {
            "model": catalogue.model,
            "fetched_at": catalogue.fetched_at,
            "left_out": catalogue.left_out,
            "courses": [{"head": asdict(one.head), "entry": one.text} for one in catalogue.entries],
        }
        try:
            private_directory(self.path.parent)
            write_private(self.path, json.dumps(listed).encode())
        except OSError as error:
            _log.warning("The catalogue of a server cannot be kept in %s: %s", self.path, error)

    def delete(self) -> None:
        """Delete the file, and what an earlier version kept."""
        with suppress(OSError):
            self.path.unlink()
        shutil.rmtree(self.path.with_suffix(""), ignore_errors=True)
