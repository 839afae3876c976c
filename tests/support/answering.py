"""Asks a question of a generator and collects everything that comes of it."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pytest

from app.core.answers.ai_generator import AIGenerator
from app.core.answers.citations import GenerationEnd, GenerationEvent
from app.core.answers.providers.base import ModelSettings
from app.core.answers.providers.choice import provider_for
from app.core.answers.providers.server_memory import ServerMemory
from app.core.answers.tools import ToolManager
from app.domain.errors import LecternError
from app.domain.events import AnswerCitation, AnswerText, AnswerUsage, SearchStarted, SourcesFound
from app.domain.scope import Scope
from tests.support.small_library import SmallLibrary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.core.answers.sources import Library
    from app.domain.conversations import ChatMessage
    from app.domain.model_servers import Usage
    from app.domain.sources import Citation, Source
    from tests.support.anthropic_server import AnthropicServer

QUESTION = "What is prompt caching?"
EVERY_PROVIDER = pytest.mark.parametrize("server", ["anthropic", "openai"], indirect=True)


@dataclass
class Outcome:
    """What came of a question."""

    events: list[GenerationEvent] = field(default_factory=list)
    error: LecternError | None = None

    @property
    def text(self) -> str:
        """The answer's Markdown."""
        return "".join(event.text for event in self.events if isinstance(event, AnswerText))

    @property
    def citations(self) -> list[Citation]:
        """In order of arrival."""
        return [event.citation for event in self.events if isinstance(event, AnswerCitation)]

    @property
    def sources(self) -> list[Source]:
        """In order of their numbers."""
        return [
            source for event in self.events if isinstance(event, SourcesFound) for source in event.sources
        ]

    @property
    def searches(self) -> list[SearchStarted]:
        """What was shown while searching."""
        return [event for event in self.events if isinstance(event, SearchStarted)]

    @property
    def usage(self) -> Usage:
        """The last count of tokens."""
        return [event for event in self.events if isinstance(event, AnswerUsage)][-1].usage

    @property
    def end(self) -> GenerationEnd:
        """The last event; fails when the answer did not end by itself."""
        assert self.error is None, self.error
        last = self.events[-1]
        assert isinstance(last, GenerationEnd)
        return last


def settings_for(server: AnthropicServer, **changes: Any) -> ModelSettings:  # noqa: ANN401
    """Return settings that reach the server, with quick new attempts and quick seconds of waiting."""
    base = ModelSettings("claude-sonnet-5-5", server.url, server.key, server.provider)
    return replace(base, **{"retry_delays": (0.01, 0.01), "second": 0.01, **changes})


def generator_for(settings: ModelSettings, memory: ServerMemory | None = None) -> AIGenerator:
    if memory is None:
        memory = ServerMemory()
        if settings.provider == "openai":  # Anthropic's list of models says as much
            memory.of(settings.address, settings.model).searches = True
    return AIGenerator(settings, provider_for(settings, memory))


def ask(
    settings: ModelSettings,
    *,
    question: str = QUESTION,
    library: Library | None = None,
    history: Sequence[ChatMessage] = (),
    scope: Scope | None = None,
    memory: ServerMemory | None = None,
    kept: Sequence[Source] = (),
) -> Outcome:
    """Ask in an event loop of its own; checks that no task is left over."""
    scope = scope or Scope()
    tools = ToolManager(library or SmallLibrary(), scope)
    outcome = Outcome()

    async def run() -> None:
        generator = generator_for(settings, memory)
        try:
            async with aclosing(generator.generate(question, history, scope, tools, kept)) as events:
                async for event in events:
                    outcome.events.append(event)
        except LecternError as error:
            outcome.error = error
        finally:
            await generator.aclose()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, left

    asyncio.run(run())
    return outcome
