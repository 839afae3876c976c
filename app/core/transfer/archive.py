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
from app.core.storage.schema import SCHEMA_VERSION
from app.domain.errors import UserError
from app.domain.transfer import TransferProgress, TransferStep

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from app.domain.cancel import CancelToken

FORMAT, FORMAT_VERSION = "lectern-library", 1
LIBRARY, SETTINGS, MANIFEST = "library.sqlite3", "settings.json", "manifest.json"
_SMALL = 1 << 20  # bytes that manifest and settings may have
_BLOCK = 1 << 20
_SPARE = 64 << 20  # bytes of the disk that stay free
_MOST_PACKED = 200  # a library packs to a half or a third; a hundred times that is no library
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


class ArchiveUnusable(UserError):
    """The file is not a whole archive of a library that this Lectern knows."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive says of itself.

    Attributes:
        cut: with which embedding model and sizes of passages it was made; None without documents.
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
    """Pack a closed library file; what is at ``path`` is replaced once the archive is complete.

    Raises:
        UserError: it can not be written.
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
            parts = {
                LIBRARY: {"size": done, "sha256": digest.hexdigest()},
                SETTINGS: {
                    "size": len(settings_part),
                    "sha256": hashlib.sha256(settings_part).hexdigest(),
                },
            }
            manifest = {
                "format": FORMAT,
                "version": FORMAT_VERSION,
                "schema": SCHEMA_VERSION,
                "lectern": __version__,
                "created": datetime.now(UTC).isoformat(timespec="seconds"),
                "cut": cut,
                "counts": dict(counts),
                "parts": parts,
            }
            archive.writestr(MANIFEST, json.dumps(manifest, indent=2))
        unfinished.replace(path)
    except OSError as error:
        message = f"The library could not be written to {path} ({error.strerror or error})."
        raise UserError(message) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


class Archive:
    """An archive that is there to be imported; use it as a context.

    Raises:
        ArchiveUnusable: it is truncated, changed, of another kind or from a newer Lectern.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except OSError as error:
            message = f"{path} can not be read ({error.strerror or error})."
            raise ArchiveUnusable(message) from error
        except _UNREADABLE as error:
            message = f"{path} is not a library that Lectern exported, or it is damaged."
            raise ArchiveUnusable(message) from error
        try:
            self.contents = self._examine()
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> Archive:
        """Return it, open."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self._zip.close()

    def unpack(self, target: Path, token: CancelToken) -> Iterator[TransferProgress]:
        """Write the library file to ``target``, compared with its checksum.

        Raises:
            ArchiveUnusable: it is not what the manifest says, or there is no room for it.
        """
        size = self.contents.library_size
        if shutil.disk_usage(target.parent).free < 2 * size + _SPARE:
            message = f"There is not enough room on the disk of {target.parent.parent} for {self._path.name}."
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
            message = f"{self._path.name} could not be unpacked ({error.strerror or error})."
            raise ArchiveUnusable(message) from error
        if (done, digest.hexdigest()) != (size, self.contents.library_sha256):
            raise self.damaged()

    def damaged(self, reason: str = "") -> ArchiveUnusable:
        """Return the error that says its contents are not to be trusted."""
        why = f" ({reason.rstrip('.')})" if reason else ""
        return ArchiveUnusable(
            f"{self._path} is damaged or was changed since it was exported{why}; nothing was imported."
        )

    def newer(self) -> ArchiveUnusable:
        """Return the error that says this Lectern is too old for it."""
        return ArchiveUnusable(f"{self._path} was exported by a newer Lectern. Install that version first.")

    def _examine(self) -> Contents:
        try:
            manifest = json.loads(self._small(MANIFEST))
            if not isinstance(manifest, dict) or manifest["format"] != FORMAT:
                raise self._foreign()
            if manifest["version"] > FORMAT_VERSION or manifest["schema"] > SCHEMA_VERSION:
                raise self.newer()
            infos = {info.filename: info for info in self._zip.infolist()}
            parts, counts, cut = manifest["parts"], manifest["counts"], manifest["cut"]
            names = {LIBRARY, SETTINGS, MANIFEST}
            if set(infos) != names or len(self._zip.infolist()) != len(names):
                raise self.damaged()
            settings_part = self._small(SETTINGS)
            if hashlib.sha256(settings_part).hexdigest() != parts[SETTINGS]["sha256"]:
                raise self.damaged()
            settings, library = json.loads(settings_part), infos[LIBRARY]
            size, sha256 = parts[LIBRARY]["size"], parts[LIBRARY]["sha256"]
            whole = isinstance(settings, dict) and isinstance(cut, str | None) and isinstance(sha256, str)
            numbers = all(
                isinstance(counts[name], int) for name in ("documents", "passages", "conversations")
            )
            if not whole or not numbers or library.file_size != size:
                raise self.damaged()
            if size > _MOST_PACKED * library.compress_size:
                raise self.damaged()
        except (KeyError, TypeError, *_UNREADABLE) as error:
            raise self.damaged() if self._is_ours() else self._foreign() from error
        return Contents(cut, counts, settings, size, sha256)

    def _small(self, name: str) -> bytes:
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
        return ArchiveUnusable(f"{self._path} is not a library that Lectern exported.")
