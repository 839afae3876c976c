"""Which libraries on servers are subscribed to: a file in the data directory, without their tokens."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from app.config.private_files import private_directory, private_file
from app.config.whole_files import move_into_place
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.shared import ServerAddress, server_address

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FOLDER = "shared"
_PATIENCE = 5.0  # seconds for another process, which holds the file for milliseconds
_LARGEST = 2**20  # bytes of a file of subscriptions, which has about a hundred for each

_log = logging.getLogger(__name__)


class SubscriptionFile:
    """The addresses in the order in which they were added. A window and commands change it side by side."""

    def __init__(self, data_dir: Path) -> None:
        self.folder = data_dir / FOLDER
        self._path = self.folder / "subscriptions.json"

    def stamp(self) -> tuple[int, int, int] | None:
        """Return what differs once the file has changed; None without one."""
        try:
            state = self._path.stat()
        except OSError:
            return None
        return state.st_ino, state.st_mtime_ns, state.st_size

    def read(self) -> tuple[ServerAddress, ...]:
        """Return the addresses; what cannot be understood is logged and left out."""
        try:
            with self._path.open("rb") as file:
                entries = json.loads(file.read(_LARGEST))["libraries"]
            found = [_address(entry) for entry in entries]
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, LookupError, TypeError, RecursionError) as error:
            _log.warning("The subscriptions in %s cannot be read (%s).", self._path, type(error).__name__)
            return ()
        return tuple(dict.fromkeys(address for address in found if address is not None))

    def add(self, address: ServerAddress) -> None:
        """Add an address, or replace the one with its key; raises UserError if it cannot be stored."""

        def with_it(known: Sequence[ServerAddress]) -> list[ServerAddress]:
            if any(one.key == address.key for one in known):
                return [address if one.key == address.key else one for one in known]
            return [*known, address]

        self._change(with_it)

    def remove(self, address: ServerAddress) -> None:
        """Remove an address; raises UserError if that cannot be stored."""
        self._change(lambda known: [one for one in known if one.key != address.key])

    def _change(self, change: Callable[[Sequence[ServerAddress]], list[ServerAddress]]) -> None:
        try:
            private_directory(self.folder)
            private_file(self.folder / "lock")
            with FileLock(self.folder / "lock", timeout=_PATIENCE):
                wanted = {"libraries": [asdict(address) for address in change(self.read())]}
                write_private(self._path, json.dumps(wanted, indent=1).encode())
        except (OSError, Timeout) as error:
            raise UserError(Message("shared.not_stored", path=self._path, reason=error)) from None


def write_private(path: Path, data: bytes) -> None:
    """Replace a file that only its user may read; several processes may do so at once.

    Raises:
        OSError: the disk does not hold it.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # for its user alone
    made = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        move_into_place(made, path)
    finally:
        with suppress(OSError):
            made.unlink(missing_ok=True)


def _address(entry: object) -> ServerAddress | None:
    match entry:
        case {"url": str(url), "tenant": str(tenant), "database": str(database), "ca_file": str(ca_file)}:
            with suppress(UserError):
                return server_address(url, tenant, database, ca_file)
    _log.warning("An entry of the subscriptions is not an address, and left out.")
    return None
