"""One window per data directory: a second start hands its files to the first one's window and exits.

The first listens on a local socket that only the same user may connect to. A message through it can only
raise the window, and offer files to it, as dropping them on it does, or a link to a place of its library.
"""

import getpass
import hashlib
import json
import logging
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QUrl, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from app.domain.links import is_link

_log = logging.getLogger(__name__)

_PATIENCE = 1000  # milliseconds for the other process to respond
_BUSY = 30_000  # milliseconds for a window that is busy to take the next part of a long list
_LONGEST = 8_000_000  # bytes read from a caller; no system lets a program start with more
_LONGEST_TOKEN = 256
_LONGEST_LINK = 10_000  # characters, far more than a link that can be opened has
_TOKEN = "XDG_ACTIVATION_TOKEN"
_ENCODED = QUrl.ComponentFormattingOption.FullyEncoded


def address_for(data_dir: Path) -> str:
    """Return the socket of a data directory; the same for every spelling of its path."""
    # Not the user's name elsewhere: in a container, a user may have none.
    user = getpass.getuser() if sys.platform == "win32" else os.getuid()
    place = f"{user}\n{os.path.normcase(os.path.realpath(data_dir))}"
    name = f"lectern-{hashlib.sha256(place.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"
    if sys.platform == "win32":
        return name
    return str(Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir(), name))


def call_first_window(address: str, paths: Sequence[Path] = (), link: str = "") -> bool:
    """Ask the window listening at ``address`` to come forward and add files, or to follow a link.

    Return whether there is one.
    """
    if not _is_ours(address):
        return False
    socket = QLocalSocket()
    socket.connectToServer(address)
    if not socket.waitForConnected(_PATIENCE):
        return False
    if sys.platform == "win32":
        import ctypes  # needed on Windows only

        # Only a process that the user started may pass the foreground on; -1 passes it to any process.
        ctypes.windll.user32.AllowSetForegroundWindow(-1)
    # The desktop gives each start a token that allows the first window to take the foreground.
    said = {"token": os.environ.get(_TOKEN, ""), "paths": [str(path) for path in paths], "link": link}
    socket.write(json.dumps(said).encode() + b"\n")
    while socket.bytesToWrite() and socket.waitForBytesWritten(_BUSY):
        pass  # what is still to be written when this process ends is lost
    socket.disconnectFromServer()
    return True


class SingleInstance(QObject):
    """Listens for later starts; where no socket can be created, each start opens its own window."""

    called = Signal(list)  # the program was started again, with these absolute paths
    linked = Signal(str)  # it was started with this link

    def __init__(self, address: str) -> None:
        super().__init__()
        self._callers: dict[QLocalSocket, bytes] = {}  # and what each has said so far
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)
        # A running window would have answered the call, so this socket is left from a killed process.
        if _is_ours(address):
            QLocalServer.removeServer(address)
        if not self._server.listen(address):
            _log.warning("Later starts cannot call this window: %s", self._server.errorString())

    def close(self) -> None:
        """Stop listening: a later start opens its own window."""
        self._server.close()
        self._callers.clear()

    def _answer(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            self._callers[caller] = b""
            caller.readyRead.connect(self._read_calls)
            caller.disconnected.connect(self._read_calls)
        self._read_calls()

    def _read_calls(self) -> None:
        for caller in list(self._callers):
            said = self._callers[caller] + bytes(caller.read(_LONGEST).data())
            self._callers[caller] = said
            gone = caller.state() is QLocalSocket.LocalSocketState.UnconnectedState
            if gone or said.endswith(b"\n") or len(said) > _LONGEST:
                del self._callers[caller]
                caller.deleteLater()
                if said:
                    self._take(said)

    def _take(self, said: bytes) -> None:
        token, paths, link = _understood(said)
        if token:
            os.environ[_TOKEN] = token  # Qt reads it when it activates a window
        if link:
            self.linked.emit(link)
        else:
            self.called.emit(paths)


def _understood(said: bytes) -> tuple[str, list[Path], str]:
    """Return a token, absolute paths and a link; whatever else somebody says is dropped."""
    try:
        message = json.loads(said)
        token, names = message["token"], message["paths"]
        paths = [Path(name) for name in names if isinstance(names, list)]
    except (ValueError, TypeError, KeyError, RecursionError):
        return "", [], ""
    link = message.get("link", "")  # an earlier version says none
    if not isinstance(link, str) or not is_link(link) or len(link) > _LONGEST_LINK:
        link = ""
    is_token = isinstance(token, str) and token.isascii() and token.isprintable()
    fitting = [path for path in paths if path.is_absolute() and "\0" not in str(path)]
    return token if is_token and len(token) <= _LONGEST_TOKEN else "", fitting, link


class FileOpener(QObject):
    """Takes the files and links that macOS gives to a running program."""

    chosen = Signal(list)  # of paths
    linked = Signal(str)

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        application.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Take a file or a link; let other events pass."""
        if isinstance(event, QFileOpenEvent) and is_link(link := event.url().toString(_ENCODED)):
            self.linked.emit(link)
            return True
        if isinstance(event, QFileOpenEvent) and event.file():
            self.chosen.emit([Path(event.file())])
            return True
        return False


def _is_ours(address: str) -> bool:
    """Whether this user created the socket: in a shared folder, anyone could have."""
    if sys.platform == "win32":
        return True
    try:
        return os.lstat(address).st_uid == os.getuid()
    except OSError:
        return False
