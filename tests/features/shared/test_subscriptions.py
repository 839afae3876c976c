from __future__ import annotations

import json
import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from app.domain.errors import SharedError, UserError
from app.features.shared.model import server_address
from app.features.shared.subscription import Subscribed, Subscription, SubscriptionFile

if TYPE_CHECKING:
    from pathlib import Path

ONE = Subscribed(server_address("https://one.example.org"))
OTHER = Subscribed(server_address("localhost:8000", "school", "class"), asks_environment=True)


def test_subscriptions_are_kept_in_order_and_once(tmp_path: Path) -> None:
    file = SubscriptionFile(tmp_path)
    for address in (ONE, OTHER, ONE):
        file.add(address)

    assert SubscriptionFile(tmp_path).read() == (ONE, OTHER)
    file.remove(ONE.address)
    file.remove(ONE.address)
    assert SubscriptionFile(tmp_path).read() == (OTHER,)


def test_other_certificates_replace_those_of_an_address(tmp_path: Path) -> None:
    file = SubscriptionFile(tmp_path)
    file.add(ONE)
    with_ca = Subscribed(server_address(ONE.address.url, ca_file=str(tmp_path / "ca.pem")))
    file.add(with_ca)

    assert file.read() == (with_ca,)


def test_processes_that_subscribe_at_once_lose_nothing(tmp_path: Path) -> None:
    addresses = [Subscribed(server_address(f"https://s{n}.example.org")) for n in range(24)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda address: SubscriptionFile(tmp_path).add(address), addresses))

    assert set(SubscriptionFile(tmp_path).read()) == set(addresses)


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff\x00", b"[]", b"[" * 100_000, b'{"libraries": 3}', b'{"libraries": [3, {"url": 1}]}'],
    ids=["empty", "bytes", "list", "nested", "number", "entries"],
)
def test_a_broken_file_is_no_subscription_and_can_be_replaced(tmp_path: Path, content: bytes) -> None:
    file = SubscriptionFile(tmp_path)
    file.folder.mkdir()
    (file.folder / "subscriptions.json").write_bytes(content)

    assert file.read() == ()
    file.add(ONE)
    assert file.read() == (ONE,)


def test_an_entry_with_a_token_is_left_out(tmp_path: Path) -> None:
    file = SubscriptionFile(tmp_path)
    file.add(ONE)
    path = file.folder / "subscriptions.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    stored["libraries"].append({**stored["libraries"][0], "url": "https://user:pass@two.example.org"})
    path.write_text(json.dumps(stored), encoding="utf-8")

    assert file.read() == (ONE,)


@pytest.mark.skipif(os.name != "posix", reason="permissions of a user")
def test_only_their_user_reads_them(tmp_path: Path) -> None:
    file = SubscriptionFile(tmp_path)
    file.add(ONE)

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [file.folder, *file.folder.iterdir()]}
    assert modes == {"shared": 0o700, "subscriptions.json": 0o600, "lock": 0o600}


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "shared").write_text("a file", encoding="utf-8")

    with pytest.raises(UserError, match="cannot be stored"):
        SubscriptionFile(tmp_path).add(ONE)


def test_a_file_that_cannot_be_read_now_is_not_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SubscriptionFile(tmp_path)
    file.add(ONE)

    def refuse(*_: object, **__: object) -> None:  # as while another program of Windows holds it
        raise PermissionError

    with monkeypatch.context() as refusing:
        refusing.setattr(type(tmp_path), "open", refuse)
        assert file.read() == ()
        with pytest.raises(UserError):
            file.add(OTHER)
    assert file.read() == (ONE,)


def test_a_keychain_that_asks_keeps_nobody_else_waiting(tmp_path: Path) -> None:
    asked, answered = threading.Event(), threading.Event()

    def token() -> str:
        asked.set()
        answered.wait(300)
        return "secret"

    subscription = Subscription(ONE.address, token, lambda: ("model", 384), tmp_path / "kept")
    with ThreadPoolExecutor(2) as pool:
        connection = pool.submit(subscription.connection.metadatas)
        try:
            assert asked.wait(60)
            assert pool.submit(lambda: subscription.catalogue).result(60) is None
            pool.submit(subscription.connection.close).result(60)
        finally:
            answered.set()
        with pytest.raises(SharedError):
            connection.result(60)
