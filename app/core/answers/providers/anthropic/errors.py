"""Maps the exceptions of the SDK, and of the network below it, to Lectern's errors.

Not everything a server does wrong is one of the SDK's errors: once an answer has begun, silence, a cut
connection and a malformed event arrive as the HTTP library's or Python's own. Whether it is worth trying
again is decided here, once, by the class an error is mapped to.
"""

from __future__ import annotations

import json
import logging
import socket
import ssl
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from app.domain.errors import (
    ConnectionTrouble,
    KeyProblem,
    LecternError,
    RequestRefused,
    ServerBusy,
    TemporaryError,
)
from app.domain.messages import Message

if TYPE_CHECKING:
    from app.core.answers.model_settings import ModelSettings

_log = logging.getLogger(__name__)

# In the middle of an answer the status is 200, and only the type tells what is wrong.
_STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_RETRIED_STATUSES = frozenset({408, 409, 500, 502, 503, 504, 529})
_LONGEST_WAIT = 24 * 3600.0
_LONGEST_QUOTE = 240
_TOO_LONG = ("prompt is too long", "context window", "context length", "too many tokens")


class ErrorMapper:
    """The exceptions of one connection.

    Args:
        sdk: the module ``anthropic``.
        http: the HTTP library it uses.
        settings: whose key is kept out of every message.

    Attributes:
        every: what a server or a network can do wrong; anything else is a bug and passes.
        misconfigured: what building a client raises for an address or a proxy that cannot be used.
    """

    def __init__(self, sdk: Any, http: Any, settings: ModelSettings) -> None:  # noqa: ANN401 - modules
        self.every: tuple[type[Exception], ...] = (
            sdk.APIError,
            http.HTTPError,
            http.StreamError,
            json.JSONDecodeError,
            UnicodeDecodeError,
            OSError,
        )
        self.misconfigured: tuple[type[Exception], ...] = (http.InvalidURL, ValueError, ImportError)
        self._timeouts: tuple[type[Exception], ...] = (sdk.APITimeoutError, http.TimeoutException)
        self._http = http
        self._sdk = sdk
        self._settings = settings

    def status(self, error: BaseException) -> int | None:
        """Return the status the server answered with; None if it did not answer."""
        status = getattr(error, "status_code", None)
        return status if isinstance(status, int) else None

    def reached(self, error: BaseException) -> bool:
        """Whether a server was there, be it one that refused or said nothing."""
        silent = isinstance(error, self._timeouts) and not _caused_by(error, self._http.ConnectTimeout)
        return silent or self.status(error) is not None

    def said(self, error: BaseException) -> str:
        """Return the server's own explanation, without the key; empty if there is none."""
        message = getattr(error, "api_message", None)
        if not isinstance(message, str):
            body = getattr(error, "body", None)
            message = body if isinstance(body, str) and not body.lstrip().startswith("<") else ""
        return self._redacted(message)

    def worth_retrying(self, error: BaseException) -> bool:
        """Whether the same request may do better in a second; longer waits are for the user to decide."""
        status = self.status(error)
        if status is not None:
            return status in _RETRIED_STATUSES and not _header(error, "retry-after")
        hopeless = (ssl.SSLError, socket.gaierror, self._http.ProxyError)
        return not isinstance(error, self._timeouts) and not _caused_by(error, *hopeless)

    def mapped(self, error: BaseException) -> LecternError:
        """Return the error to raise in place of one of :attr:`every`."""
        _log.debug("%s: %s", type(error).__name__, self._redacted(str(error)))
        http = self._http
        status = self.status(error)
        if status is not None:
            return self._refused(error, status)
        if _caused_by(error, http.ConnectTimeout):
            return self._unreachable()
        if isinstance(error, self._timeouts):
            seconds = max(1, round(self._settings.timeout_read))
            return ConnectionTrouble(Message("answers.silent", server=self._settings.host, n=seconds))
        if _caused_by(error, http.ProxyError):
            return self._trouble("answers.proxy")
        if _caused_by(error, ssl.SSLError):
            return self._trouble("answers.not_secure")
        is_sdks = isinstance(error, self._sdk.APIConnectionError)
        if is_sdks and _caused_by(error, socket.gaierror, UnicodeError):
            own = self._settings.is_own_server
            return self._trouble("answers.own_address_not_found" if own else "answers.address_not_found")
        if _caused_by(error, http.ConnectError):
            return self._unreachable()
        if _caused_by(error, http.NetworkError, http.RemoteProtocolError, OSError):
            return self.broken_off()
        return self._unreachable() if is_sdks else self.garbled()

    def broken_off(self) -> LecternError:
        """Return the error for a connection that ended before the answer did."""
        return self._trouble("answers.broken_off")

    def garbled(self) -> LecternError:
        """Return the error for an answer that cannot be read."""
        return self._trouble("answers.not_an_answer")

    def _unreachable(self) -> LecternError:
        own = self._settings.is_own_server
        return self._trouble("answers.own_server_unreachable" if own else "answers.unreachable")

    def _trouble(self, message_id: str) -> ConnectionTrouble:
        return ConnectionTrouble(Message(message_id, server=self._settings.host))

    def _refused(self, error: BaseException, status: int) -> LecternError:
        kind = getattr(error, "type", None)
        if status < 400:
            status = _STATUS_OF_TYPE.get(str(kind), 500)
        server, model, said = self._settings.host, self._settings.model, self.said(error)
        if status in (429, 503, 529):
            return _busy(status, read_retry_after(_header(error, "retry-after")))
        if status >= 500 or status in (408, 409, 425):
            return TemporaryError(Message("answers.server_problem", server=server, status=str(status)))
        if status == 401:
            return KeyProblem(Message("answers.key_refused"))
        if status == 402:
            return RequestRefused(Message("answers.no_credit"))
        if status == 403:
            return KeyProblem(Message("answers.model_not_allowed", model=model))
        if status == 404 and not isinstance(kind, str) and self._settings.is_own_server:
            return RequestRefused(Message("answers.not_a_model_server", server=server))
        if status == 404:
            return RequestRefused(Message("answers.model_unknown", server=server, model=model))
        if status == 413 or any(phrase in said.lower() for phrase in _TOO_LONG):
            return RequestRefused(Message("answers.request_too_long"))
        if said:
            return RequestRefused(
                Message("answers.refused_saying", server=server, status=str(status), said=_quoted(said))
            )
        return RequestRefused(Message("answers.refused", server=server, status=str(status)))

    def _redacted(self, text: str) -> str:
        key = self._settings.api_key
        return text.replace(key, "…") if key else text


