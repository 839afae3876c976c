"""Maps the exceptions of a client, and of the network below it, to Lectern's errors.

Not everything a server does wrong is one of the client's errors: once an answer has begun, silence, a cut
connection and a malformed event arrive as the HTTP library's or Python's own.
"""

import asyncio
import logging
import re
import socket
import ssl
from collections.abc import Awaitable, Mapping
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urljoin, urlsplit

from app.config.redaction import hide_key
from app.core.answers.prompts import mend_surrogates
from app.core.answers.providers.base import ModelSettings
from app.core.answers.providers.connection import TooMuchSent, proxy_of
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
_T = TypeVar("_T")

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
_OUT_OF_CREDIT = re.compile(
    r"credit balance|billing|insufficient[ _](credit|fund|balance|quota)|(out of|no|more|not enough) credit"
    r"|payment (is )?required|exceeded your (current )?quota"
)
_SPENT = re.compile(
    r"\b(spend(ing)?|usage|budget|quota|monthly|daily) (limit|cap|quota)|per[- ]day"
    r"|budget (has been |is )?exceeded"
)
_RETRY_IN = re.compile(r"(?:retry|try again) in (?:(\d++)h)?+(?:(\d++)m(?!s))?+(?:([\d.]++)s)?+")
_NO_KEY = re.compile(r"api[ _]key (not valid|is invalid|expired)|(invalid|incorrect) api[ _]key")
_TOO_LONG = ("prompt is too long", "context window", "context length", "too many tokens")


class Fault(Exception):
    """What a server or the network did wrong; raised where no exception of a client is being handled.

    Those know the key, and Python links every exception to the one that is being handled.
    """

    def __init__(
        self, error: LecternError, status: int | None = None, said: str = "", *, reached: bool = False
    ) -> None:
        super().__init__(str(error))
        self.error = error  # to raise; holds neither the key nor the exception it was made from
        self.status = status  # the server's answer; None if it did not answer
        self.said = said  # the server's own explanation, without the key
        self.reached = reached  # a server was there, be it one that refused or said nothing

    @property
    def may_pass(self) -> bool:
        """Whether it is worth trying again in a second; longer waits are for the user to decide."""
        return isinstance(self.error, TemporaryError) and self.error.may_pass


def trouble(settings: ModelSettings, message_id: str, *, may_pass: bool = False) -> ConnectionTrouble:
    error = ConnectionTrouble(Message(message_id, server=settings.host))
    error.may_pass = may_pass
    return error


class ClientErrors(NamedTuple):
    """The exceptions of a client that asks a server."""

    every: type[Exception]
    silence: type[Exception]
    unsent: type[Exception]  # the request did not reach the server


