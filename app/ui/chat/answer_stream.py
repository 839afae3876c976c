"""An answer while it grows: its finished blocks and its open end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.ui.markup.citation_marks import owner_of, without_tokens
from app.ui.markup.markdown_blocks import Block, BlockSplitter

if TYPE_CHECKING:
    from app.domain.sources import Citation


class StreamUpdate(NamedTuple):
    """A change to the view."""

    keep: int  # finished blocks shown that stay; a citation of a later one has arrived
    finished: tuple[str, ...]  # HTML of the finished blocks that follow
    tail: str  # HTML of the open end; the next update replaces it
    complete: bool  # nothing is left; if not, ``tail`` is empty and the next update continues


class AnswerStream:
    """Collects text and citations as they arrive and tells what to draw."""

    def __init__(self, text: str = "", citations: tuple[Citation, ...] = ()) -> None:
        self._splitter = BlockSplitter()
        self._blocks: list[Block] = []
        self._citations = list(citations)
        self._keep = 0  # how many of the blocks drawn are still right
        self.add_text(text)

    def add_text(self, text: str) -> None:
        self._blocks += self._splitter.feed(without_tokens(text))

    def add_citation(self, citation: Citation) -> None:
        self._citations.append(citation)
        if self._keep:
            blocks = self._blocks + self._splitter.open_blocks()
            self._keep = min(self._keep, owner_of(citation.answer_end, blocks))

    def matches(self, answer: str, citations: tuple[Citation, ...]) -> bool:
        """Return whether the stream holds exactly this answer with these citations."""
        return self._splitter.source == without_tokens(answer) and self._citations == list(citations)

    def restart(self) -> None:
        """Forget what was drawn; the next update returns everything."""
        self._keep = 0

    def update(self, *, final: bool = False, most: int | None = None) -> StreamUpdate:
        """Return what has changed since the last update, with at most ``most`` finished blocks.

        If ``final``, the answer is complete, and so are all blocks.
        """
        # Late, because the Markdown packages would delay the first picture of the window.
        from app.ui.markup.markdown_html import block_to_html, with_own_marks

        if final:
            self._blocks += self._splitter.finish()
        keep, source = self._keep, self._splitter.source
        end = len(self._blocks) if most is None else min(keep + most, len(self._blocks))
        complete = end == len(self._blocks)
        still_open = [] if final else self._splitter.open_blocks()
        pairs = with_own_marks(self._blocks + still_open, self._citations)[keep : None if complete else end]
        html = [block_to_html(source, block, own) for block, own in pairs]
        self._keep = end
        return StreamUpdate(keep, tuple(html[: end - keep]), "".join(html[end - keep :]), complete)
