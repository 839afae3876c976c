"""One window per data directory: a second start raises the first one's window and exits.

The first listens on a local socket that only the same user may connect to. A message through it can only
raise the window.
"""

import getpass
import hashlib
import logging
import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QWidget

_log = logging.getLogger(__name__)

_PATIENCE = 1000  # milliseconds for the other process to respond
_LONGEST = 256  # bytes read from a caller
_TOKEN = "XDG_ACTIVATION_TOKEN"


def address_for(data_dir: Path) -> str:
    """Return the socket of a data directory; the same for every spelling of its path."""
    # Not the user's name elsewhere: in a container, a user may have none.
    user = getpass.getuser() if sys.platform == "win32" else os.getuid()
    place = f"{user}\n{os.path.normcase(os.path.realpath(data_dir))}"
    name = f"lectern-{hashlib.sha256(place.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"
    if sys.platform == "win32":
        return name
    return str(Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir(), name))


def call_first_window(address: str) -> bool:
    """Ask the window listening at ``address`` to come forward; return whether there is one."""
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
    token = os.environ.get(_TOKEN, "")
    socket.write(f"{token}\n".encode("ascii", "ignore")[-_LONGEST:])
    socket.waitForBytesWritten(_PATIENCE)
    socket.disconnectFromServer()
    return True


class SingleInstance(QObject):
    """Listens for later starts; where no socket can be created, each start opens its own window."""

    called = Signal()  # the program was started again

    def __init__(self, address: str) -> None:
        super().__init__()
        self._callers: list[QLocalSocket] = []
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
            self._callers.append(caller)
            caller.readyRead.connect(self._read_calls)
            caller.disconnected.connect(self._read_calls)
        self._read_calls()

    def _read_calls(self) -> None:
        for caller in list(self._callers):
            said = bytes(caller.read(_LONGEST).data())
            gone = caller.state() is QLocalSocket.LocalSocketState.UnconnectedState
            if said or gone:
                self._callers.remove(caller)
                caller.deleteLater()
            if said:
                token = said.decode("ascii", "ignore").strip()
                if token and token.isprintable():
                    os.environ[_TOKEN] = token  # Qt reads it when it activates a window
                self.called.emit()


def bring_forward(window: QWidget) -> None:
    """Show a window, even a minimised one, in front of all others."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()


def _is_ours(address: str) -> bool:
    """Whether this user created the socket: in a shared folder, anyone could have."""
    if sys.platform == "win32":
        return True
    try:
        return os.lstat(address).st_uid == os.getuid()
    except OSError:
        return False
