"""Judges whether the passages found answer a question, or only come closest to it.

What speaks for an answer is how near the best piece is in meaning, and how many of the question's words stand
together. What speaks against it is a name that stands nowhere, and a large library: among more passages some
piece always comes nearer. The weights are fitted to questions with and without an answer (docs/answers.md).
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple, Protocol

import numpy as np

from app.core.documents.text.languages import GERMAN, language_of
from app.core.search.ranking import LEXICAL_WEIGHT, RankedPieces
from app.core.search.terms import stems_of, stop_stems, term_hashes
from app.domain.words import word_set, words_in

# The weights of a logistic regression, by `python -m tests.tools.benchmarks.not_covered_weights`
_MEANING, _COVERAGE, _NAME_MISSING, _PASSAGES, _CONSTANT = 19.6, 5.1, -1.9, -2.3, 2.2
_FEWEST_PASSAGES, _MOST_PASSAGES = 100, 1000  # beyond these, fewer or more make no difference
COVERED_FROM = -2.0  # hardly a question that has an answer lies below
# The same of a subject that is taught; chosen with `python -m tests.tools.benchmarks.mapping`
# (docs/retrieval.md).
_TAUGHT_COVERAGE, _TAUGHT_NAME_MISSING, _TAUGHT_PASSAGES, _TAUGHT = 0.20, -0.35, -0.07, 0.18
_LEAST_MEANING = 0.15  # of a question in another language than the material, whose words tell nothing

_COMMON_START = 0.7  # share of a word that its relatives begin with: photosynthe|sis, photosynthe|tic
_SHORTEST_PART = 4  # letters of a compound's parts
_LONGEST_WORD = 50  # letters; what is longer is none
_MOST_WORDS = 50
_SIMILAR = 0.83  # ratio of letters in common: "colour" and "color", "embeding" and "embedding"
_COMPARED_PIECES = 10  # whose words may be other spellings

# Shares of a question's words that are English stop words, or that stand in a tenth of the passages
_ENGLISH, _SHARED = 0.25, 0.34
_FREQUENT = 0.1
_COMMON_ARTICLE = "the"  # stands in at least a third of the passages of English material
_ARTICLE_SHARE = 0.33
_FEW_WORDS = 3  # of which no language can be told


_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s)")
_INSIDE = re.compile(r"(?<=[^\s.!?¿¡:]\s)[\"'(“‘„]?([^\W\d_][^\W_]+)")  # a word that begins no sentence
_ASKING = word_set("chapter compare course define describe difference example explain lecture lesson")
_TITLES = word_set("doctor dr lecturer mr mrs ms president prof professor teacher")


class CoverageEvidence(NamedTuple):
    """What a search reveals about its question."""

    meaning: float  # cosine of the nearest piece to the question
    passages: int  # searched
    missing: tuple[str, ...]  # words that stand nowhere in these, as the question has them
    name_missing: bool  # whether a name, an abbreviation or a code is among them
    coverage: float  # most of its words, by their rarity, that stand together somewhere
    same_language: bool  # whether question and passages are in one language; if not, `missing` is empty
    is_named: bool = False  # it names a figure whose caption is there, or the course where a syllabus is


def is_covered(evidence: CoverageEvidence) -> bool:
    """Return whether the passages may answer the question; if not, most likely nothing does."""
    if not evidence.same_language:
        return evidence.is_named or evidence.meaning >= _LEAST_MEANING
    return evidence.is_named or likelihood(evidence) >= COVERED_FROM


def likelihood(evidence: CoverageEvidence) -> float:
    """Return how likely the passages answer the question, as the logarithm of the odds."""
    weights = (_MEANING, _COVERAGE, _NAME_MISSING, _PASSAGES)
    return sum(weight * part for weight, part in zip(weights, features(evidence), strict=True)) + _CONSTANT


def features(evidence: CoverageEvidence) -> tuple[float, float, float, float]:
    passages = min(max(evidence.passages, _FEWEST_PASSAGES), _MOST_PASSAGES)
    return evidence.meaning, evidence.coverage, float(evidence.name_missing), math.log(passages)


def is_taught(evidence: CoverageEvidence) -> bool:
    """Return whether the passages most likely teach what is asked; stricter than :func:`is_covered`."""
    return nearness(evidence) >= _TAUGHT


def nearness(evidence: CoverageEvidence) -> float:
    """Return how near the passages come to what is asked; a library may have any number of them."""
    return (
        evidence.meaning
        + _TAUGHT_COVERAGE * evidence.coverage
        + _TAUGHT_NAME_MISSING * evidence.name_missing
        + _TAUGHT_PASSAGES * math.log(max(evidence.passages, _FEWEST_PASSAGES))
    )


def weigh(question: str, absent: Mapping[str, str], ranked: RankedPieces, passages: int) -> CoverageEvidence:
    """Weigh what a search found.

    Args:
        question: as it was asked.
        absent: those of its words, by their stems, for which :func:`absent_words` found nothing.
        ranked: at least one piece.
        passages: how many were searched.
    """
    stems = list(stems_of(question))
    shares = _shares(list({*stems, _COMMON_ARTICLE}), ranked)
    same_language = _is_same_language(stems, shares)
    missing: list[str] = []
    if same_language and absent:
        # A word may still stand in a title, or be spelt differently.
        near = _words_of_best(ranked)
        missing = [
            word
            for stem, word in absent.items()
            if not shares.get(stem) and word.casefold() not in _ASKING and not _is_respelt(word, near)
        ]
    return CoverageEvidence(
        meaning=float((ranked.score - LEXICAL_WEIGHT * ranked.coverage).max()),
        passages=passages,
        missing=tuple(sorted(missing, key=question.find)),
        name_missing=bool(missing) and not _names(question).isdisjoint(missing),
        coverage=float(ranked.coverage.max()),
        same_language=same_language,
    )


class Stands(Protocol):
    """Returns whether the searched text has a word or, with ``begins``, a word that begins with it."""

    def __call__(self, word: str, /, *, begins: bool) -> bool: ...


def absent_words(words: Mapping[str, Sequence[str]], stands: Stands) -> dict[str, str]:
    """Return the words, given by their stems, of which the searched text has no related form.

    If a long text was pasted as a question, only its first words are looked up.
    """
    looked_up = [(stem, forms[0]) for stem, forms in words.items() if len(forms[0]) <= _LONGEST_WORD]
    return {stem: word for stem, word in looked_up[:_MOST_WORDS] if not _has_relative(word, stands)}


def _has_relative(word: str, stands: Stands) -> bool:
    """Return whether there is another form of a word, or both parts of a compound."""
    start = max(_SHORTEST_PART, math.ceil(_COMMON_START * len(word)))
    if start < len(word) and stands(word[:start], begins=True):
        return True
    cuts = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    return any(stands(word[:at], begins=False) and stands(word[at:], begins=False) for at in cuts)


def _is_respelt(word: str, others: Collection[str]) -> bool:
    """Return whether one of the other words, in lower case, is this one in another spelling."""
    word = word.casefold()
    alike = [other for other in others if other[0] == word[0] and abs(len(other) - len(word)) <= 2]
    return len(word) > _SHORTEST_PART and bool(get_close_matches(word, alike, 1, _SIMILAR))


def _words_of_best(ranked: RankedPieces) -> set[str]:
    best = np.argsort(-ranked.score)[:_COMPARED_PIECES].tolist()
    return {word for piece in best for word in words_in(ranked.text(piece).casefold())}


def _shares(stems: Sequence[str], ranked: RankedPieces) -> dict[str, float]:
    """Return the share of the candidates that each of different stems stands in."""
    hashes = term_hashes(stems)
    order = np.argsort(hashes)
    terms = ranked.terms[:, 1]
    wanted = np.flatnonzero(np.isin(terms, hashes))
    at = order[np.searchsorted(hashes, terms[wanted], sorter=order)]
    stands = np.zeros((len(stems), len(ranked.candidates)), bool)
    stands[at, ranked.term_owner[wanted]] = True
    return dict(zip(stems, stands.mean(1).tolist(), strict=True))


def _is_same_language(stems: Sequence[str], shares: Mapping[str, float]) -> bool:
    """Return whether a question with these stems is likely in the language of the candidates.

    English is recognized by its stop words, another language by words that are common in the material.
    """
    if len(stems) < _FEW_WORDS:
        return True
    is_english_material = shares[_COMMON_ARTICLE] >= _ARTICLE_SHARE
    if sum(stem in stop_stems() for stem in stems) >= _ENGLISH * len(stems):
        return is_english_material
    shared = sum(shares[stem] >= _FREQUENT for stem in stems)
    return not is_english_material or shared >= _SHARED * len(stems)


def _names(question: str) -> set[str]:
    """Return the words that are names by their looks: capitals within a sentence, abbreviations, codes.

    In "according to Professor Ames" the name is only the frame of the question. German capitalises all nouns.
    """
    words = words_in(question)
    codes = {word for word in words if _is_code(word) and not question.isupper()}
    if language_of(question) == GERMAN:
        return codes
    framed: set[str] = set()
    for at, word in enumerate(words):
        if word.casefold() in _TITLES:
            framed |= set(words[at + 1 : at + 3])
    inside = {found[1] for found in _INSIDE.finditer(question) if found[1][0].isupper()}
    return codes | (inside - framed)


def _is_code(word: str) -> bool:
    if any(letter.isupper() for letter in word[1:]):
        return True
    return word.isalnum() and not word.isalpha() and not word.isdecimal() and not _ORDINAL.fullmatch(word)
