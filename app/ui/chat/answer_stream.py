"""The entries of a conversation, and an answer while it grows: its finished blocks and its open end."""

import time
from bisect import bisect_right, insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple, Self

from app.domain.conversations import Exchange
from app.domain.sources import Citation, Claim
from app.markup.citation_marks import owner_of, token_of, without_tokens
from app.markup.markdown_blocks import Block, BlockSplitter
from app.ui.chat.transcript_html import NoticeKind
from app.ui.markup.support_words import doubtful_claims

# What is drawn in one go; more would take longer than a frame.
_MOST_BLOCKS = 12
_HEAVIEST = 6_000  # of several blocks; one that is heavier comes alone
_MOST_NEW = 2_000  # characters
_LONGEST_WAIT = 3.0  # seconds; the first formula takes one
_MOST_CHECKED = 200  # blocks drawn whose marks may be different now

_answer_end = attrgetter("answer_end")


_Marked = tuple[Block, list["Citation | Claim"]]


class StreamUpdate(NamedTuple):
    keep: int  # finished blocks shown that stay
    changed: tuple[tuple[int, str], ...]  # index and new HTML of those whose marks are different now
    finished: tuple[str, ...]  # HTML of the finished blocks that follow
    tail: str | None  # HTML of the open end, which the next update replaces; None if more comes before it
    complete: bool  # nothing is left; if not, the next update continues


class AnswerStream:
    """Collects text, citations and claims as they arrive and says what to draw, part by part."""

    def __init__(
        self, text: str = "", citations: Sequence[Citation] = (), claims: Sequence[Claim] = ()
    ) -> None:
        self._splitter = BlockSplitter()
        self._new = without_tokens(text)  # not yet split
        self._blocks: list[Block] = []
        self._items = _by_place(citations, claims)
        self._drawn: list[list[str]] = []  # the tokens of each finished block drawn
        self._check_from = self._check_to = 0  # those whose tokens may be different now
        self._is_final = False
        self._waiting: StreamUpdate | None = None
        self._wait_ends = 0.0

    @classmethod
    def of(cls, exchange: Exchange) -> Self:
        return cls(exchange.answer, exchange.citations, exchange.claims)

    def add_text(self, text: str) -> None:
        self._new += without_tokens(text)

    def add_citation(self, citation: Citation) -> None:
        insort(self._items, citation, key=_answer_end)
        still_open = self._splitter.open_blocks()
        if not (still_open and citation.answer_end > still_open[0].start):
            owner = owner_of(citation.answer_end, self._blocks)
            self._check(owner, owner + 1)

    def examine(self, citations: Sequence[Citation], claims: Sequence[Claim]) -> None:
        """Replace the citations, and mark the claims that were not found."""
        self._items = _by_place(citations, claims)
        self._check(0, len(self._drawn))

    @property
    def waits(self) -> bool:
        """Whether the next update is ready, but what it shows is not."""
        return self._waiting is not None

    def holds(self, answer: str) -> bool:
        return self._splitter.source + self._new == without_tokens(answer)

    def restart(self) -> None:
        """Forget what was drawn; the next updates return everything."""
        self._drawn.clear()
        self._check_from = self._check_to = 0
        self._waiting = None

    def update_if(
        self, can_draw: Callable[[str], bool] | None = None, *, final: bool = False
    ) -> StreamUpdate | None:
        """Return :meth:`update`, or None until its HTML can be drawn, but not for ever."""
        update = self._waiting or self.update(final=final)
        if can_draw is not None:
            parts = [*(block for _, block in update.changed), *update.finished, update.tail or ""]
            now = time.monotonic()
            if self._waiting is None:
                self._wait_ends = now + _LONGEST_WAIT
            if not can_draw("".join(parts)) and now < self._wait_ends:
                self._waiting = update
                return None
        self._waiting = None
        return update

    def update(self, *, final: bool = False) -> StreamUpdate:
        """Return what has changed since the last update, or the next part of it.

        If ``final``, the answer is complete, and so are all blocks.
        """
        still_open = self._split(final)
        keep = len(self._drawn)
        if final and not self._is_final:
            self._is_final = True
            self._check(0, keep)
        changed = self._changed(still_open)
        end = keep + _fitting(self._blocks[keep : keep + _MOST_BLOCKS])
        rest: list[Block] = self._blocks[end : end + 1]
        if not (rest or self._new) and (end == keep or _weight(still_open) <= _HEAVIEST):
            part, after, complete = self._blocks[keep:end] + still_open, None, True
        else:
            after = (rest or still_open)[0].start if rest or still_open else len(self._splitter.source)
            part, complete = self._blocks[keep:end], False
        pairs = self._with_items(keep, part, after)
        html = self._html_of(pairs)
        self._drawn += [_tokens(own) for _, own in pairs[: end - keep]]
        tail = "".join(html[end - keep :]) if complete else None
        complete = complete and self._check_from == self._check_to
        return StreamUpdate(keep, changed, tuple(html[: end - keep]), tail, complete)

    def whole_html(self) -> str:
        """Return the whole answer as it is now, to be drawn at once."""
        html = ""
        while True:
            update = self.update(final=True)
            html += "".join(update.finished)
            if update.complete:
                return html

    def block_html(self, at: int) -> str:
        after = (self._blocks[at + 1 : at + 2] or self._splitter.open_blocks())[:1]
        pairs = self._with_items(at, [self._blocks[at]], after[0].start if after else None)
        return self._html_of(pairs)[0]

    # ---- internals ----

    def _split(self, final: bool) -> list[Block]:
        """Split some of the new text if too little is ready; return the open blocks."""
        if self._new and len(self._blocks) < len(self._drawn) + _MOST_BLOCKS:
            self._blocks += self._splitter.feed(self._new[:_MOST_NEW])
            self._new = self._new[_MOST_NEW:]
        if final and not self._new:
            self._blocks += self._splitter.finish()
            return []
        return self._splitter.open_blocks()

    def _check(self, start: int, end: int) -> None:
        """Note that the blocks drawn from ``start`` to ``end`` may show something else now."""
        if self._check_from < self._check_to:
            start, end = min(start, self._check_from), max(end, self._check_to)
        end = min(end, len(self._drawn))
        self._check_from, self._check_to = min(start, end), end

    def _changed(self, still_open: list[Block]) -> tuple[tuple[int, str], ...]:
        """Return the first of the blocks drawn whose marks are different now."""
        first, end = self._check_from, min(self._check_to, self._check_from + _MOST_CHECKED)
        if first == end:
            return ()
        after = (self._blocks[end : end + 1] or still_open)[:1]
        pairs = self._with_items(first, self._blocks[first:end], after[0].start if after else None)
        stale = [at for at in range(first, end) if self._drawn[at] != _tokens(pairs[at - first][1])]
        fitting = _fitting([self._blocks[at] for at in stale[:_MOST_BLOCKS]])
        self._check_from = stale[fitting] if fitting < len(stale) else end
        del stale[fitting:]
        again = [pairs[at - first] for at in stale]
        for at, (_, own) in zip(stale, again, strict=True):
            self._drawn[at] = _tokens(own)
        return tuple(zip(stale, self._html_of(again), strict=True))

    def _with_items(self, at: int, blocks: list[Block], after: int | None) -> list[_Marked]:
        """Pair the blocks from index ``at`` on with what they show; the next block begins at ``after``."""
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.markup.markdown_html import with_own_marks

        if not blocks:
            return []
        items = self._items
        first = bisect_right(items, blocks[0].start, key=_answer_end) if at else 0
        last = len(items) if after is None else bisect_right(items, after, key=_answer_end)
        return with_own_marks(blocks, items[first:last])

    def _html_of(self, pairs: list[_Marked]) -> list[str]:
        from app.markup.markdown_html import block_to_html

        return [block_to_html(self._splitter.source, block, own) for block, own in pairs]


