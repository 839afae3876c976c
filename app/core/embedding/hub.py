"""Downloads a model from the Hugging Face hub, in a child process.

A child can be cancelled while a connection hangs, and takes the hub's libraries with it when it ends. What
has arrived is kept under the digest it should have, so that the next attempt goes on from there, and gets
its name only once it has that digest. Only this module imports huggingface_hub.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from app.core.child_process import ChildDied, ChildProcess, ChildTimedOut
from app.core.embedding.hub_files import PINNED, HubFile, Snapshot, listed
from app.core.embedding.model_export import one_at_a_time
from app.core.embedding.model_files import download_folder, is_downloaded, record_download
from app.domain.embedding_models import HubModel
from app.domain.errors import ConnectionTrouble, LecternError, ModelMissing, ServerBusy, UserError
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.domain.cancel import CancelToken
    from app.domain.embedding_models import ModelChoice

_LIMIT = 86_400.0  # seconds; slow connections need hours
_MEGABYTE = 1_000_000
_CHUNK = 2**18  # bytes written at a time; what is lost and not shown meanwhile, on a slow connection
_TIMEOUT = 20.0  # seconds without an answer
_BUSY = (408, 425, 429)
_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))

# Nothing is reported, no stored token is read, and files come by plain HTTP, which can be resumed.
_QUIET = {
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "HF_HUB_DISABLE_XET": "1",
    "HF_HUB_VERBOSITY": "critical",
    "DO_NOT_TRACK": "1",
}
# A child gets no variables that hold a password, as the address of a proxy may: these are sent to it.
_CONNECTION = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "HF_ENDPOINT")
_ERRORS: dict[str, type[LecternError]] = {
    kind.__name__: kind for kind in (ModelMissing, UserError, ConnectionTrouble, ServerBusy)
}

_log = logging.getLogger(__name__)


def download(
    model: HubModel, cache_dir: Path, token: CancelToken, progress: Callable[[Message], None]
) -> None:
    """Download a model unless it is there; ``progress`` receives how far it is, at each percent.

    Raises:
        ModelMissing: there is no such model, or it cannot be used.
        UserError: the disk does not hold it. What has arrived is kept.
        ConnectionTrouble, ServerBusy: the server was not reached, or sent something else. What has arrived
            is kept, as it is when this is cancelled.
    """
    folder = download_folder(model, cache_dir)
    with one_at_a_time(folder, token):
        if is_downloaded(model, cache_dir):  # maybe by another Lectern, just now
            return
        _ask_child(model, folder, token, progress)
        try:
            record_download(model, cache_dir)
        except OSError as error:
            raise UserError(_not_written(folder, error)) from error


def delete_unused(chosen: ModelChoice, cache_dir: Path) -> None:
    """Delete what was downloaded of models other than ``chosen`` and not exported; an export has no weights.

    What another Lectern is downloading stays.
    """
    kept = download_folder(chosen, cache_dir) if isinstance(chosen, HubModel) else None
    for folder in (cache_dir / "models" / "hub").glob("*/"):
        if folder == kept:
            continue
        with suppress(Timeout, OSError), FileLock(folder.with_name(f"{folder.name}.lock"), timeout=0):
            for path in (*folder.rglob("*.part"), *folder.rglob("*.safetensors")):
                path.unlink()


def _ask_child(
    model: HubModel, folder: Path, token: CancelToken, progress: Callable[[Message], None]
) -> None:
    connection = {name: value for name, value in os.environ.items() if name.upper() in _CONNECTION}
    request = json.dumps([model.name, str(folder), connection])
    child = ChildProcess(_answer_request, "lectern-download", seconds=_LIMIT, network=True)
    try:
        reply = child.ask(request.encode(), token, lambda step: progress(Message.from_json(step.decode())))
    except (ChildDied, ChildTimedOut) as error:
        raise ConnectionTrouble(Message("embedding.download_failed", name=model.short_name)) from error
    finally:
        child.close()
    if reply:
        kind, message = json.loads(reply)
        raise _ERRORS[kind](Message.from_json(message))


def _answer_request(request: bytes, note: Callable[[bytes], None]) -> bytes:
    """Download in the child; return nothing, or the kind of error and its message."""
    name, folder, connection = json.loads(request)
    os.environ.update(connection | _QUIET)
    try:
        Download(name, Path(folder), lambda step: note(step.to_json().encode())).run()
    except LecternError as error:
        return json.dumps([type(error).__name__, error.message.to_json()]).encode()
    except Exception as error:  # without its text, in which a proxy's password may stand
        _log.warning("The download failed: %s", type(error).__name__)
        raise
    return b""


class Download:
    """One attempt to download a model into a folder; files that are there are not fetched again.

    Args:
        name: of the model, with its owner.
        folder: receives the files; what is unfinished lies beside them.
        progress: receives a message at each percent.
        endpoint: address of the hub; by default, what ``HF_ENDPOINT`` says, or the public one.
        pinned: models that are taken in one revision.
    """

    def __init__(
        self,
        name: str,
        folder: Path,
        progress: Callable[[Message], None],
        endpoint: str | None = None,
        pinned: dict[str, Snapshot] = PINNED,
    ) -> None:
        from huggingface_hub import constants

        constants.DOWNLOAD_CHUNK_SIZE = _CHUNK
        self._name = name
        self._folder = folder
        self._progress = progress
        self._endpoint = (endpoint or constants.ENDPOINT).rstrip("/")
        self._pinned = pinned.get(name)
        self._done = self._total = 0
        self._percent = -1

    def run(self) -> None:
        """Download and check everything; raises as :func:`download` does."""
        self._check_connection()
        from huggingface_hub.errors import (  # type: ignore[attr-defined]
            FileMetadataError,
            HfHubHTTPError,
            HTTPError,  # of its connections
            OfflineModeIsEnabled,
        )

        host = urlsplit(self._endpoint).hostname or self._endpoint
        about = {"name": self._name, "host": host}
        try:
            self._run()
        except LecternError:
            raise
        except OfflineModeIsEnabled as error:
            raise ConnectionTrouble(Message("embedding.hub_offline")) from error
        except HfHubHTTPError as error:
            raise _refusal(error.response.status_code, about) from error
        except HTTPError as error:
            _log.info("The hub was not reached: %s: %s", type(error).__name__, error)
            raise ConnectionTrouble(Message("embedding.hub_not_reached", **about)) from error
        except (FileMetadataError, ValueError, TypeError, KeyError) as error:
            _log.info("The hub's answer could not be read: %s: %s", type(error).__name__, error)
            raise ConnectionTrouble(Message("embedding.hub_answers_otherwise", **about)) from error
        except OSError as error:
            if error.errno is None:  # the hub's library found fewer bytes than were announced
                raise ConnectionTrouble(Message("embedding.hub_not_reached", **about)) from error
            raise UserError(_not_written(self._folder, error)) from error

    def _check_connection(self) -> None:
        """Refuse what the environment says of hub, proxy and certificates if no connection can be tried."""
        try:
            parts = urlsplit(self._endpoint)
            if parts.scheme not in ("http", "https") or not parts.hostname or parts.port == 0:
                raise ValueError("the address of the hub is none")
            from huggingface_hub.utils import get_session  # type: ignore[attr-defined]

            get_session()
        except Exception as error:  # the errors of its HTTP library have no common base
            _log.info("No connection can be tried: %s", type(error).__name__)
            raise ConnectionTrouble(Message("embedding.hub_unusable_address", name=self._name)) from error

    def _run(self) -> None:
        snapshot = self._pinned or self._list()
        missing = [file for file in snapshot.files if not file.is_at(self._folder / file.path)]
        self._total = snapshot.size
        self._done = self._total - sum(file.size - self._size_so_far(file) for file in missing)
        self._check_space(snapshot)
        self._tell()
        for file in missing:
            self._fetch(file, snapshot.revision)
        if snapshot.prompts:
            config = self._folder / "config_sentence_transformers.json"
            config.write_text(json.dumps({"prompts": dict(snapshot.prompts)}), encoding="utf-8")

    def _list(self) -> Snapshot:
        from huggingface_hub import HfApi

        api = HfApi(self._endpoint, token=False)
        info = api.model_info(self._name, files_metadata=True, timeout=_TIMEOUT)
        snapshot = listed(info.sha, info.siblings or ())
        if not any(file.path.endswith(".safetensors") for file in snapshot.files):
            raise ModelMissing(Message("embedding.hub_no_weights", name=self._name))
        return snapshot

    def _check_space(self, snapshot: Snapshot) -> None:
        """Refuse unless there is room for the rest, and for the model once more while it is exported."""
        self._folder.mkdir(parents=True, exist_ok=True)
        needed, free = 2 * self._total - self._done, shutil.disk_usage(self._folder).free
        if self._done < self._total and needed > free:
            sizes = {"needed": -(-needed // _MEGABYTE), "free": free // _MEGABYTE}
            raise UserError(Message("embedding.no_room", folder=self._folder, **sizes))

    def _fetch(self, file: HubFile, revision: str) -> None:
        from huggingface_hub import get_hf_file_metadata, hf_hub_url
        from huggingface_hub.file_download import http_get
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

        url = hf_hub_url(self._name, file.path, revision=revision, endpoint=self._endpoint)
        # Asked first: the page of a captive portal must not take the place of what has arrived.
        metadata = get_hf_file_metadata(url, token=False, timeout=_TIMEOUT, endpoint=self._endpoint)
        if metadata.commit_hash is None or metadata.size not in (None, file.size):
            raise ValueError(f"{url} is not the file that was published")
        part, target = self._part(file), self._folder / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        headers = build_hf_headers(token=False) | {"Accept-Encoding": "identity"}
        with part.open("ab") as unfinished:
            http_get(
                url,
                unfinished,
                resume_size=self._size_so_far(file),
                headers=headers,
                expected_size=file.size,
                tqdm_class=partial(_Counter, file.size, self._received),  # type: ignore[arg-type]
            )
        if not file.is_at(part):
            part.unlink()
            raise ConnectionTrouble(Message("embedding.download_damaged", file=file.path, name=self._name))
        part.replace(target)

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
        percent = 100 * self._done // self._total if self._total else 100
        if percent != self._percent:
            self._percent = percent
            sizes = {"done": self._done // _MEGABYTE, "total": -(-self._total // _MEGABYTE)}
            name = self._name.rpartition("/")[2]
            self._progress(Message("embedding.downloading", name=name, percent=percent, **sizes))


class _Counter:
    """What the hub's library takes for a progress bar; fails once more arrives than was announced."""

    def __init__(self, limit: int, report: Callable[[int], None], *, initial: int = 0, **_: object) -> None:
        self._left = limit - initial
        self._report = report

    def __enter__(self) -> _Counter:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def update(self, size: int) -> None:
        """Count what has arrived; negative if it has to be fetched again."""
        self._left -= size
        if self._left < 0:
            raise ValueError("the file is longer than was announced")
        self._report(size)


def _refusal(status: int, about: dict[str, str]) -> LecternError:
    if status in (401, 403):
        return ModelMissing(Message("embedding.hub_refuses", **about))
    if status in (404, 410):
        return ModelMissing(Message("embedding.hub_has_none", **about))
    if status in _BUSY or status >= 500:
        return ServerBusy(Message("embedding.hub_busy", status=status, **about))
    return ConnectionTrouble(Message("embedding.hub_answers_otherwise", **about))


def _not_written(folder: Path, error: OSError) -> Message:
    if error.errno in _FULL:
        return Message("embedding.disk_full", folder=folder)
    return Message("embedding.cannot_prepare_in", folder=folder, reason=error.strerror or str(error))
