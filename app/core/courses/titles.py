"""Matches the name a person or model gives a course with titles, by words and initials."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_INITIALS = 6
_SMALL = "a an and at by for from in of on or the to with"
SMALL_WORDS = frozenset(_SMALL.split())


def literal_matches(name: str, titles: Sequence[str]) -> list[str]:
    """Return the titles that match a name by words or initials, never by meaning."""
    if name in titles:
        return [name]
    wanted = words_of(name)
    if not wanted:
        return []
    by_words = {title: words_of(title) for title in titles}
    same = [title for title, words in by_words.items() if words == wanted]
    if same:
        return same
    content = [word for word in wanted if word not in SMALL_WORDS]
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


def words_of(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", text).casefold()
    return re.findall(r"\w+", "".join(char for char in folded if not unicodedata.combining(char)))


def _is_initials(letters: str, words: list[str]) -> bool:
    """Whether letters begin consecutive words; two letters must begin the first words."""
    if not 2 <= len(letters) <= _MAX_INITIALS:
        return False
    for chosen in (words, [word for word in words if word not in SMALL_WORDS]):
        initials = "".join(word[0] for word in chosen)
        if initials.startswith(letters) or (len(letters) > 2 and letters in initials):
            return True
    return False
