"""Maps the exceptions of the SDK, and of the network below it, to Lectern's errors.

Not everything a server does wrong is one of the SDK's errors: once an answer has begun, silence, a cut
connection and a malformed event arrive as the HTTP library's or Python's own. Whether it is worth trying
again is decided here, once, by the class an error is mapped to.
"""

import logging
import re
import socket
import ssl
import time
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from app.config.redaction import hide_key
from app.core.answers.prompts import mend_surrogates
from app.core.answers.providers.base import ModelSettings
from app.domain.errors import (
    ConnectionTrouble,
    KeyProblem,
    LecternError,
    RequestRefused,
    ServerBusy,
    TemporaryError,
)
from app.domain.messages import Message
from app.domain.plain_text import shorten

_log = logging.getLogger(__name__)
_E = TypeVar("_E", bound=BaseException)

# In the middle of an answer the status is 200, and only the type tells what is wrong.
_STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "timeout_error": 504,
    "overloaded_error": 529,
}
_RETRIED_STATUSES = frozenset({408, 409, 500, 502, 503, 504, 529})
_LONGEST_WAIT = 24 * 3600.0
_LONGEST_QUOTE = 240
_LONGEST_SAID = 2000  # characters of a server's explanation that are looked at
_OWN_COMPUTER = ("localhost", "127.0.0.1", "::1")  # is not behind the network's proxy
_OUT_OF_CREDIT = re.compile(
    r"credit balance|billing|insufficient[ _](credit|fund|balance|quota)|(out of|no|more|not enough) credit"
    r"|payment (is )?required|exceeded your (current )?quota"
)
_SPENT = re.compile(
    r"\b(spend(ing)?|usage|budget|quota|monthly|daily) (limit|cap|quota)|budget (has been |is )?exceeded"
)
_TOO_LONG = ("prompt is too long", "context window", "context length", "too many tokens")


class TooMuchSent(Exception):
    """The server sent more than any answer holds."""


class Unreadable(Exception):
    """The server sent its answer in a form that was not asked for."""


class SentElsewhere(Exception):
    """The server wants the question, with the key, to go to another host."""

    def __init__(self, host: str) -> None:
        super().__init__(host)
        self.host = host


@dataclass(frozen=True, slots=True)
class Fault:
    """What a server or the network did wrong."""

    error: LecternError  # to raise; holds neither the key nor the exception it was made from
    status: int | None = None  # the server's answer; None if it did not answer
    said: str = ""  # the server's own explanation, without the key
    reached: bool = False  # a server was there, be it one that refused or said nothing
    worth_retrying: bool = False  # in a second; longer waits are for the user to decide


def trouble(settings: ModelSettings, message_id: str) -> ConnectionTrouble:
    return ConnectionTrouble(Message(message_id, server=settings.host))


