"""What is asked of the model at a time: some passages, and how many items of which kinds from each."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, cycle, pairwise
from typing import TYPE_CHECKING

from app.core.answers.prompts import load_prompt, one_line
from app.core.answers.sources import numbered_text
from app.features.study.model.items import Difficulty
from app.features.study.model.names import ItemKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.core.answers.sources import SourceRegistry
    from app.features.study.model.making import MakeRequest


Slot = tuple[int, ItemKind]
"""An item to be made: from the passage of this number, of this kind."""

MOST_ITEMS = 10  # asked for at a time
_MOST_CHARACTERS = 12_000  # of passages sent at a time
_OWN_SERVER = 0.5  # of both: a model on one's own computer takes less at a time
_MOST_SAID = 20  # of what is known, or was refused
TOKENS_OF_ITEM = 200  # with its quotation and, in a quiz, its wrong answers
MOST_TOKENS = 2 * TOKENS_OF_ITEM * MOST_ITEMS + 300  # of a reply

_DIFFICULTIES = {
    Difficulty.EASY: "easy: what a sentence says",
    Difficulty.MEDIUM: "medium: what a sentence means, and why",
    Difficulty.HARD: "hard: what follows from it, and how it hangs together with the rest of the passage",
}


@dataclass(slots=True)
class Batch:
    """What is asked for at a time."""

    slots: list[Slot]  # still to be filled
    numbers: tuple[int, ...] = ()  # of the passages that are sent
    refused: list[str] = field(default_factory=list)  # what was wrong with drafts, for the model

    def __post_init__(self) -> None:
        self.numbers = tuple(dict.fromkeys(number for number, _ in self.slots))

    def fill(self, slot: Slot) -> bool:
        """Fill a slot, if need be with an item of another kind that was asked for; False if none is open."""
        open_ones = [one for one in self.slots if one == slot] or [
            one for one in self.slots if one[0] == slot[0]
        ]
        if open_ones:
            self.slots.remove(open_ones[0])
        return bool(open_ones)

    def plan(self) -> str:
        """Return what is still to be made, a line for each passage."""
        lines = []
        for number in self.numbers:
            kinds = [kind for one, kind in self.slots if one == number]
            counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
            lines += [f"- passage {number}: {counts}"] if counts else []
        return "\n".join(lines)


def planned(
    numbers: Sequence[int], registry: SourceRegistry, kinds: Sequence[ItemKind], count: int
) -> list[Slot]:
    """Give each passage one item, and long ones more, with the kinds in turns."""
    lengths = accumulate(len(registry.sources[number - 1].hit.text) for number in numbers)
    bounds = [0, *lengths]
    extra = [(count - len(numbers)) * bound // bounds[-1] for bound in bounds]
    passages = [
        number
        for number, (before, after) in zip(numbers, pairwise(extra), strict=True)
        for _ in range(1 + after - before)
    ]
    return list(zip(passages, cycle(kinds), strict=False))


def batches(slots: Sequence[Slot], registry: SourceRegistry, *, own_server: bool = False) -> Iterator[Batch]:
    """Cut a plan into parts that a model answers in one reply."""
    share = _OWN_SERVER if own_server else 1
    part: list[Slot] = []
    sent: dict[int, int] = {}
    for slot in slots:
        source = registry.sources[slot[0] - 1]
        new = {**sent, slot[0]: len(source.hit.text)}
        if part and (len(part) >= share * MOST_ITEMS or sum(new.values()) > share * _MOST_CHARACTERS):
            yield Batch(part)
            part, new = [], {slot[0]: len(source.hit.text)}
        part.append(slot)
        sent = new
    if part:
        yield Batch(part)


def question(
    batch: Batch, registry: SourceRegistry, request: MakeRequest, known: Sequence[str]
) -> tuple[str, ...]:
    """Return the texts of the user's turn: the passages, and what to make from them."""
    passages = "\n\n".join(numbered_text(registry.sources[number - 1]) for number in batch.numbers)
    asked = load_prompt("make_request").replace("{difficulty}", _DIFFICULTIES[request.difficulty])
    asked = asked.replace(
        "{language}", f"{request.language} (ISO 639)" if request.language else "that of the passage"
    )
    texts = [asked.replace("{plan}", batch.plan())]
    if known:
        listed = "\n".join(f"- {one_line(text)}" for text in known[-_MOST_SAID:])
        texts.append(load_prompt("make_known").replace("{known}", listed))
    if batch.refused:
        listed = "\n".join(f"- {one_line(text)}" for text in batch.refused[-_MOST_SAID:])
        texts.append(load_prompt("make_refused").replace("{refused}", listed))
    return passages, "\n\n".join(texts)
