"""One loop asks a model, whatever for: again by new abilities, later if the server is busy."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from app.core.answers.providers.base import AbilityLost, ModelSettings
from app.core.answers.side_request import until_answered
from app.domain.errors import ServerBusy
from app.domain.events import AnswerWaiting
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

SETTINGS = ModelSettings("model", second=0)
BUSY = ServerBusy(Message("answers.overloaded"), 1, Message("answers.overloaded"))


def asked(attempts: list[list[str | Exception]]) -> list[str]:
    """Return what comes of the attempts, of which a server makes one after the other."""
    seen: list[str] = []

    async def attempt() -> AsyncGenerator[str, None]:
        for one in attempts.pop(0):
            if isinstance(one, Exception):
                raise one
            yield one

    async def ask() -> None:
        async for event in until_answered(attempt, SETTINGS, lambda: bool(seen)):
            seen.extend(() if isinstance(event, AnswerWaiting) else (event,))

    asyncio.run(ask())
    return seen


def test_what_a_server_refuses_is_left_out_of_the_next_attempt() -> None:
    assert asked([[AbilityLost()], [BUSY], ["yes"]]) == ["yes"]


def test_a_reply_that_has_begun_is_not_asked_for_again() -> None:
    with pytest.raises(ServerBusy):
        asked([["y", BUSY], ["yes"]])


def test_a_server_that_stays_busy_is_left_alone() -> None:
    with pytest.raises(ServerBusy):
        asked([[BUSY] for _ in range(20)])
