"""The words of a text as they are told apart, compared and found, whatever their case and accents."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache

from app.domain.pages import HYPHEN

# Scripts without spaces between words: Thai, kana, CJK ideographs; a set within a regular expression.
UNSPACED = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
UNSPACED_SIGN = re.compile(f"[{UNSPACED}]")
_WORD = re.compile(r"[^\W_]+")

_COURTESIES = """
    bye cheers cool good goodbye great hello hey hi nice ok okay perfect please super thank thanks welcome
    wow yes bitte danke dank guten hallo servus tschuss adios buenas buenos gracias hola bonjour bonsoir merci
    salut ciao grazie
"""
# What goes with them, but means something else alone.
_BESIDE_THEM = """
    a again all and are at did do for have i in is it me my no not now of so that the there this to very was
    with you your afternoon day evening everyone lot morning much night well abend dir morgen nacht sehr schon
    tag und vielen dias muchas noches tardes beaucoup jour
"""
_POLITE = frozenset(_COURTESIES.split())
_KNOWN = _POLITE.union(_BESIDE_THEM.split())


def word_set(text: str) -> frozenset[str]:
    """Return what white space separates in a list of words."""
    return frozenset(text.split())


def words_in(text: str) -> list[str]:
    """Return the runs of letters and digits."""
    return _WORD.findall(text)


def folded(text: str) -> str:
    """Return a text in small letters without accents."""
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(one for one in plain if not unicodedata.combining(one))


def in_words(text: str) -> str:
    """Return the folded words of a text, without what stands between them."""
    return " ".join(words_in(folded(text)))


def one_spaced(text: str) -> str:
    """Return a text with single spaces for white space, and none around it."""
    return " ".join(text.split())


def is_courtesy(question: str) -> bool:
    """Return whether nothing is asked, as in "Thanks!", but not in "OK, and why?"."""
    words = set(words_in(folded(question)))
    return words <= _KNOWN and (not words or not words.isdisjoint(_POLITE))


def occurrences(text: str, query: str, unseen: Collection[str] = ()) -> Iterator[tuple[int, int]]:
    """Yield the spans of a text in which the query stands as people see it, even over line ends.

    Characters of the text that are ``unseen`` are passed over.
    """
    wanted = _with_origins(query)[0].strip()
    if not wanted:
        return
    seen, origins = _with_origins(text, unseen)
    at = seen.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        yield origins[at], origins[end - 1] + 1
        at = seen.find(wanted, end)


def _with_origins(text: str, unseen: Collection[str] = ()) -> tuple[str, list[int]]:
    """Return a text folded, with single spaces and whole words, and where each letter stands."""
    parts: list[str] = []
    origins: list[int] = []
    after = ""  # the last character, of which a space at a line's end depends
    for at, character in enumerate(text):
        if character in unseen:
            continue
        if character == HYPHEN or (character.isspace() and after in (HYPHEN, " ")):
            after = HYPHEN if character == HYPHEN else after
            continue
        plain = " " if character.isspace() else _folded_sign(character)
        parts.append(plain)
        origins.extend([at] * len(plain))
        after = plain
    return "".join(parts), origins


_folded_sign = lru_cache(maxsize=4096)(folded)
