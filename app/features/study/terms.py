"""Finds the terms of a course in its passages, in any of their forms."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from app.core.documents.text.languages import GERMAN, stem_of
from app.features.study.model.items import TermPlace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from app.features.study.passages import Passage

WORD = re.compile(r"[^\W_](?:[\w’'-]*[^\W_])?")

TermKey = tuple[str, ...]
"""The stems of a term."""


def key_of(text: str, language: str) -> TermKey:
    return tuple(stem(word, language) for word in WORD.findall(text))


@lru_cache(50_000)
def stem(word: str, language: str) -> str:
    """Return the stem of a word; in German, where it tells a noun, with its capital letter."""
    found = stem_of(word.casefold(), language)
    return found.capitalize() if language == GERMAN and word[0].isupper() else found


def uses(terms: Collection[TermKey], course: Sequence[Passage]) -> Iterator[tuple[Passage, Counter[TermKey]]]:
    """Yield the passages that use some of the terms, with how often."""
    by_first: dict[str, list[TermKey]] = defaultdict(list)
    for key in terms:
        by_first[key[0]].append(key)
    for passage in course:
        stems = key_of(passage.text, passage.language)
        here = Counter(
            key
            for at, first in enumerate(stems)
            for key in by_first.get(first, ())
            if stems[at : at + len(key)] == key
        )
        if here:
            yield passage, here


def places(terms: Collection[str], course: Sequence[Passage]) -> dict[str, tuple[TermPlace, ...]]:
    """Return the lessons that use each term, in order."""
    keys: dict[TermKey, set[str]] = defaultdict(set)
    for language in {passage.language for passage in course}:
        for term in terms:
            if key := key_of(term, language):
                keys[key].add(term)
    found: dict[str, dict[tuple[int | None, str], TermPlace]] = {term: {} for term in terms}
    for passage, here in uses(keys, course):
        lesson = passage.lesson_number, passage.lesson_title
        for key, times in here.items():
            for term in keys[key]:
                first = found[term].get(lesson)
                if first is None:
                    found[term][lesson] = TermPlace(*lesson, times, passage.key, passage.start, passage.end)
                else:
                    found[term][lesson] = replace(first, times=first.times + times)
    return {term: tuple(lessons.values()) for term, lessons in found.items()}
