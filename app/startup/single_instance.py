"""One window a data directory: a second start brings the first one's window forward and ends.

The first listens on a local socket that only the same user may connect to. Whatever comes through it
can do no more than raise the window.
"""

from __future__ import annotations

import getpass
import hashlib
import logging
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_log = logging.getLogger(__name__)

_PATIENCE = 1000  # milliseconds for the other process to take the call
_LONGEST = 256  # bytes that are read of what a caller says
_TOKEN = "XDG_ACTIVATION_TOKEN"


def address_for(data_dir: Path) -> str:
    """Return where the window of a data directory listens: the same for each way to write its path."""
    # A number has its user, a name may be missing: in a container nobody has to be listed.
    user = getpass.getuser() if sys.platform == "win32" else os.getuid()
    place = f"{user}\n{os.path.normcase(os.path.realpath(data_dir))}"
    name = f"lectern-{hashlib.sha256(place.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"
    if sys.platform == "win32":
        return name
    return str(Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir(), name))


def call_first_window(address: str) -> bool:
    """Ask the window that listens there to come forward; return whether there is one."""
    if not _is_ours(address):
        return False
    socket = QLocalSocket()
    socket.connectToServer(address)
    if not socket.waitForConnected(_PATIENCE):
        return False
    if sys.platform == "win32":
        import ctypes  # of no use elsewhere

        # Only who was started by the user may let another process take the foreground: any may.
        ctypes.windll.user32.AllowSetForegroundWindow(-1)
    # The desktop gives each start a token; with it the first window may take the foreground.
    token = os.environ.get(_TOKEN, "")
    socket.write(f"{token}\n".encode("ascii", "ignore")[-_LONGEST:])
    socket.waitForBytesWritten(_PATIENCE)
    socket.disconnectFromServer()
    return True


class SingleInstance(QObject):
    """Listens for later starts. Without it, where no socket can be made, they open a window of their own."""

    called = Signal()
    """The program was started again."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._callers: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)
        # What a killed process left behind; a living one's was called before.
        if _is_ours(address):
            QLocalServer.removeServer(address)
        if not self._server.listen(address):
            _log.warning("Later starts can not call this window: %s", self._server.errorString())

    def close(self) -> None:
        """Listen no longer: a later start opens a window of its own."""
        self._server.close()
        self._callers.clear()

    def _answer(self) -> None:
        while (caller := self._server.nextPendingConnection()) is not None:
            self._callers.append(caller)
            caller.readyRead.connect(self._hear)
            caller.disconnected.connect(self._hear)
        self._hear()

    def _hear(self) -> None:
        """Take the calls of all who have said something, and let go of those who are gone."""
        for caller in list(self._callers):
            said = bytes(caller.read(_LONGEST).data())
            gone = caller.state() is QLocalSocket.LocalSocketState.UnconnectedState
            if said or gone:
                self._callers.remove(caller)
                caller.deleteLater()
            if said:
                token = said.decode("ascii", "ignore").strip()
                if token and token.isprintable():
                    os.environ[_TOKEN] = token  # Qt takes it from there when it activates a window
                self.called.emit()


def bring_forward(window: QWidget) -> None:
    """Show a window in front of all others, minimised or not."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


def _is_ours(address: str) -> bool:
    """Whether a socket was made by this user: in a folder for everybody anyone could have made it."""
    if sys.platform == "win32":
        return True
    try:
        return os.lstat(address).st_uid == os.getuid()
    except OSError:
        return False
