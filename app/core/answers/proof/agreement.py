"""Whether the facts of a claim agree with the sentences it is held against."""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from app.core.answers.proof.evidence import Evidence, Sentence
from app.core.answers.proof.numbers import MONTH, Number
from app.core.answers.proof.words import DENIALS, NAME_PARTICLES, OPPOSITES, Stems, Word
from app.core.documents.text.languages import ENGLISH_WORDS
from app.domain.messages import Message
from app.domain.words import in_words

_MOST_TELLING = 2
_RETOLD = 0.75  # share of a claim's words
_FEWEST_RETOLD = 3


@dataclass(frozen=True)
class ClaimComparison:
    """A claim, all evidence, and the places of the sentences that have most to do with it, best first."""

    claim: Sentence
    evidence: Evidence
    near: Sequence[int]

    @cached_property
    def telling(self) -> Sequence[int]:
        """The few sentences that are so much about the same that they may contradict the claim.

        One alone if it has nearly all words of the claim: then it is what the claim says in its own way.
        """
        return self.near[:1] if self.is_retold else self.near[:_MOST_TELLING]

    @cached_property
    def is_retold(self) -> bool:
        words = [word for word in self.claim.words if word.is_content and not word.is_name]
        shared = sum(self.near[0] in self.evidence.holding(word) for word in words) if self.near else 0
        return len(words) >= _FEWEST_RETOLD and shared >= _RETOLD * len(words)

    @cached_property
    def around(self) -> frozenset[int]:
        """The sentences near, and their neighbours, which may name what these only point to."""
        return frozenset(place for one in self.near for place in self.evidence.around(one))

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.claim.words)

    def sentences(self, places: Sequence[int] | frozenset[int]) -> Iterator[Sentence]:
        return (self.evidence.sentences[place] for place in places)

    def words(self, places: Sequence[int] | frozenset[int]) -> list[Word]:
        return [word for sentence in self.sentences(places) for word in sentence.words]


_CONTEXT_CHARACTERS = 40
_SHORT = 12  # words of a sentence that needs no context: a date line, a heading
_ENGLISH_WORDS = frozenset(ENGLISH_WORDS.split())


def wrong_number(compared: ClaimComparison) -> Message | None:
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


def _named_otherwise(number: Number, compared: ClaimComparison) -> list[Number]:
    """Return what the sources call by other numbers if the claim's is none of them: position 8, not 2."""
    if number.is_year or number.unit or number.kind or not number.label or number.label in _ENGLISH_WORDS:
        return []
    named = compared.evidence.labelled(number.label)
    return [] if any(number.equals(other) for other in named) else named


def _stands_in(number: Number, said: Sequence[Number], compared: ClaimComparison) -> bool:
    """Whether the most telling sentences have the number, and for the same thing."""
    around = _said_around(number, compared)
    same = [other for other in said if other in around and number.equals(other)]
    same = [other for other in same if not number.contradicts(other)]
    if any(_counts_alike(number, other) for other in same):
        return True
    if any(_counts_alike(number, other) and not number.equals(other) for other in said):
        return False
    return any(not _counts_other(number, other) for other in same)


def _said_around(number: Number, compared: ClaimComparison) -> list[Number]:
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


_VERBS = frozenset("is was are were has had have will would can could did does became".split())  # noqa: SIM905
_CONTEXT = 2  # words
_SHORTEST_SQUEEZED = 6  # letters
_PLURAL = "s"
# Of words that begin a sentence and are no names.
_COMMON_ENDINGS = ("ing", "ion", "ment", "ity", "ness", "ance", "ence", "ism", "ly", "er", "ed")
_WITHIN_NAME = ("", "-", "of", "’s", "'s")


def wrong_name(compared: ClaimComparison) -> Message | None:
    """Return which name of the claim the sources do not have, or have another in its place."""
    for group in names_of(compared.claim):
        if not _is_known(compared, [word for word in group if len(word.text) > 1]):
            return Message("proof.not_in_sources", claimed=_written(compared.claim, group))
    if compared.is_retold:
        for group in names_of(compared.claim, nouns=True):
            if other := _name_instead(compared, group):
                return Message("proof.other", said=other, claimed=_written(compared.claim, group))
    return None


def _name_instead(compared: ClaimComparison, group: Sequence[Word]) -> str:
    """Return the name that the sentence which the claim retells has where the claim has this one."""
    best = compared.evidence.sentences[compared.near[0]]
    places = set(compared.evidence.around(compared.near[0]))
    if _is_abbreviated(compared, group) or any(places & compared.evidence.holding(word) for word in group):
        return ""
    context = _neighbours(compared.claim.words, group)
    for other in names_of(best, nouns=True):
        unknown = not any(word.stem in compared.stems for word in other)
        if unknown and context & _neighbours(best.words, other):
            return _written(best, other)
    return ""


def _written(sentence: Sentence, group: Sequence[Word]) -> str:
    return sentence.text[group[0].start : group[-1].start + len(group[-1].text)]


def _neighbours(words: Sequence[Word], group: Sequence[Word]) -> set[str]:
    """Return the stems of the words before and after a name."""
    begin, end = words.index(group[0]), words.index(group[-1]) + 1
    return {word.stem for word in (*words[max(0, begin - _CONTEXT) : begin], *words[end : end + _CONTEXT])}


