"""Has a model make items: passage by passage, each checked before it is stored or shown."""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from itertools import accumulate, cycle, pairwise
from typing import TYPE_CHECKING

from app.core.answers.costs import CHARACTERS_OF_TOKEN, price_list
from app.core.answers.prompts import load_prompt, one_line
from app.core.answers.side_request import known_error
from app.core.answers.sources import SourceRegistry, numbered_text
from app.domain.cancel import CancelToken
from app.domain.events import AnswerWaiting
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.features.study.item_checks import ItemChecks
from app.features.study.item_writer import MOST_ITEMS, TOKENS_OF_ITEM, Draft, ItemWriter, Refused
from app.features.study.making_run import MakingRun
from app.features.study.model.items import Difficulty, NewItem
from app.features.study.model.making import (
    DropReason,
    ItemMade,
    MakeEstimate,
    MakeEvent,
    MakeRequest,
    MakeStarted,
    nothing_made,
)
from app.features.study.model.names import ItemKind

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.answers.providers.base import ModelSettings
    from app.core.answers.service import AnswerService
    from app.core.conversations.session_manager import SessionManager
    from app.core.embedding.embedder import Embedder
    from app.core.search.service import SearchService
    from app.features.study.passages import Passage
    from app.features.study.service import StudyService


Slot = tuple[int, ItemKind]
"""An item to be made: from the passage of this number, of this kind."""

_MOST_CHARACTERS = 12_000  # of passages sent at a time
_OWN_SERVER = 0.5  # of both: a model on one's own computer takes less at a time
_MOST_SAID = 20  # of what is known, or was refused

_DIFFICULTIES = {
    Difficulty.EASY: "easy: what a sentence says",
    Difficulty.MEDIUM: "medium: what a sentence means, and why",
    Difficulty.HARD: "hard: what follows from it, and how it hangs together with the rest of the passage",
}


@dataclass(slots=True)
class Batch:
    """What is asked for at a time."""

    slots: list[Slot]  # still to be filled
    numbers: tuple[int, ...] = ()  # of the passages that are sent
    refused: list[str] = field(default_factory=list)  # what was wrong with drafts, for the model

    def __post_init__(self) -> None:
        self.numbers = tuple(dict.fromkeys(number for number, _ in self.slots))

    def fill(self, slot: Slot) -> bool:
        """Fill a slot, if need be with an item of another kind that was asked for; False if none is open."""
        open_ones = [one for one in self.slots if one == slot] or [
            one for one in self.slots if one[0] == slot[0]
        ]
        if open_ones:
            self.slots.remove(open_ones[0])
        return bool(open_ones)

    def plan(self) -> str:
        """Return what is still to be made, a line for each passage."""
        lines = []
        for number in self.numbers:
            kinds = [kind for one, kind in self.slots if one == number]
            counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
            lines += [f"- passage {number}: {counts}"] if counts else []
        return "\n".join(lines)


