"""A second start only raises the first window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication, QWidget

from app.startup.single_instance import (
    FileOpener,
    SingleInstance,
    address_for,
    call_first_window,
)
from app.ui.shell.attention import bring_forward

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

LINK = "lectern://read?course=Tides%20%26%20Currents&file=0123456789abcdef&at=120-210&words=two%20high"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a pipe is no file")


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each test its own folder for sockets, with a name short enough for one."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
        yield


@pytest.fixture
def address(tmp_path: Path) -> str:
    return address_for(tmp_path / "data")


@pytest.fixture
def first(address: str, qtbot: QtBot) -> Iterator[SingleInstance]:
    """Listens like an open window."""
    instance = SingleInstance(address)
    yield instance
    instance.close()


def start(data_dir: Path, *words: str, **environ: str) -> subprocess.Popen[str]:
    """Start the program as a user does, or a desktop that opens files with it."""
    return subprocess.Popen(
        [sys.executable, "-m", "app", *words, "--data-dir", str(data_dir)],
        cwd=Path(__file__).parents[2],
        env={**os.environ, **environ},
        stderr=subprocess.PIPE,
        text=True,
    )


def test_the_second_start_calls_the_first_and_ends(
    tmp_path: Path, first: SingleInstance, qtbot: QtBot
) -> None:
    # The same folder, spelled differently.
    calls: list[bool] = []
    first.called.connect(lambda: calls.append(True))
    process = start(tmp_path / "x" / ".." / "data", XDG_ACTIVATION_TOKEN="token-7")
    try:
        qtbot.waitUntil(lambda: bool(calls))
        assert process.wait(120) == 0
    finally:
        process.kill()
        assert process.communicate()[1] == ""
    assert not (tmp_path / "data").exists(), "it went as far as opening a library"
    assert os.environ.pop("XDG_ACTIVATION_TOKEN") == "token-7"


def test_the_files_of_a_second_start_are_handed_over(
    tmp_path: Path, first: SingleInstance, qtbot: QtBot
) -> None:
    file, given = tmp_path / "notes – ü.md", list[Path]()
    first.called.connect(given.extend)
    process = start(tmp_path / "data", str(file))
    try:
        qtbot.waitUntil(lambda: bool(given))
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.communicate()
    assert given == [file]


def test_the_link_of_a_second_start_is_handed_over_alone(
    tmp_path: Path, first: SingleInstance, qtbot: QtBot
) -> None:
    """What stands behind it may come from whoever wrote the link."""
    linked, called = list[str](), list[list[Path]]()
    first.linked.connect(linked.append)
    first.called.connect(called.append)
    process = start(tmp_path / "data", LINK, str(tmp_path / "notes.md"), "--debug")
    try:
        qtbot.waitUntil(lambda: bool(linked))
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.communicate()
    assert (linked, called) == ([LINK], [])


def test_links_that_macos_gives_to_the_window_arrive(qapp: QApplication) -> None:
    opener, given = FileOpener(qapp), list[str]()
    opener.linked.connect(given.append)
    opener.chosen.connect(given.append)
    QApplication.sendEvent(qapp, QFileOpenEvent(QUrl(LINK)))
    qapp.removeEventFilter(opener)
    assert given == [LINK]


@pytest.mark.parametrize(
    "link",
    ["file:///etc/passwd", "https://example.org", "lectern:" + "x" * 20_000, 7, None, ["lectern://read"]],
)
def test_what_is_no_link_is_not_followed(
    first: SingleInstance, address: str, qtbot: QtBot, link: object
) -> None:
    peer, linked = QLocalSocket(), list[str]()
    first.linked.connect(linked.append)
    peer.connectToServer(address)
    assert peer.waitForConnected(1000)
    with qtbot.waitSignal(first.called):
        peer.write(json.dumps({"token": "", "paths": [], "link": link}).encode() + b"\n")
    assert not linked
    peer.abort()


@pytest.mark.qt_log_ignore("This plugin does not support raise")
def test_files_that_macos_gives_to_the_window_arrive(qapp: QApplication, tmp_path: Path) -> None:
    opener, given = FileOpener(qapp), list[Path]()
    opener.chosen.connect(given.extend)
    QApplication.sendEvent(qapp, QFileOpenEvent(str(tmp_path / "notes.md")))
    qapp.removeEventFilter(opener)
    assert given == [tmp_path / "notes.md"]


@pytest.mark.parametrize(
    "said",
    [
        b'{"token": "", "paths": ["../secret", "a\\u0000b", 7]}',
        b'{"token": 7, "paths": "/etc"}',
        b"[" * 100_000,
        b'{"token": "x", "paths": ["notes.md"]}',
    ],
)
def test_only_whole_paths_are_taken(first: SingleInstance, address: str, qtbot: QtBot, said: bytes) -> None:
    peer, given = QLocalSocket(), list[list[Path]]()
    first.called.connect(given.append)
    peer.connectToServer(address)
    assert peer.waitForConnected(1000)
    peer.write(said + b"\n")
    qtbot.waitUntil(lambda: bool(given))
    assert given == [[]]
    peer.abort()


def test_two_starts_are_one_window(tmp_path: Path, address: str) -> None:
    window = start(tmp_path / "data")
    try:
        deadline = time.monotonic() + 120
        while not call_first_window(address):
            assert window.poll() is None
            assert time.monotonic() < deadline, "it never listened"
            time.sleep(0.05)
        with start(tmp_path / "data") as second:
            assert second.wait(120) == 0
        assert window.poll() is None
    finally:
        window.kill()
        window.communicate()


def test_what_a_killed_window_left_behind_is_no_window(tmp_path: Path, address: str, qtbot: QtBot) -> None:
    code = (
        "import os, sys\nfrom PySide6.QtCore import QCoreApplication\n"
        "from app.startup.single_instance import SingleInstance\n"
        "application = QCoreApplication([])\ninstance = SingleInstance(sys.argv[1])\nos._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, address], check=True, cwd=Path(__file__).parents[2])
    if sys.platform != "win32":
        assert Path(address).exists()
    assert not call_first_window(address)
    instance = SingleInstance(address)
    with qtbot.waitSignal(instance.called):
        assert call_first_window(address)
    instance.close()
    assert not call_first_window(address)


@POSIX
def test_only_its_user_may_connect(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        instance = SingleInstance(address_for(tmp_path))
    finally:
        os.umask(before)
    assert not os.stat(address_for(tmp_path)).st_mode & 0o077
    instance.close()


def test_each_data_directory_has_its_own(tmp_path: Path, first: SingleInstance, address: str) -> None:
    assert not call_first_window(address_for(tmp_path / "other"))
    (tmp_path / "data").mkdir()
    assert address_for(Path(os.path.relpath(tmp_path / "data"))) == address


@POSIX
def test_a_link_to_the_directory_is_the_directory(tmp_path: Path, address: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert address_for(tmp_path / "link") == address


@pytest.mark.parametrize("said", [b"", b"\xff\x00\x1b[2J" * 50_000, b"raise /etc/passwd\nrm\n", b"\n"])
def test_whoever_calls_can_do_no_more_than_that(
    first: SingleInstance, address: str, qtbot: QtBot, said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    peers = [QLocalSocket() for _ in range(5)]
    for peer in peers:
        peer.connectToServer(address)
        assert peer.waitForConnected(1000)
        peer.write(said)
    with qtbot.waitSignal(first.called):
        assert call_first_window(address)
    token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
    assert token.isascii()
    assert len(token) < 300
    assert token.isprintable()
    monkeypatch.delenv("XDG_ACTIVATION_TOKEN", raising=False)
    for peer in peers:
        peer.abort()


@POSIX
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
def test_a_socket_of_another_user_is_not_called(first: SingleInstance, address: str) -> None:
    os.chown(address, 12345, 12345)
    assert not call_first_window(address)
    os.chown(address, 0, 0)
    assert call_first_window(address)


@pytest.mark.qt_log_ignore("This plugin does not support raise")
def test_a_minimised_window_comes_back(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.showMaximized()
    window.showMinimized()
    assert window.isMinimized()
    bring_forward(window)
    assert not window.isMinimized()
    assert window.isMaximized()
    assert window.isVisible()


@POSIX
def test_a_start_without_a_socket_opens_its_own_window(
    qapp: QApplication, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere = str(tmp_path / "gone" / "socket")
    SingleInstance(nowhere)
    assert "Later starts cannot call this window" in caplog.text
    assert not call_first_window(nowhere)


@pytest.mark.slow
def test_thousands_of_files_are_handed_over_to_a_window_that_is_busy(
    tmp_path: Path, first: SingleInstance, qtbot: QtBot
) -> None:
    given = list[Path]()
    first.called.connect(given.extend)
    files = [tmp_path / f"{number:04} {'long ' * 20}.md" for number in range(4000)]
    process = start(tmp_path / "data", *map(str, files))
    try:
        time.sleep(2.5)  # the window takes longer than a caller waits
        qtbot.waitUntil(lambda: bool(given), timeout=60_000)
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.communicate()
    assert given == files
