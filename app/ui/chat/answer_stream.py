"""An answer while it grows: its finished blocks and its open end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.ui.markup.citation_marks import Mark, mark_of, owner_of, without_tokens
from app.ui.markup.markdown_blocks import Block, BlockSplitter

if TYPE_CHECKING:
    from app.domain.sources import Citation


@dataclass(frozen=True, slots=True)
class StreamUpdate:
    """A change to the view.

    Attributes:
        keep: how many of the finished blocks shown stay; a citation of a later one has arrived.
        finished: HTML of the finished blocks that follow.
        tail: HTML of the open end; the next update replaces it.
        complete: whether nothing is left; if not, ``tail`` is empty and the next update continues.
    """

    keep: int
    finished: tuple[str, ...]
    tail: str
    complete: bool


class AnswerStream:
    """Collects text and citations as they arrive and tells what to draw."""

    def __init__(self, text: str = "", citations: tuple[Citation, ...] = ()) -> None:
        self._splitter = BlockSplitter()
        self._pending: list[str] = []
        self._blocks: list[Block] = []
        self._marks: list[Mark] = []
        self._shown = 0
        self._keep = 0
        if text:
            self.add_text(text)
        for citation in citations:
            self.add_citation(citation)

    @property
    def is_empty(self) -> bool:
        return not (self._splitter.source or self._pending)

    def add_text(self, text: str) -> None:
        self._pending.append(without_tokens(text))

    def add_citation(self, citation: Citation) -> None:
        self._feed()
        mark = mark_of(citation)
        self._marks.append(mark)
        if self._blocks:
            blocks = self._blocks + self._splitter.open_blocks()
            self._keep = min(self._keep, owner_of(mark.position, blocks))

    def matches(self, answer: str, citations: tuple[Citation, ...]) -> bool:
        """Return whether the stream holds exactly this answer with these citations."""
        self._feed()
        marks = [mark_of(citation) for citation in citations]
        return self._splitter.source == without_tokens(answer) and self._marks == marks

    def restart(self) -> None:
        """Forget what was drawn; the next update returns everything."""
        self._shown = self._keep = 0

    def update(self, *, final: bool = False, most: int | None = None) -> StreamUpdate:
        """Return what has changed since the last update.

        Args:
            final: the answer is complete, and so are all blocks.
            most: the number of finished blocks to return at most.
        """
        self._feed()
        if final:
            self._blocks += self._splitter.finish()
        still_open = [] if final else self._splitter.open_blocks()
        keep = min(self._keep, self._shown)
        end = len(self._blocks) if most is None else min(keep + most, len(self._blocks))
        complete = end == len(self._blocks)
        everything = self._blocks + still_open
        html = self._html_of(everything, keep, len(everything) if complete else end)
        self._shown = self._keep = end
        done = end - keep
        return StreamUpdate(keep, tuple(html[:done]), "".join(html[done:]), complete)

    # ---- internals ----

    def _feed(self) -> None:
        if self._pending:
            self._blocks += self._splitter.feed("".join(self._pending))
            self._pending.clear()

    def _html_of(self, blocks: list[Block], first: int, end: int) -> list[str]:
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.markup.markdown_html import block_to_html

        owned: dict[int, list[Mark]] = {}
        for mark in self._marks if blocks else ():
            owned.setdefault(owner_of(mark.position, blocks), []).append(mark)
        return [block_to_html(self._splitter.source, blocks[i], owned.get(i, ())) for i in range(first, end)]