def names_of(claim: Sentence, *, nouns: bool = False) -> list[tuple[Word, ...]]:
    """Return the names in a sentence, each with its words; ``nouns`` too if they have capital letters."""
    groups: list[list[Word]] = []
    last_end = -1
    for at, word in enumerate(claim.words):
        is_name = word.is_name or (nouns and word.may_be_name)
        if not (is_name or (word.is_first and _begins_with_name(claim, at, alone=nouns))):
            continue
        if groups and claim.text[last_end : word.start].strip() in _WITHIN_NAME:
            groups[-1].append(word)
        else:
            groups.append([word])
        last_end = word.start + len(word.text)
    return [tuple(group) for group in groups]


def _begins_with_name(claim: Sentence, at: int, *, alone: bool) -> bool:
    """Whether the first word of a sentence, which has a capital letter anyway, looks like a name.

    One that stands ``alone`` may be any noun, and then says little by itself.
    """
    word = claim.words[at]
    lower = word.text.lower()
    if not word.is_content or not word.text[0].isupper() or at + 1 >= len(claim.words):
        return False
    following = claim.words[at + 1]
    if lower.endswith(_COMMON_ENDINGS) or lower in NAME_PARTICLES:
        return False
    if following.is_name and claim.text[word.start + len(word.text) : following.start] == " ":
        return True
    return alone and following.text.lower() in _VERBS and not lower.endswith(_PLURAL)


def _is_known(compared: ClaimComparison, group: Sequence[Word]) -> bool:
    evidence = compared.evidence
    squeezed = "".join(in_words(word.text) for word in group).replace(" ", "")
    if len(squeezed) >= _SHORTEST_SQUEEZED and squeezed in evidence.squeezed_text:
        return True  # "Ibero-American", avclub.com
    held = {word.stem: evidence.holding(word) for word in group}
    missing = [word for word in group if not held[word.stem]]
    if len(group) < 2:
        return not missing
    if _is_abbreviated(compared, group):
        return True
    if missing:  # what the sources have of it must be a name there too, as "records" is not
        group = [word for word in group if word in missing or evidence.names(word)]
    known = [held[word.stem] for word in group if word not in missing]
    if not known:
        return False
    # Most of what is known of the name stands together somewhere.
    together = max(sum(place in places for places in known) for place in set().union(*known))
    if 2 * together < len(group):
        return False
    return not missing or not _has_other_company(compared, group, missing)


def _is_abbreviated(compared: ClaimComparison, group: Sequence[Word]) -> bool:
    """Whether the sources have a name of several words by its initials."""
    return len(group) > 1 and compared.evidence.has_abbreviation("".join(word.stem[0] for word in group))


def _has_other_company(compared: ClaimComparison, group: Sequence[Word], missing: Sequence[Word]) -> bool:
    """Whether a source has the known part of a name together with another name than the claim."""
    known = {word.stem for word in group} - {word.stem for word in missing}
    first_is_missing = missing[0].start < group[-1].start
    for sentence in compared.sentences(compared.around):
        for one, two in itertools.pairwise(sentence.words):
            close = two.start - one.start - len(one.text) == 1
            if not (close and one.text[0].isupper() and two.text[0].isupper()):
                continue
            if first_is_missing and two.stem in known and one.is_content and one.stem not in compared.stems:
                return True
            if one.stem in known and two.is_content and two.stem not in compared.stems:
                return True
    return False


_ARTICLES = frozenset("the a an of to it in is and".split())  # noqa: SIM905
_NEAR_OPPOSITE = 3  # words on each side


def wrong_negation(compared: ClaimComparison) -> Message | None:
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


def opposite(compared: ClaimComparison) -> Message | None:
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
    near = (*words[max(0, at - _NEAR_OPPOSITE) : at], *words[at + 1 : at + 1 + _NEAR_OPPOSITE])
    return {word.stem for word in near} - _ARTICLES


@functools.cache
def _opposite_stems() -> dict[str, frozenset[str]]:
    stems = Stems()
    stems.learn(word for pair in OPPOSITES for word in pair)
    found: dict[str, set[str]] = {}
    for one, other in OPPOSITES:
        found.setdefault(stems[one], set()).add(stems[other])
    return {stem: frozenset(others - {stem}) for stem, others in found.items()}


_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,400})[\"”“»]")
_FEWEST_QUOTED = 4  # words; fewer are a name, or the answer's own way of speaking
_TITLED = 0.5  # share of words with a capital letter from which on they are the title of something


def disagreement(claim: Sentence, evidence: Evidence, near: Sequence[int]) -> Message | None:
    """Return what of a claim its evidence does not say, or says otherwise; None if all of it agrees."""
    compared = ClaimComparison(claim, evidence, near)
    return next((found for check in CHECKS if (found := check(compared))), None)


def _wrong_quote(compared: ClaimComparison) -> Message | None:
    for quoted in _QUOTED.findall(compared.claim.text):
        words = quoted.split()
        is_title = sum(word[0].isupper() for word in words) > _TITLED * len(words)
        known = is_title or in_words(quoted) in compared.evidence.folded_text
        if len(words) >= _FEWEST_QUOTED and not known:
            return Message("proof.not_quoted", quote=" ".join(words))
    return None


CHECKS = (_wrong_quote, wrong_number, wrong_name, wrong_negation, opposite)