def read_retry_after(header: str | None) -> float | None:
    """Return the seconds of a ``retry-after`` header, which holds a number or a date."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, TypeError):
            return None
    # "not (0 <= …)" is also true of NaN
    return None if not 0 <= seconds < float("inf") else min(seconds, _LONGEST_WAIT)


def _busy(status: int, retry_after: float | None) -> ServerBusy:
    reason = Message("answers.rate_limited" if status == 429 else "answers.overloaded")
    if not retry_after or retry_after >= 120:
        wait = Message("answers.in_minutes", n=round((retry_after or 60) / 60))
    else:
        wait = Message("answers.in_seconds", n=max(1, round(retry_after)))
    return ServerBusy(Message("answers.busy", reason=reason, wait=wait), retry_after, reason)


def _quoted(message: str) -> str:
    folded = " ".join(message.split())
    short = folded if len(folded) <= _LONGEST_QUOTE else folded[: _LONGEST_QUOTE - 1] + "…"
    return short if short.endswith((".", "…", "!", "?")) else short + "."


def _header(error: BaseException, name: str) -> str | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    value = headers.get(name) if headers is not None else None
    return value if isinstance(value, str) else None


def _caused_by(error: BaseException, *kinds: type[BaseException]) -> bool:
    """Whether ``error`` or anything behind it is of one of these kinds."""
    seen: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in seen:
        if isinstance(current, kinds):
            return True
        seen.append(current)
        current = current.__cause__ or current.__context__
    return False
