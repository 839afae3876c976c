"""The file a library is exported to: a zip of a manifest, the settings, and a library file of its own."""

from __future__ import annotations

import errno
import hashlib
import json
import shutil
import stat
import zipfile
import zlib
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Any, Literal

from app import __version__
from app.config.files import private_file
from app.core.storage.database import LIBRARY_FILE
from app.core.storage.disk import SPARE
from app.core.storage.schema import SCHEMA_VERSION
from app.domain.errors import UserError
from app.domain.keeping import TransferProgress, TransferStep
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping
    from pathlib import Path

    from app.domain.cancel import CancelToken

_FORMAT, _FORMAT_VERSION = "lectern-library", 1
LIBRARY, SETTINGS, MANIFEST = LIBRARY_FILE, "settings.json", "manifest.json"
_SMALL = 1 << 20  # most bytes of the manifest and of the settings
_BLOCK = 1 << 20
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others raise errors of their own
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, LookupError, RuntimeError, ValueError)
_COUNTED = ("documents", "passages", "conversations")


class ArchiveUnusable(UserError):
    """The file is not a complete archive of a library that this Lectern supports."""


def write_archive(
    path: Path,
    library: Path,
    settings: Mapping[str, Any],
    cut: str | None,
    counts: Mapping[str, int],
    token: CancelToken,
) -> Iterator[TransferProgress]:
    """Pack a closed library file.

    Raises:
        OSError: the archive cannot be written.
    """
    private_file(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        part = json.dumps(dict(settings), indent=2, sort_keys=True).encode("utf-8")
        archive.writestr(SETTINGS, part)
        size = library.stat().st_size
        with library.open("rb") as file, archive.open(LIBRARY, "w", force_zip64=True) as packed:
            _, digest = yield from _copy(file, packed, size, TransferStep.PACKING, token)
        manifest = {
            "format": _FORMAT,
            "version": _FORMAT_VERSION,
            "schema": SCHEMA_VERSION,
            "lectern": __version__,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "cut": cut,
            "counts": dict(counts),
            "parts": {
                LIBRARY: {"size": size, "sha256": digest},
                SETTINGS: {"size": len(part), "sha256": hashlib.sha256(part).hexdigest()},
            },
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=2))


def _copy(
    source: IO[bytes], target: IO[bytes], size: int, step: TransferStep, token: CancelToken
) -> Generator[TransferProgress, None, tuple[int, str]]:
    """Copy ``size`` bytes, or one more if there are; return their number and checksum."""
    digest, done = hashlib.sha256(), 0
    while block := source.read(min(_BLOCK, size + 1 - done)):
        token.check()
        digest.update(block)
        target.write(block)
        done += len(block)
        yield TransferProgress(step, done, size)
    return done, digest.hexdigest()


class LibraryArchive:
    """An archive to import, open until :meth:`close`.

    Attributes:
        cut: index version it was made with (embedding model and passage sizes); None without documents.
        counts: documents, passages and conversations.
        settings: by name.

    Raises:
        ArchiveUnusable: it is truncated, changed, of another kind or from a newer Lectern.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            mode = path.stat().st_mode
            if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # opening a pipe would wait for ever
                raise OSError(errno.EINVAL, "Not a regular file")
            with ExitStack() as opened:
                self._zip = opened.enter_context(zipfile.ZipFile(path))
                self._examine()
                opened.pop_all()
        except OSError as error:
            reason = error.strerror or error
            message = Message("transfer.archive_unreadable", path=path, reason=reason)
            raise ArchiveUnusable(message) from error
        except _UNREADABLE as error:
            raise self.refused("foreign") from error

    def close(self) -> None:
        self._zip.close()

    def unpack(self, target: Path, token: CancelToken) -> Iterator[TransferProgress]:
        """Write the library file to ``target`` and verify its checksum.

        Raises:
            ArchiveUnusable: it differs from the manifest, or there is no room for it.
        """
        name, size = self._path.name, self._size
        if shutil.disk_usage(target.parent).free < 2 * size + SPARE:
            directory = target.parent.parent
            raise ArchiveUnusable(Message("transfer.no_room", directory=directory, name=name))
        try:
            with self._zip.open(LIBRARY) as packed, target.open("wb") as file:
                unpacked = yield from _copy(packed, file, size, TransferStep.CHECKING, token)
        except _UNREADABLE as error:
            raise self.refused("damaged") from error
        except OSError as error:
            reason = error.strerror or error
            raise ArchiveUnusable(Message("transfer.unpacking_failed", name=name, reason=reason)) from error
        if unpacked != (size, self._sha256):
            raise self.refused("damaged")

    def refused(self, why: Literal["damaged", "inconsistent", "newer", "foreign"]) -> ArchiveUnusable:
        return ArchiveUnusable(Message(f"transfer.archive_{why}", path=self._path))

    def _examine(self) -> None:
        if any(part.compress_type not in _COMPRESSIONS for part in self._zip.infolist()):
            raise self.refused("foreign")
        manifest = json.loads(self._read_small(MANIFEST))
        if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
            raise self.refused("foreign")
        try:
            if manifest["version"] > _FORMAT_VERSION or manifest["schema"] > SCHEMA_VERSION:
                raise self.refused("newer")
            parts, self.cut, self.counts = manifest["parts"], manifest["cut"], manifest["counts"]
            settings = self._read_small(SETTINGS)
            self.settings, library = json.loads(settings), self._zip.getinfo(LIBRARY)
            self._size, self._sha256 = library.file_size, parts[LIBRARY]["sha256"]
            if not (
                sorted(self._zip.namelist()) == sorted((LIBRARY, SETTINGS, MANIFEST))
                and hashlib.sha256(settings).hexdigest() == parts[SETTINGS]["sha256"]
                and parts[LIBRARY]["size"] == self._size
                and isinstance(self.settings, dict)
                and isinstance(self.cut, str | None)
                and all(isinstance(self.counts[name], int) for name in _COUNTED)
            ):
                raise self.refused("damaged")
        except (TypeError, *_UNREADABLE) as error:
            raise self.refused("damaged") from error

    def _read_small(self, name: str) -> bytes:
        with self._zip.open(name) as part:
            data = part.read(_SMALL + 1)
        if len(data) > _SMALL:
            raise self.refused("damaged")
        return data
