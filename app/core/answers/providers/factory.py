"""Makes the provider that the settings call for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.core.answers.providers.anthropic.provider import AnthropicProvider
from app.core.answers.providers.anthropic.server_traits import ServerMemory

if TYPE_CHECKING:
    from app.core.answers.model_settings import ModelSettings
    from app.core.answers.providers.base import ModelProvider


class ProviderFactory:
    """What one provider learns of a server, the later ones of the same factory know."""

    def __init__(self) -> None:
        self._memory = ServerMemory()

    def __call__(self, settings: ModelSettings) -> ModelProvider:
        return AnthropicProvider(settings, self._memory)
