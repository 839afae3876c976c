"""A run through questions of a quiz: which, in what order, and how they were answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from app.features.study.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.features.study.model.items import Item

MOST_CHOICES = 8  # are shown; whoever edits a question may write more


@dataclass(slots=True)
class QuizRun:
    """Shuffled by ``seed``, so that one seed gives the same questions and the same order of choices.

    Attributes:
        items: the questions, in the order they are asked.
        at: the one that is asked, from 0; their number once all were.
        results: whether those before it were answered right.
    """

    items: Sequence[Item]
    seed: int
    at: int = 0
    results: list[bool] = field(default_factory=list)

    @classmethod
    def of(cls, items: Sequence[Item], number: int, seed: int) -> QuizRun:
        """Return a run through so many of the items."""
        return cls(Random(seed).sample(list(items), min(number, len(items))), seed)

    @property
    def item(self) -> Item | None:
        return self.items[self.at] if self.at < len(self.items) else None

    @property
    def choices(self) -> tuple[str, ...]:
        """The possible answers of a choice, in the order they are shown."""
        item = self.item
        if item is None or not KINDS[item.kind].has_choices:
            return ()
        choices = [item.text.back, *item.text.others[: MOST_CHOICES - 1]]
        Random(f"{self.seed}/{item.uid}").shuffle(choices)
        return tuple(choices)

    @property
    def right(self) -> int:
        return sum(self.results)

    @property
    def wrong_items(self) -> list[Item]:
        return [item for item, is_right in zip(self.items, self.results, strict=False) if not is_right]

    def answer(self, *, is_right: bool) -> None:
        """Note the result of the question that is asked, or change it."""
        del self.results[self.at :]
        self.results.append(is_right)

    def go_on(self) -> None:
        self.at += 1

    def end(self) -> None:
        """Leave out what was not answered yet."""
        self.items = self.items[: len(self.results)]
        self.at = len(self.items)
