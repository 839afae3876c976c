"""What is kept and counted while items are made, by a model or without one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache, reduce
from typing import TYPE_CHECKING

from app.domain.messages import Message
from app.domain.model_servers import Usage
from app.features.study.item_writer import Refused
from app.features.study.model.making import DropReason, ItemMade, MakeDone, MakeRequest
from app.features.study.passages import Passage, choose, touched_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from app.domain.cancel import CancelToken
    from app.domain.conversations import Exchange
    from app.features.study.model.items import NewItem
    from app.features.study.service import StudyService


class MakingRun:
    """One making of items; ``chat`` are the exchanges of the one that the request names, if it names one."""

    def __init__(
        self, study: StudyService, request: MakeRequest, chat: Sequence[Exchange] | None, token: CancelToken
    ) -> None:
        self.study, self.request = study, request
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

    def checked(self, item: NewItem) -> tuple[NewItem, NDArray[np.float32]]:
        """Return an item in the course that its passage belongs to by now, and the vector of what it asks.

        Raises Refused if the passage has left the library, or another item asks the same.
        """
        hit = item.source.hit
        title = self.study.repository.course_of(hit.document_id)
        if title is None:
            raise Refused(DropReason.QUOTE, "The passage has left the library.")
        item = replace(item, source=replace(item.source, hit=replace(hit, course_title=title)))
        asked = self._asked_in(self._deck(item))
        vector = asked.vector(item.kind, item.text)
        if not asked.is_new(item.kind, item.text, item.language, vector):
            raise Refused(DropReason.REPEATED, "Another item asks this already: ask for something else.")
        return item, vector

    def keep(self, item: NewItem, vector: NDArray[np.float32]) -> ItemMade:
        """Store an item that was checked; raises Refused if its course has left the library meanwhile."""
        deck = self._deck(item)
        (key,) = self.study.repository.add(deck, [item], vector[None])
        self._asked_in(deck).add(item.kind, item.text, item.language, vector)
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
