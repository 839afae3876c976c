"""Downloads the model for all languages from the Hugging Face hub, in a child process.

A child can be cancelled while a connection hangs, and takes the hub's libraries with it when it ends. The
hub's library does not resume what another process began: what has arrived is kept under the digest it
should have, and gets its name only once it has that digest. Only this module imports huggingface_hub.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from app.core.child_process import ChildFailed
from app.core.embedding.model_export import one_at_a_time
from app.core.embedding.model_files import download_folder, is_downloaded, record_download, sha256_of
from app.core.sandbox import Sandbox
from app.domain.embedding_models import HubModel
from app.domain.errors import ConnectionTrouble, LecternError, ServerBusy, UserError
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

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

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


MULTILINGUAL_FILES = Snapshot(
    "intfloat/multilingual-e5-small",
    "614241f622f53c4eeff9890bdc4f31cfecc418b3",
    (
        HubFile("modules.json", 387, "c6e29747481e8b5dd2b58401966aeac910de39092f90cda9a704b1545f902b04"),
        HubFile("config.json", 655, "69137736cab8b8903a07fe8afaafdda25aac55415a12a55d1bffa9f581abf959"),
        HubFile(
            "1_Pooling/config.json", 200, "987f7a67a38fa564c849bb5d277c52ab9088a84368fc0be31a354125aebb12a0"
        ),
        HubFile(
            "sentence_bert_config.json",
            57,
            "948201d8329907aae938fa62f9ceeed53f5694dacc2b87b9f3b78b37ee986529",
        ),
        HubFile(
            "special_tokens_map.json", 167, "d05497f1da52c5e09554c0cd874037a083e1dc1b9cfd48034d1c717f1afc07a7"
        ),
        HubFile(
            "tokenizer_config.json", 443, "a1d6bc8734a6f635dc158508bef000f8e2e5a759c7d92f984b2c86e5ff53425b"
        ),
        HubFile(
            "tokenizer.json", 17_082_730, "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"
        ),
        HubFile(
            "model.safetensors",
            470_641_600,
            "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
        ),
    ),
    # As its authors ask for, which its files do not say.
    (("query", "query: "), ("passage", "passage: ")),
)


def download(
    model: HubModel, cache_dir: Path, token: CancelToken, progress: Callable[[Message], None]
) -> None:
    """Download a model unless it is there; ``progress`` receives how far it is, at each percent.

    Raises:
        ModelMissing: it cannot be used.
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
    try:
        with Sandbox("download", seconds=_LIMIT, memory=None, network=True) as sandbox:
            sandbox.call(bool, fetch, MULTILINGUAL_FILES, folder, connection, token=token, progress=progress)
    except ChildFailed as error:
        raise ConnectionTrouble(Message("embedding.download_failed", name=model.short_name)) from error


def fetch(
    snapshot: Snapshot, folder: Path, connection: dict[str, str], progress: Callable[[Message], None]
) -> None:
    """Download files, in the child, with these variables; raises as :func:`download` does."""
    os.environ.update(connection | _QUIET)
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
        endpoint: address of the hub; by default, what ``HF_ENDPOINT`` says, or the public one.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        folder: Path,
        progress: Callable[[Message], None],
        endpoint: str | None = None,
    ) -> None:
        from huggingface_hub import constants

        constants.DOWNLOAD_CHUNK_SIZE = _CHUNK
        self._snapshot = snapshot
        self._folder = folder
        self._progress = progress
        self._endpoint = (endpoint or constants.ENDPOINT).rstrip("/")
        self._done = 0
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
        about = {"name": self._snapshot.name, "host": host}
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
            raise ConnectionTrouble(
                Message("embedding.hub_unusable_address", name=self._snapshot.name)
            ) from error

    def _run(self) -> None:
        files = self._snapshot.files
        missing = [file for file in files if not file.is_at(self._folder / file.path)]
        self._done = self._snapshot.size - sum(file.size - self._size_so_far(file) for file in missing)
        self._check_space()
        self._tell()
        for file in missing:
            self._fetch(file)
        if self._snapshot.prompts:
            config = self._folder / "config_sentence_transformers.json"
            config.write_text(json.dumps({"prompts": dict(self._snapshot.prompts)}), encoding="utf-8")

    def _check_space(self) -> None:
        """Refuse unless there is room for the rest, and for the model once more while it is exported."""
        self._folder.mkdir(parents=True, exist_ok=True)
        total = self._snapshot.size
        needed, free = 2 * total - self._done, shutil.disk_usage(self._folder).free
        if self._done < total and needed > free:
            sizes = {"needed": -(-needed // _MEGABYTE), "free": free // _MEGABYTE}
            raise UserError(Message("embedding.no_room", folder=self._folder, **sizes))

    def _fetch(self, file: HubFile) -> None:
        from huggingface_hub import get_hf_file_metadata, hf_hub_url
        from huggingface_hub.file_download import http_get
        from huggingface_hub.utils import build_hf_headers  # type: ignore[attr-defined]

        name, revision = self._snapshot.name, self._snapshot.revision
        url = hf_hub_url(name, file.path, revision=revision, endpoint=self._endpoint)
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
            raise ConnectionTrouble(Message("embedding.download_damaged", file=file.path, name=name))
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
        total = self._snapshot.size
        percent = 100 * self._done // total
        if percent != self._percent:
            self._percent = percent
            sizes = {"done": self._done // _MEGABYTE, "total": -(-total // _MEGABYTE)}
            name = self._snapshot.name.rpartition("/")[2]
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
    if status in _BUSY or status >= 500:
        return ServerBusy(Message("embedding.hub_busy", status=status, **about))
    return ConnectionTrouble(Message("embedding.hub_answers_otherwise", **about))


def _not_written(folder: Path, error: OSError) -> Message:
    if error.errno in _FULL:
        return Message("embedding.disk_full", folder=folder)
    return Message("embedding.cannot_prepare_in", folder=folder, reason=error.strerror or str(error))
