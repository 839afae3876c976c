"""The table of words of a multilingual model: 250,000 rows, of which a text needs a few dozen.

In the graph it would take 190 MB on disk, and more than twice that in memory. Here each weight takes four
bits, 32 weights share a factor, and rows are read from the file as they are needed; what the system keeps
of it in memory it can drop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_GROUP = 32  # weights that share a factor
_ROWS_AT_ONCE = 8192
# As in the 4-bit files of other programs (Q4_0): the largest weight of a group becomes -8.
_PACKED = np.dtype([("factor", "<f2"), ("weights", "u1", _GROUP // 2)])


def can_pack(table: NDArray[np.generic]) -> bool:
    """Return whether rows of this table, of shape (words, dimension), can be packed."""
    return table.ndim == 2 and table.shape[1] % _GROUP == 0


def write_packed(table: NDArray[np.generic], path: Path) -> None:
    """Write a table of shape (words, dimension) to a file."""
    with path.open("wb") as file:
        for first in range(0, len(table), _ROWS_AT_ONCE):
            file.write(_packed(table[first : first + _ROWS_AT_ONCE].astype(np.float32)).tobytes())


def _packed(rows: NDArray[np.float32]) -> NDArray[np.void]:
    groups = rows.reshape(-1, _GROUP)
    largest = np.take_along_axis(groups, np.abs(groups).argmax(axis=1)[:, None], axis=1)
    packed = np.empty(len(groups), _PACKED)
    packed["factor"] = largest[:, 0] / -8
    factor = packed["factor"].astype(np.float32)[:, None]
    steps = np.divide(groups, factor, out=np.zeros_like(groups), where=factor != 0)
    whole = np.clip(np.rint(steps) + 8, 0, 15).astype(np.uint8)
    packed["weights"] = whole[:, : _GROUP // 2] | whole[:, _GROUP // 2 :] << 4
    return packed


class WordTable:
    """A table in a file. Thread-safe."""

    def __init__(self, path: Path, dimension: int) -> None:
        """Open a file of :func:`write_packed`; raises OSError or ValueError if it is missing or cut."""
        self._rows = np.memmap(path, _PACKED, mode="r").reshape(-1, dimension // _GROUP)

    def rows(self, words: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the rows of words, of shape (…), as an array of shape (…, dimension)."""
        packed = self._rows[words]
        weights = np.concatenate([packed["weights"] & 15, packed["weights"] >> 4], axis=-1)
        rows = (weights.astype(np.float32) - 8) * packed["factor"].astype(np.float32)[..., None]
        return rows.reshape(*words.shape, -1)
