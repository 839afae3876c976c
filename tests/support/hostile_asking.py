"""Asks a hostile server through the real service, in this process or in one of its own.

``python -m tests.support.hostile_asking NAME…`` prints of each case its name, the state of the answer, and
the most memory, in MB, that the process has taken so far, with the program's own limits on sizes.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
from contextlib import aclosing, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.config.settings import CurrentSettings, Settings
from app.core.answers.providers.base import ModelSettings
from app.core.answers.service import AnswerService
from app.core.conversations.session_manager import SessionManager
from app.core.storage.database import Database
from app.domain.events import AnswerDone, AnswerInterrupted
from tests.support.hostile_messages import KEY
from tests.support.hostile_server import HostileServer
from tests.support.small_library import SmallLibrary

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from app.domain.conversations import Exchange
    from app.domain.events import AnswerEvent
    from tests.support.hostile_messages import Case

QUESTION = "When do spring tides come?"
_SMALL: dict[str, Any] = {
    "retry_delays": (0.01,),
    "second": 0.001,
    "longest_answer": 20_000,
    "most_bytes": 8_000_000,
    "largest_event": 1_000_000,
    "largest_body": 1_000_000,
}
_SHORT = {"timeout_read": 0.6, "timeout_content": 0.8, "timeout_reply": 1.6}
_LONG = dict.fromkeys(_SHORT, 60.0)  # for a busy machine


def limits_of(case: Case) -> dict[str, Any]:
    """Return limits of ModelSettings for a case: small ones, but long times where something else ends it."""
    return {**_SMALL, **(_SHORT if case.only_time_ends_it else _LONG), **case.limits}


async def events_of(
    url: str,
    case: Case,
    sessions: SessionManager,
    conversation: int,
    limits: dict[str, Any],
    provider: str = "anthropic",
) -> AsyncGenerator[AnswerEvent, None]:
    """Yield what is told of an answer; it is saved."""
    settings = CurrentSettings(Settings(base_url=url))
    service = AnswerService(settings, sessions, SmallLibrary())
    whom = {"model": "claude-sonnet-5-5", "base_url": url, "api_key": KEY, "provider": provider}
    connection = ModelSettings(**{**whom, **limits, **case.limits})
    try:
        async with aclosing(service.query(QUESTION, connection, conversation_id=conversation)) as events:
            async for event in events:
                yield event
    finally:
        await service.disconnect()


def answer(
    url: str,
    case: Case,
    sessions: SessionManager,
    conversation: int,
    limits: dict[str, Any] | None = None,
    provider: str = "anthropic",
) -> Exchange:
    """Ask and return the exchange as it ended."""

    async def run() -> AnswerEvent:
        last: AnswerEvent | None = None
        async for event in events_of(url, case, sessions, conversation, limits or limits_of(case), provider):
            last = event
        assert last is not None
        return last

    last = asyncio.run(run())
    assert isinstance(last, AnswerDone | AnswerInterrupted)
    return last.exchange


def main() -> None:
    from tests.support.hostile_cases import CASES

    quick = {"timeout_content": 5.0, "timeout_reply": 20.0, "second": 0.001}
    with tempfile.TemporaryDirectory() as folder, closing(Database(Path(folder))) as database:
        database.open()
        sessions = SessionManager(database)
        for name in sys.argv[1:]:
            case = CASES[name]
            with HostileServer(*case.answers, models=case.models) as server:
                exchange = answer(server.url, case, sessions, sessions.create_session(), quick)
            print(f"{name}: {exchange.state} {_most_memory()}")  # noqa: T201


def _most_memory() -> int:
    """Return the most megabytes this process had; Linux counts those of its parent before it, too."""
    import resource  # not on Windows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if sys.platform == "darwin":
        return most // 2**20
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text(encoding="ascii"))
    return (int(found[1]) if found else most) // 2**10


if __name__ == "__main__":
    main()
