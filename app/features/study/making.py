"""Has a model make items: passage by passage, each checked before it is stored or shown."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from app.core.answers.costs import CHARACTERS_OF_TOKEN, price_list
from app.core.answers.side_request import known_error
from app.core.answers.sources import SourceRegistry
from app.domain.cancel import CancelToken
from app.domain.events import AnswerWaiting
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.features.study.drafts import Draft, Refused
from app.features.study.item_checks import ItemChecks
from app.features.study.item_writer import ItemWriter, Reply, Written
from app.features.study.making_plan import (
    MOST_ITEMS,
    TOKENS_OF_ITEM,
    Batch,
    batches,
    planned,
    question,
    summary,
)
from app.features.study.model.making import (
    DropReason,
    ItemDropped,
    ItemMade,
    LessonCovered,
    MakeDone,
    MakeEstimate,
    MakeStarted,
    nothing_made,
    passages_covered,
)
from app.features.study.passages import choose, coverage, touched_by

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.core.answers.proof.support import TextEmbedder
    from app.core.answers.providers.base import ModelSettings, Step
    from app.core.answers.service import AnswerService
    from app.core.conversations.session_manager import SessionManager
    from app.core.search.service import SearchService
    from app.features.study.making_plan import Slot
    from app.features.study.model.items import NewItem
    from app.features.study.model.making import MakeEvent, MakeRequest
    from app.features.study.passages import Passage
    from app.features.study.service import StudyService

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
        embedder: TextEmbedder,
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
                run.stop()
        except Exception as failure:  # a bug, too: what was made stays, and is told
            error = known_error(failure).message
        if run is None:
            yield nothing_made(error or Message("making.stopped"))
        else:
            yield run.done(error)


class _Run:
    """One making of items."""

    def __init__(self, maker: Maker, request: MakeRequest, connection: ModelSettings) -> None:
        self._maker = maker
        self._request = request
        self._connection = connection
        study = maker.study
        self._replaced = None if request.instead_of is None else study.item(request.instead_of)
        chat = request.conversation_id
        self._chat = None if chat is None else maker.conversations.exchanges(chat)
        self._passages = self._find_passages()
        self._places = study.repository.places(request.kinds)  # of the quotes of items, more as they are made
        self._lessons = coverage(self._passages, self._places)
        self._registry = SourceRegistry(maker.search)
        self._asked_in = cache(
            lambda title: study.duplicates(self._deck(title), CancelToken(), request.instead_of)
        )
        self._asked = [
            (one.source.hit.document_id, one.start, one.text.front)
            for one in study.items()
            if one != self._replaced
        ]
        self._checks = ItemChecks(self._registry, request.difficulty, request.language, maker.embedder)
        self._made = 0
        self._dropped: Counter[DropReason] = Counter()
        self._usage = Usage(cost=0.0)
        self._ended: Message | None = None  # why it ended early, besides an error

    def _find_passages(self) -> tuple[Passage, ...]:
        found = self._maker.study.passages.asked_for(self._request.scope, self._chat)
        if self._replaced is None:
            return found
        document, start = self._replaced.source.hit.document_id, self._replaced.start
        same = [one for one in found if one.document_id == document]
        return (min(same, key=lambda one: abs(one.start - start)),) if same else found

    def stop(self) -> None:
        """The user has stopped it."""
        self._ended = Message("making.stopped")

    def done(self, error: Message | None) -> MakeDone:
        dropped = tuple(self._dropped.most_common())
        why = error or self._ended or self._why_nothing()
        sentence = summary(self._made, dropped, passages_covered(self._lessons), why)
        return MakeDone(self._made, dropped, self._lessons, self._usage, sentence, error)

    async def events(self) -> AsyncGenerator[MakeEvent, None]:
        """Make the items; what passages do not give is asked for once more, from others if there are any."""
        request = self._request
        yield MakeStarted(self._lessons, self.estimate())
        writer = ItemWriter(self._connection, self._maker.answers.make_provider, request.kinds, self._count)
        async with aclosing(writer):
            for _ in range(2):
                left = request.number - self._made
                numbers = await asyncio.to_thread(self._enter, self._chosen(left))
                if numbers:
                    slots = planned(numbers, self._registry, request.kinds, left)
                    async with aclosing(self._work_off(slots, writer)) as events:
                        async for event in events:
                            yield event
                if self._ended or not self._made:
                    return

    def _chosen(self, number: int) -> tuple[Passage, ...]:
        return choose(self._passages, number, touched_by(self._passages, self._places))

    def estimate(self) -> MakeEstimate:
        estimate = _estimate(self._chosen(self._request.number), self._request, self._connection)
        return replace(estimate, remark=self._remark())

    async def _work_off(self, slots: Sequence[Slot], writer: ItemWriter) -> AsyncGenerator[MakeEvent, None]:
        barren = 0
        for batch in batches(slots, self._registry, own_server=self._connection.is_own_server):
            before = self._made
            async with aclosing(self._fill(batch, writer)) as events:
                async for event in events:
                    yield event
            if self._ended:
                return
            barren = barren + 1 if self._made == before else 0
            if barren == _MOST_BARREN:
                self._ended = Message("making.nothing_more") if self._made else None
                return

    async def _fill(self, batch: Batch, writer: ItemWriter) -> AsyncGenerator[MakeEvent, None]:
        """Ask for the items of a batch until all are there, a few times at most."""
        asked = self._question(batch)
        steps: list[Step] = []
        for _ in range(_ROUNDS):
            if await asyncio.to_thread(self._maker.answers.is_budget_spent):
                self._ended = Message("making.budget_spent")
                return
            reply = Reply()
            async with aclosing(self._read(batch, writer, asked, steps, reply)) as events:
                async for event in events:
                    yield event
            if not batch.slots or not reply.characters:  # it has nothing to add
                return
            if step := reply.step(f"Still missing:\n{batch.plan()}"):
                steps.append(step)
                continue
            steps.clear()
            asked = self._question(batch)

    async def _read(
        self, batch: Batch, writer: ItemWriter, asked: tuple[str, ...], steps: list[Step], reply: Reply
    ) -> AsyncGenerator[MakeEvent, None]:
        """Read a reply; an item is stored, or dropped, as soon as it is complete."""
        most, count, extra = _MOST_DRAFTS * len(batch.slots), 0, 0
        async with aclosing(writer.write(asked, steps, reply)) as events:
            async for written in events:
                if isinstance(written, AnswerWaiting):
                    yield written
                    continue
                count += 1
                found = await asyncio.to_thread(self._judge, written.draft, batch)
                if isinstance(found, Refused):
                    extra += found.reason is DropReason.TOO_MANY
                    yield self._drop(found, written, batch, reply)
                else:
                    for event in self._keep(found, written, batch, reply):
                        yield event
                if extra == _MOST_EXTRA or count == most:
                    break

    def _judge(self, draft: Draft | Refused, batch: Batch) -> _Good | Refused:
        """Check a draft; a good one takes its place in the batch."""
        if isinstance(draft, Refused):
            return draft
        try:
            if draft.passage not in batch.numbers:
                raise Refused(DropReason.QUOTE, f"Passage {draft.passage} is not among those above.")
            item = self._in_its_course(self._checks.check(draft))
            asked = self._asked_in(item.source.hit.course_title)
            vector = asked.vector(item.kind, item.text)
            asked.check(item, vector)
            if not batch.fill((draft.passage, draft.kind)):
                raise Refused(DropReason.TOO_MANY, f"Passage {draft.passage} has its items already.")
        except Refused as refused:
            return refused
        return _Good(item, (draft.passage, draft.kind), vector)

    def _in_its_course(self, item: NewItem) -> NewItem:
        """Return an item with the title that its course has by now; raises Refused if it was removed."""
        hit = item.source.hit
        title = self._maker.study.repository.course_of(hit.document_id)
        if title is None:
            raise Refused(DropReason.QUOTE, "The passage has left the library.")
        return replace(item, source=replace(item.source, hit=replace(hit, course_title=title)))

    def _keep(self, good: _Good, written: Written, batch: Batch, reply: Reply) -> list[MakeEvent]:
        """Store an item: at once, so that stopping neither loses it nor counts it wrongly."""
        item, title = good.item, good.item.source.hit.course_title
        try:
            stored = self._asked_in(title).store(
                self._maker.study.repository, self._deck(title), item, good.vector
            )
        except Refused as refused:
            batch.slots.append(good.slot)
            return [self._drop(refused, written, batch, reply)]
        if self._replaced is not None:
            self._maker.study.repository.delete([self._replaced.item_id])
        self._made += 1
        self._asked.append((item.source.hit.document_id, item.start, item.text.front))
        reply.tell(written, "Kept.")
        self._places.append((item.source.hit.document_id, item.start, item.end))
        before, self._lessons = self._lessons, coverage(self._passages, self._places)
        changed = [new for old, new in zip(before, self._lessons, strict=True) if new != old]
        return [ItemMade(stored), *map(LessonCovered, changed)]

    def _drop(self, refused: Refused, written: Written, batch: Batch, reply: Reply) -> ItemDropped:
        self._dropped[refused.reason] += 1
        reply.tell(written, f"Not kept. {refused}")
        if isinstance(written.draft, Draft) and refused.reason is not DropReason.TOO_MANY:
            batch.refused.append(f"{written.draft.text.front}: {refused}")
        return ItemDropped(refused.reason)

    def _deck(self, course_title: str) -> int:
        old = self._replaced
        return self._maker.study.repository.deck_of(course_title) if old is None else old.deck_id

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
        return question(batch, self._registry, self._request, known)

    def _count(self, usage: Usage) -> None:
        spent, cost = self._usage.cost, usage.cost
        self._usage = replace(
            self._usage + usage, cost=None if spent is None or cost is None else spent + cost
        )
        self._maker.conversations.record_unsaved(usage)

    def _why_nothing(self) -> Message | None:
        if self._made:
            return None
        if not self._passages:
            return self._remark()
        return None if self._dropped else Message("making.nothing_written")

    def _remark(self) -> Message | None:
        reader = self._maker.study.passages
        return reader.remark(self._request.scope, self._chat, has_passages=bool(self._passages))


@dataclass(frozen=True, slots=True)
class _Good:
    """An item that passed all checks, what it was asked for as, and the vector of what it asks."""

    item: NewItem
    slot: Slot
    vector: NDArray[np.float32]


def _estimate(passages: Sequence[Passage], request: MakeRequest, connection: ModelSettings) -> MakeEstimate:
    if not passages:
        return MakeEstimate(0, 0, 0, 0.0)
    number = request.number
    parts = -(-number // MOST_ITEMS)
    read = round(sum(len(one.text) for one in passages) / CHARACTERS_OF_TOKEN)
    usage = Usage(read + parts * _TOKENS_OF_PROMPT, TOKENS_OF_ITEM * number)
    cost = price_list().cost(connection.model, usage)
    return MakeEstimate(len(passages), number, usage.tokens, cost)
