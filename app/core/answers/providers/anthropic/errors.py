"""Sorts the exceptions of the SDK and of the network below it.

The SDK is imported late and in one module only, so its classes come in with the two modules that are
handed over here. Not everything a server does wrong is one of the SDK's errors: once an answer has
begun, silence, a cut connection and a malformed event arrive as the HTTP library's or Python's own.
"""

from __future__ import annotations

import json
import logging
import socket
import ssl
from typing import TYPE_CHECKING, Any

from app.core.answers.providers.anthropic import error_messages
from app.core.answers.providers.anthropic.model_list import read_retry_after

if TYPE_CHECKING:
    from app.core.answers.model_settings import ModelSettings
    from app.domain.errors import LecternError

_log = logging.getLogger(__name__)


class ErrorMapper:
    """The exceptions of one connection.

    Attributes:
        every: what a server or a network can do wrong; anything else is a bug and passes.
        timeouts: those of them that mean silence.
        misconfigured: what building a client raises for an address or a proxy that can not be used.
        server: as people are told.
    """

    def __init__(self, sdk: Any, http: Any, settings: ModelSettings) -> None:  # noqa: ANN401 - modules
        """Prepare.

        Args:
            sdk: the module ``anthropic``.
            http: the HTTP library it uses.
            settings: whose key is kept out of every message.
        """
        self.server = error_messages.Server(settings.host, settings.model, settings.is_own_server)
        self.every: tuple[type[Exception], ...] = (
            sdk.APIError,
            http.HTTPError,
            http.StreamError,
            json.JSONDecodeError,
            UnicodeDecodeError,
            OSError,
        )
        self.timeouts: tuple[type[Exception], ...] = (sdk.APITimeoutError, http.TimeoutException)
        self.misconfigured: tuple[type[Exception], ...] = (http.InvalidURL, ValueError, ImportError)
        self._http = http
        self._sdk = sdk
        self._settings = settings

    def status(self, error: BaseException) -> int | None:
        """Return the status the server answered with; None if it did not answer."""
        status = getattr(error, "status_code", None)
        return status if isinstance(status, int) else None

    def reached(self, error: BaseException) -> bool:
        """Whether a server was there, be it one that refused or said nothing."""
        silent = isinstance(error, self.timeouts) and not _caused_by(error, self._http.ConnectTimeout)
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
            return status in error_messages.RETRIED_STATUSES and not _header(error, "retry-after")
        hopeless = (ssl.SSLError, socket.gaierror, self._http.ProxyError)
        return not isinstance(error, self.timeouts) and not _caused_by(error, *hopeless)

    def mapped(self, error: BaseException) -> LecternError:
        """Return the error to raise in place of one of :attr:`every`."""
        _log.debug("%s: %s", type(error).__name__, self._redacted(str(error)))
        http, server = self._http, self.server
        status = self.status(error)
        if status is not None:
            return error_messages.refused(self._refusal(error, status), server)
        if _caused_by(error, http.ConnectTimeout):
            return error_messages.unreachable(server)
        if isinstance(error, self.timeouts):
            return error_messages.silent(server, self._settings.timeout_read)
        if _caused_by(error, http.ProxyError):
            return error_messages.unreachable(server, "proxy")
        if _caused_by(error, ssl.SSLError):
            return error_messages.unreachable(server, "certificate")
        if _caused_by(error, socket.gaierror, UnicodeError) and isinstance(
            error, self._sdk.APIConnectionError
        ):
            return error_messages.unreachable(server, "address")
        if _caused_by(error, http.ConnectError):
            return error_messages.unreachable(server)
        if _caused_by(error, http.NetworkError, http.RemoteProtocolError, OSError):
            return error_messages.broken_off(server)
        if isinstance(error, self._sdk.APIConnectionError):
            return error_messages.unreachable(server)
        return error_messages.garbled(server)

    def _refusal(self, error: BaseException, status: int) -> error_messages.Refusal:
        kind = getattr(error, "type", None)
        wait = read_retry_after(_header(error, "retry-after"))
        return error_messages.Refusal(status, kind if isinstance(kind, str) else None, self.said(error), wait)

    def _redacted(self, text: str) -> str:
        key = self._settings.api_key
        return text.replace(key, "…") if key else text


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
