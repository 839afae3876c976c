"""Facts of a claim that its sources lack: quotations, numbers, names, negations.

Of claims that people labelled, names and negations tell little; of claims in which one fact was altered they
find four in ten.
"""

import re
from collections.abc import Sequence
from itertools import groupby

from app.core.answers.proof.evidence import Evidence, Sentence
from app.core.documents.text.languages import GERMAN
from app.domain.messages import Message
from app.domain.words import folded, in_words, word_set, words_in

_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,400})[\"”“»]")
_FEWEST_QUOTED = 4  # words; fewer are a name, or the answer's own way of speaking
_SENTENCE_END = re.compile(r"[.:!?•]+\W")
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
        or _wrong_name(claim, evidence, language)
        or _wrong_negation(claim, evidence, places)
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
        known = said if number.unit else [*said, *evidence.beside.numbers]
        if number.is_asked and not any(number.equals(other) for other in known):
            best = evidence.sentences[places[0]].numbers if places else ()
            rivals = [one for one in best if one.unit == number.unit]
            if len(rivals) == 1 and not any(mine.equals(rivals[0]) for mine in claim.numbers):
                return Message("proof.other", said=rivals[0].shown, claimed=number.shown)
            return Message("proof.not_in_sources", claimed=number.shown)
    return None


def _wrong_name(claim: Sentence, evidence: Evidence, language: str) -> Message | None:
    """Return a name of which the sources have less than half of the words, by their initials at least."""
    capitals = sum(word[0].isupper() for word, _ in claim.words)
    if language == GERMAN or capitals > max(2, _TITLED * len(claim.words)):
        return None
    for sentence in _SENTENCE_END.split(claim.text):
        words = words_in(sentence)[1:]  # the first has a capital letter anyway
        for is_name, name in groupby(
            words, lambda word: len(word) > 1 and word.isalpha() and word[0].isupper()
        ):
            parts = list(name) if is_name else []
            known = [
                evidence.has(one) or (one.isupper() and folded(one) in evidence.initials) for one in parts
            ]
            if 2 * sum(known) < len(parts):
                return Message("proof.not_in_sources", claimed=" ".join(parts))
    return None


def _wrong_negation(claim: Sentence, evidence: Evidence, places: Sequence[int]) -> Message | None:
    """Return a word that a claim denies and its sentences do not, or the other way round in a copy of one."""
    held_against = [evidence.sentences[place] for place in places]
    found, key = denied(claim), "proof.negated"
    if not held_against or (found and any(map(denied, held_against))):
        return None
    if not found and set(claim.content) <= set(held_against[0].content):
        found, key = [stem for stem in denied(held_against[0]) if stem in claim.content], "proof.denied"
    words = {stem: word for word, stem in claim.words}
    return Message(key, word=words[found[0]]) if found else None


def denied(sentence: Sentence) -> list[str]:
    """Return the meaningful stems around negations, those after a negation first."""
    found: list[str] = []
    for at, (word, _) in enumerate(sentence.words):
        is_short = word == "t" and at > 0 and sentence.words[at - 1][0].endswith("n")  # don't
        if is_short or word.lower() in _NEGATIONS:
            around = sentence.words[at : at + _SCOPE + 1] + sentence.words[max(0, at - _SCOPE) : at]
            found += [stem for _, stem in around if stem in sentence.content]
    return found
