"""Words that carry content, for asking whether a sentence can come from a passage; and whole characters."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")
# Written without spaces between words: kana, CJK ideographs, Thai.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_SUFFIXES = ("ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s", "e", "y")
_SHORTEST_STEM = 3
_EMPTY_WORDS_TEXT = """
    about above after again all also although always and another any are because been before being below
    between both but can cannot could did does doing done down during each either else even every few for
    from further get gets getting had has have having her here hers him his how however into its itself
    just like made make makes many may might more most much must neither nor not now off often one only
    onto other others our ours out over own per same say says see several shall she should since some
    such than that the their theirs them then there therefore these they this those though through thus
    too two under until upon use used uses using very was way ways were what when where whether which
    while who whole whom whose why will with within without would you your yours
"""
_EMPTY_WORDS = frozenset(_EMPTY_WORDS_TEXT.split())


def content_words(text: str) -> set[str]:
    """Return the content words of ``text``, folded so that forms of one word are equal.

    Numbers count. Words of scripts without spaces are taken apart into pairs of characters.
    """
    found: set[str] = set()
    for word in _WORD.findall(text.casefold()):
        if _UNSPACED.search(word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word.isdigit():
            found.add(word)
        elif len(word) >= _SHORTEST_STEM and word not in _EMPTY_WORDS:
            found.add(_stem(word))
    return found


def _stem(word: str) -> str:
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word[: -len(suffix)]
    return word


def mend_surrogates(text: str) -> str:
    """Join the halves of characters that JSON spelled as two, and replace halves that stand alone."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
