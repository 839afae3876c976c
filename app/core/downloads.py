"""Downloads models from the Hugging Face hub, in a child process.

A child can be cancelled while a connection hangs. What has arrived is kept under the digest it should have,
and gets its name only once it has that digest.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from app.config.files import sha256_of
from app.core.sandbox import ChildFailed, Sandbox
from app.domain.errors import ConnectionTrouble, LecternError, ServerBusy, UserError
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from httpx2 import Client

    from app.domain.cancel import CancelToken

_LIMIT = 86_400.0  # seconds; slow connections need hours
_MEGABYTE = 1_000_000
_ENDPOINT = "https://huggingface.co"
_CHUNK = 2**18  # bytes written at a time; what is lost and not shown meanwhile, on a slow connection
_TIMEOUT = 20.0  # seconds without an answer
_POLL = 0.1  # seconds between two looks at the token while waiting
_BUSY = (408, 425, 429)
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))

# A child gets no variables that hold a password, as the address of a proxy may: these are sent to it.
_CONNECTION = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "HF_ENDPOINT")

_log = logging.getLogger(__name__)


class HubFile(NamedTuple):
    """A published file; ``digest`` is its sha256."""

    path: str
    size: int
    digest: str

    def is_at(self, place: Path) -> bool:
        return place.is_file() and place.stat().st_size == self.size and sha256_of(place) == self.digest


class Snapshot(NamedTuple):
    """The files of one revision of a model, and the prompts that its files leave out."""

    name: str
    revision: str
    files: tuple[HubFile, ...]
    prompts: tuple[tuple[str, str], ...] = ()
    is_converted: bool = False  # needs as much room again while something is made of it

    @property
    def short_name(self) -> str:
        return self.name.rpartition("/")[2]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def download(
    snapshot: Snapshot, folder: Path, token: CancelToken, progress: Callable[[Message], None]
) -> None:
    """Download files into a folder; ``progress`` receives how far it is, at each percent.

    Raises:
        UserError: the disk does not hold them. What has arrived is kept.
        ConnectionTrouble, ServerBusy: the server was not reached, or sent something else. What has arrived
            is kept, as it is when this is cancelled.
    """
    connection = {name: value for name, value in os.environ.items() if name.upper() in _CONNECTION}
    try:
        with Sandbox("download", seconds=_LIMIT, memory=None, network=True) as sandbox:
            sandbox.call(bool, fetch, snapshot, folder, connection, token=token, progress=progress)
    except ChildFailed as error:
        raise ConnectionTrouble(Message("embedding.download_failed", name=snapshot.short_name)) from error


@contextmanager
def one_at_a_time(target: Path, token: CancelToken) -> Iterator[None]:
    """Make a second Lectern wait for the first to make something instead of making it too."""
    lock = FileLock(target.with_name(f"{target.name}.lock"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        while not lock.is_locked:
            token.check()
            with suppress(Timeout):
                lock.acquire(timeout=_POLL)
    except (OSError, NotImplementedError) as error:
        # Without the lock only time is lost: the result is put into place in one step.
        _log.info("%s is made without a lock: %s", target.name, error)
    try:
        yield
    finally:
        lock.release()


def fetch(
    snapshot: Snapshot, folder: Path, connection: dict[str, str], progress: Callable[[Message], None]
) -> None:
    """Download files, in the child, with these variables; raises as :func:`download` does."""
    os.environ.update(connection)
    try:
        Download(snapshot, folder, progress).run()
    except LecternError:
        raise
    except Exception as error:  # without its text, in which a proxy's password may stand
        _log.warning("The download failed: %s", type(error).__name__)
        raise


class Download:
    """One attempt to download a model into a folder; files that are there are not fetched again.

    Args:
        snapshot: the files.
        folder: receives the files; what is unfinished lies beside them.
        progress: receives a message at each percent.
    """

    def __init__(self, snapshot: Snapshot, folder: Path, progress: Callable[[Message], None]) -> None:
        self._snapshot = snapshot
        self._folder = folder
        self._progress = progress
        self._endpoint = (os.environ.get("HF_ENDPOINT") or _ENDPOINT).rstrip("/")
        self._done = 0
        self._percent = -1

    def run(self) -> None:
        """Download and check everything; raises as :func:`download` does."""
        import httpx2

        with self._client() as client:
            about = {"name": self._snapshot.name, "host": urlsplit(self._endpoint).hostname}
            try:
                self._run(client)
            except httpx2.HTTPStatusError as error:
                raise _refusal(error.response.status_code, about) from error
            except httpx2.HTTPError as error:
                _log.info("The hub was not reached: %s: %s", type(error).__name__, error)
                raise ConnectionTrouble(Message("embedding.hub_not_reached", **about)) from error
            except (ValueError, KeyError) as error:
                _log.info("The hub's answer could not be read: %s: %s", type(error).__name__, error)
                raise ConnectionTrouble(Message("embedding.hub_answers_otherwise", **about)) from error
            except OSError as error:
                raise UserError(not_written(self._folder, error)) from error

    def _client(self) -> Client:
        """Refuse what the environment says of hub, proxy and certificates if no connection can be tried."""
        import httpx2

        try:
            parts = urlsplit(self._endpoint)
            if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
                raise ValueError("the address of the hub is none")
            return httpx2.Client(
                follow_redirects=True, timeout=_TIMEOUT, headers={"Accept-Encoding": "identity"}
            )
        except Exception as error:  # even those of a missing library
            _log.info("No connection can be tried: %s", type(error).__name__)
            raise ConnectionTrouble(
                Message("embedding.hub_unusable_address", name=self._snapshot.name)
            ) from error

    def _run(self, client: Client) -> None:
        files = self._snapshot.files
        missing = [file for file in files if not file.is_at(self._folder / file.path)]
        self._done = self._snapshot.size - sum(file.size - self._size_so_far(file) for file in missing)
        self._check_space()
        self._tell()
        for file in missing:
            self._fetch(client, file)
        if self._snapshot.prompts:
            config = self._folder / "config_sentence_transformers.json"
            config.write_text(json.dumps({"prompts": dict(self._snapshot.prompts)}), encoding="utf-8")

    def _check_space(self) -> None:
        """Refuse unless there is room for the rest of the download and what is made from it."""
        self._folder.mkdir(parents=True, exist_ok=True)
        total = self._snapshot.size
        needed = total - self._done + (total if self._snapshot.is_converted else 0)
        free = shutil.disk_usage(self._folder).free
        if self._done < total and needed > free:
            sizes = {"needed": -(-needed // _MEGABYTE), "free": free // _MEGABYTE}
            raise UserError(Message("embedding.no_room", folder=self._folder, **sizes))

    def _fetch(self, client: Client, file: HubFile) -> None:
        import httpx2

        part, target = self._part(file), self._folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        while (begin := self._size_so_far(file)) < file.size:
            try:
                self._receive(client, file, begin)
            except httpx2.TransportError:  # taken up again as long as something arrives
                if self._size_so_far(file) <= begin:
                    raise
        if not file.is_at(part):
            part.unlink()
            raise ConnectionTrouble(
                Message("embedding.download_damaged", file=file.path, name=self._snapshot.name)
            )
        part.replace(target)

    def _receive(self, client: Client, file: HubFile, begin: int) -> None:
        url = f"{self._endpoint}/{self._snapshot.name}/resolve/{self._snapshot.revision}/{file.path}"
        headers = {"Range": f"bytes={begin}-"} if begin else {}
        with client.stream("GET", url, headers=headers) as response:
            response.raise_for_status()
            start = begin if response.status_code == 206 else 0
            # The page of a captive portal must not take the place of what has arrived.
            if int(response.headers["content-length"]) != file.size - start:
                raise ValueError(f"{url} is not the file that was published")
            self._received(start - begin)
            with self._part(file).open("ab" if start else "wb") as unfinished:
                for chunk in response.iter_raw(_CHUNK):
                    unfinished.write(chunk)
                    self._received(len(chunk))

    def _part(self, file: HubFile) -> Path:
        return self._folder / f"{file.digest[:16]}.part"

    def _size_so_far(self, file: HubFile) -> int:
        part = self._part(file)
        size = part.stat().st_size if part.is_file() else 0
        if size > file.size:
            part.unlink()
            return 0
        return size

    def _received(self, size: int) -> None:
        self._done += size
        self._tell()

    def _tell(self) -> None:
        total = self._snapshot.size
        percent = 100 * self._done // total
        if percent != self._percent:
            self._percent = percent
            sizes = {"done": self._done // _MEGABYTE, "total": -(-total // _MEGABYTE)}
            name = self._snapshot.short_name
            self._progress(Message("embedding.downloading", name=name, percent=percent, **sizes))


def _refusal(status: int, about: dict[str, str | None]) -> LecternError:
    if status in _BUSY or status >= 500:
        return ServerBusy(Message("embedding.hub_busy", status=status, **about))
    return ConnectionTrouble(Message("embedding.hub_answers_otherwise", **about))


def not_written(folder: Path, error: OSError) -> Message:
    if error.errno in _FULL:
        return Message("embedding.disk_full", folder=folder)
    return Message("embedding.cannot_prepare_in", folder=folder, reason=error.strerror or str(error))
