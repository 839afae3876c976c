"""Pictures of the pages that passages are from, for models that see, if the user allows it.

They are made for one answer and kept nowhere. Later questions are sent without them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.core.answers.costs import price_list
from app.core.documents.figures import page_of
from app.domain.cancel import CancelToken
from app.domain.model_servers import Usage
from app.domain.sources import Source

if TYPE_CHECKING:
    from app.core.answers.providers.base import Turn

MOST_PICTURES = 4  # of one answer
_TOKENS = 1_600  # of one, at most; servers make larger pictures smaller

SeePages = Callable[[Sequence[Source], int, CancelToken], dict[int, bytes]]
"""Returns at most so many pages that show more than text, as JPEGs by the numbers of their sources."""


def price_of_picture(model: str) -> float | None:
    """Return about what a picture costs in a request, in US dollars; None if the price is unknown."""
    return price_list().cost(model, Usage(input_tokens=_TOKENS))


class PagePictures:
    """Adds to the turns of one answer."""

    def __init__(self, see: SeePages) -> None:
        self._see = see
        self._looked: set[tuple[str, int]] = set()

    async def add_to(self, turn: Turn) -> None:
        """Put the pages of passages that are new beside them."""
        room = MOST_PICTURES - len(turn.pages)
        new: dict[tuple[str, int], Source] = {}
        for source in turn.passages:
            page = page_of(source.hit)
            if page is not None and (source.hit.path, page) not in self._looked:
                new.setdefault((source.hit.path, page), source)
        if not room or not new:
            return
        self._looked.update(new)
        token = CancelToken()
        try:
            turn.pages |= await asyncio.to_thread(self._see, tuple(new.values()), room, token)
        finally:
            token.cancel()  # the thread does not end with the answer
