"""What can go wrong at the model server, as sentences for a person.

Whether it is worth trying again is decided here, once, by the class an error is mapped to.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.domain.errors import (
    ConnectionTrouble,
    KeyProblem,
    LecternError,
    RequestRefused,
    ServerBusy,
    TemporaryError,
)

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
RETRIED_STATUSES = frozenset({408, 409, 500, 502, 503, 504, 529})
_LONGEST_QUOTE = 240
_TOO_LONG = ("prompt is too long", "context window", "context length", "too many tokens")


@dataclass(frozen=True, slots=True)
class Server:
    """Where requests go, as a person is told.

    Attributes:
        name: host, with the port where it is not the usual one.
        model: the model's id.
        is_own: a server the user runs or chose, not Anthropic's.
    """

    name: str
    model: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error the server answered with.

    Attributes:
        status: of the response; 200 when it came in the middle of an answer.
        kind: ``error.type`` of the body, if it has one.
        message: ``error.message``, without secrets; empty if there is none.
        retry_after: seconds the server wants to be left alone.
    """

    status: int
    kind: str | None
    message: str
    retry_after: float | None = None

    @property
    def meaning(self) -> int:
        """The status that tells what it is, also in the middle of an answer."""
        if self.status >= 400:
            return self.status
        return _STATUS_OF_TYPE.get(self.kind or "", 500)


def refused(refusal: Refusal, server: Server) -> LecternError:
    """Return the error to raise for what the server answered."""
    meaning = refusal.meaning
    if meaning in (429, 503, 529):
        return _busy(meaning, refusal.retry_after)
    if meaning >= 500 or meaning in (408, 409, 425):
        return TemporaryError(f"{server.name} had a problem of its own ({meaning}). Ask again in a moment.")
    if meaning == 401:
        return KeyProblem("The server does not accept this API key. Check it in the settings.")
    if meaning == 402:
        return RequestRefused(
            "The account of this API key has no credit left. "
            "Add credit there, or use another key in the settings."
        )
    if meaning == 403:
        return KeyProblem(
            f"This API key may not use {server.model}. Choose another model or key in the settings."
        )
    if meaning == 404:
        return _not_found(refusal, server)
    if meaning == 413 or _is_too_long(refusal.message):
        return RequestRefused(
            "The question and what goes with it are too long for this model. "
            "Start a new chat, or set fewer passages per search in the settings."
        )
    detail = f" It says: {_quoted(refusal.message)}" if refusal.message else ""
    return RequestRefused(
        f"{server.name} did not accept the request ({meaning}).{detail} Try another model in the settings."
    )


def _busy(meaning: int, retry_after: float | None) -> ServerBusy:
    wait = f"in {_duration(retry_after)}" if retry_after else "in a minute"
    reason = "The model server is overloaded at the moment."
    if meaning == 429:
        reason = "Too many requests for this API key at the moment."
    return ServerBusy(f"{reason} Ask again {wait}.", retry_after, reason)


def _not_found(refusal: Refusal, server: Server) -> RequestRefused:
    if refusal.kind is None and server.is_own:
        return RequestRefused(
            f"{server.name} does not answer questions at this address. Check the base URL in the settings."
        )
    return RequestRefused(
        f"{server.name} does not know the model “{server.model}”. Choose another model in the settings."
    )


def unreachable(server: Server, reason: str | None = None) -> ConnectionTrouble:
    """Return the error for a connection that was not made.

    Args:
        server: where to.
        reason: ``address``, ``certificate``, ``proxy``, or None for any other.
    """
    if reason == "address":
        advice = "Check the internet connection" + (
            " and the base URL in the settings." if server.is_own else "."
        )
        return ConnectionTrouble(f"The address {server.name} was not found. {advice}")
    if reason == "certificate":
        return ConnectionTrouble(
            f"No secure connection to {server.name} could be made. "
            "Check this computer's clock, the network, and the base URL in the settings."
        )
    if reason == "proxy":
        return ConnectionTrouble(
            f"The proxy of this network did not let the connection to {server.name} through. "
            "Check the proxy settings of this computer."
        )
    if server.is_own:
        return ConnectionTrouble(
            f"Nothing answers at {server.name}. "
            "Start the model server, or check the base URL in the settings."
        )
    return ConnectionTrouble(
        f"{server.name} could not be reached. Check the internet connection, then ask again."
    )


def unusable_address() -> RequestRefused:
    """Return the error for a base URL or a proxy setting that no connection can be made with."""
    return RequestRefused(
        "The base URL in the settings, or the proxy set on this computer, is not a usable address. "
        "A base URL looks like http://localhost:11434."
    )


def silent(server: Server, seconds: float) -> ConnectionTrouble:
    """Return the error for a server that said nothing for too long."""
    return ConnectionTrouble(f"{server.name} said nothing for {_duration(seconds)}. Ask again.")


def broken_off(server: Server) -> ConnectionTrouble:
    """Return the error for a connection that ended before the answer did."""
    return ConnectionTrouble(
        f"The connection to {server.name} broke off before the answer was complete. Ask again."
    )


def garbled(server: Server) -> ConnectionTrouble:
    """Return the error for an answer that can not be read."""
    return ConnectionTrouble(
        f"{server.name} sent something that is not an answer. Ask again; "
        "if it stays so, check the base URL and the model in the settings."
    )


def _is_too_long(message: str) -> bool:
    return any(phrase in message.lower() for phrase in _TOO_LONG)


def _quoted(message: str) -> str:
    folded = " ".join(message.split())
    short = folded if len(folded) <= _LONGEST_QUOTE else folded[: _LONGEST_QUOTE - 1] + "…"
    return short if short.endswith((".", "…", "!", "?")) else short + "."


def _duration(seconds: float) -> str:
    if seconds < 1:
        return f"{seconds:.1f} seconds"
    if seconds < 120:
        whole = round(seconds)
        return f"{whole} second{'s' if whole != 1 else ''}"
    return f"{round(seconds / 60)} minutes"
