from __future__ import annotations

import logging
from typing import TYPE_CHECKING, ClassVar

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null
from keyring.errors import KeyringLocked, PasswordDeleteError

from app.config.redaction import redact
from app.config.secrets import (
    DEFAULT_SERVER,
    SERVICE_NAME,
    KeychainState,
    KeyOrigin,
    KeyStatus,
    KeyStore,
    TokenStore,
    masked,
    server_name,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KEY = "sk-ant-planted-0123456789-wxyz"


# Not viable: keyring must never choose one of these by itself, in whatever test runs next.
class MemoryKeyring(KeyringBackend):
    viable: ClassVar[bool] = False
    priority: ClassVar[float] = 5

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        try:
            del self.entries[service, username]
        except KeyError:
            raise PasswordDeleteError("no such entry") from None


class LockedKeyring(MemoryKeyring):
    viable: ClassVar[bool] = False

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("the user closed the prompt")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"could not store {password}")


class BrokenKeyring(MemoryKeyring):
    """Lets an error of its own system through, with the secret in its text, as some do."""

    viable: ClassVar[bool] = False

    def get_password(self, service: str, username: str) -> str | None:
        raise OSError(f"bus call get({service}, {username}) failed near {KEY}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise OSError(f"bus call set({password}) failed")


class ReadOnlyKeyring(MemoryKeyring):
    viable: ClassVar[bool] = False

    def delete_password(self, service: str, username: str) -> None:
        raise PasswordDeleteError("not allowed")


class PlaintextKeyring(MemoryKeyring):
    viable: ClassVar[bool] = False


class WeakKeyring(MemoryKeyring):
    viable: ClassVar[bool] = False
    priority: ClassVar[float] = 0.5


class Chain(chainer.ChainerBackend):
    viable = False

    def __init__(self, *chained: KeyringBackend) -> None:
        self.chained = chained

    @property
    def backends(self) -> tuple[KeyringBackend, ...]:
        return self.chained


@pytest.fixture
def use() -> Iterator[Callable[[KeyringBackend], KeyringBackend]]:
    before = keyring.get_keyring()

    def choose(backend: KeyringBackend) -> KeyringBackend:
        keyring.set_keyring(backend)
        return backend

    yield choose
    keyring.set_keyring(before)


@pytest.fixture
def memory(use: Callable[[KeyringBackend], KeyringBackend]) -> MemoryKeyring:
    backend = MemoryKeyring()
    use(backend)
    return backend


def test_saved_key_is_in_the_keychain_and_found_by_another_store(memory: MemoryKeyring) -> None:
    assert KeyStore({}).save(f"  {KEY}\n") is KeyOrigin.KEYCHAIN
    assert memory.entries == {(SERVICE_NAME, DEFAULT_SERVER): KEY}
    assert KeyStore({}).read() == (KEY, KeyOrigin.KEYCHAIN)


def test_nothing_stored(memory: MemoryKeyring) -> None:
    store = KeyStore({})
    assert store.read() == (None, KeyOrigin.NONE)
    assert store.status() == KeyStatus(KeyOrigin.NONE, "", KeychainState.READY)
    assert store.remove() is KeyOrigin.NONE
    assert not memory.entries


def test_environment_wins_and_is_not_stored(memory: MemoryKeyring) -> None:
    store = KeyStore({"ANTHROPIC_API_KEY": " sk-from-environment-1234 "})
    assert store.read() == ("sk-from-environment-1234", KeyOrigin.ENVIRONMENT)
    assert not memory.entries
    assert store.save(KEY) is KeyOrigin.KEYCHAIN
    assert store.read()[1] is KeyOrigin.ENVIRONMENT
    assert store.remove() is KeyOrigin.ENVIRONMENT
    assert not memory.entries


def test_blank_environment_counts_as_none(memory: MemoryKeyring) -> None:
    memory.entries[SERVICE_NAME, DEFAULT_SERVER] = KEY
    assert KeyStore({"ANTHROPIC_API_KEY": "  "}).read() == (KEY, KeyOrigin.KEYCHAIN)


def test_keys_of_different_servers_do_not_mix(memory: MemoryKeyring) -> None:
    store = KeyStore({})
    store.save("key-of-anthropic-000000")
    store.save("key-of-local-server-111", "http://localhost:11434/v1")
    assert store.read()[0] == "key-of-anthropic-000000"
    assert store.read("http://localhost:11434") == ("key-of-local-server-111", KeyOrigin.KEYCHAIN)
    assert store.read("http://localhost:1234") == (None, KeyOrigin.NONE)
    store.remove("http://localhost:11434")
    assert store.read("http://localhost:11434")[0] is None
    assert store.read()[0] == "key-of-anthropic-000000"


@pytest.mark.parametrize("backend", [fail.Keyring, null.Keyring, PlaintextKeyring, WeakKeyring])
def test_unsafe_backends_count_as_no_keychain(
    use: Callable[[KeyringBackend], KeyringBackend], backend: type[KeyringBackend]
) -> None:
    chosen = use(backend())
    store = KeyStore({})
    assert store.save(KEY) is KeyOrigin.SESSION
    assert store.read() == (KEY, KeyOrigin.SESSION)
    assert store.status().keychain is KeychainState.MISSING
    assert not getattr(chosen, "entries", {})
    assert KeyStore({}).read() == (None, KeyOrigin.NONE)
    assert store.remove() is KeyOrigin.NONE


def test_of_chained_backends_the_first_safe_one_is_used(
    use: Callable[[KeyringBackend], KeyringBackend],
) -> None:
    plain, safe = PlaintextKeyring(), MemoryKeyring()
    use(Chain(plain, safe))
    assert KeyStore({}).save(KEY) is KeyOrigin.KEYCHAIN
    assert not plain.entries
    assert list(safe.entries.values()) == [KEY]
    use(Chain(plain))
    assert KeyStore({}).save(KEY) is KeyOrigin.SESSION


@pytest.mark.parametrize(
    ("backend", "state"),
    [(LockedKeyring, KeychainState.LOCKED), (BrokenKeyring, KeychainState.FAILED)],
)
def test_failing_keychain_leaves_the_key_in_memory_and_out_of_the_log(
    use: Callable[[KeyringBackend], KeyringBackend],
    backend: type[KeyringBackend],
    state: KeychainState,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    use(backend())
    store = KeyStore({})
    assert store.read() == (None, KeyOrigin.NONE)
    assert store.save(KEY) is KeyOrigin.SESSION
    assert store.status() == KeyStatus(KeyOrigin.SESSION, "sk-…wxyz", state)
    assert store.read() == (KEY, KeyOrigin.SESSION)
    assert store.remove() is KeyOrigin.NONE
    assert "keychain" in caplog.text
    assert KEY not in caplog.text
    assert KEY not in repr(store)


def test_session_key_is_newer_than_the_keychain_and_goes_when_that_takes_it(
    use: Callable[[KeyringBackend], KeyringBackend],
) -> None:
    memory = MemoryKeyring()
    memory.entries[SERVICE_NAME, DEFAULT_SERVER] = "an-older-key-0000000"
    store = KeyStore({})
    use(LockedKeyring())
    store.save(KEY)
    use(memory)
    assert store.read() == (KEY, KeyOrigin.SESSION)
    assert store.save(KEY) is KeyOrigin.KEYCHAIN
    assert store.read() == (KEY, KeyOrigin.KEYCHAIN)


def test_keychain_that_will_not_let_go_is_said(use: Callable[[KeyringBackend], KeyringBackend]) -> None:
    backend = ReadOnlyKeyring()
    use(backend)
    store = KeyStore({})
    store.save(KEY)
    assert store.remove() is KeyOrigin.KEYCHAIN


def test_blank_key_is_refused(memory: MemoryKeyring) -> None:
    with pytest.raises(ValueError, match="blank"):
        KeyStore({}).save("  ")
    assert not memory.entries


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        ("", DEFAULT_SERVER),
        ("https://api.anthropic.com", DEFAULT_SERVER),
        ("https://API.Anthropic.com:443/v1/", DEFAULT_SERVER),
        ("http://localhost:11434", "localhost:11434"),
        ("https://localhost:80", "localhost:80"),
        ("http://[::1]:8080", "::1:8080"),
        ("https://user:word@example.org/x", "example.org"),
        ("https://user:word@example.org:99999999", "example.org:99999999"),
        ("example.org:8000", "example.org:8000"),
    ],
)
def test_server_names(base_url: str, name: str) -> None:
    assert server_name(base_url) == name


