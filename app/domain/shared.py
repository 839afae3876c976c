"""Libraries on a Chroma server: where one is, what it holds, and how it is."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from app.domain.errors import UserError
from app.domain.messages import Message

if TYPE_CHECKING:
    from app.domain.courses import Course, LessonInfo

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
        """What the server is called where its library is shown: its name, and its port if that is unusual."""
        return urlsplit(self.url).netloc.rpartition("@")[2] or self.url

    @property
    def is_exposed(self) -> bool:
        """Whether others in the network can read what is sent there, a token included."""
        parts = urlsplit(self.url)
        return parts.scheme == "http" and not _is_near(parts.hostname or "", only_here=True)


_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOOPBACK = re.compile(r"(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?/?", re.I)
_NEAR = (".home", ".home.arpa", ".internal", ".lan", ".local", ".localhost")  # names of local networks
_NAME = re.compile(r"[\w.@ -]{1,128}")


def server_address(text: str, tenant: str = "", database: str = "", ca_file: str = "") -> ServerAddress:
    """Return the address that somebody typed; a server of another computer is spoken to by HTTPS by default.

    Raises UserError if it is none, or holds a user name or a token, which the error does not repeat; also if
    it would be spoken to by HTTP outside of this computer and local networks.
    """
    text = text.strip()
    if "://" not in text:
        text = f"{'http' if _LOOPBACK.fullmatch(text) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
    except ValueError:
        raise UserError(Message("shared.no_address")) from None
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UserError(Message("shared.token_in_address"))
    if scheme not in _DEFAULT_PORTS or not host or parts.path.strip("/") or re.search(r"[\s\\%]", host):
        raise UserError(Message("shared.no_address"))
    if scheme == "http" and not _is_near(host):
        raise UserError(Message("shared.not_encrypted", server=host))
    name = f"[{host}]" if ":" in host else host
    url = f"{scheme}://{name}" + (f":{port}" if port not in (None, _DEFAULT_PORTS[scheme]) else "")
    for named in filter(None, (tenant := tenant.strip(), database := database.strip())):
        if not _NAME.fullmatch(named):
            raise UserError(Message("shared.no_name", name=named))
    ca_file = os.path.abspath(ca_file) if ca_file else ""
    return ServerAddress(url, tenant or DEFAULT_TENANT, database or DEFAULT_DATABASE, ca_file)


def _is_near(host: str, *, only_here: bool = False) -> bool:
    """Whether a server is this computer or, unless ``only_here``, in a local network."""
    import ipaddress  # not where a window starts

    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        name = host.rstrip(".").lower()
        is_here = name == "localhost" or name.endswith(".localhost")
        is_number = re.fullmatch(r"0x[\da-f]+|\d+", name)  # an address written as one number, of anywhere
        is_plain = "." not in name and not is_number
        return is_here if only_here else is_here or is_plain or name.endswith(_NEAR)
    return number.is_loopback if only_here else number.is_private or number.is_link_local


class ServerState(StrEnum):
    """What the last request to a server came to."""

    UNKNOWN = "unknown"  # not asked yet
    CHECKING = "checking"
    READY = "ready"
    AWAY = "away"  # cannot be reached, or fails; the last catalogue is kept, but nothing found there
    REFUSED = "refused"  # answers, and cannot be used: no access, other model, other form, not ours


class LeftOut(StrEnum):
    """Why a course on a server is not listed; the endings of messages."""

    NEWER = "newer"  # published by a newer Lectern
    OLDER = "older"
    DAMAGED = "damaged"
    TOO_MUCH = "too_much"  # more than a reader keeps of a server


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
    the same title: these are in ``hidden``. ``left_out`` has a sentence for each reason why others cannot be
    shown at all.
    """

    address: ServerAddress
    state: ServerState
    problem: Message | None  # why it is away or refused
    fetched_at: float | None  # when the catalogue was; None before the first time
    courses: tuple[Course, ...]
    hidden: tuple[str, ...] = ()
    left_out: tuple[Message, ...] = ()
