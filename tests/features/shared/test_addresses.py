from __future__ import annotations

import pytest

from app.domain.errors import UserError
from app.domain.shared import DEFAULT_DATABASE, DEFAULT_TENANT, ServerAddress
from app.features.shared.model import server_address


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("chroma.example.org", "https://chroma.example.org"),
        (" HTTPS://Chroma.Example.org:443/ ", "https://chroma.example.org"),
        ("http://chroma.school.lan:80", "http://chroma.school.lan"),
        ("chroma.example.org:8000", "https://chroma.example.org:8000"),
        ("localhost:8000", "http://localhost:8000"),
        ("127.0.0.1:8000/", "http://127.0.0.1:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("https://[2001:db8::1]:8000", "https://[2001:db8::1]:8000"),
    ],
)
def test_what_was_typed_becomes_an_address(typed: str, url: str) -> None:
    address = server_address(typed)

    assert address == ServerAddress(url, DEFAULT_TENANT, DEFAULT_DATABASE)
    assert server_address(address.url) == address
    assert address.host == url.partition("//")[2]  # with a port that is not the usual one


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "ftp://chroma.example.org",
        "file:///etc/passwd",
        "https://",
        "https://chroma.example.org/api/v2",
        "https://chroma.example.org:port",
        "https://chroma.example.org:99999",
        "https://[::1",
        "https://a b",
        "https://a\\b",
        "https://a%2fb",
        "https://user:s3cret-token@chroma.example.org",
        "https://s3cret-token@chroma.example.org",
        "https://chroma.example.org?token=s3cret-token",
        "https://chroma.example.org#s3cret-token",
    ],
)
def test_anything_else_is_refused_without_repeating_a_token(typed: str) -> None:
    with pytest.raises(UserError) as raised:
        server_address(typed)

    assert "s3cret" not in f"{raised.value!r} {raised.value.message!r}"
    assert raised.value.__suppress_context__ or raised.value.__context__ is None  # nor does a traceback


@pytest.mark.parametrize(
    "host",
    ["chroma.example.org", "8.8.8.8", "134744072", "0x08080808", "[2001:4860::8888]", "lan.example.org"],
)
def test_nothing_goes_unencrypted_through_the_internet(host: str) -> None:
    with pytest.raises(UserError) as raised:
        server_address(f"http://{host}:8000")
    assert raised.value.message.id == "shared.not_encrypted"
    assert not server_address(f"https://{host}:8000").is_exposed


@pytest.mark.parametrize(
    ("host", "is_exposed"),
    [
        ("localhost", False),
        ("127.0.0.1", False),
        ("[::1]", False),
        ("chroma.localhost", False),
        ("192.168.1.20", True),
        ("10.0.0.8", True),
        ("[fe80::1]", True),
        ("classroom", True),
        ("Chroma.local", True),
    ],
)
def test_in_the_own_network_it_may_and_is_told_apart(host: str, is_exposed: bool) -> None:
    assert server_address(f"http://{host}:8000").is_exposed is is_exposed


def test_tenant_database_and_certificates_belong_to_an_address() -> None:
    one = server_address("https://chroma.example.org", " school ", "class-1", "own-ca.pem")

    assert (one.tenant, one.database) == ("school", "class-1")
    assert one.ca_file.endswith("own-ca.pem") and one.ca_file != "own-ca.pem"
    assert one.key != server_address("https://chroma.example.org").key
    with pytest.raises(UserError, match="tenant"):
        server_address("https://chroma.example.org", "a/b")
