"""How the cosines of an embedding model compare with the default model's."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class CosineScale(NamedTuple):
    """Turns a model's cosines into what the default model's would be: ``factor * cosine + offset``."""

    factor: float = 1.0
    offset: float = 0.0

    def of(self, cosines: NDArray[np.float32]) -> NDArray[np.float32]:
        return cosines * self.factor + self.offset


IDENTITY = CosineScale()  # the default model's
