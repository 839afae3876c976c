"""Regular expressions by which a Chroma server looks for words and names of figures in its texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from app.domain.figures import FIGURE_WORDS, TABLE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.figures import FigureLabel

_LONGEST = 256  # characters that Chroma's cloud takes
_MOST_LABELS = 3
_ABBREVIATION = 4  # letters, up to which a word may be written in capitals
# The terms of the full-text index have no accents.
_ACCENTED = {
    "a": "aàáâãäå",
    "c": "cç",
    "e": "eèéêë",
    "i": "iìíîï",
    "n": "nñ",
    "o": "oòóôõö",
    "u": "uùúûü",
}


def words_condition(
    terms: Sequence[str], labels: Sequence[FigureLabel], *, has_accents: bool
) -> dict[str, Any] | None:
    """Return Chroma's filter for texts with one of the terms, or a name of a figure; None for neither.

    As many of the terms count as a server takes, from the first one on.
    """
    found = [expression for label in labels[:_MOST_LABELS] if (expression := _naming(label))]
    if by_terms := _terms(terms, has_accents=has_accents):
        found.append(by_terms)
    conditions: list[dict[str, Any]] = [{"$regex": expression} for expression in found]
    if not conditions:
        return None
    return {"$or": conditions} if len(conditions) > 1 else conditions[0]


def _terms(terms: Sequence[str], *, has_accents: bool) -> str:
    begun = r"\b(?:"
    parts: list[str] = []
    for capitals in (False, True):  # words all in capitals where there is room for them
        for term in terms:
            part = _beginning(term, has_accents=has_accents, capitals=capitals)
            if len(begun) + len("|".join([*parts, part])) + 1 > _LONGEST:
                break
            if part not in parts:
                parts.append(part)
    return f"{begun}{'|'.join(parts)})" if parts else ""


def _beginning(term: str, *, has_accents: bool, capitals: bool) -> str:
    """Return what all words with a stem of Porter's begin with.

    A short word, or one with digits, is found in capitals anyway. Ignoring case altogether takes a server
    five times as long.
    """
    ending = ""
    if term.endswith("i") and len(term) > 2:  # "studi" of "study" and "studies"
        term, ending = term[:-1], "[iy]"
    elif term.endswith("e") and len(term) > 3:  # "file" of "filing"
        term = term[:-1]
    is_short = len(term) <= _ABBREVIATION or not term.isalpha()
    capitals = capitals and not is_short
    parts = []
    for at, letter in enumerate(term):
        letters = _ACCENTED.get(letter, letter) if has_accents else letter
        if capitals:
            letters = letters.upper()
        elif (is_short or at == 0) and letter.isalpha():
            letters += "".join(one for one in letters.upper() if one not in letters)
        parts.append(f"[{letters}]" if len(letters) > 1 else re.escape(letters))
    return "".join(parts) + (ending.upper() if capitals else ending)


def _naming(label: FigureLabel) -> str:
    words = FIGURE_WORDS if label.kind == "figure" else TABLE_WORDS
    expression = rf"(?i)\b(?:{'|'.join(words)})\.?\s{{1,2}}{re.escape(label.number)}"
    return expression if len(expression) <= _LONGEST else ""
