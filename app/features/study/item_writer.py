"""The model that writes items: asks it, and reads what it hands in as it streams in."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from app.core.answers.costs import CHARACTERS_OF_TOKEN, price_list
from app.core.answers.prompts import load_prompt
from app.core.answers.providers.base import ReplyEnd, Step, TextDelta, ToolCall, ToolOutcome, Turn, Unseen
from app.core.answers.side_request import until_answered
from app.domain.events import AnswerWaiting
from app.domain.model_servers import Usage
from app.features.study.drafts import Draft, Refused, TextReader, described_as_text, read_call, tools_for
from app.features.study.making_plan import MOST_TOKENS

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence

    from app.core.answers.providers.base import ModelProvider, ModelSettings, ReplyEvent
    from app.features.study.model.names import ItemKind

_LONGEST_REPLY = 100_000  # characters


@dataclass(frozen=True, slots=True)
class Written:
    """Something that the model handed in; ``call`` is its place in the reply's calls, if it was one."""

    draft: Draft | Refused
    call: int | None = None


@dataclass(slots=True)
class Reply:
    """What one reply has brought so far."""

    usage: Usage = field(default_factory=Usage)
    characters: int = 0
    calls: list[ToolCall] = field(default_factory=list)
    said: dict[int, str] = field(default_factory=dict)  # to calls, by their places
    end: ReplyEnd | None = None

    def tell(self, written: Written, said: str) -> None:
        """Say to the model what came of a call."""
        if written.call is not None:
            self.said[written.call] = said

    def step(self, rest: str) -> Step | None:
        """Return the reply for the next request, with what is said to its calls; None if it cannot go on."""
        if self.end is None or not self.calls:
            return None
        said = [self.said.get(place, "") for place in range(len(self.calls))]
        said[-1] = f"{said[-1]}\n\n{rest}"
        outcomes = zip(self.calls, map(ToolOutcome, said), strict=True)
        return Step(self.end.reply, tuple(outcomes))


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

    async def aclose(self) -> None:
        await self._provider.aclose()

    async def write(
        self, asked: tuple[str, ...], steps: list[Step], reply: Reply
    ) -> AsyncGenerator[AnswerWaiting | Written, None]:
        """Ask once; what comes of it is also in ``reply``.

        Raises LecternError if there is no reply, or it broke off.
        """
        text = TextReader(self._kinds)
        try:
            attempt = partial(self._attempt, asked, steps, reply)
            replies = until_answered(attempt, self._connection, lambda: bool(reply.characters))
            async with aclosing(replies) as events:
                async for event in events:
                    if isinstance(event, AnswerWaiting):
                        yield event
                    elif isinstance(event, TextDelta):
                        for draft in text.feed(event.text):
                            yield Written(draft)
                    elif isinstance(event, ToolCall):
                        self._has_called = True
                        reply.calls.append(event)
                        yield Written(self._draft(event), len(reply.calls) - 1)
                    if reply.characters > _LONGEST_REPLY:
                        break
            for draft in text.finish():
                yield Written(draft)
            self._by_text = not self._has_called
        finally:
            self._count(reply)

    async def _attempt(
        self, asked: tuple[str, ...], steps: list[Step], reply: Reply
    ) -> AsyncGenerator[ReplyEvent, None]:
        turn = await self._turn(asked, steps)
        async with aclosing(self._provider.reply(turn)) as events:
            async for event in events:
                _take(event, reply)
                yield event

    async def _turn(self, asked: tuple[str, ...], steps: list[Step]) -> Turn:
        abilities = await self._provider.abilities()
        if not abilities.tools or self._by_text:
            how = described_as_text(self._kinds)
            return Turn(asked, system=(load_prompt("make_items"), how), cites=False)
        system = (load_prompt("make_items"), load_prompt("make_with_tools"))
        return Turn(asked, tools=tools_for(self._kinds), system=system, steps=steps, cites=False)

    def _draft(self, call: ToolCall) -> Draft | Refused:
        try:
            return read_call(call.name, call.arguments, self._kinds)
        except Refused as refused:
            return refused

    def _count(self, reply: Reply) -> None:
        """Count what a reply cost; one that was not read to its end did not say how long it was."""
        usage = reply.usage
        if reply.end is None and usage.tokens:
            written = max(usage.output_tokens, round(reply.characters / CHARACTERS_OF_TOKEN))
            usage = replace(usage, output_tokens=written)
        self._record(replace(usage, cost=price_list().cost(self._connection.model, usage)))


def _take(event: ReplyEvent, reply: Reply) -> None:
    match event:
        case TextDelta(text):
            reply.characters += len(text)
        case Unseen(characters):
            reply.characters += characters
        case Usage():
            reply.usage = event
        case ReplyEnd():
            reply.end = event
