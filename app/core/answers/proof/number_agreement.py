"""Whether the numbers and dates of a claim stand in its evidence, and count the same."""

from collections.abc import Sequence

from app.core.answers.proof.comparison import Comparison
from app.core.answers.proof.numbers import MONTH, Number
from app.core.documents.text.languages import ENGLISH_WORDS
from app.domain.messages import Message

_CONTEXT_CHARACTERS = 40
_SHORT = 12  # words of a sentence that needs no context: a date line, a heading
_ENGLISH_WORDS = frozenset(ENGLISH_WORDS.split())


def wrong_number(compared: Comparison) -> Message | None:
    """Return which number of the claim the sources do not say, or say another of."""
    telling = [number for sentence in compared.sentences(compared.telling) for number in sentence.numbers]
    for number in compared.claim.numbers:
        if not number.is_asked:
            continue
        if named := _named_otherwise(number, compared):
            return _instead(number, named)
        if _stands_in(number, telling, compared):
            continue
        rivals = [other for other in telling if _is_rival(number, other, compared.claim.numbers)]
        instead = [other for other in telling if compared.is_retold and _is_of_its_class(number, other)]
        if instead := [other for other in instead if not _is_claimed(other, compared.claim.numbers)]:
            return _instead(number, rivals or instead)
        same = [other for other in _said_around(number, compared) if number.equals(other)]
        agreeing = [other for other in same if not number.contradicts(other)]
        if same and not agreeing:
            return _instead(number, same)
        if any(_counts_alike(number, other) for other in agreeing):
            continue
        if agreeing and not any(_counts_alike(number, other) for other in rivals):
            continue
        if rivals or not compared.evidence.holding_number(number):
            return _instead(number, rivals)
    return None


def _named_otherwise(number: Number, compared: Comparison) -> list[Number]:
    """Return what the sources call by other numbers if the claim's is none of them: position 8, not 2."""
    if number.is_year or number.unit or number.kind or not number.label or number.label in _ENGLISH_WORDS:
        return []
    named = compared.evidence.labelled(number.label)
    return [] if any(number.equals(other) for other in named) else named


def _stands_in(number: Number, said: Sequence[Number], compared: Comparison) -> bool:
    """Whether the most telling sentences have the number, and for the same thing."""
    around = _said_around(number, compared)
    same = [other for other in said if other in around and number.equals(other)]
    same = [other for other in same if not number.contradicts(other)]
    if any(_counts_alike(number, other) for other in same):
        return True
    if any(_counts_alike(number, other) and not number.equals(other) for other in said):
        return False
    return any(not _counts_other(number, other) for other in same)


def _said_around(number: Number, compared: Comparison) -> list[Number]:
    """Return the numbers near the claim's evidence, without those that stand in quite another context."""
    context = {
        word.stem
        for word in compared.claim.words
        if word.is_content and abs(word.start - number.start) <= _CONTEXT_CHARACTERS
    }
    return [
        other
        for sentence in compared.sentences(compared.around)
        if len(sentence.words) <= _SHORT or context & {word.stem for word in sentence.words}
        for other in sentence.numbers
    ]


def _is_rival(number: Number, other: Number, claimed: Sequence[Number]) -> bool:
    """Whether a number of the source stands where the claim has another."""
    if (number.kind == MONTH) is not (other.kind == MONTH) or number.is_year is not other.is_year:
        return False
    if _is_claimed(other, claimed):
        return False
    dated = number.kind == MONTH or number.is_year or (number.beside > 0 and other.beside > 0)
    return dated or (number.unit == other.unit != "") or _counts_alike(number, other)


def _is_claimed(other: Number, claimed: Sequence[Number]) -> bool:
    return any(mine.equals(other) for mine in claimed)


def _is_of_its_class(number: Number, other: Number) -> bool:
    """Whether one of the two could be written in the place of the other."""
    kinds = number.kind == other.kind and number.is_year is other.is_year
    return kinds and other.is_asked and (number.unit == other.unit or not (number.unit and other.unit))


def _counts_alike(number: Number, other: Number) -> bool:
    """Whether both count the same thing, as in "3 lessons", or name it, as in "lesson 3"."""
    if number.unit or other.unit:
        return False
    return bool(_counted(number) & _counted(other))


def _counts_other(number: Number, other: Number) -> bool:
    """Whether it is plain that the two count different things."""
    mine, theirs = _counted(number), _counted(other)
    if number.kind or other.kind or number.unit or number.is_year:
        return False
    if other.unit:
        return bool(mine)
    return bool(mine and theirs) and not mine & theirs


def _counted(number: Number) -> set[str]:
    return {word.rstrip("s") for word in (number.head, number.label) if word and word not in _ENGLISH_WORDS}


def _instead(number: Number, others: Sequence[Number]) -> Message:
    if not others:
        return Message("proof.not_in_sources", claimed=number.shown)
    alike = [other for other in others if _counts_alike(number, other)] or others
    nearest = min(alike, key=lambda other: abs(other.values[0] - number.values[0]))
    return Message("proof.other", said=nearest.shown, claimed=number.shown)