class ErrorMapper:
    """The exceptions of a client and its HTTP library on one connection, whose key is in no message."""

    def __init__(self, client: ClientErrors, http: Any, settings: ModelSettings) -> None:  # noqa: ANN401
        # What a server or a network can do wrong; anything else is a bug and passes.
        # Python's own: bytes that are no text, JSON that is nested too deep, numbers of thousands of digits.
        broken = (ValueError, RecursionError, OSError, TooMuchSent, http.InvalidURL)
        self.every: tuple[type[Exception], ...] = (client.every, http.HTTPError, http.StreamError, *broken)
        self._timeouts = (client.silence, http.TimeoutException, TimeoutError)
        self._http = http
        self._unsent = client.unsent
        self._settings = settings

    async def awaited(self, request: Awaitable[_T], seconds: float) -> _T:
        """Return the result of a request; raises :class:`Fault`."""
        try:
            async with asyncio.timeout(seconds):  # a server can go on for ever without ever being silent
                return await request
        except self.every as error:
            fault = self.fault(error)
        raise fault

    def fault(self, error: BaseException) -> Fault:
        _log.debug("%s: %s", type(error).__name__, self._redacted(str(error)))
        status, headers = getattr(error, "status_code", None), _headers_of(error)
        if isinstance(status, int):
            if "location" in headers and 300 <= status < 400:
                return Fault(self._redirection(headers["location"]), reached=True)
            said = self._said(error)
            if status < 400:  # an error within the stream of an answer
                status = _STATUS_OF_TYPE.get(str(getattr(error, "type", None)), 500)
            refusal = self._refusal(error, status, said)
            if isinstance(refusal, TemporaryError):
                refusal.may_pass = status in _RETRIED_STATUSES and "retry-after" not in headers
            return Fault(refusal, status, said, reached=True)
        if isinstance(error, self._timeouts):
            if _caused_by(error, self._http.ConnectTimeout):
                return Fault(self._unreachable())
            seconds = max(1, round(self._settings.timeout_read))
            silence = Message("answers.silent", server=self._settings.host, n=seconds)
            return Fault(ConnectionTrouble(silence), reached=True)
        if _caused_by(error, TooMuchSent):
            return Fault(trouble(self._settings, "answers.too_much"), reached=True)
        failure = self._unanswered(error)
        failure.may_pass = not _caused_by(error, ssl.SSLError, socket.gaierror, self._http.ProxyError)
        return Fault(failure)

    def _redirection(self, location: str) -> LecternError:
        """Return the refusal to follow the server elsewhere, which would give the key away."""
        server, own = self._settings.host, urlsplit(self._settings.address)
        try:
            target = urlsplit(urljoin(self._settings.address, mend_surrogates(location)))
            host = f"{target.hostname}:{target.port}" if target.port else target.hostname
        except ValueError:
            return trouble(self._settings, "answers.not_an_answer")
        if (target.scheme, host) == (own.scheme, server):
            return trouble(self._settings, "answers.not_an_answer")
        named = f"{target.scheme}:" if not host else f"{target.scheme}://{host}" if host == server else host
        return RequestRefused(Message("answers.redirected", server=server, host=self._redacted(named[:100])))

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
        wait = read_retry_after(_headers_of(error).get("retry-after", ""))
        wait_said = _wait_said(said)
        if status == 429 and wait is None:
            wait = wait_said
        is_spent = status == 429 and ("PerDay" in said or (wait is None and _SPENT.search(said.lower())))
        out_of_credit = status in (400, 403, 429) and _OUT_OF_CREDIT.search(said.lower())
        if status == 402 or (out_of_credit and wait_said is None):
            return RequestRefused(Message("answers.no_credit"))
        if is_spent:
            return RequestRefused(Message("answers.limit_spent", said=_quoted(said)))
        if status in (429, 503, 529):
            return _busy(status, wait)
        if status >= 500 or status in (408, 409, 425):
            return TemporaryError(Message("answers.server_problem", server=server, status=str(status)))
        if status == 401 or (status == 400 and _NO_KEY.search(said.lower())):
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

    def _unreachable(self) -> ConnectionTrouble:
        own = self._settings.is_own_server
        return trouble(self._settings, "answers.own_server_unreachable" if own else "answers.unreachable")

    def _unanswered(self, error: BaseException) -> ConnectionTrouble:
        http, settings = self._http, self._settings
        is_unsent = isinstance(error, self._unsent)
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
        if is_unsent and _caused_by(error, socket.gaierror, UnicodeError):
            own = "answers.own_address_not_found" if settings.is_own_server else "answers.address_not_found"
            return trouble(settings, own)
        if _caused_by(error, http.ConnectError, http.ConnectTimeout):
            return self._unreachable()
        if _caused_by(error, http.NetworkError, http.RemoteProtocolError, OSError):
            return trouble(settings, "answers.broken_off")
        return self._unreachable() if is_unsent else trouble(settings, "answers.not_an_answer")


def read_retry_after(header: str) -> float | None:
    """Return the seconds of a ``retry-after`` header; None for anything else, such as a date."""
    try:
        seconds = float(header)
    except ValueError:
        return None
    return min(seconds, _LONGEST_WAIT) if 0 <= seconds < float("inf") else None


def _wait_said(said: str) -> float | None:
    """Return the seconds to wait that stand in a server's words alone, such as `1m2.5s`."""
    found = _RETRY_IN.search(said)
    if found is None:
        return None
    hours, minutes, seconds = (read_retry_after(part or "0") or 0 for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds or None


def _headers_of(error: BaseException) -> Mapping[str, str]:
    found: Mapping[str, str] = getattr(getattr(error, "response", None), "headers", {})
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
