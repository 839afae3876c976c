"""A copy of what :mod:`app.core.search.vectors` has in memory, so that a big library starts fast.

Collecting the vectors of half a million passages means reading through gigabytes of the library file; here
they are a twentieth of that, in one piece. The file is derived and may be deleted at any time. It is
read, not mapped: a drive that is pulled out must not end the program.
"""

from __future__ import annotations

import json
import logging
import shutil
import zipfile
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from app.config.private_files import private_file
from app.config.whole_files import replace_file
from app.core.storage.disk import SPARE

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from numpy.typing import NDArray

NAME = "vectors.npz"
_VERSION = 1
_DAMAGED = (
    OSError,
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    EOFError,
    MemoryError,
    NotImplementedError,
    zipfile.BadZipFile,
)  # what a damaged archive may raise

_log = logging.getLogger(__name__)


class KeptVectors(NamedTuple):
    """The rows of n passages; ``app.core.search.vectors`` says what they are."""

    columns: NDArray[np.int64]  # (4, n)
    vectors: NDArray[np.int8]  # (n, dimension)
    steps: NDArray[np.float32]  # (n, 1)
    axes: NDArray[np.float32]  # (dimension, k)
    coarse: NDArray[np.int8]  # (n, k)


class DocumentStamps(NamedTuple):
    """What tells whether the rows of documents are still right."""

    renumbered: str | None  # when the library's lessons were last renumbered
    documents: dict[str, str]  # by the document's key: its course and the checksum of its content

    @classmethod
    def of_library(cls, connection: sqlite3.Connection) -> DocumentStamps:
        """Read those of all documents, also in the trash."""
        renumbered = connection.execute("SELECT value FROM meta WHERE key = 'renumbered'").fetchone()
        rows = connection.execute(
            """SELECT d.id, d.course_id, c.value FROM documents AS d
               JOIN document_checksums AS c ON c.document_id = d.id"""
        )
        documents = {str(key): f"{course}:{bytes(value).hex()}" for key, course, value in rows}
        return cls(renumbered and str(renumbered[0]), documents)


def write(path: Path, kept: KeptVectors, stamps: DocumentStamps) -> None:
    """Replace the file; nothing if the disk has no room to spare.

    Raises:
        OSError: it cannot be written.
    """
    size = sum(array.nbytes for array in kept)
    if shutil.disk_usage(path.parent).free < size + SPARE:
        return
    text = json.dumps({"version": _VERSION, **stamps._asdict()})

    def save(unfinished: Path) -> None:
        private_file(unfinished)
        with unfinished.open("wb") as file:
            np.savez(file, stamps=np.frombuffer(text.encode(), np.uint8), **kept._asdict())

    replace_file(path, save)


def read(path: Path) -> tuple[KeptVectors, DocumentStamps] | None:
    """Read the file; None if there is none, or it is damaged or of another version."""
    try:
        with path.open("rb") as file, closing(np.load(file, allow_pickle=False)) as stored:
            stamps: dict[str, Any] = json.loads(stored["stamps"].tobytes())
            kept = KeptVectors(*(stored[name] for name in KeptVectors._fields))
        if stamps.pop("version") == _VERSION and _fits(kept):
            return kept, DocumentStamps(**stamps)
    except FileNotFoundError:
        return None
    except _DAMAGED as error:
        _log.info("The copy of the vectors cannot be read: %s", error)
    return None


def _fits(kept: KeptVectors) -> bool:
    """Whether types and shapes are as they were written."""
    kinds = (np.int64, np.int8, np.float32, np.float32, np.int8)
    count, dimension = kept.vectors.shape
    width = kept.axes.shape[1]
    shapes = ((4, count), (count, dimension), (count, 1), (dimension, width), (count, width))
    arrays: tuple[NDArray[Any], ...] = kept
    fitting = zip(arrays, kinds, shapes, strict=True)
    return all(array.dtype == kind and array.shape == shape for array, kind, shape in fitting)
