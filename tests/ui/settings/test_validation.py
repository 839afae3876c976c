from __future__ import annotations

import pytest

from app.ui.settings.page import (
    has_user_info,
    is_loopback,
    is_possible_key,
    is_server_address,
    is_unencrypted,
)


@pytest.mark.parametrize(
    "address",
    ["https://api.anthropic.com", "http://localhost:11434", "HTTPS://host/v1", "http://[::1]:8080/x"],
)
def test_server_addresses(address: str) -> None:
    assert is_server_address(address)


@pytest.mark.parametrize(
    "address",
    ["api.anthropic.com", "ftp://host", "http://", "https:///x", "http://host:99999", "http://host:0",
     "http://a b", "http://host/?key=1", "http://host/#x", "http://[::1", "file:///etc/x", "javascript:1"],
)  # fmt: skip
def test_what_is_none(address: str) -> None:
    assert not is_server_address(address)


@pytest.mark.parametrize(
    ("host", "is_here"),
    [("localhost", True), ("LOCALHOST.", True), ("x.localhost", True), ("127.0.0.1", True),
     ("127.9.9.9", True), ("::1", True), ("0.0.0.0", False), ("192.168.1.5", False),
     ("localhost.example.org", False), ("", False)],
)  # fmt: skip
def test_loopback(host: str, is_here: bool) -> None:
    assert is_loopback(host) is is_here


def test_only_http_to_elsewhere_is_unencrypted() -> None:
    assert is_unencrypted("http://192.168.1.5:11434")
    assert not is_unencrypted("http://127.0.0.1:11434")
    assert not is_unencrypted("https://192.168.1.5")
    assert not is_unencrypted("")


def test_user_info_is_seen() -> None:
    assert has_user_info("https://me:word@host/x")
    assert not has_user_info("https://host/@me")


def test_possible_keys() -> None:
    assert is_possible_key("sk-ant-api03_Ab9-")
    assert is_possible_key("")
    assert not is_possible_key("sk ant")
    assert not is_possible_key("sk\u00e9")
    assert not is_possible_key("sk\u200bant")
