"""Chooses the provider that speaks to the model of some settings."""

from app.core.answers.providers.base import ModelProvider, ModelSettings
from app.core.answers.providers.server_memory import ServerMemory


def provider_for(settings: ModelSettings, memory: ServerMemory) -> ModelProvider:
    """Return a provider that shares ``memory``; imports none but the one that is used."""
    from app.core.answers.providers.anthropic.provider import AnthropicProvider

    return AnthropicProvider(settings, memory)