class ErrorMapper:
    """The exceptions of the SDK and its HTTP library on one connection, whose key is in no message."""

    def __init__(self, sdk: Any, http: Any, settings: ModelSettings) -> None:  # noqa: ANN401 - modules
        # What a server or a network can do wrong; anything else is a bug and passes.
        # Python's own: bytes that are no text, JSON that is nested too deep, numbers of thousands of digits.
        broken = (
            ValueError,
            RecursionError,
            OSError,
            TooMuchSent,
            Unreadable,
            SentElsewhere,
            http.InvalidURL,
        )
        self.every: tuple[type[Exception], ...] = (sdk.APIError, http.HTTPError, http.StreamError, *broken)
        self._timeouts = (sdk.APITimeoutError, http.TimeoutException, TimeoutError)
        self._http = http
        self._sdk = sdk
        self._settings = settings

    def fault(self, error: BaseException) -> Fault:
        _log.debug("%s: %s", type(error).__name__, self._redacted(str(error)))
        status = getattr(error, "status_code", None)
        if isinstance(status, int):
            said = self._said(error)
            if status < 400:  # an error within the stream of an answer
                status = _STATUS_OF_TYPE.get(str(getattr(error, "type", None)), 500)
            retried = status in _RETRIED_STATUSES and not _retry_after(error)
            return Fault(
                self._refusal(error, status, said), status, said, reached=True, worth_retrying=retried
            )
        if isinstance(error, self._timeouts):
            silent = not _caused_by(error, self._http.ConnectTimeout)
            return Fault(self._silence() if silent else self._unreachable(), reached=silent)
        if elsewhere := _caused_by(error, SentElsewhere):
            named = {"server": self._settings.host, "host": self._redacted(elsewhere.host)}
            return Fault(RequestRefused(Message("answers.redirected", **named)), reached=True)
        if _caused_by(error, TooMuchSent):
            return Fault(trouble(self._settings, "answers.too_much"), reached=True)
        hopeless = _caused_by(error, ssl.SSLError, socket.gaierror, self._http.ProxyError, Unreadable)
        return Fault(self._unanswered(error), worth_retrying=not hopeless)

    def _said(self, error: BaseException) -> str:
        message = getattr(error, "api_message", None)
        if not isinstance(message, str):
            body = getattr(error, "body", None)
            message = body if isinstance(body, str) and not body.lstrip().startswith("<") else ""
        return self._redacted(mend_surrogates(message[:_LONGEST_SAID]))

    def _redacted(self, text: str) -> str:
        return hide_key(text, self._settings.api_key)

    def _refusal(self, error: BaseException, status: int, said: str) -> LecternError:
        kind = getattr(error, "type", None)
        server, model = self._settings.host, self._settings.model
        if status == 402 or (status in (400, 403, 429) and _OUT_OF_CREDIT.search(said.lower())):
            return RequestRefused(Message("answers.no_credit"))
        wait = read_retry_after(_retry_after(error))
        if status == 429 and wait is None and _SPENT.search(said.lower()):
            return RequestRefused(Message("answers.limit_spent", said=_quoted(said)))
        if status in (429, 503, 529):
            return _busy(status, wait)
        if status >= 500 or status in (408, 409, 425):
            return TemporaryError(Message("answers.server_problem", server=server, status=str(status)))
        if status == 401:
            return KeyProblem(Message("answers.key_refused"))
        if status == 403:
            return KeyProblem(Message("answers.model_not_allowed", model=model))
        if status == 404 and not isinstance(kind, str) and self._settings.is_own_server:
            return RequestRefused(Message("answers.not_a_model_server", server=server))
        if status == 404:
            return RequestRefused(Message("answers.model_unknown", server=server, model=model))
        if status == 413 or any(phrase in said.lower() for phrase in _TOO_LONG):
            return RequestRefused(Message("answers.request_too_long"))
        refused = {"server": server, "status": str(status)}
        if said:
            return RequestRefused(Message("answers.refused_saying", **refused, said=_quoted(said)))
        return RequestRefused(Message("answers.refused", **refused))

    def _silence(self) -> LecternError:
        seconds = max(1, round(self._settings.timeout_read))
        return ConnectionTrouble(Message("answers.silent", server=self._settings.host, n=seconds))

    def _unreachable(self) -> LecternError:
        own = self._settings.is_own_server
        return trouble(self._settings, "answers.own_server_unreachable" if own else "answers.unreachable")

    def _unanswered(self, error: BaseException) -> LecternError:
        http, settings = self._http, self._settings
        is_sdks = isinstance(error, self._sdk.APIConnectionError)
        proxy = proxy_of(settings.address)
        if proxy and _caused_by(error, http.ConnectError, http.ConnectTimeout, http.ProxyError):
            refused = _caused_by(error, http.ProxyError)
            message_id = "answers.proxy" if refused else "answers.proxy_unreachable"
            return ConnectionTrouble(Message(message_id, server=settings.host, proxy=proxy))
        by_https = settings.is_own_server and settings.address.startswith("https:")
        if by_https and _caused_by(error, http.ConnectError):
            wrong = _caused_by(error, ssl.SSLError, ConnectionResetError)
            if wrong and not isinstance(wrong, ssl.SSLCertVerificationError):
                return trouble(settings, "answers.no_https")
        if _caused_by(error, ssl.SSLError):
            return trouble(settings, "answers.not_secure")
        if is_sdks and _caused_by(error, socket.gaierror, UnicodeError):
            own = "answers.own_address_not_found" if settings.is_own_server else "answers.address_not_found"
            return trouble(settings, own)
        if _caused_by(error, http.ConnectError, http.ConnectTimeout):
            return self._unreachable()
        if _caused_by(error, http.NetworkError, http.RemoteProtocolError, OSError):
            return trouble(settings, "answers.broken_off")
        odd = not is_sdks or _caused_by(error, http.TooManyRedirects, Unreadable)
        return trouble(settings, "answers.not_an_answer") if odd else self._unreachable()


def read_retry_after(header: str | None) -> float | None:
    """Return the seconds of a ``retry-after`` header, which holds a number or a date."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        from email.utils import parsedate_to_datetime

        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    # "not (0 <= …)" is also true of NaN
    return None if not 0 <= seconds < float("inf") else min(seconds, _LONGEST_WAIT)


def _retry_after(error: BaseException) -> str | None:
    found: str | None = getattr(getattr(error, "response", None), "headers", {}).get("retry-after")
    return found


def _busy(status: int, retry_after: float | None) -> ServerBusy:
    reason = Message("answers.rate_limited" if status == 429 else "answers.overloaded")
    if not retry_after or retry_after >= 120:
        wait = Message("answers.in_minutes", n=round((retry_after or 60) / 60))
    else:
        wait = Message("answers.in_seconds", n=max(1, round(retry_after)))
    return ServerBusy(Message("answers.busy", reason=reason, wait=wait), retry_after, reason)


def _quoted(message: str) -> str:
    folded = " ".join("".join(sign if sign.isprintable() else " " for sign in message).split())
    short = shorten(folded, _LONGEST_QUOTE)
    return short if short.endswith((".", "…", "!", "?")) else short + "."


def _caused_by(error: BaseException | None, *kinds: type[_E]) -> _E | None:
    """Return ``error``, or what is behind it, that is of one of these kinds."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        if isinstance(error, kinds):
            return error
        seen.append(error)
        error = error.__cause__ or error.__context__
    return None


def proxy_of(address: str) -> str:
    """Return scheme, host and port of the proxy that connections to an address go through, "" if none.

    Without user and password. It is found where the HTTP library looks for it.
    """
    from urllib.request import getproxies, proxy_bypass  # imports what speaks HTTP

    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
        if host in _OWN_COMPUTER or proxy_bypass(host):
            return ""
        proxies = getproxies()
        proxy = proxies.get(parts.scheme) or proxies.get("all") or ""
        found = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        port = f":{found.port}" if found.port else ""
    except (ValueError, OSError):
        return ""
    return f"{found.scheme}://{found.hostname}{port}" if found.hostname else ""
