"""Whether a claim denies what its evidence affirms, or says the opposite of it."""

import functools
from collections.abc import Sequence

from app.core.answers.proof.comparison import Comparison
from app.core.answers.proof.vocabulary import DENIALS, OPPOSITES
from app.core.answers.proof.words import Stems, Word
from app.domain.messages import Message

_ARTICLES = frozenset("the a an of to it in is and".split())  # noqa: SIM905
_CONTEXT = 3  # words on each side


def wrong_negation(compared: Comparison) -> Message | None:
    """Return what the claim denies and its evidence does not, or the other way round."""
    theirs = compared.words(compared.telling)
    affirmed = {word.stem for word in theirs if not word.is_denied}
    denied = {word.stem for word in theirs if word.is_denied}
    best = compared.words(compared.near[:1])
    for cue in (word for word in compared.claim.words if word.negation < 0):
        scope = [word for word in compared.claim.words if word.negation == -cue.negation]
        if any(word.stem in denied for word in scope):
            continue
        known = [word for word in scope if word.stem in affirmed]
        if known or not any(word.negation < 0 or word.text.lower() in DENIALS for word in best):
            return Message("proof.negated", word=(known or scope or [cue])[0].text)
    if any(word.negation < 0 or word.text.lower() in DENIALS for word in compared.claim.words):
        return None
    word = next((word for word in best if word.is_denied and word.stem in compared.stems - affirmed), None)
    return Message("proof.denied", word=word.text) if word else None


def opposite(compared: Comparison) -> Message | None:
    """Return which word of the claim stands where its evidence has the opposite."""
    opposites = _opposite_stems()
    nearby = {word.stem for word in compared.words(compared.around)}
    for at, word in enumerate(compared.claim.words):
        for other in opposites.get(word.stem, frozenset()) & nearby - compared.stems:
            context = _context(compared.claim.words, at)
            for sentence in compared.sentences(compared.telling):
                for there, their in enumerate(sentence.words):
                    if their.stem == other and context & _context(sentence.words, there):
                        return Message("proof.other", said=their.text, claimed=word.text)
    return None


def _context(words: Sequence[Word], at: int) -> set[str]:
    """Return the stems around a word, which tell what it belongs to."""
    near = (*words[max(0, at - _CONTEXT) : at], *words[at + 1 : at + 1 + _CONTEXT])
    return {word.stem for word in near} - _ARTICLES


@functools.cache
def _opposite_stems() -> dict[str, frozenset[str]]:
    stems = Stems()
    stems.learn(word for pair in OPPOSITES for word in pair)
    found: dict[str, set[str]] = {}
    for one, other in OPPOSITES:
        found.setdefault(stems[one], set()).add(stems[other])
    return {stem: frozenset(others - {stem}) for stem, others in found.items()}
