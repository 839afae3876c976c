"""The file a library is exported to: a zip of a manifest, the settings, and a library file of its own."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from app import __version__
from app.core.storage.database import LIBRARY_FILE
from app.core.storage.schema import SCHEMA_VERSION
from app.domain.errors import UserError
from app.domain.messages import Message
from app.domain.transfer import TransferProgress, TransferStep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from app.domain.cancel import CancelToken

FORMAT, FORMAT_VERSION = "lectern-library", 1
LIBRARY, SETTINGS, MANIFEST = LIBRARY_FILE, "settings.json", "manifest.json"
_SMALL = 1 << 20  # most bytes of the manifest and of the settings
_BLOCK = 1 << 20
_SPARE = 64 << 20  # bytes of the disk that stay free
_MAX_RATIO = 200  # a library compresses to a half or a third; this is a zip bomb
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


class ArchiveUnusable(UserError):
    """The file is not a complete archive of a library that this Lectern supports."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive says about itself.

    Attributes:
        cut: index version it was made with (embedding model and passage sizes); None without documents.
        counts: documents, passages and conversations.
        settings: by name.
        library_size: bytes of the library file in it.
        library_sha256: its checksum.
    """

    cut: str | None
    counts: Mapping[str, int]
    settings: Mapping[str, Any]
    library_size: int
    library_sha256: str


def write_archive(
    path: Path,
    library: Path,
    settings: Mapping[str, Any],
    cut: str | None,
    counts: Mapping[str, int],
    token: CancelToken,
) -> Iterator[TransferProgress]:
    """Pack a closed library file; the file at ``path`` is replaced once the archive is complete.

    Raises:
        UserError: the archive cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.part")
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            settings_part = json.dumps(dict(settings), indent=2, sort_keys=True).encode("utf-8")
            archive.writestr(SETTINGS, settings_part)
            digest, done, size = hashlib.sha256(), 0, library.stat().st_size
            with library.open("rb") as file, archive.open(LIBRARY, "w", force_zip64=True) as packed:
                while block := file.read(_BLOCK):
                    token.check()
                    digest.update(block)
                    packed.write(block)
                    done += len(block)
                    yield TransferProgress(TransferStep.PACKING, done, size)
            manifest = {
                "format": FORMAT,
                "version": FORMAT_VERSION,
                "schema": SCHEMA_VERSION,
                "lectern": __version__,
                "created": datetime.now(UTC).isoformat(timespec="seconds"),
                "cut": cut,
                "counts": dict(counts),
                "parts": {
                    LIBRARY: {"size": done, "sha256": digest.hexdigest()},
                    SETTINGS: {
                        "size": len(settings_part),
                        "sha256": hashlib.sha256(settings_part).hexdigest(),
                    },
                },
            }
            archive.writestr(MANIFEST, json.dumps(manifest, indent=2))
        unfinished.replace(path)
    except OSError as error:
        raise export_failed(path, error) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def export_failed(path: Path, error: OSError) -> UserError:
    return UserError(Message("transfer.export_failed", path=path, reason=error.strerror or error))


class LibraryArchive:
    """An archive to import; use it as a context.

    Raises:
        ArchiveUnusable: it is truncated, changed, of another kind or from a newer Lectern.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except OSError as error:
            reason = error.strerror or error
            raise ArchiveUnusable(Message("transfer.archive_unreadable", path=path, reason=reason)) from error
        except _UNREADABLE as error:
            raise self._foreign() from error
        try:
            self.contents = self._examine()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> LibraryArchive:
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    def unpack(self, target: Path, token: CancelToken) -> Iterator[TransferProgress]:
        """Write the library file to ``target`` and verify its checksum.

        Raises:
            ArchiveUnusable: it differs from the manifest, or there is no room for it.
        """
        size = self.contents.library_size
        if shutil.disk_usage(target.parent).free < 2 * size + _SPARE:
            directory = target.parent.parent
            message = Message("transfer.no_room", directory=directory, name=self._path.name)
            raise ArchiveUnusable(message)
        digest, done = hashlib.sha256(), 0
        try:
            with self._zip.open(LIBRARY) as packed, target.open("wb") as file:
                while block := packed.read(min(_BLOCK, size - done + 1)):
                    token.check()
                    done += len(block)
                    if done > size:
                        raise self.damaged()
                    digest.update(block)
                    file.write(block)
                    yield TransferProgress(TransferStep.CHECKING, done, size)
        except _UNREADABLE as error:
            raise self.damaged() from error
        except OSError as error:
            reason = error.strerror or error
            message = Message("transfer.unpacking_failed", name=self._path.name, reason=reason)
            raise ArchiveUnusable(message) from error
        if (done, digest.hexdigest()) != (size, self.contents.library_sha256):
            raise self.damaged()

    def damaged(self) -> ArchiveUnusable:
        """Return the error for contents that cannot be trusted."""
        return ArchiveUnusable(Message("transfer.archive_damaged", path=self._path))

    def inconsistent(self) -> ArchiveUnusable:
        """Return the error for a library file that contradicts itself."""
        return ArchiveUnusable(Message("transfer.archive_inconsistent", path=self._path))

    def newer(self) -> ArchiveUnusable:
        """Return the error for an archive that this Lectern is too old for."""
        return ArchiveUnusable(Message("transfer.archive_newer", path=self._path))

    def _examine(self) -> Contents:
        try:
            manifest = json.loads(self._read_small(MANIFEST))
            if not isinstance(manifest, dict) or manifest["format"] != FORMAT:
                raise self._foreign()
            if manifest["version"] > FORMAT_VERSION or manifest["schema"] > SCHEMA_VERSION:
                raise self.newer()
            infos = {info.filename: info for info in self._zip.infolist()}
            parts, counts, cut = manifest["parts"], manifest["counts"], manifest["cut"]
            names = {LIBRARY, SETTINGS, MANIFEST}
            if set(infos) != names or len(self._zip.infolist()) != len(names):
                raise self.damaged()
            settings_part = self._read_small(SETTINGS)
            settings, library = json.loads(settings_part), infos[LIBRARY]
            size, sha256 = parts[LIBRARY]["size"], parts[LIBRARY]["sha256"]
            if not (
                hashlib.sha256(settings_part).hexdigest() == parts[SETTINGS]["sha256"]
                and isinstance(settings, dict)
                and isinstance(cut, str | None)
                and isinstance(sha256, str)
                and all(isinstance(counts[name], int) for name in ("documents", "passages", "conversations"))
                and library.file_size == size <= _MAX_RATIO * library.compress_size
            ):
                raise self.damaged()
        except (KeyError, TypeError, *_UNREADABLE) as error:
            raise self.damaged() if self._is_ours() else self._foreign() from error
        return Contents(cut, counts, settings, size, sha256)

    def _read_small(self, name: str) -> bytes:
        with self._zip.open(name) as part:
            data = part.read(_SMALL + 1)
        if len(data) > _SMALL:
            raise self.damaged()
        return data

    def _is_ours(self) -> bool:
        try:
            with self._zip.open(MANIFEST) as part:
                return FORMAT.encode() in part.read(_SMALL)
        except (KeyError, *_UNREADABLE):
            return False

    def _foreign(self) -> ArchiveUnusable:
        return ArchiveUnusable(Message("transfer.archive_foreign", path=self._path))
