"""What a failed request to a Chroma server means, and what a person is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from app.config.redaction import redact
from app.domain.errors import SharedError
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.shared import ServerState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from app.domain.shared import ServerAddress

_AWAY = {"away", "busy", "closed", "ended", "failing", "slow"}  # the same may work later
_PASSING = (408, 425, 429)  # statuses, besides those from 500 on
_TOO_LARGE = 413
_LONGEST_REASON = 200  # characters


class RequestTooLarge(SharedError):
    """The server, or what stands before it, takes no request of this size."""


class Failure(NamedTuple):
    """How a request failed; ``kind`` is the ending of a message's id, or "status"."""

    kind: str
    status: int = 0  # of the answer, if that is the kind
    reason: str = ""  # as the server or the TLS library puts it
    target: str = ""  # where a redirect leads
    after: float = 0.0  # seconds for which the server asks to be left alone

    @classmethod
    def read(cls, told: Mapping[str, object]) -> Failure:
        """Return what the child tells of a failure."""
        status, after = told.get("status"), str(told.get("after", ""))
        reason, target = redact(str(told.get("reason", ""))), str(told.get("target", ""))
        return cls(
            str(told["kind"]),
            status if isinstance(status, int) else 0,
            harmless(" ".join(reason.split()))[:_LONGEST_REASON],
            harmless(redact(_server_of(target))),
            float(after) if after.isascii() and after.isdecimal() else 0.0,  # else a date
        )

    @property
    def passes(self) -> bool:
        """Whether the same request may succeed in a moment."""
        return self.kind == "away" or self.status in _PASSING or self.status >= 500

    def error(self, address: ServerAddress, *, has_token: bool) -> SharedError:
        """Return the error that a person gets to see."""
        name = self.kind if self.kind != "status" else self._meaning(has_token=has_token)
        about = {"server": address.host, "tenant": address.tenant, "database": address.database}
        details = {"status": self.status, "reason": self.reason, "target": self.target}
        kind = RequestTooLarge if self.status == _TOO_LARGE else SharedError
        state = ServerState.AWAY if name in _AWAY else ServerState.REFUSED
        return kind(Message(f"server.{name}", **about, **details), state)

    def _meaning(self, *, has_token: bool) -> str:
        if self.status == 401:
            return "token_rejected" if has_token else "no_access"
        if self.status == 403:
            return "forbidden"
        if self.status == 429:
            return "busy"
        if self.status == _TOO_LARGE:
            return "too_large"
        if self.passes:
            return "failing"
        if 300 <= self.status < 400:
            return "redirects"
        return "rejected" if self.reason else "not_chroma"


def _server_of(target: str) -> str:
    """Return scheme and host of an address, without what may be secret in it."""
    try:
        parts = urlsplit(target)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "?"
    return f"{parts.scheme}://{parts.hostname}{port}" if parts.hostname else "?"
