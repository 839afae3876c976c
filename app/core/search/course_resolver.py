"""Resolves the name a person or model gives a course to the titles it can mean.

Tried in turn: the exact title, the title without case and punctuation, part of it, its initials, and
its meaning. The last needs a minimum likeness: the nearest title is not necessarily a match.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

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
_MAX_INITIALS = 6
_SMALL = "a an and at by for from in of on or the to with"
_SMALL_WORDS = frozenset(_SMALL.split())
# Said of any course.
_FILLERS = frozenset({*_SMALL_WORDS, "about", "class", "course", "lecture", "lectures", "module", "one"})


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
        words = [word for word in _words(name) if word not in _FILLERS]
        if not words:
            return np.zeros(len(titles), np.float32)
        stems = _stems(" ".join(words))
        shared = [len(stems & _stems(title)) / len(stems) for title in titles]
        cosine = np.stack(list(titles.values())) @ self._embed(" ".join(words))
        return cosine + _WORDS_WEIGHT * np.array(shared, np.float32)


def literal_matches(name: str, titles: Sequence[str]) -> list[str]:
    """Return the titles that match a name by words or initials, never by meaning."""
    if name in titles:
        return [name]
    wanted = _words(name)
    if not wanted:
        return []
    by_words = {title: _words(title) for title in titles}
    same = [title for title, words in by_words.items() if words == wanted]
    if same:
        return same
    content = [word for word in wanted if word not in _SMALL_WORDS]
    if not content:
        return []
    phrase = " ".join(wanted)
    # " rag " in " how rag works ": whole words, in order
    partial = [title for title, words in by_words.items() if f" {phrase} " in f" {' '.join(words)} "]
    if partial:
        return partial
    scattered = [
        title
        for title, words in by_words.items()
        if all(any(word.startswith(part) for word in words) for part in content)
    ]
    if scattered and sum(map(len, content)) > 2:
        return scattered
    return [title for title, words in by_words.items() if _is_initials("".join(wanted), words)]


def _is_initials(letters: str, words: list[str]) -> bool:
    """Whether letters begin consecutive words; two letters must begin the first words."""
    if not 2 <= len(letters) <= _MAX_INITIALS:
        return False
    for chosen in (words, [word for word in words if word not in _SMALL_WORDS]):
        initials = "".join(word[0] for word in chosen)
        if initials.startswith(letters) or (len(letters) > 2 and letters in initials):
            return True
    return False


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return re.findall(r"\w+", "".join(char for char in folded if not unicodedata.combining(char)))


def _stems(text: str) -> set[str]:
    return {stem for _, stem in tokenize([text])}
