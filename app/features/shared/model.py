"""Courses as a server holds them, addresses that people type, and events of publishing."""

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import urlsplit

from app.domain.courses import LessonInfo
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.shared import DEFAULT_DATABASE, DEFAULT_TENANT, ServerAddress, is_near

_DEFAULT_PORTS = {"http": 80, "https": 443}
_LOOPBACK = re.compile(r"(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?/?", re.I)
_NAME = re.compile(r"[\w.@ -]{1,128}")


def server_address(text: str, tenant: str = "", database: str = "", ca_file: str = "") -> ServerAddress:
    """Return the address that somebody typed; for another computer, the default is HTTPS.

    Raises UserError if it is not an address, contains a user name or a token (which the error does not
    repeat), or uses HTTP outside this computer and local networks.
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
    if scheme == "http" and not is_near(host):
        raise UserError(Message("shared.not_encrypted", server=host))
    name = f"[{host}]" if ":" in host else host
    url = f"{scheme}://{name}" + (f":{port}" if port not in (None, _DEFAULT_PORTS[scheme]) else "")
    for named in filter(None, (tenant := tenant.strip(), database := database.strip())):
        if not _NAME.fullmatch(named):
            raise UserError(Message("shared.no_name", name=named))
    ca_file = os.path.abspath(ca_file) if ca_file else ""
    return ServerAddress(url, tenant or DEFAULT_TENANT, database or DEFAULT_DATABASE, ca_file)


class SharedDocument(NamedTuple):
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
    uid: str
    title: str
    instructor: str | None
    link: str | None
    revision: str  # of its content; the same content has the same revision
    lessons: tuple[LessonInfo, ...]
    documents: tuple[SharedDocument, ...]

    @property
    def passages(self) -> int:
        return sum(document.passages for document in self.documents)


class PublishStatus(StrEnum):
    ADDED = "added"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REMOVED = "removed"
    FAILED = "failed"


class PublishProgress(NamedTuple):
    """Passages of a course are on their way; ``total`` is 0 until it is known how many there are to send."""

    course: str  # its title
    done: int
    total: int


class CoursePublished(NamedTuple):
    """What became of a course, or in a plan what would; one that failed never stops the others."""

    title: str
    status: PublishStatus
    passages: int = 0  # of the course, on the server now
    sent: int = 0  # passages that the server did not have
    retired: int = 0  # passages that the server does not need any more
    reason: Message | None = None  # why it failed


class LibraryPublished(NamedTuple):
    courses: tuple[CoursePublished, ...]
    seconds: float
    passages_sent: int


PublishEvent = PublishProgress | CoursePublished | LibraryPublished
