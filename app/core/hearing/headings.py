"""Headings of a transcript: the titles of slides, where these are spoken of."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.core.search.terms import content_terms, frequencies, rarity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.documents import DocumentText

_SLIDES = ("slide", "slide_scan", "page", "scan")
_TITLE = 100  # characters at most
_FULL = 1_500  # characters of a page that is no slide


class Slide(NamedTuple):
    title: str
    text: str


def slides_in(document: DocumentText) -> list[Slide]:
    """Return the slides of a document, or its pages if they look like some, that begin with a title."""
    ends = [*(mark.start for mark in document.marks[1:]), len(document.text)]
    slides = []
    for mark, end in zip(document.marks, ends, strict=True):
        title, _, text = document.text[mark.start : end].strip().partition("\n")
        title = title.lstrip("# ").rstrip()
        is_title = title[:1].isalnum() and len(title) <= _TITLE and not title.endswith((".", ","))
        is_title = is_title and not title.lower().startswith("lesson ")  # which would begin another lesson
        if mark.anchor.kind in _SLIDES and is_title and len(text) < _FULL:
            slides.append(Slide(title, text))
    return slides


def headings(paragraphs: Sequence[str], slides: Sequence[Slide]) -> dict[int, str]:
    """Return the titles of slides by the indices of the first paragraphs about them.

    Slides are spoken of in their order; some are passed over. Of all ways to go through them, the one is
    taken in which paragraphs share most words with their slides: rare words count more, those of a title
    twice, and those of a slide full of words less.
    """
    if not slides or not paragraphs:
        return {}
    weights = {term: rarity(count, len(paragraphs)) for term, count in frequencies(paragraphs).items()}
    rare = rarity(0, len(paragraphs))
    shown = [(content_terms(f"{one.title}\n{one.text}"), content_terms(one.title)) for one in slides]
    sizes = [math.sqrt(sum(weights.get(term, rare) for term in terms)) or 1.0 for terms, _ in shown]
    best = np.zeros(len(slides))
    before = []  # the slide spoken of before each slide, by paragraph
    for paragraph in paragraphs:
        said = content_terms(paragraph)
        shared = [sum(weights.get(one, 0) for part in parts for one in said & part) for parts in shown]
        highest = np.maximum.accumulate(best)
        first = np.maximum.accumulate(np.where(best == highest, np.arange(len(best)), 0))
        before.append(first)
        best = highest + np.array(shared) / sizes
    found: dict[int, str] = {}
    slide = int(best.argmax())
    for index in reversed(range(len(paragraphs))):
        earlier = int(before[index][slide]) if index else -1
        if earlier < 0 or slides[earlier].title != slides[slide].title:
            found[index] = slides[slide].title
        slide = earlier
    return found
