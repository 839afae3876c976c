"""Which models for searching the settings name, and how their cosines compare."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


MULTILINGUAL = "multilingual"
"""Value of the setting for the model of all languages."""

MULTILINGUAL_MEGABYTES = 488
"""What is downloaded, once, when the model of all languages is chosen."""

_HUB_NAME = re.compile(r"\w[\w.-]{0,95}/\w[\w.-]{0,95}", re.ASCII)


class HubModel(NamedTuple):
    """A model that is downloaded from the Hugging Face hub."""

    name: str

    @property
    def short_name(self) -> str:
        return self.name.rpartition("/")[2]


_MULTILINGUAL = HubModel("intfloat/multilingual-e5-small")

ModelChoice = Path | HubModel | None
"""A sentence-transformers folder, the model for all languages, or the model that comes with Lectern."""


def supported(setting: str) -> str:
    """Return a value of the setting; the built-in model's for those no longer offered."""
    if setting == _MULTILINGUAL.name:
        return MULTILINGUAL
    return "" if _HUB_NAME.fullmatch(setting) else setting


def model_choice(setting: str) -> ModelChoice:
    """Return what a value of the setting names."""
    if setting == MULTILINGUAL:
        return _MULTILINGUAL
    return Path(setting) if setting else None


class CosineScale(NamedTuple):
    """Turns a model's cosines into what the default model's would be: ``factor * cosine + offset``."""

    factor: float = 1.0
    offset: float = 0.0

    def of(self, cosines: NDArray[np.float32]) -> NDArray[np.float32]:
        return cosines * self.factor + self.offset


IDENTITY = CosineScale()  # the default model's
