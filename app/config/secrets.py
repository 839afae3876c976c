"""The API key and tokens of servers: in the environment, the system keychain, or memory; nowhere else.

The key never appears in a log line, a ``repr`` or an exception of this module: failures of the keychain
are logged only by the name of the error.
"""

from __future__ import annotations

import logging
import os
import threading
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import urlsplit

from app.config.redaction import KEY_VARIABLE, hide
from app.domain.model_servers import key_variable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from keyring.backend import KeyringBackend

SERVICE_NAME = "Lectern"
DEFAULT_SERVER = "api.anthropic.com"

_DEFAULT_PORTS = {"http": 80, "https": 443}
# keyring advises against backends below this: the failing, the null and the plain-text ones.
_LOWEST_PRIORITY = 1.0
_SHORTEST_SHOWN = 16  # the last characters would give away a shorter key

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class KeyOrigin(StrEnum):
    ENVIRONMENT = "environment"
    KEYCHAIN = "keychain"
    SESSION = "session"
    NONE = "none"


class KeychainState(StrEnum):
    """The system keychain's last response."""

    UNKNOWN = "unknown"
    READY = "ready"
    MISSING = "missing"
    LOCKED = "locked"
    FAILED = "failed"


class KeyStatus(NamedTuple):
    """What the settings dialog may know about the key."""

    origin: KeyOrigin = KeyOrigin.NONE
    hint: str = ""  # such as ``sk-…abcd``; empty without a key
    keychain: KeychainState = KeychainState.UNKNOWN  # tells where a new key would be stored
    variable: str = KEY_VARIABLE  # of the environment, which takes precedence


def masked(key: str) -> str:
    """Return a recognisable form of ``key``: ``sk-…abcd``, or ``…`` for a short key."""
    if len(key) < _SHORTEST_SHOWN:
        return "…"
    start = "sk-" if key.startswith("sk-") else ""
    return f"{start}…{key[-4:]}"


def server_name(base_url: str) -> str:
    """Return the name a server's key is stored under: host, and port unless it is the default one."""
    text = base_url.strip()
    if not text:
        return DEFAULT_SERVER
    try:
        parts = urlsplit(text if "://" in text else f"//{text}")
        host, port = parts.hostname or "", parts.port
    except ValueError:  # an invalid port or address: use it as it is, without a user name
        return text.rpartition("@")[2].lower()
    if not port or port == _DEFAULT_PORTS.get(parts.scheme):
        return host or DEFAULT_SERVER
    return f"{host}:{port}"


class KeyStore:
    """Reads, saves and removes the API key of a server. Thread-safe.

    Every method may import keyring and query the system's keychain, which may take seconds or ask the
    user to unlock it: call them from a worker, never from the main thread.
    """

    def __init__(self, environ: Mapping[str, str] = os.environ) -> None:
        self._environ = environ
        self._lock = threading.Lock()
        self._session: dict[str, str] = {}
        self._keychain = KeychainState.UNKNOWN

    def __repr__(self) -> str:
        return f"<KeyStore keychain={self._keychain}>"

    def read(self, base_url: str = "", provider: str = "anthropic") -> tuple[str | None, KeyOrigin]:
        """Return the key for a server and where it comes from.

        The server's environment variable takes precedence; then a key of this session, which is always newer
        than the keychain's; then the keychain. The key is hidden in logs from then on.
        """
        name, origin = server_name(base_url), KeyOrigin.ENVIRONMENT
        key = self._environ.get(key_variable(provider, base_url), "").strip()
        if not key:
            origin = KeyOrigin.SESSION
            with self._lock:
                key = self._session.get(name, "")
        if not key:
            origin = KeyOrigin.KEYCHAIN
            stored = self._ask(lambda keychain: keychain.get_password(SERVICE_NAME, name))
            key = (stored or "").strip()
        if not key:
            return None, KeyOrigin.NONE
        hide(key)
        return key, origin

    def status(self, base_url: str = "", provider: str = "anthropic") -> KeyStatus:
        """Return what may be shown of the key for a server; queries the keychain if necessary."""
        key, origin = self.read(base_url, provider)
        if self._keychain is KeychainState.UNKNOWN:
            self._ask(lambda _: None)
        hint = masked(key) if key else ""
        return KeyStatus(origin, hint, self._keychain, key_variable(provider, base_url))

    def save(self, key: str, base_url: str = "") -> KeyOrigin:
        """Save ``key`` in the keychain or, failing that, until the program ends; return where.

        A key in the environment still takes precedence. A blank one raises ``ValueError``.
        """
        name, key = server_name(base_url), key.strip()
        if not key:
            raise ValueError("A blank key cannot be saved.")
        hide(key)

        def put(keychain: KeyringBackend) -> bool:
            keychain.set_password(SERVICE_NAME, name, key)
            return True

        kept = self._ask(put)
        with self._lock:
            if kept:
                self._session.pop(name, None)
                return KeyOrigin.KEYCHAIN
            self._session[name] = key
        return KeyOrigin.SESSION

    def remove(self, base_url: str = "") -> KeyOrigin:
        """Remove a server's key; return where one still comes from, such as the environment."""
        name = server_name(base_url)
        with self._lock:
            self._session.pop(name, None)

        def drop(keychain: KeyringBackend) -> None:
            if keychain.get_password(SERVICE_NAME, name) is not None:
                keychain.delete_password(SERVICE_NAME, name)

        self._ask(drop)
        return self.read(base_url)[1]

    def _ask(self, request: Callable[[KeyringBackend], _T]) -> _T | None:
        """Run a request on the keychain; return None if there is no keychain or it fails."""
        # keyring loads the libraries of all backends and may probe D-Bus: not at start-up.
        import keyring.errors

        try:
            keychain = _usable(keyring.get_keyring())
            if keychain is None:
                self._keychain = KeychainState.MISSING
                return None
            answer = request(keychain)
            self._keychain = KeychainState.READY
            return answer
        except keyring.errors.NoKeyringError:
            self._keychain = KeychainState.MISSING
        except keyring.errors.KeyringLocked:
            self._keychain = KeychainState.LOCKED
            _log.warning("The system keychain is locked.")
        except Exception as error:  # each backend raises its own system's errors
            # Their texts may hold secrets and are not logged.
            self._keychain = KeychainState.FAILED
            _log.warning("The system keychain failed: %s", type(error).__name__)
        return None


class TokenStore:
    """Reads, saves and removes the tokens of libraries on servers, by the keys of their addresses.

    Nothing of the environment is read: its token is for the one server that a command names. Thread-safe,
    and for workers only, as :class:`KeyStore` is.
    """

    def __init__(self) -> None:
        self._keys = KeyStore({})

    def read(self, key: str) -> str:
        """Return a server's token, or an empty string; it is hidden in logs from then on."""
        return self._keys.read(f"library-{key}")[0] or ""

    def save(self, key: str, token: str) -> KeyOrigin:
        """Save a token in the keychain or, failing that, until the program ends; a blank one is removed."""
        if not token.strip():
            return self.remove(key)
        return self._keys.save(token, f"library-{key}")

    def remove(self, key: str) -> KeyOrigin:
        return self._keys.remove(f"library-{key}")


def _usable(backend: KeyringBackend) -> KeyringBackend | None:
    """Return a backend that stores secrets safely: the one given, or the first in its chain."""
    chained = getattr(backend, "backends", None)
    for candidate in [backend] if chained is None else list(chained):
        safe = "plaintext" not in type(candidate).__name__.lower()
        if safe and float(candidate.priority) >= _LOWEST_PRIORITY:
            return candidate
    return None
