"""The sentences of an answer's sources, arranged to be looked up by their words."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cache
from typing import NamedTuple

from app.core.documents.text.languages import ENGLISH, certain_language_of, common_words
from app.domain.numbers import Number, numbers_of
from app.domain.sources import Source
from app.domain.words import UNSPACED_SIGN, folded, in_words, words_in

_STEM = 5  # letters; as good on labelled claims as the stemmer of one language
_MOST_TOGETHER = 4  # sentences that may show one claim
_LEAST_GAIN = 0.08  # share of the claim that a further sentence must add
_LONGEST_COUNTED = 12  # letters: long words are rare ones


class Sentence(NamedTuple):
    text: str
    words: list[tuple[str, str]]  # as written, and their stems
    content: list[str]  # stems of those that tell something
    numbers: tuple[Number, ...]
    source_n: int = 0
    start: int = 0  # in the source's document
    end: int = 0


def read_sentence(text: str, language: str, *place: int) -> Sentence:
    words: list[tuple[str, str]] = []
    for word in words_in(text):
        if UNSPACED_SIGN.search(word):  # pairs of characters stand for words
            words += [(word[at : at + 2],) * 2 for at in range(max(1, len(word) - 1))]
        else:
            words.append((word, stem_of(word)))
    common = _common_stems(ENGLISH) | _common_stems(language)
    content = [stem for _, stem in words if stem not in common]
    return Sentence(text, words, content, numbers_of(text), *place)


def stem_of(word: str) -> str:
    """Return what a word shares with its other forms, in any language, without a dictionary."""
    plain = folded(word)
    return (plain.rstrip("s") or plain)[:_STEM]


@cache
def _common_stems(language: str) -> frozenset[str]:
    return frozenset(stem_of(word) for word in common_words(language))


class Evidence:
    """The sentences that a claim may rest on; known besides are the titles and the question."""

    def __init__(self, sources: Sequence[Source], question: str = "") -> None:
        texts = [source.hit.text for source in sources]
        beside: list[str] = []
        for hit in (source.hit for source in sources):
            lesson = "" if hit.lesson_number is None else f"Lesson {hit.lesson_number}"
            beside += [hit.course_title, lesson, hit.lesson_title]
        self.beside = read_sentence(". ".join([*beside, question]), "")
        self.text = f" {in_words(' '.join([*texts, self.beside.text]))} "
        self.initials = "".join(word[0] for word in self.text.split())
        languages = [certain_language_of(text) for text in texts]
        self.languages = set(languages) - {""}
        self.sentences = [
            read_sentence(source.text(start, end), language, source.n, start, end)
            for source, language in zip(sources, languages, strict=True)
            for start, end in source.sentences
        ]
        self._places: defaultdict[str, set[int]] = defaultdict(set)
        for place, sentence in enumerate(self.sentences):
            for _, stem in sentence.words:
                self._places[stem].add(place)

    def has(self, word: str) -> bool:
        """Whether a word, or another form of it, stands in the sources, the titles or the question."""
        stem = stem_of(word)
        return stem in self._places or any(stem == one for _, one in self.beside.words)

    def is_foreign_to(self, language: str) -> bool:
        """Whether every source whose language is known is in a different language."""
        return bool(language and self.languages) and language not in self.languages

    def around(self, places: Collection[int]) -> set[int]:
        """Return places with those before and after them in the same source."""
        return {
            beside
            for place in places
            for beside in range(max(place - 1, 0), min(place + 2, len(self.sentences)))
            if self.sentences[beside].source_n == self.sentences[place].source_n
        }

    def choose(self, claim: Sentence, among: Collection[int] | None = None) -> tuple[tuple[int, ...], float]:
        """Return the sentences that together have most of a claim's words, best first, and their share."""
        content = set(claim.content) or {stem for _, stem in claim.words}
        left = {stem: min(len(word), _LONGEST_COUNTED) for word, stem in claim.words if stem in content}
        total = sum(left.values())
        chosen: list[int] = []
        while len(chosen) < _MOST_TOGETHER:
            gains: defaultdict[int, int] = defaultdict(int)
            for stem, weight in left.items():
                for place in self._places.get(stem, ()):
                    if among is None or place in among:
                        gains[place] += weight
            best = min(gains, key=lambda place: (-gains[place], place), default=None)
            if best is None or gains[best] < _LEAST_GAIN * total:
                break
            chosen.append(best)
            left = {stem: weight for stem, weight in left.items() if best not in self._places.get(stem, ())}
        return tuple(chosen), 1 - sum(left.values()) / total if total else 0.0
