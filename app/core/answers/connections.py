"""From the settings to a connection, and what can be asked of one beside an answer."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.answers.ai_generator import AIGenerator
from app.core.answers.connection_check import check
from app.core.answers.model_settings import ModelSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.config.settings import Settings
    from app.core.answers.providers.anthropic.server_traits import ServerMemory
    from app.domain.model_servers import ConnectionCheck, ModelInfo

USUAL_LIMITS = ModelSettings(model="")
"""Time-outs and limits as they are outside tests."""


def model_settings(
    settings: Settings, key: str | None, limits: ModelSettings = USUAL_LIMITS
) -> ModelSettings | None:
    """Return whom to ask; None without a key, unless another server than Anthropic's is set.

    Args:
        settings: of the user.
        key: for the server of the settings.
        limits: where time-outs and limits that are no settings are taken from.
    """
    if not key and not settings.base_url:
        return None
    return replace(
        limits,
        model=settings.model,
        base_url=settings.base_url or None,
        api_key=key or "",
        max_tokens=settings.max_tokens,
        effort=settings.effort,
        max_rounds=settings.max_search_rounds,
    )


def list_models(connection: ModelSettings) -> tuple[ModelInfo, ...]:
    """Ask a server which models it has, newest first.

    Raises:
        LecternError: it can not be reached or does not say.
    """

    async def ask() -> tuple[ModelInfo, ...]:
        async with aclosing(AIGenerator(connection)) as generator:
            return await generator.list_models()

    return asyncio.run(ask())


async def check_connection(
    connection: ModelSettings, memory: ServerMemory
) -> AsyncGenerator[ConnectionCheck | tuple[ModelInfo, ...], None]:
    """Try what a server can do, with a few tokens; yield each finding, and its models once they are known.

    Args:
        connection: to try; need not be the one that is set.
        memory: learns what the server turns out to lack.
    """
    async with aclosing(AIGenerator(connection, memory)) as generator, aclosing(check(generator)) as found:
        async for item in found:
            yield item
