"""What a Chroma server holds: records of two collections, as they are sent and as they are found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

CATALOG = "course_catalog"
CONTENT = "course_content"
BATCH = 300
"""Records that a request writes or reads at most."""

Value = str | int | float | bool


class Record(NamedTuple):
    """A record to write; one with the same id is replaced."""

    id: str
    vector: NDArray[np.float32]  # (dimension,)
    document: str | None
    metadata: Mapping[str, Value]


class Found(NamedTuple):
    """A record that was read, with what was asked for. It may hold anything."""

    id: str
    document: str | None = None
    metadata: Mapping[str, Value] | None = None
    distance: float | None = None  # cosine distance to the vector asked about
    vector: NDArray[np.float32] | None = None  # (dimension,)
