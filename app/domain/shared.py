"""Libraries on a Chroma server: their address, courses and state."""

import hashlib
import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from app.domain.courses import Course
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
        """A short name derived from the address, for files and the keychain."""
        named = "\n".join((self.url, self.tenant, self.database))
        return hashlib.sha256(named.encode()).hexdigest()[:16]

    @property
    def host(self) -> str:
        """The server's name as it is shown, with its port unless that is the usual one."""
        return urlsplit(self.url).netloc.rpartition("@")[2] or self.url

    @property
    def is_exposed(self) -> bool:
        """Whether others in the network can read what is sent to it, the token included."""
        parts = urlsplit(self.url)
        return parts.scheme == "http" and not is_near(parts.hostname or "", only_here=True)


_NEAR = (".home", ".home.arpa", ".internal", ".lan", ".local", ".localhost")  # names of local networks


def is_near(host: str, *, only_here: bool = False) -> bool:
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
    """The result of the last request to a server."""

    UNKNOWN = "unknown"  # not asked yet
    CHECKING = "checking"
    READY = "ready"
    AWAY = "away"  # cannot be reached, or fails; the last catalogue is kept, but nothing found there
    REFUSED = "refused"  # answers, and cannot be used: no access, other model, other form, not ours


@dataclass(frozen=True, slots=True)
class SharedLibrary:
    """A library on a server that is searched along with the user's own.

    ``courses`` are those of the last catalogue, except those whose titles the user's own library has, too;
    these are in ``hidden``. ``left_out`` has a sentence for each reason why other courses cannot be shown.
    """

    address: ServerAddress
    state: ServerState
    problem: Message | None  # why it is away or refused
    fetched_at: float | None  # when the catalogue was; None before the first time
    courses: tuple[Course, ...]
    hidden: tuple[str, ...] = ()
    left_out: tuple[Message, ...] = ()
