"""What was made and what was not, in one sentence."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.features.study.model.making import DropReason


def summary(
    made: int, dropped: Sequence[tuple[DropReason, int]], covered: tuple[int, int], why: Message | None
) -> Message:
    """Return what came of it; ``why`` is the reason if it ended early, or made nothing."""
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
    counts = {"n": made, "covered": covered[0], "passages": covered[1]}
    return (
        Message("making.made_and_dropped", **counts, dropped=listed)
        if listed
        else Message("making.made", **counts)
    )
