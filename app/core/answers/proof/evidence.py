"""The sentences of an answer's sources, arranged to be looked up by their words and numbers."""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.core.answers.proof.numbers import Number, numbers_of
from app.core.answers.proof.words import Stems, Word, words_of
from app.core.documents.text.languages import certain_language_of
from app.domain.sources import Source
from app.domain.words import in_words

_SHARED_PREFIX = 0.7  # of the longer of two words that count as forms of one
_SHARED_PREFIX_OF_NAMES = 0.6  # Canada, Canadian
_SHORTEST_PREFIX = 4
_LONGEST_INITIALS = 6
_LESSONS = re.compile(
    r"\b(?:lesson|lektion|lecci[oó]n|leçon|lezion|liç)[^\W\d_]{0,3} "
    r"\d{1,3}(?:(?:, (?:and )?| and | und | y | et | e | ?[-–] ?)\d{1,3})*(?![\w%])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    words: tuple[Word, ...]
    numbers: tuple[Number, ...]
    source_n: int = 0  # of a source, the rest too
    start: int = 0  # in the source's document
    end: int = 0
    is_heading: bool = False  # the titles of a source: they give names, and are never cited

    @property
    def initials(self) -> frozenset[str]:
        """The initials of names of several words, as "un" of "the United Nations"."""
        found: set[str] = set()
        run: list[str] = []
        for word in (*self.words, None):
            if word is not None and word.text[0].isupper():
                run.append(word.stem[0])
                continue
            for begin in range(len(run)):
                for size in range(2, min(len(run) - begin, _LONGEST_INITIALS) + 1):
                    found.add("".join(run[begin : begin + size]))
            run = []
        return frozenset(found)


def read_sentence(text: str, stems: Stems, language: str) -> Sentence:
    """Return a sentence, which ``stems`` must have learned, with its facts."""
    return Sentence(text, words_of(text, stems, language), numbers_of(text))


@dataclass(slots=True)
class Evidence:
    """All sentences that a claim may rest on."""

    sentences: list[Sentence] = field(default_factory=list)
    languages: dict[int, str] = field(default_factory=dict)  # of the sources, by their numbers
    lessons: frozenset[int] = frozenset()  # numbers of the sources' lessons
    folded_text: str = ""  # of all sources, to look for quotations
    squeezed_text: str = ""  # the same without spaces, to look for names that are written together
    _by_stem: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    _by_prefix: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _by_initials: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    _abbreviations: set[str] = field(default_factory=set)
    _capitals: set[str] = field(default_factory=set)
    _numbers: list[tuple[int, Number]] = field(default_factory=list)

    def add(self, sentence: Sentence) -> None:
        """Enter one more sentence; those of a source come in order, its titles last."""
        place = len(self.sentences)
        self.sentences.append(sentence)
        for word in sentence.words:
            self._by_stem[word.stem].add(place)
            self._by_prefix[word.stem[:_SHORTEST_PREFIX]].add(word.stem)
            if word.text[0].isupper():
                self._capitals.add(word.stem)
            if word.text.isupper():
                self._abbreviations.add(word.stem)
        for initials in sentence.initials:
            self._by_initials[initials].add(place)
        self._numbers += [(place, number) for number in sentence.numbers]

    def holding(self, word: Word) -> set[int]:
        """Return which sentences hold a word, or another form of it."""
        share = _SHARED_PREFIX_OF_NAMES if word.is_name else _SHARED_PREFIX
        held = set(self._by_stem.get(word.stem, ()))
        for other in self._by_prefix.get(word.stem[:_SHORTEST_PREFIX], ()):
            if other != word.stem and _are_forms(word.stem, other, share):
                held |= self._by_stem[other]
        if word.text.isupper() and 2 <= len(word.stem) <= _LONGEST_INITIALS:
            held |= self._by_initials.get(word.stem, set())
        return held

    def has_abbreviation(self, initials: str) -> bool:
        """Whether "un" stands somewhere as UN or U.N., not as "in" does."""
        return initials in self._abbreviations

    def names(self, word: Word) -> bool:
        """Whether a word, or another form of it, has a capital letter somewhere."""
        forms = {word.stem, *self._by_prefix.get(word.stem[:_SHORTEST_PREFIX], ())} & self._capitals
        return any(_are_forms(word.stem, other, _SHARED_PREFIX_OF_NAMES) for other in forms)

    def holding_number(self, number: Number) -> set[int]:
        """Return which sentences say a number."""
        return {place for place, other in self._numbers if number.equals(other)}

    def labelled(self, label: str) -> list[Number]:
        """Return the numbers after a word, as after "position" in "position 8"."""
        return [number for _, number in self._numbers if number.label == label and not number.unit]

    def without_lessons(self, claim: Sentence) -> Sentence:
        """Return a claim without the numbers that only name lessons of the sources, as in "Lesson 2 says"."""
        named = [match.span() for match in _LESSONS.finditer(claim.text)]
        numbers = tuple(
            number
            for number in claim.numbers
            if not any(start <= number.start < end for start, end in named)
            or not self.lessons.intersection(number.values)
        )
        return replace(claim, numbers=numbers)

    def rarity(self, held: set[int]) -> float:
        """Return how much it says that a sentence holds what these sentences hold."""
        return 0.3 + math.log(1 + len(self.sentences) / (1 + len(held)))

    def is_foreign_to(self, language: str) -> bool:
        """Whether every source whose language is known is in another one."""
        known = set(self.languages.values()) - {""}
        return bool(language and known) and language not in known

    def of_unknown_language(self) -> frozenset[int]:
        """Return the sentences of sources such as lists, of which no language can be told."""
        return frozenset(
            place
            for place, sentence in enumerate(self.sentences)
            if not self.languages[sentence.source_n] and not sentence.is_heading
        )

    def around(self, place: int) -> list[int]:
        """Return a place with those before and after it in the same source."""
        return [
            near
            for near in (place - 1, place, place + 1)
            if 0 <= near < len(self.sentences)
            and self.sentences[near].source_n == self.sentences[place].source_n
        ]


def read_evidence(sources: Sequence[Source], stems: Stems) -> Evidence:
    """Return the sentences of all sources, and their titles."""
    text = in_words(" ".join(source.hit.text for source in sources))
    evidence = Evidence(folded_text=text, squeezed_text=text.replace(" ", ""))
    lessons = (source.hit.lesson_number for source in sources)
    evidence.lessons = frozenset(number for number in lessons if number is not None)
    titles = {source.n: f"{source.hit.course_title}. {source.hit.lesson_title}" for source in sources}
    stems.learn([*(source.hit.text for source in sources), *titles.values()])
    for source in sources:
        language = certain_language_of(source.hit.text)
        evidence.languages[source.n] = language
        for start, end in source.sentences:
            text = source.text(start, end)
            sentence = Sentence(text, words_of(text, stems, language), numbers_of(text), source.n, start, end)
            evidence.add(sentence)
        title = titles[source.n]
        evidence.add(
            Sentence(title, words_of(title, stems, language), numbers_of(title), source.n, is_heading=True)
        )
    return evidence


def _are_forms(one: str, other: str, share: float) -> bool:
    longer = max(len(one), len(other))
    needed = max(_SHORTEST_PREFIX, math.ceil(share * longer))
    return one[:needed] == other[:needed]
