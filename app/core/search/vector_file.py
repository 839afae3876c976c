"""A copy of what :mod:`app.core.search.vectors` has in memory, so that a big library starts fast.

Collecting the vectors of half a million passages means reading through gigabytes of the library file; here
they are a twentieth of that, in one piece. The file is derived and may be deleted at any time. It is
read, not mapped: a drive that is pulled out must not end the program.
"""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.config.files import private_file, replace_file
from app.core.storage.disk import SPARE

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from numpy.typing import NDArray

NAME = "vectors.npz"
_VERSION = 1
_log = logging.getLogger(__name__)


class KeptVectors(NamedTuple):
    """The rows of n passages; ``app.core.search.vectors`` says what they are."""

    columns: NDArray[np.int64]  # (4, n)
    vectors: NDArray[np.int8]  # (n, dimension)
    steps: NDArray[np.float32]  # (n, 1)
    axes: NDArray[np.float32]  # (dimension, k)
    coarse: NDArray[np.int8]  # (n, k)


def document_stamps(connection: sqlite3.Connection) -> dict[str, str]:
    """Return what tells whether the rows of documents are still right, by the documents' keys.

    Everything that the rows hold, also in another library in the place of this one. The trash is included.
    """
    rows = connection.execute(
        """SELECT d.id, d.course_id, d.sha256,
                  (SELECT min(id) || '-' || max(id) FROM chunks WHERE document_id = d.id),
                  (SELECT group_concat(ifnull(number, '')) FROM lessons WHERE document_id = d.id)
           FROM documents AS d"""
    )
    return {str(key): ":".join(map(str, stamp)) for key, *stamp in rows}


def write(path: Path, kept: KeptVectors, stamps: dict[str, str]) -> None:
    """Replace the file.

    Raises:
        OSError: it cannot be written, or would leave the disk no room to spare.
    """
    size = sum(array.nbytes for array in kept)
    if shutil.disk_usage(path.parent).free < size + SPARE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
    text = json.dumps({"version": _VERSION, "documents": stamps})

    def save(unfinished: Path) -> None:
        private_file(unfinished)
        with unfinished.open("wb") as file:
            np.savez(file, stamps=np.frombuffer(text.encode(), np.uint8), **kept._asdict())

    replace_file(path, save)


def read(path: Path) -> tuple[KeptVectors, dict[str, str]] | None:
    """Read the file with its stamps; None if there is none, or it is damaged or of another version."""
    try:
        with path.open("rb") as file, closing(np.load(file, allow_pickle=False)) as stored:
            head: dict[str, Any] = json.loads(stored["stamps"].tobytes())
            kept = KeptVectors(*(stored[name] for name in KeptVectors._fields))
        if head["version"] == _VERSION and _fits(kept):
            return kept, dict(head["documents"])
    except FileNotFoundError:
        return None
    except Exception as error:  # a damaged archive may raise anything
        _log.info("The copy of the vectors cannot be read: %s", error)
    return None


def forget(folder: Path) -> None:
    """Delete the file of a data directory, which may hold what was deleted for good."""
    with suppress(OSError):  # another process reads it, on Windows
        (folder / NAME).unlink(missing_ok=True)


def _fits(kept: KeptVectors) -> bool:
    """Whether types and shapes are as they were written."""
    kinds = (np.int64, np.int8, np.float32, np.float32, np.int8)
    count, dimension = kept.vectors.shape
    width = kept.axes.shape[1]
    shapes = ((4, count), (count, dimension), (count, 1), (dimension, width), (count, width))
    arrays: tuple[NDArray[Any], ...] = kept
    fitting = zip(arrays, kinds, shapes, strict=True)
    return all(array.dtype == kind and array.shape == shape for array, kind, shape in fitting)
