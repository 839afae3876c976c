"""Whether the names of a claim stand in its evidence."""

import itertools
from collections.abc import Sequence

from app.core.answers.proof.comparison import Comparison
from app.core.answers.proof.evidence import Sentence, folded
from app.core.answers.proof.vocabulary import NAME_PARTICLES
from app.core.answers.proof.words import Word
from app.domain.messages import Message

_VERBS = frozenset("is was are were has had have will would can could did does became".split())  # noqa: SIM905
_CONTEXT = 2  # words
_SHORTEST_SQUEEZED = 6  # letters
_PLURAL = "s"
# Of words that begin a sentence and are no names.
_COMMON_ENDINGS = ("ing", "ion", "ment", "ity", "ness", "ance", "ence", "ism", "ly", "er", "ed")
_WITHIN_NAME = ("", "-", "of", "’s", "'s")


def wrong_name(compared: Comparison) -> Message | None:
    """Return which name of the claim the sources do not have, or have another in its place."""
    for group in names_of(compared.claim):
        if not _is_known(compared, [word for word in group if len(word.text) > 1]):
            return Message("proof.not_in_sources", claimed=_written(compared.claim, group))
    if compared.is_retold:
        for group in names_of(compared.claim, nouns=True):
            if other := _name_instead(compared, group):
                return Message("proof.other", said=other, claimed=_written(compared.claim, group))
    return None


def _name_instead(compared: Comparison, group: Sequence[Word]) -> str:
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


def _is_known(compared: Comparison, group: Sequence[Word]) -> bool:
    evidence = compared.evidence
    squeezed = "".join(folded(word.text) for word in group).replace(" ", "")
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


def _is_abbreviated(compared: Comparison, group: Sequence[Word]) -> bool:
    """Whether the sources have a name of several words by its initials."""
    return len(group) > 1 and compared.evidence.has_abbreviation("".join(word.stem[0] for word in group))


def _has_other_company(compared: Comparison, group: Sequence[Word], missing: Sequence[Word]) -> bool:
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
