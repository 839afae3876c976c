"""Chooses the provider that speaks to the model of some settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.core.answers.providers.base import ModelProvider, ModelSettings
    from app.core.answers.providers.server_memory import ServerMemory
    from app.core.local_models.service import LocalModels


def provider_for(
    settings: ModelSettings,
    memory: ServerMemory,
    local_models: Callable[[], LocalModels] | None = None,
) -> ModelProvider:
    """Return a provider that shares ``memory``; imports none but the one that is used."""
    if settings.provider == "local" and local_models is not None:
        from app.core.answers.providers.local import LocalProvider

        return LocalProvider(settings, local_models())
    if settings.provider == "openai":
        from app.core.answers.providers.openai.provider import OpenAIProvider

        return OpenAIProvider(settings, memory)
    from app.core.answers.providers.anthropic.provider import AnthropicProvider

    return AnthropicProvider(settings, memory)