def _by_place(citations: Sequence[Citation], claims: Sequence[Claim]) -> list[Citation | Claim]:
    """Return what changes the look of an answer; a claim in line with its sources has no look of its own."""
    return sorted([*citations, *doubtful_claims(claims)], key=_answer_end)


def _tokens(items: list[Citation | Claim]) -> list[str]:
    return [token_of(item) for item in items]


def _fitting(blocks: list[Block]) -> int:
    """Return how many of the blocks can be drawn in one go, at least one."""
    count = weight = 0
    for block in blocks:
        weight += block.weight
        if count and weight > _HEAVIEST:
            break
        count += 1
    return count


def _weight(blocks: list[Block]) -> int:
    return sum(block.weight for block in blocks)


_SHOWN_AT_FIRST = 30
_LENGTH_AT_FIRST = 40_000  # characters; more than one exchange


@dataclass(eq=False)
class Notice:
    """A sentence that belongs to no answer."""

    text: str
    kind: NoticeKind


@dataclass(eq=False)
class ShownAnswer:
    """A question with its answer, and the positions of its parts in the document."""

    exchange: Exchange
    running: bool = False
    status: str = ""
    meanwhile: str = ""  # HTML of the passages to read until the answer is complete
    blocks: list[int] = field(default_factory=list)
    late: set[int] = field(default_factory=set)  # those drawn without the pictures of their formulas
    start: int = 0
    end: int = 0  # of the answer's text

    @cached_property
    def stream(self) -> AnswerStream:
        """The answer as it is drawn; made on first use, since a chat may have hundreds of answers."""
        return AnswerStream.of(self.exchange)


class Entries(list[ShownAnswer | Notice]):
    """A conversation from its beginning; only what is drawn has a place in the document."""

    def answers(self) -> Iterator[ShownAnswer]:
        return (entry for entry in self if isinstance(entry, ShownAnswer))

    def answer(self, exchange_id: int) -> ShownAnswer | None:
        return next((one for one in self.answers() if one.exchange.id == exchange_id), None)

    def newest(self) -> ShownAnswer | None:
        return next((one for one in reversed(self) if isinstance(one, ShownAnswer)), None)

    def running(self) -> ShownAnswer | None:
        return next((one for one in reversed(self) if isinstance(one, ShownAnswer) and one.running), None)

    def first_before(self, end: int) -> int:
        """Return which entry is the first of those shown at once that end before ``end``."""
        answers, length = list(self.answers()), 0
        for index in range(end - 1, -1, -1):
            exchange = answers[index].exchange
            length += len(exchange.question) + len(exchange.answer)
            if end - index > _SHOWN_AT_FIRST or (length > _LENGTH_AT_FIRST and index < end - 1):
                return index + 1
        return 0
