"""Which libraries on servers are subscribed to: a file in the data directory, without their tokens."""

from __future__ import annotations

import json
import logging
import os
import tempfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from filelock import FileLock, Timeout

from app.config.files import move_into_place, private_directory, private_file
from app.domain.errors import UserError
from app.domain.messages import Message
from app.features.shared.model import server_address

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.domain.shared import ServerAddress

FOLDER = "shared"
_PATIENCE = 5.0  # seconds for another process, which holds the file for milliseconds
_LARGEST = 2**20  # bytes of a file of subscriptions, which has about a hundred for each

_log = logging.getLogger(__name__)


class Subscribed(NamedTuple):
    address: ServerAddress
    asks_environment: bool = False  # for its token, which no keychain has taken


class SubscriptionFile:
    """The subscriptions as they were added. A window and commands change the file side by side."""

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

    def read(self) -> tuple[Subscribed, ...]:
        """Return the subscriptions; what cannot be understood is logged and left out."""
        try:
            return self._read()
        except OSError as error:
            self._warn(error)
            return ()

    def _read(self) -> tuple[Subscribed, ...]:
        """Return the subscriptions as read does; raises OSError if the file cannot be read."""
        try:
            with self._path.open("rb") as file:
                entries = json.loads(file.read(_LARGEST))["libraries"]
            found = [_subscribed(entry) for entry in entries]
        except FileNotFoundError:
            return ()
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            self._warn(error)
            return ()
        return tuple({one.address.key: one for one in found if one is not None}.values())

    def add(self, new: Subscribed) -> None:
        """Add a subscription at the end, or replace the one with its key.

        Raises UserError if it cannot be stored.
        """

        def with_it(known: Sequence[Subscribed]) -> list[Subscribed]:
            if any(one.address.key == new.address.key for one in known):
                return [new if one.address.key == new.address.key else one for one in known]
            return [*known, new]

        self._change(with_it)

    def remove(self, address: ServerAddress) -> None:
        """Remove a subscription; raises UserError if that cannot be stored."""
        self._change(lambda known: [one for one in known if one.address.key != address.key])

    def _warn(self, error: Exception) -> None:
        _log.warning("The subscriptions in %s cannot be read (%s).", self._path, type(error).__name__)

    def _change(self, change: Callable[[Sequence[Subscribed]], list[Subscribed]]) -> None:
        try:
            private_directory(self.folder)
            private_file(self.folder / "lock")
            with FileLock(self.folder / "lock", timeout=_PATIENCE):
                entries = [asdict(one.address) | _only_if_so(one) for one in change(self._read())]
                write_private(self._path, json.dumps({"libraries": entries}, indent=1).encode())
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


def _only_if_so(one: Subscribed) -> dict[str, bool]:
    return {"asks_environment": True} if one.asks_environment else {}


def _subscribed(entry: object) -> Subscribed | None:
    if isinstance(entry, dict):
        names = ("url", "tenant", "database", "ca_file")
        with suppress(UserError, KeyError, AttributeError, TypeError):
            address = server_address(*(entry[name] for name in names))
            return Subscribed(address, asks_environment=bool(entry.get("asks_environment")))
    _log.warning("An entry of the subscriptions is not an address, and left out.")
    return None