def planned(
    numbers: Sequence[int], registry: SourceRegistry, kinds: Sequence[ItemKind], count: int
) -> list[Slot]:
    """Give each passage one item, and long ones more, with the kinds in turns."""
    lengths = accumulate(len(registry.sources[number - 1].hit.text) for number in numbers)
    bounds = [0, *lengths]
    extra = [(count - len(numbers)) * bound // bounds[-1] for bound in bounds]
    passages = [
        number
        for number, (before, after) in zip(numbers, pairwise(extra), strict=True)
        for _ in range(1 + after - before)
    ]
    return list(zip(passages, cycle(kinds), strict=False))


def batches(slots: Sequence[Slot], registry: SourceRegistry, *, own_server: bool = False) -> Iterator[Batch]:
    """Cut a plan into parts that a model answers in one reply."""
    share = _OWN_SERVER if own_server else 1
    part: list[Slot] = []
    sent: dict[int, int] = {}
    for slot in slots:
        source = registry.sources[slot[0] - 1]
        new = {**sent, slot[0]: len(source.hit.text)}
        if part and (len(part) >= share * MOST_ITEMS or sum(new.values()) > share * _MOST_CHARACTERS):
            yield Batch(part)
            part, new = [], {slot[0]: len(source.hit.text)}
        part.append(slot)
        sent = new
    if part:
        yield Batch(part)


def question(
    batch: Batch, registry: SourceRegistry, request: MakeRequest, known: Sequence[str]
) -> tuple[str, ...]:
    """Return the texts of the user's turn: the passages, and what to make from them."""
    passages = "\n\n".join(numbered_text(registry.sources[number - 1]) for number in batch.numbers)
    asked = load_prompt("make_request").replace("{difficulty}", _DIFFICULTIES[request.difficulty])
    asked = asked.replace(
        "{language}", f"{request.language} (ISO 639)" if request.language else "that of the passage"
    )
    texts = [asked.replace("{plan}", batch.plan())]
    if known:
        listed = "\n".join(f"- {one_line(text)}" for text in known[-_MOST_SAID:])
        texts.append(load_prompt("make_known").replace("{known}", listed))
    if batch.refused:
        listed = "\n".join(f"- {one_line(text)}" for text in batch.refused[-_MOST_SAID:])
        texts.append(load_prompt("make_refused").replace("{refused}", listed))
    return passages, "\n\n".join(texts)


_ROUNDS = 3  # of asking for the items of a batch, the first one included
_MOST_BARREN = 3  # batches in a row of which nothing is kept
_MOST_EXTRA = 3  # items more than asked for, after which a reply is not read any further
_MOST_DRAFTS = 4  # for each item asked for
_TOKENS_OF_PROMPT = 1_500  # with the tools

_log = logging.getLogger(__name__)


class Maker:
    """Makes items of what is asked for, and stores them."""

    def __init__(
        self,
        answers: AnswerService,
        conversations: SessionManager,
        search: SearchService,
        study: StudyService,
        embedder: Embedder,
    ) -> None:
        self.answers = answers
        self.conversations = conversations
        self.search = search
        self.study = study
        self.embedder = embedder

    def estimate(self, request: MakeRequest, connection: ModelSettings) -> MakeEstimate:
        """Return about what a request will take."""
        return _Run(self, request, connection).estimate()

    async def make(self, request: MakeRequest, connection: ModelSettings) -> AsyncGenerator[MakeEvent, None]:
        """Make items; the last event is a :class:`MakeDone`, whatever happens.

        Cancelling the task that iterates ends it; what was made until then stays.
        """
        run: _Run | None = None
        error: Message | None = None
        try:
            run = await asyncio.to_thread(_Run, self, request, connection)
            async with aclosing(run.events()) as events:
                async for event in events:
                    yield event
        except asyncio.CancelledError:
            _log.info("The making of items was stopped.")
            if run is not None:
                run.ended = Message("making.stopped")
        except Exception as failure:  # a bug, too: what was made stays, and is told
            error = known_error(failure).message
        if run is None:
            yield nothing_made(error or Message("making.stopped"))
        else:
            yield run.done(run.ended or run.why_nothing(), error)


class _Run(MakingRun):
    """One making by a model; ``ended`` is why it ended early, besides an error."""

    def __init__(self, maker: Maker, request: MakeRequest, connection: ModelSettings) -> None:
        chat = request.conversation_id
        exchanges = None if chat is None else maker.conversations.exchanges(chat)
        super().__init__(maker.study, request, exchanges, CancelToken())
        self.ended: Message | None = None
        self._maker = maker
        self._connection = connection
        if (old := self.replaced) is not None:
            same = [one for one in self.passages if one.document_id == old.source.hit.document_id]
            nearest = sorted(same, key=lambda one: abs(one.start - old.start))[:1]
            self.passages = tuple(nearest) or self.passages
        self._registry = SourceRegistry(maker.search)
        self._asked = [
            (one.source.hit.document_id, one.start, one.text.front)
            for one in maker.study.items()
            if one != old
        ]
        self._checks = ItemChecks(self._registry, request.difficulty, request.language, maker.embedder)

    def why_nothing(self) -> Message | None:
        if self.made or self.dropped:
            return None
        return Message("making.nothing_written") if self.passages else self.remark

    async def events(self) -> AsyncGenerator[MakeEvent, None]:
        """Make the items; what passages do not give is asked for once more, from others if there are any."""
        request = self.request
        yield MakeStarted(request.number if self.passages else 0)
        writer = ItemWriter(self._connection, self._maker.answers.make_provider, request.kinds, self._count)
        async with aclosing(writer):
            for _ in range(2):
                left = request.number - self.made
                numbers = await asyncio.to_thread(self._enter, self.chosen(left, self.passages))
                slots = planned(numbers, self._registry, request.kinds, left) if numbers else ()
                async with aclosing(self._work_off(slots, writer)) as events:
                    async for event in events:
                        yield event
                if self.ended or not self.made:
                    return

    def estimate(self) -> MakeEstimate:
        passages, number = self.chosen(self.request.number, self.passages), self.request.number
        if not passages:
            return MakeEstimate(0, 0, 0.0, self.remark)
        parts = -(-number // MOST_ITEMS)
        read = round(sum(len(one.text) for one in passages) / CHARACTERS_OF_TOKEN)
        usage = Usage(read + parts * _TOKENS_OF_PROMPT, TOKENS_OF_ITEM * number)
        cost = price_list().cost(self._connection.model, usage)
        return MakeEstimate(len(passages), usage.tokens, cost, self.remark)

    async def _work_off(self, slots: Sequence[Slot], writer: ItemWriter) -> AsyncGenerator[MakeEvent, None]:
        """Ask for the items of each batch until all are there, a few times at most."""
        barren = 0
        for batch in batches(slots, self._registry, own_server=self._connection.is_own_server):
            before = self.made
            for _ in range(_ROUNDS):
                if await asyncio.to_thread(self._maker.answers.is_budget_spent):
                    self.ended = Message("making.budget_spent")
                    return
                async with aclosing(self._read(batch, writer)) as events:
                    async for event in events:
                        yield event
                if not batch.slots or not writer.characters:  # it has nothing to add
                    break
            barren = barren + 1 if self.made == before else 0
            if barren == _MOST_BARREN:
                self.ended = Message("making.nothing_more") if self.made else None
                return

    async def _read(self, batch: Batch, writer: ItemWriter) -> AsyncGenerator[MakeEvent, None]:
        """Read a reply; an item is stored, or dropped, as soon as it is complete."""
        most, count, extra = _MOST_DRAFTS * len(batch.slots), 0, 0
        async with aclosing(writer.write(self._question(batch))) as events:
            async for draft in events:
                if isinstance(draft, AnswerWaiting):
                    yield draft
                    continue
                count += 1
                try:
                    if isinstance(draft, Refused):
                        raise draft
                    yield self._keep(await asyncio.to_thread(self._judge, draft, batch), batch)
                except Refused as refused:
                    self.dropped[refused.reason] += 1
                    extra += refused.reason is DropReason.TOO_MANY
                    if isinstance(draft, Draft) and refused.reason is not DropReason.TOO_MANY:
                        batch.refused.append(f"{draft.text.front}: {refused}")
                if extra == _MOST_EXTRA or count == most:
                    break

    def _judge(self, draft: Draft, batch: Batch) -> _Good:
        """Check a draft; a good one takes its place in the batch. Raises Refused."""
        if draft.passage not in batch.numbers:
            raise Refused(DropReason.QUOTE, f"Passage {draft.passage} is not among those above.")
        item, vector = self.checked(self._checks.check(draft))
        if not batch.fill((draft.passage, draft.kind)):
            raise Refused(DropReason.TOO_MANY, f"Passage {draft.passage} has its items already.")
        return _Good(item, (draft.passage, draft.kind), vector)

    def _keep(self, good: _Good, batch: Batch) -> ItemMade:
        """Store an item: at once, so that stopping neither loses it nor counts it wrongly."""
        try:
            made = self.keep(good.item, good.vector)
        except Refused:
            batch.slots.append(good.slot)
            raise
        self._asked.append((good.item.source.hit.document_id, good.item.start, good.item.text.front))
        return made

    def _enter(self, passages: Sequence[Passage]) -> list[int]:
        """Number passages; those whose file has left the library meanwhile are left out."""
        sources = filter(None, map(self._maker.study.passages.source, passages))
        new, known = self._registry.add(source.hit for source in sources)
        return sorted(source.n for source in (*new, *known))

    def _question(self, batch: Batch) -> tuple[str, ...]:
        """Return what is asked, with what is asked already of the same passages."""
        hits = [self._registry.sources[number - 1].hit for number in batch.numbers]
        known = [
            front
            for document, start, front in self._asked
            if any(hit.document_id == document and hit.start <= start < hit.end for hit in hits)
        ]
        return question(batch, self._registry, self.request, known)

    def _count(self, usage: Usage) -> None:
        spent, cost = self.usage.cost, usage.cost
        self.usage = replace(self.usage + usage, cost=None if spent is None or cost is None else spent + cost)
        self._maker.conversations.record_unsaved(usage)


@dataclass(frozen=True, slots=True)
class _Good:
    """An item that passed all checks, what it was asked for as, and the vector of what it asks."""

    item: NewItem
    slot: Slot
    vector: NDArray[np.float32]
