"""Whether the facts of a claim agree with the sentences it is held against."""

import functools
import re
from collections.abc import Collection, Iterator, Sequence

from app.core.answers.proof.evidence import Evidence, Sentence, folded
from app.core.answers.proof.numbers import MONTH, Number
from app.core.answers.proof.vocabulary import DENIALS, NEGATIONS, OPPOSITES
from app.core.answers.proof.words import Stems, Word
from app.core.search.terms import STOP_WORDS
from app.domain.messages import Message

_STOP_WORDS = frozenset(STOP_WORDS.split())
_ARTICLES = frozenset("the a an of to it in is and".split())  # noqa: SIM905
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,400})[\"”“»]")
_FEWEST_QUOTED = 3  # words; fewer are a name, or the answer's own way of speaking
_VERBS = frozenset("is was are were has had have will would can could did does became".split())  # noqa: SIM905
_COMMON_ENDINGS = ("s", "ing", "ion", "ment", "ity", "ness", "ance", "ence", "ism", "ly", "er", "ers", "ed")


def disagreement(claim: Sentence, evidence: Evidence, near: Sequence[int]) -> Message | None:
    """Return what of a claim its evidence does not say, or says otherwise; None if all of it agrees.

    Args:
        claim: the sentence.
        evidence: of the whole answer.
        near: the sentences that have most to do with the claim, best first.
    """
    around = {place for one in near for place in evidence.around(one)}
    checks = (_wrong_quote, _wrong_number, _wrong_name, _wrong_polarity, _opposite)
    return next((found for check in checks if (found := check(claim, evidence, near, around))), None)


def _wrong_quote(
    claim: Sentence, evidence: Evidence, near: Sequence[int], around: Collection[int]
) -> Message | None:
    for quoted in _QUOTED.findall(claim.text):
        words = folded(quoted)
        if words.count(" ") + 1 >= _FEWEST_QUOTED and words not in evidence.folded_text:
            return Message("proof.not_quoted", quote=" ".join(quoted.split()))
    return None


def _wrong_number(
    claim: Sentence, evidence: Evidence, near: Sequence[int], around: Collection[int]
) -> Message | None:
    said = [number for place in near for number in evidence.sentences[place].numbers]
    for number in claim.numbers:
        if not number.is_asked:
            continue
        held = evidence.holding_number(number)
        same = [other for place in held & set(around) for other in _equal(number, evidence.sentences[place])]
        rivals = [other for other in said if _is_rival(number, other, claim)]
        if same and not all(number.contradicts(other) for other in same):
            if _counts_something_else(number, same, said, claim):
                return _instead(number, rivals)
            continue
        if same:
            return Message("proof.other", said=same[0].shown, claimed=number.shown)
        if rivals or not held:
            return _instead(number, rivals)
    return None


def _equal(number: Number, sentence: Sentence) -> Iterator[Number]:
    return (other for other in sentence.numbers if number.equals(other))


def _is_rival(number: Number, other: Number, claim: Sentence) -> bool:
    """Whether a number of the source stands where the claim has another."""
    alike = (number.kind == MONTH) is (other.kind == MONTH) and (
        number.unit == other.unit or number.head == other.head != ""
    )
    years = _is_year(number) is _is_year(other)
    return alike and years and not any(mine.equals(other) for mine in claim.numbers)


def _counts_something_else(
    number: Number, same: Sequence[Number], said: Sequence[Number], claim: Sentence
) -> bool:
    """Whether the source has the number for something else, and another one for what the claim counts."""
    if not number.head or number.head in _STOP_WORDS or number.kind:
        return False
    if any(other.head in (number.head, "") or other.head in _STOP_WORDS for other in same):
        return False
    return any(other.head == number.head and _is_rival(number, other, claim) for other in said)


def _instead(number: Number, rivals: Sequence[Number]) -> Message:
    if rivals:
        nearest = min(rivals, key=lambda other: abs(other.values[0] - number.values[0]))
        return Message("proof.other", said=nearest.shown, claimed=number.shown)
    return Message("proof.not_in_sources", claimed=number.shown)


def _is_year(number: Number) -> bool:
    return any(1000 <= value <= 2100 and value == int(value) for value in number.values) and not number.unit


def _wrong_name(
    claim: Sentence, evidence: Evidence, near: Sequence[int], around: Collection[int]
) -> Message | None:
    for group in names_of(claim, evidence):
        missing = [word for word in group if len(word.text) > 1 and not evidence.holding(word)]
        if not missing:
            continue
        initials = "".join(word.stem[0] for word in group)
        if len(group) > 1 and evidence.holding_initials(initials):
            continue
        if len(missing) < len(group) and not _has_other_company(group, missing, evidence, around, claim):
            continue
        return Message("proof.not_in_sources", claimed=" ".join(word.text for word in group))
    return None


