"""Waiting for a server that asks to be left alone, in view of the user."""

import asyncio
from collections.abc import AsyncGenerator
from math import ceil, inf

from app.core.answers.model_settings import ModelSettings
from app.domain.errors import ServerBusy
from app.domain.events import AnswerWaiting

MOST_WAITS = 5  # for one reply


async def waited(busy: ServerBusy, settings: ModelSettings) -> AsyncGenerator[AnswerWaiting, None]:
    """Wait as long as the server asks; raises ``busy`` if that is too long."""
    seconds = inf if busy.retry_after is None else busy.retry_after
    if seconds > settings.longest_wait:
        raise busy
    for left in range(max(1, ceil(seconds)), 0, -1):
        yield AnswerWaiting(left, busy.reason)
        await asyncio.sleep(settings.second)
    yield AnswerWaiting(0, busy.reason)
