from __future__ import annotations

import socket
import struct
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from app.domain.errors import (
    ConnectionTrouble,
    KeyProblem,
    LecternError,
    RequestRefused,
    ServerBusy,
    TemporaryError,
    UserError,
)
from tests.support.answering import EVERY_PROVIDER, ask, settings_for
from tests.support.scripted_turns import ErrorReply, Text, Turn
from tests.support.sentences import check_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.anthropic_server import AnthropicServer


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@EVERY_PROVIDER
def test_nothing_listening(server: AnthropicServer) -> None:
    url = f"http://127.0.0.1:{closed_port()}"
    error = ask(settings_for(server, base_url=url)).error
    assert isinstance(error, ConnectionTrouble)
    said = check_sentence(error)
    assert said.startswith("Can't reach the server at 127.0.0.1:")
    assert "Start it" in said


@EVERY_PROVIDER
def test_an_address_that_is_not_found(server: AnthropicServer, monkeypatch: pytest.MonkeyPatch) -> None:
    lookups: list[object] = []

    def lookup(*args: Any, **named: Any) -> Any:  # noqa: ANN401
        lookups.append(args)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    error = ask(settings_for(server, base_url="http://models.example.org")).error
    assert isinstance(error, ConnectionTrouble)
    assert "The address models.example.org was not found" in check_sentence(error)
    assert len(lookups) == 1, "an address that is not found is not looked for again"


@EVERY_PROVIDER
def test_no_secure_connection(server: AnthropicServer) -> None:
    error = ask(settings_for(server, base_url=server.url.replace("http:", "https:"))).error
    assert isinstance(error, ConnectionTrouble)
    assert "does not answer by HTTPS" in check_sentence(error)


@EVERY_PROVIDER
def test_a_server_without_https_that_hangs_up(server: AnthropicServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def reset() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    connection.recv(1)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    connection.close()

        thread = threading.Thread(target=reset)
        thread.start()
        error = ask(settings_for(server, base_url=f"https://127.0.0.1:{listener.getsockname()[1]}")).error
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert "does not answer by HTTPS" in check_sentence(error or LecternError(""))


@EVERY_PROVIDER
def test_a_proxy_that_refuses(server: AnthropicServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", server.url)
    error = ask(settings_for(server, base_url="https://models.example.org")).error
    assert isinstance(error, ConnectionTrouble)
    assert "proxy" in check_sentence(error)


@pytest.mark.parametrize(
    ("proxy", "sentence"),
    [
        ("socks5://user:secret@127.0.0.1:1080", "The proxy socks5://127.0.0.1:1080 is a SOCKS proxy"),
        ("nonsense://127.0.0.1:1", "The proxy nonsense://127.0.0.1:1 is not one that Lectern can use"),
    ],
)
@EVERY_PROVIDER
def test_a_proxy_that_cannot_be_used_is_named(
    server: AnthropicServer, monkeypatch: pytest.MonkeyPatch, proxy: str, sentence: str
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    error = ask(settings_for(server, base_url="https://models.example.org")).error
    assert isinstance(error, RequestRefused)
    assert sentence in check_sentence(error)
    assert "secret" not in str(error)


@EVERY_PROVIDER
def test_a_dead_proxy_is_named(server: AnthropicServer, monkeypatch: pytest.MonkeyPatch) -> None:
    port = closed_port()
    monkeypatch.setenv("HTTPS_PROXY", f"http://user:secret@127.0.0.1:{port}")
    error = ask(settings_for(server, base_url="https://models.example.org")).error
    assert isinstance(error, ConnectionTrouble)
    assert f"models.example.org: the proxy http://127.0.0.1:{port} does not respond" in check_sentence(error)
    assert "secret" not in str(error)


@EVERY_PROVIDER
def test_a_server_on_this_computer_is_reached_without_the_proxy(
    server: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for proxy in (f"http://127.0.0.1:{closed_port()}", f"socks5://127.0.0.1:{closed_port()}"):
        for variable in ("HTTP_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(variable, proxy)
            server.script(Turn(Text("Yes.")))
            assert ask(settings_for(server)).text == "Yes."


@pytest.fixture
def babbling_port() -> Iterator[int]:
    """A server of another kind: it answers every connection with something that is not HTTP."""
    listener = socket.create_server(("127.0.0.1", 0))

    def babble() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.recv(65536)
                connection.sendall(b"220 mail.example.org ESMTP\r\n")

    thread = threading.Thread(target=babble)
    thread.start()
    yield listener.getsockname()[1]
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


@EVERY_PROVIDER
def test_a_server_that_speaks_something_else(server: AnthropicServer, babbling_port: int) -> None:
    error = ask(settings_for(server, base_url=f"http://127.0.0.1:{babbling_port}")).error
    assert isinstance(error, ConnectionTrouble)
    check_sentence(error)


@EVERY_PROVIDER
def test_a_page_instead_of_an_answer(server: AnthropicServer) -> None:
    server.script(ErrorReply(200, body="<html>Please log in to the network</html>"))
    error = ask(settings_for(server)).error
    assert isinstance(error, ConnectionTrouble)
    assert "not an answer" in check_sentence(error)


@pytest.mark.parametrize(
    "address",
    ["localhost:11434", "ftp://example.org", "http://", "http://[::1", "http://host:port", "not an address"],
)
@EVERY_PROVIDER
def test_a_base_url_that_is_none(server: AnthropicServer, address: str) -> None:
    error = ask(settings_for(server, base_url=address)).error
    assert isinstance(error, RequestRefused)
    assert "address" in check_sentence(error)


@pytest.mark.parametrize("address", ["http://a..b", "http://exa mple.org", "http://" + "x" * 70 + ".org"])
@EVERY_PROVIDER
def test_a_host_name_that_can_not_exist(server: AnthropicServer, address: str) -> None:
    error = ask(settings_for(server, base_url=address)).error
    assert isinstance(error, LecternError)
    check_sentence(error)


@EVERY_PROVIDER
def test_the_v1_of_a_copied_base_url_does_no_harm(server: AnthropicServer) -> None:
    server.script(Turn(Text("Yes.")))
    assert ask(settings_for(server, base_url=server.url + "/v1/")).text == "Yes."


@pytest.mark.parametrize("address", [None, "https://api.anthropic.com"])
@EVERY_PROVIDER
def test_no_key_for_anthropic_asks_for_one_without_connecting(
    server: AnthropicServer, address: str | None
) -> None:
    error = ask(settings_for(server, api_key="", base_url=address)).error
    assert isinstance(error, KeyProblem)
    assert "no API key" in check_sentence(error)
    assert server.requests == []


@pytest.mark.parametrize("key", ["sk-…", "two words", "line\nbreak", "ключ"])
@EVERY_PROVIDER
def test_a_key_that_can_be_none(server: AnthropicServer, key: str) -> None:
    error = ask(settings_for(server, api_key=key)).error
    assert isinstance(error, KeyProblem)
    assert key not in check_sentence(error)


def test_permanent_and_temporary_are_told_apart() -> None:
    assert issubclass(KeyProblem, UserError)
    assert issubclass(RequestRefused, UserError)
    assert issubclass(ServerBusy, TemporaryError)
    assert issubclass(ConnectionTrouble, TemporaryError)
