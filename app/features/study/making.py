"""Makes items: asks a model for them, checks and stores them, and counts the results."""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from itertools import accumulate, cycle, pairwise
from math import ceil

from app.core.answers.costs import CHARACTERS_OF_TOKEN, price_list
from app.core.answers.prompts import load_prompt, one_line
from app.core.answers.providers.base import ModelSettings
from app.core.answers.side_request import known_error
from app.core.answers.sources import SourceRegistry, numbered_text
from app.core.rag_system import RAGSystem
from app.domain.cancel import CancelToken
from app.domain.events import AnswerWaiting
from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.domain.scope import Scope
from app.features.study.item_checks import ItemChecks
from app.features.study.item_writer import MOST_ITEMS, TOKENS_OF_ITEM, Draft, DropReason, ItemWriter, Refused
from app.features.study.model.items import Difficulty, Item, NewItem
from app.features.study.model.names import ItemKind
from app.features.study.passages import Passage, choose, touched_by
from app.features.study.service import StudyService

_MOST_CHARACTERS = 12_000  # of passages sent at a time
_OWN_SERVER = 0.5  # of items and characters: a model on one's own computer takes less at a time
_SHORT = 0.2  # of both, for a small model
_SMALL_READS, _SMALL_WRITES = 60, 20  # tokens a second, on two cores
_MOST_SAID = 20  # of what is known, or was refused
_TRIES = 3  # to have an item made
_MOST_BARREN = 4  # replies in a row of which nothing is kept
_MOST_EXTRA = 3  # items more than asked for, after which a reply is not read any further
_MOST_DRAFTS = 4  # for each item asked for
_TOKENS_OF_PROMPT = 1_500  # with the tools

_DIFFICULTIES = {
    Difficulty.EASY: "easy: what a sentence says",
    Difficulty.MEDIUM: "medium: what a sentence means, and why",
    Difficulty.HARD: "hard: what follows from it, and how it hangs together with the rest of the passage",
}

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class MakeRequest:
    """What is to be made, and from what."""

    kinds: tuple[ItemKind, ...]
    number: int  # of items, of all kinds together
    scope: Scope = field(default_factory=Scope)
    conversation_id: int | None = None  # from the passages that its answers cite, instead of the scope
    difficulty: Difficulty = Difficulty.MEDIUM
    language: str = ""  # of the items, as a code of ISO 639; empty for that of the material
    automatic: bool = False  # by rules, without a model
    instead_of: int | None = None  # key of an item whose place the new one takes


def again(item: Item) -> MakeRequest:
    """Return a request to make an item again, from the place of its sentence or else from its lesson."""
    hit = item.source.hit
    scope = Scope(lessons=((hit.course_title, hit.lesson_number),))
    return MakeRequest((item.kind,), 1, scope, None, item.difficulty, item.language, instead_of=item.item_id)


@dataclass(frozen=True, slots=True)
class MakeEstimate:
    """What it takes to make items, about."""

    passages: int  # that they will be made from
    tokens: int
    cost: float | None  # US dollars; None if the price is unknown
    remark: Message | None = None  # why there are no passages, or what is left out
    terms: int = 0  # marked by the author; counted only where no model is asked
    minutes: int = 0  # that a small model takes on two cores


@dataclass(frozen=True, slots=True)
class MakeStarted:
    items: int  # that will be made at most


@dataclass(frozen=True, slots=True)
class ItemMade:
    """An item passed all checks, and is stored."""

    item: Item


@dataclass(frozen=True, slots=True)
class MakeDone:
    """The last event, also after Stop and after an error."""

    made: int
    dropped: tuple[tuple[DropReason, int], ...]
    covered: int  # of the passages, how many have items now
    passages: int
    usage: Usage  # of all requests, with their cost
    summary: Message  # one sentence: what was made and dropped, or why nothing was made and what to do
    error: Message | None = None  # why it ended early; None also after Stop


MakeEvent = MakeStarted | ItemMade | AnswerWaiting | MakeDone


def nothing_made(why: Message) -> MakeDone:
    return MakeDone(0, (), 0, 0, Usage(), why, why)


