"""From the name a person or model uses for a course to the titles it can mean.

Exact first, then without regard to case and punctuation, then part of the title or its initials,
then by meaning, and only above a threshold: the nearest title is not a match.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

# Cosine between a name and a title from which they mean the same course.
SEMANTIC_THRESHOLD = 0.45
_NEAREST = 3  # titles named when nothing matches
_MAX_INITIALS = 6
_SMALL = "a an and at by for from in of on or the to with"
_SMALL_WORDS = frozenset(_SMALL.split())


@dataclass(frozen=True, slots=True)
class Resolution:
    """Titles a name stands for; none of them means no such course, ``message`` then says so."""

    titles: tuple[str, ...]
    message: str | None = None


class CourseResolver:
    """Resolves course names against the titles of a library.

    Args:
        embed: gives the 384-dimensional vector of a name; only called when nothing else matches.
    """

    def __init__(self, embed: Callable[[str], NDArray[np.float32]]) -> None:
        self._embed = embed

    def resolve(self, name: str, titles: Mapping[str, NDArray[np.float32]]) -> Resolution:
        """Return what ``name`` stands for among ``titles`` (each with its vector)."""
        if not titles:
            return Resolution((), f"No course found matching '{name}'. The library is empty.")
        literal = _literal_matches(name, list(titles))
        if literal:
            return Resolution(tuple(literal), _several(name, literal))
        vector = self._embed(name)
        matrix = np.stack(list(titles.values()))
        similarity = matrix @ vector
        order = np.argsort(-similarity, kind="stable")
        names = list(titles)
        best = names[int(order[0])]
        if similarity[order[0]] >= SEMANTIC_THRESHOLD and _words(name):
            return Resolution((best,))
        nearest = "; ".join(names[int(index)] for index in order[:_NEAREST])
        return Resolution((), f"No course found matching '{name}'. Nearest: {nearest}.")


def _literal_matches(name: str, titles: list[str]) -> list[str]:
    if name in titles:
        return [name]
    wanted = _words(name)
    if not wanted:
        return []
    by_words = {title: _words(title) for title in titles}
    same = [title for title, words in by_words.items() if words == wanted]
    if same:
        return same
    phrase = " ".join(wanted)
    # " rag " in " how rag works ": whole words, in order
    partial = [title for title, words in by_words.items() if f" {phrase} " in f" {' '.join(words)} "]
    if partial:
        return partial
    content = [word for word in wanted if word not in _SMALL_WORDS] or wanted
    scattered = [
        title
        for title, words in by_words.items()
        if all(any(word.startswith(part) for word in words) for part in content)
    ]
    if scattered and sum(map(len, content)) > 2:
        return scattered
    return [title for title, words in by_words.items() if _is_initials("".join(wanted), words)]


def _is_initials(letters: str, words: list[str]) -> bool:
    if not 2 <= len(letters) <= _MAX_INITIALS:
        return False
    return any(
        "".join(word[0] for word in chosen).startswith(letters)
        for chosen in (words, [word for word in words if word not in _SMALL_WORDS])
    )


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return re.findall(r"\w+", "".join(char for char in folded if not unicodedata.combining(char)))


def _several(name: str, titles: list[str]) -> str | None:
    if len(titles) == 1:
        return None
    return f"'{name}' fits several courses; searched all of them: {'; '.join(titles)}."
