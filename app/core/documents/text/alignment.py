"""Finds quoted sentences in another version of their document, or what stands in their place."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from itertools import accumulate

from app.domain.sources import Source
from app.domain.words import UNSPACED, one_spaced

Span = tuple[int, int]

_QUOTATION_MARKS = str.maketrans(dict.fromkeys("‘’‚‛′´`", "'") | dict.fromkeys("“”„‟″«»", '"'))
_RUN = re.compile(r"\S+")
# A character of Chinese, Japanese or Thai counts as a word: no space separates theirs.
_WORD = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+")

# `python -m tests.tools.benchmarks.stale` prints how often they are wrong, both ways.
LIKE_BETWEEN_NEIGHBOURS = 0.4  # of the words: between the sentences around it, little else can stand
LIKE_NEARBY = 0.5
LIKE_ANYWHERE = 0.65  # in all of a document, something resembles most sentences

_NEARBY = 12  # sentences looked at on the side of a neighbour, or in a document as short as that
_RARE_WORDS, _CANDIDATES = 12, 8  # by which, and how many, sentences anywhere are chosen to be compared
_LEAST_WORDS = 3  # of a neighbour: shorter sentences stand in too many places
_OLD_WEIGHT = 4  # that words of the quote are lacking says more than that others are added: it may be split
_MORE_SENTENCES = 2  # that one may have been split into


def comparable(text: str) -> str:
    """Return a text as it is compared: white space and the form of quotation marks mean nothing."""
    return one_spaced(text.translate(_QUOTATION_MARKS))


@dataclass(frozen=True)
class Quoted:
    """A quoted span, among the sentences of its passage."""

    text: str
    start: int  # in the document that it was quoted from
    sentences: tuple[str, ...]  # those that it is part of
    before: tuple[str, ...]  # those of the passage before them, nearest first
    after: tuple[str, ...]

    @classmethod
    def of(cls, source: Source, start: int, end: int) -> "Quoted":
        inside = [span for span in source.sentences if span[0] < end and span[1] > start]
        before = [source.text(*span) for span in source.sentences if span[1] <= start]
        after = [source.text(*span) for span in source.sentences if span[0] >= end]
        text = source.text(start, end)
        sentences = tuple(source.text(*span) for span in inside) or (text,)
        return cls(text, start, sentences, tuple(before[::-1]), tuple(after))

    @cached_property
    def around(self) -> frozenset[str]:
        """The folded sentences before and after it."""
        return frozenset(map(comparable, (*self.before, *self.after)))


class Version:
    """A document's text as it is now."""

    def __init__(self, text: str, sentences: Sequence[Span]) -> None:
        self.text = text
        self.sentences = sentences
        runs = list(_RUN.finditer(text.translate(_QUOTATION_MARKS)))  # as long as the text
        self._folded = " ".join(run[0] for run in runs)
        self._begins = [run.start() for run in runs]  # in the text
        lengths = (len(run[0]) + 1 for run in runs)
        self._folded_begins = [0, *accumulate(lengths)]

    def find(self, quote: str, near: int = 0) -> Span | None:
        """Return where a text stands, at the place nearest to a position; None if it does not."""
        wanted, found = comparable(quote), []
        at = self._folded.find(wanted) if wanted else -1
        while at >= 0:
            end = at + len(wanted)
            if not (_joins(self._folded, at) or _joins(self._folded, end)):
                found.append((self._place(at), self._place(end - 1) + 1))
            at = self._folded.find(wanted, at + 1)
        return min(found, key=lambda span: abs(span[0] - near), default=None)

    def _place(self, at: int) -> int:
        """Return where a character of the folded text stands in the text."""
        run = bisect_right(self._folded_begins, at) - 1
        return self._begins[run] + at - self._folded_begins[run]

    def replacement(self, quoted: Quoted) -> Span | None:
        """Return what has replaced a text that is no longer there; None if nothing has.

        The place is between the sentences that were around it, or beside those that are left. If nothing
        there is like it, it may have moved: then all of the document is searched.
        """
        near, limit = self._nearby(quoted)
        found = self._most_like(quoted, _runs(self._without(quoted, near), _longest(quoted)), limit)
        return found or self._most_like(quoted, self._candidates(quoted), LIKE_ANYWHERE)

    def _nearby(self, quoted: Quoted) -> tuple[list[Span], float]:
        """Return the sentences where the place of a text may be, and how like it one must be there."""
        before = self._first(quoted.before, quoted.start)
        low = before[1] if before else 0
        after = self._first(quoted.after, max(low, quoted.start))
        high = after[0] if after and low <= after[0] else len(self.text)
        spans = [span for span in self.sentences if low <= span[0] and span[1] <= high]
        if before and after:
            return spans, LIKE_BETWEEN_NEIGHBOURS
        if before or after:
            return spans[:_NEARBY] if before else spans[-_NEARBY:], LIKE_NEARBY
        return spans if len(spans) <= _NEARBY else [], LIKE_NEARBY

    def _without(self, quoted: Quoted, spans: Sequence[Span]) -> list[Span]:
        """Leave out a quote's old neighbours: none of them can be its new wording."""
        return [span for span in spans if comparable(self.text[slice(*span)]) not in quoted.around]

    def _first(self, sentences: Sequence[str], near: int) -> Span | None:
        found = (self.find(one, near) for one in sentences if len(_WORD.findall(one)) >= _LEAST_WORDS)
        return next(filter(None, found), None)

    def _candidates(self, quoted: Quoted) -> Iterator[Span]:
        """Yield the few sentences anywhere that share the most rare words with a text, and runs of them."""
        words = dict.fromkeys(_words(" ".join(quoted.sentences)))
        rarest = sorted((self._places_of[word] for word in words if word in self._places_of), key=len)
        shared = Counter(place for places in rarest[:_RARE_WORDS] for place in places)
        most = _longest(quoted)
        for place, _ in shared.most_common(_CANDIDATES):
            near = self.sentences[max(place - most + 1, 0) : place + most]
            yield from _runs(self._without(quoted, near), most)

    @cached_property
    def _places_of(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number, span in enumerate(self.sentences):
            for word in set(_words(self.text[slice(*span)])):
                found.setdefault(word, []).append(number)
        return found

    def _most_like(self, quoted: Quoted, runs: Iterable[Span], limit: float) -> Span | None:
        """Return the sentence, or the few in a row, with the most words in common."""
        best, place = limit, None
        old = _words(" ".join(quoted.sentences))
        matcher = SequenceMatcher(None, autojunk=False)
        matcher.set_seq2(old)  # it is this one that it remembers
        for span in runs:
            new = _words(self.text[slice(*span)])
            size = _OLD_WEIGHT * len(old) + len(new)
            if not new or (_OLD_WEIGHT + 1) * (Counter(old) & Counter(new)).total() < best * size:
                continue  # quicker than to align them
            matcher.set_seq1(new)
            common = sum(block.size for block in matcher.get_matching_blocks())
            likeness = (_OLD_WEIGHT + 1) * common / size
            if likeness > best or (place is None and likeness == best):
                best, place = likeness, span
        return place


def _joins(text: str, at: int) -> bool:
    """Return whether a position is within a word, as before the 5 of "15 minutes"."""
    return 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum()


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _longest(quoted: Quoted) -> int:
    """Return how many sentences may have taken the place of a quote."""
    return len(quoted.sentences) + _MORE_SENTENCES


def _runs(spans: Sequence[Span], most: int) -> Iterator[Span]:
    """Yield the spans, and those from the first to the last of a few in a row; shorter ones first."""
    for length in range(1, most + 1):
        for first in range(len(spans) - length + 1):
            yield spans[first][0], spans[first + length - 1][1]
