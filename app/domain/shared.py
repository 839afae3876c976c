"""Libraries on a Chroma server: where one is, what it holds, and how it is."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from app.domain.courses import Course, LessonInfo
    from app.domain.messages import Message

DEFAULT_TENANT, DEFAULT_DATABASE = "default_tenant", "default_database"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A database of a Chroma server; its token lies in the keychain, never here."""

    url: str  # scheme, host and port, such as https://chroma.example.org:8000; without a token
    tenant: str = DEFAULT_TENANT
    database: str = DEFAULT_DATABASE
    ca_file: str = ""  # certificates that vouch for the server; empty for those the system trusts

    @property
    def key(self) -> str:
        """A short name that is the same wherever the address is, for files and the keychain."""
        named = "\n".join((self.url, self.tenant, self.database))
        return hashlib.sha256(named.encode()).hexdigest()[:16]

    @property
    def host(self) -> str:
        """What the server is called where its library is shown."""
        return urlsplit(self.url).hostname or self.url


class ServerState(StrEnum):
    """What the last request to a server came to."""

    UNKNOWN = "unknown"  # not asked yet
    CHECKING = "checking"
    READY = "ready"
    AWAY = "away"  # cannot be reached, or fails; the last catalogue is kept, but nothing found there
    REFUSED = "refused"  # answers, and cannot be used: no access, other model, other form, not ours


@dataclass(frozen=True, slots=True)
class SharedDocument:
    """One version of a document as a server holds it."""

    uid: str  # of this version: another content, place or lesson is another uid
    name: str  # of its file, below the folder it was read from; never where that folder is
    sha256: str  # of the file when it was read
    language: str  # may be empty
    passages: int
    characters: int
    # Spans of its lessons in the text, with their numbers; as the lessons of its course are listed
    lessons: tuple[tuple[int, int, int | None], ...]


@dataclass(frozen=True, slots=True)
class SharedCourse:
    """A course as a server holds it."""

    uid: str
    title: str
    instructor: str | None
    link: str | None
    revision: str  # of its content; the same content has the same revision
    published_at: float  # seconds since the epoch
    lessons: tuple[LessonInfo, ...]
    documents: tuple[SharedDocument, ...]

    @property
    def passages(self) -> int:
        return sum(document.passages for document in self.documents)


@dataclass(frozen=True, slots=True)
class SharedLibrary:
    """A library on a server that is searched beside the own one.

    ``courses`` are those of the catalogue fetched last, without those of which the own library has one with
    the same title: these are in ``hidden``.
    """

    address: ServerAddress
    state: ServerState
    problem: Message | None  # why it is away or refused
    fetched_at: float | None  # when the catalogue was; None before the first time
    courses: tuple[Course, ...]
    hidden: tuple[str, ...] = ()
