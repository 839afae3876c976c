"""A recording that lies beside its transcript, and when what the transcript says is said in it."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import NamedTuple


class Cue(NamedTuple):
    """Something that is said: where its text begins in the document, and at which second."""

    start: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Recording:
    """The file of a recording and the cues of its transcript, in order of their text."""

    path: str
    is_known: bool  # it begins as recordings do; nothing else is given to a decoder
    cues: tuple[Cue, ...]

    def seconds_at(self, position: int) -> float:
        """Return when what stands at a position of the document is said."""
        index = bisect_right(self.cues, position, key=lambda cue: cue.start) - 1
        return self.cues[max(index, 0)].seconds

    def span_at(self, seconds: float, end: int) -> tuple[int, int] | None:
        """Return where stands what was last said at a second; ``end`` is that of the document."""
        begun = (index for index, cue in enumerate(self.cues) if cue.seconds <= seconds)
        last = max(begun, key=lambda index: (self.cues[index].seconds, index), default=None)
        if last is None:
            return None
        return self.cues[last].start, self.cues[last + 1].start if last + 1 < len(self.cues) else end