def names_of(claim: Sentence, evidence: Evidence) -> list[tuple[Word, ...]]:
    """Return the names in a claim, each with its words."""
    groups: list[list[Word]] = []
    last_end = -2
    for at, word in enumerate(claim.words):
        if not (word.is_name or (word.is_first and _begins_with_name(claim, at))):
            continue
        if groups and 0 <= word.start - last_end <= 2 and "," not in claim.text[last_end : word.start]:
            groups[-1].append(word)
        else:
            groups.append([word])
        last_end = word.start + len(word.text)
    return [tuple(group) for group in groups]


def _begins_with_name(claim: Sentence, at: int) -> bool:
    """Whether the first word of a sentence, which has a capital letter anyway, looks like a name."""
    word = claim.words[at]
    if not word.is_content or not word.text[0].isupper() or at + 1 >= len(claim.words):
        return False
    following = claim.words[at + 1]
    if following.is_name and following.start - word.start - len(word.text) == 1:
        return not word.text.lower().endswith(_COMMON_ENDINGS[1:])
    return following.text.lower() in _VERBS and not word.text.lower().endswith(_COMMON_ENDINGS)


def _has_other_company(
    group: Sequence[Word],
    missing: Sequence[Word],
    evidence: Evidence,
    around: Collection[int],
    claim: Sentence,
) -> bool:
    """Whether a source has the known part of a name together with another name than the claim."""
    known = {word.stem for word in group} - {word.stem for word in missing}
    mine = {word.stem for word in claim.words}
    for place in around:
        words = evidence.sentences[place].words
        for one, two in zip(words, words[1:], strict=False):
            close = two.start - one.start - len(one.text) == 1
            both_capital = one.text[0].isupper() and two.text[0].isupper()
            if close and both_capital and one.is_content and two.is_content:
                if two.stem in known and one.stem not in mine and missing[0].start < group[-1].start:
                    return True
                if one.stem in known and two.stem not in mine and missing[-1].start > group[0].start:
                    return True
    return False


def _wrong_polarity(
    claim: Sentence, evidence: Evidence, near: Sequence[int], around: Collection[int]
) -> Message | None:
    best = [evidence.sentences[place] for place in near[:2]]
    theirs = [word for sentence in best for word in sentence.words]
    affirmed = {word.stem for word in theirs if not word.is_negated}
    denied = {word.stem for word in theirs if word.is_negated}
    mine = {word.stem: word.is_negated for word in claim.words if word.is_content}
    negated = [word for word in claim.words if word.is_negated]
    if negated:
        denies = any(word.text.lower() in DENIALS or _is_negation(word) for word in theirs)
        if not any(word.stem in denied for word in negated) and not denies:
            return Message("proof.negated", word=negated[0].text)
        known = [word for word in negated if word.stem in affirmed | denied]
        if known and not any(word.stem in denied for word in known) and not denies:
            return Message("proof.negated", word=known[0].text)
        return None
    if any(_is_negation(word) or word.text.lower() in DENIALS for word in claim.words):
        return None
    for word in evidence.sentences[near[0]].words if near else ():
        if word.is_negated and mine.get(word.stem) is False and word.stem not in affirmed:
            return Message("proof.denied", word=word.text)
    return None


def _is_negation(word: Word) -> bool:
    lower = word.text.lower().replace("’", "'")
    return lower in NEGATIONS or lower.endswith("n't")


def _opposite(
    claim: Sentence, evidence: Evidence, near: Sequence[int], around: Collection[int]
) -> Message | None:
    opposites = _opposite_stems()
    mine = {word.stem for word in claim.words}
    nearby = {word.stem for place in around for word in evidence.sentences[place].words}
    for at, word in enumerate(claim.words):
        for other in opposites.get(word.stem, ()):
            if other in mine or other not in nearby:
                continue
            context = _following(claim.words, at)
            for place in near[:2]:
                words = evidence.sentences[place].words
                for there, their in enumerate(words):
                    if their.stem != other:
                        continue
                    if context & _following(words, there) or (word.stem not in nearby and word.is_content):
                        return Message("proof.other", said=their.text, claimed=word.text)
    return None


def _following(words: Sequence[Word], at: int) -> set[str]:
    """Return the stems of the next words, which tell what a word such as "before" belongs to."""
    return {word.stem for word in words[at + 1 : at + 4]} - _ARTICLES


@functools.cache
def _opposite_stems() -> dict[str, frozenset[str]]:
    stems = Stems()
    stems.learn(word for pair in OPPOSITES for word in pair)
    found: dict[str, set[str]] = {}
    for one, other in OPPOSITES:
        found.setdefault(stems[one], set()).add(stems[other])
    return {stem: frozenset(others - {stem}) for stem, others in found.items()}
