"""An answer while it grows: its finished blocks and its open end."""

from __future__ import annotations

from bisect import bisect_right, insort
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from app.ui.markup.citation_marks import owner_of, without_tokens
from app.ui.markup.markdown_blocks import Block, BlockSplitter

if TYPE_CHECKING:
    from app.domain.sources import Citation


# What is drawn in one go; more would take longer than a frame.
_MOST_BLOCKS = 12
_HEAVIEST = 6_000  # of several blocks; one that is heavier comes alone
_MOST_NEW = 2_000  # characters

_answer_end = attrgetter("answer_end")


class StreamUpdate(NamedTuple):
    """A change to the view."""

    keep: int  # finished blocks shown that stay; a citation of a later one has arrived
    finished: tuple[str, ...]  # HTML of the finished blocks that follow
    tail: str  # HTML of the open end; the next update replaces it
    complete: bool  # nothing is left; if not, ``tail`` is empty and the next update continues


class AnswerStream:
    """Collects text and citations as they arrive and tells what to draw, a part at a time."""

    def __init__(self, text: str = "", citations: tuple[Citation, ...] = ()) -> None:
        self._splitter = BlockSplitter()
        self._new = without_tokens(text)  # not yet split
        self._blocks: list[Block] = []
        self._citations = list(citations)
        self._by_place = sorted(citations, key=_answer_end)
        self._keep = 0  # how many of the blocks drawn are still right

    def add_text(self, text: str) -> None:
        self._new += without_tokens(text)

    def add_citation(self, citation: Citation) -> None:
        self._citations.append(citation)
        insort(self._by_place, citation, key=_answer_end)
        still_open = self._splitter.open_blocks()
        if self._keep and not (still_open and citation.answer_end > still_open[0].start):
            self._keep = min(self._keep, owner_of(citation.answer_end, self._blocks))

    def matches(self, answer: str, citations: tuple[Citation, ...]) -> bool:
        """Return whether the stream holds exactly this answer with these citations."""
        text = self._splitter.source + self._new
        return text == without_tokens(answer) and self._citations == list(citations)

    def restart(self) -> None:
        """Forget what was drawn; the next updates return everything."""
        self._keep = 0

    def update(self, *, final: bool = False) -> StreamUpdate:
        """Return what has changed since the last update, or the next part of it.

        If ``final``, the answer is complete, and so are all blocks.
        """
        still_open = self._split(final)
        keep, end = self._keep, self._keep + self._part()
        rest: list[Block] = self._blocks[end : end + 1]
        if not (rest or self._new) and (end == keep or _weight(still_open) <= _HEAVIEST):
            part, after, complete = self._blocks[keep:end] + still_open, None, True
        else:
            after = (rest or still_open)[0].start if rest or still_open else len(self._splitter.source)
            part, complete = self._blocks[keep:end], False
        html = self._html_of(part, after)
        self._keep = end
        return StreamUpdate(keep, tuple(html[: end - keep]), "".join(html[end - keep :]), complete)

    # ---- internals ----

    def _split(self, final: bool) -> list[Block]:
        """Split some of the new text if too little is ready; return the open blocks."""
        if self._new and len(self._blocks) < self._keep + _MOST_BLOCKS:
            self._blocks += self._splitter.feed(self._new[:_MOST_NEW])
            self._new = self._new[_MOST_NEW:]
        if final and not self._new:
            self._blocks += self._splitter.finish()
            return []
        return self._splitter.open_blocks()

    def _part(self) -> int:
        """Return how many finished blocks the next part has."""
        ahead = self._blocks[self._keep : self._keep + _MOST_BLOCKS]
        count = weight = 0
        for block in ahead:
            weight += block.weight
            if count and weight > _HEAVIEST:
                break
            count += 1
        return count

    def _html_of(self, blocks: list[Block], after: int | None) -> list[str]:
        """Return the HTML of blocks in a row; the next one begins at ``after``."""
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.markup.markdown_html import block_to_html, with_own_marks

        if not blocks:
            return []
        marks = self._by_place
        first = bisect_right(marks, blocks[0].start, key=_answer_end) if self._keep else 0
        last = len(marks) if after is None else bisect_right(marks, after, key=_answer_end)
        pairs = with_own_marks(blocks, marks[first:last])
        return [block_to_html(self._splitter.source, block, own) for block, own in pairs]


def _weight(blocks: list[Block]) -> int:
    return sum(block.weight for block in blocks)
