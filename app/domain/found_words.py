"""Finds words in a text as people see them: over line ends, in any case, without accents."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from app.domain.pages import HYPHEN

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


def occurrences(text: str, query: str, unseen: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text in which the query stands, from the first on.

    Characters of the text that are ``unseen`` are passed over.
    """
    wanted = _folded(query)[0].strip()
    if not wanted:
        return
    folded, origins = _folded(text, unseen)
    at = folded.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        yield origins[at], origins[end - 1] + 1
        at = folded.find(wanted, end)


def _folded(text: str, unseen: Collection[str] = ()) -> tuple[str, list[int]]:
    """Return a text in small letters with single spaces and whole words, and where each letter stands."""
    parts: list[str] = []
    origins: list[int] = []
    after = ""  # the last character, of which a space at a line's end depends
    for at, character in enumerate(text):
        if character in unseen:
            continue
        if character == HYPHEN or (character.isspace() and after in (HYPHEN, " ")):
            after = HYPHEN if character == HYPHEN else after
            continue
        plain = _plain(character)
        parts.append(plain)
        origins.extend([at] * len(plain))
        after = plain
    return "".join(parts), origins


@lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    if character.isspace():
        return " "
    plain = unicodedata.normalize("NFKD", character).casefold()
    return "".join(one for one in plain if not unicodedata.combining(one))
