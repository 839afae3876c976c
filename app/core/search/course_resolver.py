"""Resolves the name a person or model gives a course to the titles it can mean.

Tried in turn: the exact title, the title without case and punctuation, part of it, its initials, and
its meaning. The last needs a minimum likeness: the nearest title is not necessarily a match.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.core.courses.selectors import SMALL_WORDS, literal_matches
from app.core.search.terms import tokenize
from app.domain.messages import Message
from app.domain.words import folded, words_in

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

# Least likeness (cosine between name and title, plus a share of the words in common) of the same course.
# Fitted on 44 names of 25 titles and 44 names of other subjects: two of the others pass, five names fail.
SEMANTIC_THRESHOLD = 0.40
_WORDS_WEIGHT = 0.20
_NEAREST = 3  # titles suggested when nothing matches
# Said of any course.
_FILLERS = frozenset({*SMALL_WORDS, "about", "class", "course", "lecture", "lectures", "module", "one"})


def resolve(
    name: str,
    titles: Sequence[str],
    vectors: Callable[[], Mapping[str, NDArray[np.float32]]],
    likeness_to: Callable[[str, NDArray[np.float32]], NDArray[np.float32]],
) -> tuple[tuple[str, ...], Message | None]:
    """Return the titles that ``name`` stands for among those of all courses, and why if none or several.

    Only if nothing else matches are ``vectors`` of the titles needed (none while they come from another
    model), and ``likeness_to``, which compares a name with them.
    """
    if literal := literal_matches(name, titles):
        several = None
        if len(literal) > 1:
            several = Message("search.several_courses", name=name, titles="; ".join(literal))
        return tuple(literal), several
    if not titles:
        return (), Message("search.no_course_in_empty_library", name=name)
    by_title = vectors()
    if not by_title:
        return (), Message("search.no_course", name=name)
    names = list(by_title)
    likeness = np.zeros(len(names), np.float32)
    # The name goes to the model as it is: without capitals, umlauts and small words, less is found.
    if words := " ".join(word for word in words_in(folded(name)) if word not in _FILLERS):
        stems = _stems(words)
        shared = [len(stems & _stems(title)) / len(stems) for title in names]
        meaning = likeness_to(name, np.stack(list(by_title.values())))
        likeness = meaning + _WORDS_WEIGHT * np.array(shared, np.float32)
    order = np.argsort(-likeness, kind="stable").tolist()
    if likeness[order[0]] >= SEMANTIC_THRESHOLD:
        return (names[order[0]],), None
    nearest = "; ".join(names[index] for index in order[:_NEAREST])
    return (), Message("search.no_course_nearest", name=name, titles=nearest)


def _stems(text: str) -> set[str]:
    return {stem for _, stem in tokenize([text])}
