"""A claim beside its evidence, as the checks of facts look at it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.core.answers.proof.evidence import Evidence, Sentence
from app.core.answers.proof.words import Word

_MOST_TELLING = 2
_RETOLD = 0.75  # share of a claim's words
_FEWEST_RETOLD = 3


@dataclass(frozen=True)
class Comparison:
    """A claim, all evidence, and the places of the sentences that have most to do with it, best first."""

    claim: Sentence
    evidence: Evidence
    near: Sequence[int]

    @cached_property
    def telling(self) -> Sequence[int]:
        """The few sentences that are so much about the same that they may contradict the claim.

        One alone if it has nearly all words of the claim: then it is what the claim says in its own way.
        """
        return self.near[:1] if self.is_retold else self.near[:_MOST_TELLING]

    @cached_property
    def is_retold(self) -> bool:
        words = [word for word in self.claim.words if word.is_content and not word.is_name]
        shared = sum(self.near[0] in self.evidence.holding(word) for word in words) if self.near else 0
        return len(words) >= _FEWEST_RETOLD and shared >= _RETOLD * len(words)

    @cached_property
    def around(self) -> frozenset[int]:
        """The sentences near, and their neighbours, which may name what these only point to."""
        return frozenset(place for one in self.near for place in self.evidence.around(one))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Of the claim."""
        return frozenset(word.stem for word in self.claim.words)

    def sentences(self, places: Sequence[int] | frozenset[int]) -> Iterator[Sentence]:
        return (self.evidence.sentences[place] for place in places)

    def words(self, places: Sequence[int] | frozenset[int]) -> list[Word]:
        return [word for sentence in self.sentences(places) for word in sentence.words]
