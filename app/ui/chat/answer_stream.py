"""An answer while it grows: which blocks are finished, which part is still open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.ui.markup.citation_marks import Mark, mark_of, owner_of, without_tokens
from app.ui.markup.markdown_blocks import Block, BlockSplitter

if TYPE_CHECKING:
    from app.domain.sources import Citation


@dataclass(frozen=True, slots=True)
class StreamUpdate:
    """What has to change in the view.

    Attributes:
        keep: how many of the finished blocks that are already shown stay; those after it are
            cut off because a citation came for one of them.
        finished: HTML of the finished blocks that follow.
        tail: HTML of what is still open; replaced by the next update.
        complete: whether that is all there is; if not, ``tail`` is empty and the next update has more.
    """

    keep: int
    finished: tuple[str, ...]
    tail: str
    complete: bool


class AnswerStream:
    """Takes text and citations as they come and says what to draw."""

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
        """Whether there is no text yet."""
        return not (self._splitter.source or self._pending)

    def add_text(self, text: str) -> None:
        """Take more of the answer's Markdown."""
        self._pending.append(without_tokens(text))

    def add_citation(self, citation: Citation) -> None:
        """Take a citation of what was written so far."""
        self._feed()
        mark = mark_of(citation)
        self._marks.append(mark)
        if self._blocks:
            self._keep = min(self._keep, self._owner(mark, self._blocks + self._splitter.open_blocks()))

    def matches(self, answer: str, citations: tuple[Citation, ...]) -> bool:
        """Whether exactly this answer with these citations was taken."""
        self._feed()
        return self._splitter.source == without_tokens(answer) and self._marks == [
            mark_of(c) for c in citations
        ]

    def restart(self) -> None:
        """Forget what was shown: the next update has everything."""
        self._shown = self._keep = 0

    def update(self, *, final: bool = False, most: int | None = None) -> StreamUpdate:
        """Return what changed since the last update.

        Args:
            final: nothing more will come; all blocks are finished.
            most: how many finished blocks to return at most.
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
        """Hand what has come to the splitter."""
        if self._pending:
            self._blocks += self._splitter.feed("".join(self._pending))
            self._pending.clear()

    def _owner(self, mark: Mark, blocks: list[Block]) -> int:
        return owner_of(mark.position, blocks)

    def _html_of(self, blocks: list[Block], first: int, end: int) -> list[str]:
        """Return the HTML of the blocks from ``first`` on, up to ``end``."""
        owned: dict[int, list[Mark]] = {}
        if blocks:
            for mark in self._marks:
                owned.setdefault(self._owner(mark, blocks), []).append(mark)
        # Here, since the first picture of the window would wait for its packages.
        from app.ui.markup.markdown_html import block_to_html

        source = self._splitter.source
        return [block_to_html(source, blocks[i], owned.get(i, ())) for i in range(first, end)]
