"""Which models for searching the settings name."""

import re
from dataclasses import dataclass
from pathlib import Path

MULTILINGUAL = "multilingual"
"""Value of the setting for the model of all languages."""

MULTILINGUAL_MEGABYTES = 488
"""What is downloaded, once, when the model of all languages is chosen."""

_HUB_NAME = re.compile(r"\w[\w.-]{0,95}/\w[\w.-]{0,95}", re.ASCII)


@dataclass(frozen=True, slots=True)
class HubModel:
    """A model of the Hugging Face hub, such as ``intfloat/multilingual-e5-small``."""

    name: str

    @property
    def short_name(self) -> str:
        """The name without its owner."""
        return self.name.rpartition("/")[2]


ModelChoice = Path | HubModel | None
"""A sentence-transformers folder, a model of the hub, or the model that comes with Lectern."""


def model_choice(setting: str) -> ModelChoice:
    """Return what a value of the setting names; a relative folder begins with ``./`` or ``~``."""
    if setting == MULTILINGUAL:
        return HubModel("intfloat/multilingual-e5-small")
    if _HUB_NAME.fullmatch(setting):
        return HubModel(setting)
    return Path(setting) if setting else None


def setting_of(choice: ModelChoice) -> str:
    """Return the value of the setting that :func:`model_choice` takes for ``choice``."""
    if choice == model_choice(MULTILINGUAL):
        return MULTILINGUAL
    return choice.name if isinstance(choice, HubModel) else str(choice or "")
