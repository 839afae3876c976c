"""The words of a sentence: their stems, which of them are names, and which are negated."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from app.core.answers.proof.vocabulary import CLAUSE_WORDS, NAME_PARTICLES, NEGATIONS, NOT_NEGATING
from app.core.documents.text.languages import ENGLISH, GERMAN, common_words
from app.core.search.terms import tokenize

_WORD = re.compile(
    r"(?P<acronym>(?<!\w)(?:[^\W\d_]\.){2,})|[^\W_]+(?:['’](?:t|re|ve|ll|d|m)\b)?|(?P<clause>[,;:()–—\"“”„«»])"
)
# Scripts without spaces between words, whose pairs of characters stand for words.
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_OPENS_SENTENCE = ('"', "“", "«", "„", ":", "*")
_LONGEST_SCOPE = 2  # content words after a negation
_TITLED = 0.6  # share of words with a capital letter from which on one says nothing


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a sentence."""

    text: str  # as written
    stem: str
    start: int  # of its first character in the sentence
    is_content: bool  # tells something about the subject
    is_name: bool
    is_first: bool  # of its sentence, where every word has a capital letter
    negation: int = 0  # n: the sentence's nth negation denies it; -n: it is that negation

    @property
    def may_be_name(self) -> bool:
        """Whether it has a capital letter where not every word has one, if only as German nouns have."""
        return self.is_content and self.text[0].isupper() and not self.is_first

    @property
    def is_denied(self) -> bool:
        return self.negation > 0


class Stems:
    """The stems of words, looked up together: one by one takes ten times as long."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def learn(self, texts: Iterable[str]) -> None:
        """Look up the words of all texts."""
        unknown = {
            lower
            for text in texts
            for found in _WORD.finditer(text)
            if not found["clause"] and (lower := found.group().lower()) not in self._known
        }
        words = sorted(unknown)
        stems: dict[int, str] = {}
        for index, stem in tokenize([word.replace(".", "") for word in words]):
            stems.setdefault(index, stem)
        self._known.update({word: stems.get(index, word) for index, word in enumerate(words)})

    def __getitem__(self, word: str) -> str:
        lower = word.lower()
        return self._known.get(lower, lower)


def words_of(text: str, stems: Stems, language: str) -> tuple[Word, ...]:
    """Return the words of one sentence, which ``stems`` must have learned."""
    found = list(_WORD.finditer(text))
    titled = language == GERMAN or _is_titled([match.group() for match in found if not match["clause"]])
    function_words = common_words(language) or common_words(ENGLISH)
    words: list[Word] = []
    scope = negations = 0  # content words that are still negated, negations so far
    for at, match in enumerate(found):
        written, lower = match.group(), match.group().lower().replace("’", "'")
        if match["clause"] or lower in CLAUSE_WORDS:
            scope = 0
        if match["clause"]:
            continue
        if _UNSPACED.search(written):
            words += _pairs(written, match.start())
            continue
        following = found[at + 1].group().lower() if at + 1 < len(found) else ""
        is_content = lower not in function_words and "'" not in lower and lower not in NEGATIONS
        negation = negations if scope and is_content else 0
        scope -= negation > 0
        if (lower in NEGATIONS or lower.endswith("n't")) and (lower, following) not in NOT_NEGATING:
            scope = _LONGEST_SCOPE
            negations += 1
            negation = -negations
        is_first = not words or text[: match.start()].rstrip().endswith(_OPENS_SENTENCE)
        is_name = is_content and _is_name(written, is_first=is_first, titled=titled)
        words.append(Word(written, stems[written], match.start(), is_content, is_name, is_first, negation))
    return tuple(words)


def _is_titled(words: list[str]) -> bool:
    """Whether so many words have a capital letter, as in a heading, that it does not show names."""
    return len(words) > 3 and sum(word[0].isupper() for word in words) > _TITLED * len(words)


def _is_name(written: str, *, is_first: bool, titled: bool) -> bool:
    if len(written) > 1 and any(letter.isupper() for letter in written[1:]):
        return not (titled and written.isupper())
    starts = written[0].isupper() and written.lower() not in NAME_PARTICLES
    return starts and not is_first and not titled


def _pairs(written: str, start: int) -> list[Word]:
    return [
        Word(pair, pair, start + at, is_content=True, is_name=False, is_first=False)
        for at in range(max(1, len(written) - 1))
        for pair in (written[at : at + 2],)
    ]
