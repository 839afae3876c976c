"""The model that writes items: asks it, and reads what it hands in as it streams in."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from app.core.answers.costs import CHARACTERS_OF_TOKEN, price_list
from app.core.answers.prompts import load_prompt
from app.core.answers.providers.base import ReplyEnd, TextDelta, ToolCall, Turn, Unseen
from app.core.answers.side_request import until_answered
from app.domain.events import AnswerWaiting
from app.domain.model_servers import Usage
from app.features.study.drafts import Refused, TextReader, described_as_text, read_call, tools_for
from app.features.study.making_plan import MOST_TOKENS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from app.core.answers.providers.base import ModelProvider, ModelSettings, ReplyEvent
    from app.features.study.drafts import Draft
    from app.features.study.model.names import ItemKind

_LONGEST_REPLY = 100_000  # characters


class ItemWriter:
    """One model, for one making of items. ``record`` is told what each reply cost."""

    def __init__(
        self,
        connection: ModelSettings,
        make_provider: Callable[[ModelSettings], ModelProvider],
        kinds: Sequence[ItemKind],
        record: Callable[[Usage], None],
    ) -> None:
        self._connection = replace(connection, max_tokens=MOST_TOKENS)
        self._provider = make_provider(self._connection)
        self._kinds = kinds
        self._record = record
        self._has_called = False
        self._by_text = False  # it does not call the tools that it is offered
        self.characters = 0  # of the last reply, as far as it has come
        self._usage, self._is_complete = Usage(), False  # of that

    async def aclose(self) -> None:
        await self._provider.aclose()

    async def write(self, asked: tuple[str, ...]) -> AsyncGenerator[AnswerWaiting | Draft | Refused, None]:
        """Ask once; yield what the model hands in.

        Raises LecternError if there is no reply, or it broke off.
        """
        text = TextReader(self._kinds)
        self.characters, self._usage, self._is_complete = 0, Usage(), False
        try:
            replies = until_answered(
                partial(self._attempt, asked), self._connection, lambda: bool(self.characters)
            )
            async with aclosing(replies) as events:
                async for event in events:
                    if isinstance(event, AnswerWaiting):
                        yield event
                    elif isinstance(event, TextDelta):
                        for draft in text.feed(event.text):
                            yield draft
                    elif isinstance(event, ToolCall):
                        self._has_called = True
                        yield self._draft(event)
                    if self.characters > _LONGEST_REPLY:
                        break
            for draft in text.finish():
                yield draft
            self._by_text = not self._has_called
        finally:
            self._count()

    async def _attempt(self, asked: tuple[str, ...]) -> AsyncGenerator[ReplyEvent, None]:
        turn = await self._turn(asked)
        async with aclosing(self._provider.reply(turn)) as events:
            async for event in events:
                match event:
                    case TextDelta(text):
                        self.characters += len(text)
                    case Unseen(characters):
                        self.characters += characters
                    case Usage():
                        self._usage = event
                    case ReplyEnd():
                        self._is_complete = True
                yield event

    async def _turn(self, asked: tuple[str, ...]) -> Turn:
        abilities = await self._provider.abilities()
        if not abilities.tools or self._by_text:
            how = described_as_text(self._kinds)
            return Turn(asked, system=(load_prompt("make_items"), how), cites=False)
        system = (load_prompt("make_items"), load_prompt("make_with_tools"))
        return Turn(asked, tools=tools_for(self._kinds), system=system, cites=False)

    def _draft(self, call: ToolCall) -> Draft | Refused:
        try:
            return read_call(call.name, call.arguments, self._kinds)
        except Refused as refused:
            return refused

    def _count(self) -> None:
        """Count what a reply cost; one that was not read to its end did not say how long it was."""
        usage = self._usage
        if not self._is_complete and usage.tokens:
            written = max(usage.output_tokens, round(self.characters / CHARACTERS_OF_TOKEN))
            usage = replace(usage, output_tokens=written)
        self._record(replace(usage, cost=price_list().cost(self._connection.model, usage)))
