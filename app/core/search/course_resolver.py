"""Resolves the name a person or model gives a course to the titles it can mean.

Tried in turn: the exact title, the title without case and punctuation, part of it, its initials, and
its meaning. The last needs a minimum likeness: the nearest title is not necessarily a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from app.core.courses.titles import SMALL_WORDS, literal_matches, words_of
from app.core.search.terms import tokenize
from app.domain.messages import Message

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


@dataclass(frozen=True, slots=True)
class Resolution:
    """The titles a name stands for; ``message`` tells about none or several."""

    titles: tuple[str, ...]
    message: Message | None = None


class CourseResolver:
    """Resolves names of courses; ``embed`` gives the vector of one, if nothing else matches."""

    def __init__(self, embed: Callable[[str], NDArray[np.float32]]) -> None:
        self._embed = embed

    def resolve(
        self,
        name: str,
        titles: Sequence[str],
        vectors: Callable[[], Mapping[str, NDArray[np.float32]]] | None,
    ) -> Resolution:
        """Return what ``name`` stands for among the titles of all courses.

        ``vectors`` gives each title's vector, if nothing else matches; None while they come from another
        model.
        """
        if literal := literal_matches(name, titles):
            several = None
            if len(literal) > 1:
                several = Message("search.several_courses", name=name, titles="; ".join(literal))
            return Resolution(tuple(literal), several)
        if not titles:
            return Resolution((), Message("search.no_course_in_empty_library", name=name))
        title_vectors = vectors() if vectors is not None else {}
        if not title_vectors:
            return Resolution((), Message("search.no_course", name=name))
        names = list(title_vectors)
        likeness = self._likeness(name, title_vectors)
        order = np.argsort(-likeness, kind="stable")
        if likeness[order[0]] >= SEMANTIC_THRESHOLD:
            return Resolution((names[int(order[0])],))
        nearest = "; ".join(names[int(index)] for index in order[:_NEAREST])
        return Resolution((), Message("search.no_course_nearest", name=name, titles=nearest))

    def _likeness(self, name: str, titles: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float32]:
        """Return the likeness of the name to each title, in meaning and in words."""
        words = [word for word in words_of(name) if word not in _FILLERS]
        if not words:
            return np.zeros(len(titles), np.float32)
        stems = _stems(" ".join(words))
        shared = [len(stems & _stems(title)) / len(stems) for title in titles]
        cosine = np.stack(list(titles.values())) @ self._embed(" ".join(words))
        return cosine + _WORDS_WEIGHT * np.array(shared, np.float32)


def _stems(text: str) -> set[str]:
    return {stem for _, stem in tokenize([text])}
