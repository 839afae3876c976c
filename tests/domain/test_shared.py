from __future__ import annotations

import pytest

from app.domain.errors import UserError
from app.domain.shared import DEFAULT_DATABASE, DEFAULT_TENANT, ServerAddress, server_address


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("chroma.example.org", "https://chroma.example.org"),
        (" HTTPS://Chroma.Example.org:443/ ", "https://chroma.example.org"),
        ("http://chroma.example.org:80", "http://chroma.example.org"),
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


def test_tenant_database_and_certificates_belong_to_an_address() -> None:
    one = server_address("https://chroma.example.org", " school ", "class-1", "own-ca.pem")

    assert (one.tenant, one.database) == ("school", "class-1")
    assert one.ca_file.endswith("own-ca.pem") and one.ca_file != "own-ca.pem"
    assert one.key != server_address("https://chroma.example.org").key
    with pytest.raises(UserError, match="tenant"):
        server_address("https://chroma.example.org", "a/b")
