"""Which libraries on servers are subscribed to: a file in the data directory, without their tokens."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from filelock import FileLock, Timeout

from app.config.files import private_directory, private_file, replacing
from app.domain.errors import UserError
from app.domain.messages import Message
from app.features.shared.model import server_address

if TYPE_CHECKING:
    from pathlib import Path

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
            return tuple(self._read().values())
        except OSError as error:
            _log.warning("The subscriptions in %s cannot be read (%s).", self._path, error)
            return ()

    def add(self, new: Subscribed) -> None:
        """Add a subscription at the end, or replace the one with its key.

        Raises UserError if it cannot be stored.
        """
        self._change(new.address, new)

    def remove(self, address: ServerAddress) -> None:
        """Remove a subscription; raises UserError if that cannot be stored."""
        self._change(address, None)

    def _read(self) -> dict[str, Subscribed]:
        """Return the subscriptions by their keys; raises OSError if the file cannot be read."""
        try:
            with self._path.open("rb") as file:
                entries = json.loads(file.read(_LARGEST))["libraries"]
            found = list(filter(None, map(_subscribed, entries)))
        except FileNotFoundError:
            return {}
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            _log.warning("The subscriptions in %s cannot be read (%s).", self._path, type(error).__name__)
            return {}
        return {one.address.key: one for one in found}

    def _change(self, address: ServerAddress, new: Subscribed | None) -> None:
        try:
            private_directory(self.folder)
            private_file(self.folder / "lock")
            with FileLock(self.folder / "lock", timeout=_PATIENCE):
                known = self._read()
                if new is not None:
                    known[address.key] = new
                else:
                    known.pop(address.key, None)
                entries = [asdict(one.address) | _only_if_so(one) for one in known.values()]
                write_private(self._path, json.dumps({"libraries": entries}, indent=1).encode())
        except (OSError, Timeout) as error:
            raise UserError(Message("shared.not_stored", path=self._path, reason=error)) from None


def write_private(path: Path, data: bytes) -> None:
    """Replace a file that only its user may read; raises OSError if the disk does not hold it."""
    with replacing(path) as unfinished:
        private_file(unfinished)
        unfinished.write_bytes(data)


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