class MakingRun:
    """One making of items."""

    def __init__(self, rag: RAGSystem, request: MakeRequest, token: CancelToken) -> None:
        self.study, self.request = rag.service(StudyService), request
        study, number = self.study, request.conversation_id
        chat = None if number is None else rag.conversations.exchanges(number)
        self.passages = study.passages.asked_for(request.scope, chat)
        self.remark = study.passages.remark(request.scope, chat, has_passages=bool(self.passages))
        self.replaced = None if request.instead_of is None else study.item(request.instead_of)
        self.made = 0
        self.dropped: Counter[DropReason] = Counter()
        self.usage = Usage(cost=0.0)
        self._places = study.repository.places(request.kinds)
        self._asked_in = cache(lambda deck: study.duplicates(deck, token, request.instead_of))

    def chosen(self, number: int, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Return some of the passages, those without an item first."""
        return choose(passages, number, touched_by(passages, self._places))

    def checked(self, item: NewItem) -> NewItem:
        """Return an item in the course that its passage belongs to by now.

        Raises Refused if the passage has left the library, or another item asks the same.
        """
        hit = item.source.hit
        title = self.study.repository.course_of(hit.document_id)
        if title is None:
            raise Refused(DropReason.QUOTE, "The passage has left the library.")
        item = replace(item, source=replace(item.source, hit=replace(hit, course_title=title)))
        if not self._asked_in(self._deck(item)).is_new(item.kind, item.text, item.language):
            raise Refused(DropReason.REPEATED, "Another item asks this already: ask for something else.")
        return item

    def keep(self, item: NewItem) -> ItemMade:
        """Store an item that was checked; raises Refused if its course has left the library meanwhile."""
        deck = self._deck(item)
        (key,) = self.study.repository.add(deck, [item])
        self._asked_in(deck).add(item.kind, item.text, item.language)
        if (stored := self.study.item(key)) is None:
            raise Refused(DropReason.QUOTE, "The course has left the library.")
        if self.replaced is not None:
            self.study.delete([self.replaced.item_id])
        self.made += 1
        self._places.append((item.source.hit.document_id, item.start, item.end))
        return ItemMade(stored)

    def done(self, why: Message | None, error: Message | None = None) -> MakeDone:
        """Return the end; ``why`` is the reason if it ended early, or made nothing."""
        dropped = tuple(self.dropped.most_common())
        covered, passages = len(touched_by(self.passages, self._places)), len(self.passages)
        summary = _summary(self.made, dropped, covered, passages, error or why)
        return MakeDone(self.made, dropped, covered, passages, self.usage, summary, error)

    def _deck(self, item: NewItem) -> int:
        old = self.replaced
        return self.study.repository.deck_of(item.source.hit.course_title) if old is None else old.deck_id


def _summary(
    made: int, dropped: Sequence[tuple[DropReason, int]], covered: int, passages: int, why: Message | None
) -> Message:
    if why is not None:
        return Message("making.ended_early", n=made, reason=why) if made else why
    reasons = [Message(f"making.dropped_{reason}", n=count) for reason, count in dropped]
    listed = (
        reduce(lambda rest, first: Message("making.and", first=first, rest=rest), reversed(reasons))
        if reasons
        else None
    )
    if not made:
        return Message("making.nothing_kept", dropped=listed) if listed else Message("making.nothing_written")
    counts = {"n": made, "covered": covered, "passages": passages}
    return (
        Message("making.made_and_dropped", **counts, dropped=listed)
        if listed
        else Message("making.made", **counts)
    )


@dataclass(eq=False, slots=True)
class Slot:
    """An item to be made, from the passage of this number."""

    passage: int
    kind: ItemKind
    tries: int = _TRIES  # that are left


def estimate(rag: RAGSystem, request: MakeRequest, connection: ModelSettings) -> MakeEstimate:
    """Return what it takes to make items by a model."""
    return _Run(rag, request, connection).estimate()


async def make(
    rag: RAGSystem, request: MakeRequest, connection: ModelSettings
) -> AsyncGenerator[MakeEvent, None]:
    """Make items; the last event is a :class:`MakeDone`, whatever happens.

    Cancelling the task that iterates ends it; what was made until then stays.
    """
    run: _Run | None = None
    error: Message | None = None
    try:
        run = await asyncio.to_thread(_Run, rag, request, connection)
        async with aclosing(run.events()) as events:
            async for event in events:
                yield event
    except asyncio.CancelledError:
        _log.info("The making of items was stopped.")
        if run is not None:
            run.ended = Message("making.stopped")
    except Exception as failure:  # even a bug: what was made stays, and is told
        error = known_error(failure).message
    if run is None:
        yield nothing_made(error or Message("making.stopped"))
    else:
        yield run.done(run.ended or run.why_nothing(), error)


class _Run(MakingRun):
    """One making by a model; ``ended`` is why it ended early, besides an error."""

    def __init__(self, rag: RAGSystem, request: MakeRequest, connection: ModelSettings) -> None:
        super().__init__(rag, request, CancelToken())
        self.ended: Message | None = None
        self._rag = rag
        self._connection = connection
        if (old := self.replaced) is not None:
            same = [one for one in self.passages if one.document_id == old.source.hit.document_id]
            nearest = sorted(same, key=lambda one: abs(one.start - old.start))[:1]
            self.passages = tuple(nearest) or self.passages
        self._registry = SourceRegistry(rag.search)
        self._asked = [  # by all items: of which document, where, and what
            (one.source.hit.document_id, one.start, one.text.front)
            for one in self.study.items()
            if one != old
        ]
        self._refused: list[tuple[int, str]] = []  # of the last reply: from which passage, and why
        self._checks = ItemChecks(self._registry, request.difficulty, request.language, rag.embedder)

    def why_nothing(self) -> Message | None:
        if self.made or self.dropped:
            return None
        return Message("making.nothing_written") if self.passages else self.remark

    def estimate(self) -> MakeEstimate:
        passages, number = self.chosen(self.request.number, self.passages), self.request.number
        if not passages:
            return MakeEstimate(0, 0, 0.0, self.remark)
        parts = ceil(number / (self._share * MOST_ITEMS))
        read = round(sum(len(one.text) for one in passages) / CHARACTERS_OF_TOKEN)
        usage = Usage(read + parts * _TOKENS_OF_PROMPT, TOKENS_OF_ITEM * number)
        cost = price_list().cost(self._connection.model, usage)
        seconds = usage.input_tokens / _SMALL_READS + usage.output_tokens / _SMALL_WRITES
        minutes = ceil(seconds / 60) if self._connection.short else 0
        return MakeEstimate(len(passages), usage.tokens, cost, self.remark, minutes=minutes)

    async def events(self) -> AsyncGenerator[MakeEvent, None]:
        """Make the items; what passages do not give is asked for once more, from others if there are any."""
        yield MakeStarted(self.request.number if self.passages else 0)
        writer = ItemWriter(
            self._connection, self._rag.answers.make_provider, self.request.kinds, self._count
        )
        async with aclosing(writer):
            for _ in range(2):
                waiting = deque(await asyncio.to_thread(self._plan))
                async with aclosing(self._work_off(waiting, writer)) as events:
                    async for event in events:
                        yield event
                if self.ended or not self.made:
                    return

    def _plan(self) -> list[Slot]:
        """Give each passage one item, and long ones more, with the kinds in turns."""
        count = self.request.number - self.made
        sources = filter(None, map(self.study.passages.source, self.chosen(count, self.passages)))
        new, known = self._registry.add(source.hit for source in sources)
        chosen = sorted((*new, *known), key=lambda source: source.n)
        bounds = [0, *accumulate(len(source.hit.text) for source in chosen)]
        extra = [(count - len(chosen)) * bound // max(bounds[-1], 1) for bound in bounds]
        passages = [
            source.n
            for source, (before, after) in zip(chosen, pairwise(extra), strict=True)
            for _ in range(1 + after - before)
        ]
        return list(map(Slot, passages, cycle(self.request.kinds)))

    async def _work_off(self, waiting: deque[Slot], writer: ItemWriter) -> AsyncGenerator[MakeEvent, None]:
        """Ask for the waiting items in batches; items that a reply lacks go into the next batch."""
        barren = 0
        while waiting:
            if await asyncio.to_thread(self._rag.answers.is_budget_spent):
                self.ended = Message("making.budget_spent")
                return
            slots, before = self._next(waiting), self.made
            async with aclosing(self._read(slots, writer)) as events:
                async for event in events:
                    yield event
            barren = barren + 1 if self.made == before else 0
            if barren == _MOST_BARREN:
                self.ended = Message("making.nothing_more") if self.made else None
                return
            for slot in reversed(slots if writer.characters else []):  # else it has nothing to add
                slot.tries -= 1
                if slot.tries:
                    waiting.appendleft(slot)

    @property
    def _share(self) -> float:
        """How much of the most the model is asked for at a time."""
        if self._connection.short:
            return _SHORT
        return _OWN_SERVER if self._connection.is_own_server else 1

    def _next(self, waiting: deque[Slot]) -> list[Slot]:
        """Take as much as a model answers in one reply."""
        share = self._share
        slots: list[Slot] = []
        sent: dict[int, int] = {}
        while waiting and len(slots) < share * MOST_ITEMS:
            number = waiting[0].passage
            sent[number] = len(self._registry.sources[number - 1].hit.text)
            if slots and sum(sent.values()) > share * _MOST_CHARACTERS:
                break
            slots.append(waiting.popleft())
        return slots

    def _question(self, slots: Sequence[Slot]) -> tuple[str, ...]:
        """Return the texts of the user's turn: the passages, and what to make from them."""
        numbers = list(dict.fromkeys(slot.passage for slot in slots))
        sources, plan = [self._registry.sources[number - 1] for number in numbers], []
        for number in numbers:
            kinds = [slot.kind for slot in slots if slot.passage == number]
            counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
            plan.append(f"- passage {number}: {counts}")
        language = self.request.language
        asked = load_prompt("make_request").replace("{difficulty}", _DIFFICULTIES[self.request.difficulty])
        asked = asked.replace("{language}", f"{language} (ISO 639)" if language else "that of the passage")
        known = [
            front
            for document, start, front in self._asked
            if any(s.hit.document_id == document and s.hit.start <= start < s.hit.end for s in sources)
        ]
        refused = [why for number, why in self._refused if number in numbers]
        texts = [asked.replace("{plan}", "\n".join(plan))]
        for name, said in (("known", known), ("refused", refused)):
            if said:
                listed = "\n".join(f"- {one_line(text)}" for text in said[-_MOST_SAID:])
                texts.append(load_prompt(f"make_{name}").replace(f"{{{name}}}", listed))
        return "\n\n".join(map(numbered_text, sources)), "\n\n".join(texts)

    async def _read(self, slots: list[Slot], writer: ItemWriter) -> AsyncGenerator[MakeEvent, None]:
        """Read a reply; an item is stored, or dropped, as soon as it is complete; its slot goes."""
        most, count, extra = _MOST_DRAFTS * len(slots), 0, 0
        numbers, question = {slot.passage for slot in slots}, self._question(slots)
        self._refused = []
        async with aclosing(writer.write(question)) as events:
            async for draft in events:
                if isinstance(draft, AnswerWaiting):
                    yield draft
                    continue
                count += 1
                try:
                    if isinstance(draft, Refused):
                        raise draft
                    item = await asyncio.to_thread(self._judge, draft, numbers)
                    slot = _slot_of(draft, slots)
                    # Stored in this thread, so that stopping neither loses it nor counts it wrongly.
                    yield self.keep(item)
                    slots.remove(slot)
                    self._asked.append((item.source.hit.document_id, item.start, item.text.front))
                except Refused as refused:
                    self.dropped[refused.reason] += 1
                    extra += refused.reason is DropReason.TOO_MANY
                    if isinstance(draft, Draft) and refused.reason is not DropReason.TOO_MANY:
                        self._refused.append((draft.passage, f"{draft.text.front}: {refused}"))
                if extra == _MOST_EXTRA or count == most:
                    break

    def _judge(self, draft: Draft, numbers: set[int]) -> NewItem:
        if draft.passage not in numbers:
            raise Refused(DropReason.QUOTE, f"Passage {draft.passage} is not among those above.")
        return self.checked(self._checks.check(draft))

    def _count(self, usage: Usage) -> None:
        spent, cost = self.usage.cost, usage.cost
        self.usage = replace(self.usage + usage, cost=None if spent is None or cost is None else spent + cost)
        self._rag.conversations.record_unsaved(usage)


def _slot_of(draft: Draft, slots: Sequence[Slot]) -> Slot:
    """Return the slot that a draft fills, if need be one of another kind; raises Refused."""
    open_ones = [slot for slot in slots if slot.passage == draft.passage]
    if not open_ones:
        raise Refused(DropReason.TOO_MANY, f"Passage {draft.passage} has its items already.")
    return next((slot for slot in open_ones if slot.kind == draft.kind), open_ones[0])
