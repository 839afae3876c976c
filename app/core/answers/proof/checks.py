"""Facts of a claim that its sources do not have: quotations, numbers, names, negations.

Of claims that people labelled, names and negations tell little; of claims in which one fact was altered they
find four in ten.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from app.core.documents.text.languages import GERMAN
from app.domain.messages import Message
from app.domain.words import folded, in_words, word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.core.answers.proof.evidence import Evidence, Sentence

_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,400})[\"”“»]")
_FEWEST_QUOTED = 4  # words; fewer are a name, or the answer's own way of speaking
_IN_A_ROW = re.compile(r"[^\W_]++(?:[ -][^\W_]++)*+")
_OPENING = " \t\"'“„«([*"
_BEFORE_SENTENCES = ".:!?•"
_TITLED = 0.6  # share of words with a capital letter from which on they show no names
_NEGATIONS = word_set(
    """not no never none nobody nothing neither nor without cannot nicht kein keine keinen keinem keiner
    nie niemals nichts niemand ohne nunca jamás ningún ninguno ninguna nada nadie sin"""
)
_SCOPE = 4  # words on each side of a negation


def wrong_fact(claim: Sentence, evidence: Evidence, places: Sequence[int], language: str) -> Message | None:
    """Return what of a claim the sources do not have; ``places`` are of the sentences nearest to it."""
    return (
        _wrong_quote(claim, evidence)
        or wrong_number(claim, evidence, places)
        or wrong_name(claim, evidence, language)
        or wrong_negation(claim, evidence, places)
    )


def _wrong_quote(claim: Sentence, evidence: Evidence) -> Message | None:
    """Return words between quotation marks that stand in no source; a title in capitals is not quoted."""
    for quoted in _QUOTED.findall(claim.text):
        words = quoted.split()
        if len(words) < _FEWEST_QUOTED or sum(word[0].isupper() for word in words) > len(words) / 2:
            continue
        if in_words(quoted) not in evidence.text:
            return Message("proof.not_quoted", quote=" ".join(words))
    return None


def wrong_number(claim: Sentence, evidence: Evidence, places: Sequence[int] = ()) -> Message | None:
    """Return a number that stands in none of the sources of some sentences, or in no source at all."""
    sources = {evidence.sentences[place].source_n for place in places}
    near = [one for one in evidence.sentences if not sources or one.source_n in sources]
    said = [number for sentence in near for number in sentence.numbers]
    for number in claim.numbers:
        beside = () if number.unit else evidence.beside.numbers
        if number.is_asked and not any(number.equals(other) for other in (*said, *beside)):
            best = evidence.sentences[places[0]].numbers if places else ()
            rivals = [one for one in best if one.unit == number.unit]
            if len(rivals) == 1 and not any(mine.equals(rivals[0]) for mine in claim.numbers):
                return Message("proof.other", said=rivals[0].shown, claimed=number.shown)
            return Message("proof.not_in_sources", claimed=number.shown)
    return None


def wrong_name(claim: Sentence, evidence: Evidence, language: str) -> Message | None:
    """Return a name of which the sources have less than half of the words."""
    capitals = [word for word, _ in claim.words if word[0].isupper()]
    if language == GERMAN or len(capitals) > max(2, _TITLED * len(claim.words)):
        return None
    for name in _names(claim.text):
        if 2 * sum(_is_known(word, evidence) for word in name) < len(name):
            return Message("proof.not_in_sources", claimed=" ".join(name))
    return None


def _names(text: str) -> Iterator[list[str]]:
    """Yield words in a row with capital letters, without the first of a sentence, which has one anyway."""
    for row in _IN_A_ROW.finditer(text):
        words = re.split("[ -]", row.group())
        before = text[: row.start()].rstrip(_OPENING)
        begins = not before or before[-1] in _BEFORE_SENTENCES
        for is_name, name in groupby(
            words[begins:], lambda word: len(word) > 1 and word[0].isupper() and word.isalpha()
        ):
            if is_name:
                yield list(name)


def _is_known(word: str, evidence: Evidence) -> bool:
    """Whether the sources have a word, or those whose initials it has."""
    return evidence.has(word) or (word.isupper() and folded(word) in evidence.initials)


def wrong_negation(claim: Sentence, evidence: Evidence, places: Sequence[int]) -> Message | None:
    """Return a word that a claim denies and its sentences do not, or the other way round in a copy of one."""
    near = [evidence.sentences[place] for place in evidence.around(places)]
    said = {stem for sentence in near for stem in sentence.content}
    denied_there = {stem for sentence in near for words in _denied(sentence) for stem in words}
    denied = _denied(claim)
    for words in denied:
        if said.intersection(words) and not denied_there.intersection(words):
            return _negated("proof.negated", claim, words)
    best = evidence.sentences[places[0]] if places and not denied else None
    if best is not None and set(claim.content) <= set(best.content):
        for words in _denied(best):
            if not set(claim.content).isdisjoint(words):
                return _negated("proof.denied", claim, words)
    return None


def _denied(sentence: Sentence) -> list[list[str]]:
    """Return for each negation the stems around it that tell something, those behind it first."""
    found = []
    for at, (word, _) in enumerate(sentence.words):
        is_short = word == "t" and at > 0 and sentence.words[at - 1][0].endswith("n")  # don't
        if is_short or word.lower() in _NEGATIONS:
            before, behind = sentence.words[max(0, at - _SCOPE) : at], sentence.words[at : at + _SCOPE + 1]
            found.append([stem for _, stem in (*behind, *before) if stem in sentence.content])
    return found


def _negated(key: str, claim: Sentence, stems: Sequence[str]) -> Message:
    said = {stem: word for word, stem in claim.words}
    return Message(key, word=next(said[stem] for stem in stems if stem in said))