@pytest.mark.parametrize(
    ("key", "shown"),
    [(KEY, "sk-…wxyz"), ("another-kind-of-key", "…-key"), ("ollama", "…"), ("", "…")],
)
def test_masked_shows_at_most_four_characters(key: str, shown: str) -> None:
    assert masked(key) == shown


def test_tokens_of_servers_are_not_keys_of_model_servers(
    memory: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    tokens = TokenStore()

    assert tokens.read("0a1b2c3d4e5f6071") == ""
    assert tokens.save("0a1b2c3d4e5f6071", " ck-planted-token ") is KeyOrigin.KEYCHAIN
    assert TokenStore().read("0a1b2c3d4e5f6071") == "ck-planted-token"
    assert redact("ck-planted-token") == "[key hidden]"
    assert KeyStore({}).read()[0] is None
    tokens.save("0a1b2c3d4e5f6071", "")
    assert TokenStore().read("0a1b2c3d4e5f6071") == "" and not memory.entries


@pytest.mark.parametrize(
    ("provider", "base_url", "sent"),
    [
        ("anthropic", "", "claude"),
        ("anthropic", "http://localhost:11434", "claude"),
        ("openai", "https://api.anthropic.com/v1", "claude"),
        ("openai", "https://generativelanguage.googleapis.com/v1beta/openai/", "gemini"),
        ("openai", "https://api.groq.com/openai/v1", None),
        ("openai", "https://llm.uni.example/v1", "openai"),
        ("anthropic", "https://openrouter.ai/api", None),
    ],
)
def test_the_key_of_one_service_is_sent_to_no_other(
    memory: MemoryKeyring, provider: str, base_url: str, sent: str | None
) -> None:
    environ = {"ANTHROPIC_API_KEY": "claude", "GEMINI_API_KEY": "gemini", "OPENAI_API_KEY": "openai"}
    assert KeyStore(environ).read(base_url, provider)[0] == sent
