"""Compares a typed answer with the right one word by word, and grades whole sentences by their points.

In the comparison case, accents, punctuation and articles do not count; in code or a formula, operators do.

Without a model a point counts as there by its words, rare ones more, by its meaning and by its numbers.
``python -m tests.tools.benchmarks.grading FILE`` prints how often that is right, and the weights.
"""

import asyncio
import math
import re
from collections.abc import AsyncGenerator, Iterator, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from app.core.answers.likeness import Likeness
from app.core.answers.proof.claims import plain
from app.core.answers.proof.evidence import Evidence, Sentence, read_sentence
from app.core.answers.proof.facts import denied, wrong_number
from app.core.answers.proof.score import RELATED_FROM
from app.core.answers.providers.base import ModelSettings
from app.core.answers.providers.wire import read_json_objects
from app.core.answers.side_request import ask_cheapest
from app.core.documents.text.languages import ARTICLES, certain_language_of
from app.core.documents.text.sentences import sentence_spans
from app.core.rag_system import RAGSystem
from app.core.search.terms import content_terms
from app.domain.cancel import CancelToken
from app.domain.errors import LecternError
from app.domain.plain_text import harmless
from app.domain.search import SearchHit
from app.domain.sources import Source
from app.domain.words import folded
from app.features.study.kinds import KINDS
from app.features.study.model.items import Item
from app.features.study.model.reviews import Rating
from app.markup.formulas import plain_text

LONGEST_ANSWER = 2_000  # characters that are read
_MOST_POINTS = 8
_FEWEST_WORDS = 4  # that tell something, of a clause which is a point of its own
_LONGEST_UNIT = 3  # words of what is listed
_LONGEST_POINT = 200  # characters
_REPLY_TOKENS = 700
_COVERED = 0.3  # of the right answer's words, which the points of a model have to have
_COPIED = 0.75  # of the words of a point: whoever writes that many in a row copies it
_CLAUSE = re.compile(r"[;,]\s+|(?<!\s)\s++[–—]\s+")
_UNIT = re.compile(
    r"(?<!\s)\s*+(?:[;,]\s*+(?:(?:and|or|und|oder|y|o)\s+)?|(?<=\s)(?:and|or|und|oder|y|o)\s+)"
)


@dataclass(frozen=True, slots=True)
class GradedPoint:
    text: str
    is_there: bool
    quote: str  # the sentence of the course that shows it


@dataclass(frozen=True, slots=True)
class Grade:
    """Which points of the right answer an answer has; ``model`` says who told, empty if it was none."""

    points: tuple[GradedPoint, ...]
    model: str = ""

    @property
    def there(self) -> int:
        return sum(point.is_there for point in self.points)

    @property
    def share(self) -> float:
        return self.there / max(1, len(self.points))

    @property
    def suggested(self) -> Rating:
        if self.there == len(self.points):
            return Rating.GOOD
        return Rating.HARD if self.there else Rating.AGAIN


class AnswerPoint(NamedTuple):
    """A part of a right answer, in its sentence."""

    text: str
    sentence: str


class Nearness(NamedTuple):
    """How near an answer comes to a point; also the weight of each."""

    share: float  # of the point's words that the answer has, long ones counting more
    likeness: float  # of meaning to the nearest sentence of it, beyond the question


_WEIGHTS = Nearness(share=4.9, likeness=5.3)
_BIAS = -4.2


def points_of(reference: str) -> list[AnswerPoint]:
    """Return the points of a right answer: its sentences, their clauses, or the entries of its list."""
    text = plain(reference).strip()
    units = _units(text)
    points = [AnswerPoint(unit, text) for unit in units]
    if _is_long(units):
        language = certain_language_of(text)
        sentences = [text[slice(*span)] for span in sentence_spans(text)]
        points = [AnswerPoint(part, one) for one in sentences for part in _clauses(one, language)]
    return points[:_MOST_POINTS]


def _units(text: str) -> list[str]:
    """Return what a text lists, if it is a list."""
    return [unit for unit in _UNIT.split(text.strip().rstrip(".")) if unit.strip()]


def _is_long(units: Sequence[str]) -> bool:
    return any(len(unit.split()) > _LONGEST_UNIT for unit in units)


def _clauses(sentence: str, language: str) -> list[str]:
    """Return the clauses of a sentence; one with little content stays with the previous one."""
    parts: list[str] = []
    for part in _CLAUSE.split(sentence):
        if (
            parts
            and min(len(read_sentence(one, language).content) for one in (parts[-1], part)) < _FEWEST_WORDS
        ):
            parts[-1] += f", {part}"
        else:
            parts.append(part)
    return parts


class Reading:
    """An answer, read once for all points that it may have."""

    def __init__(self, answer: str, question: str, likeness: Likeness) -> None:
        text = plain(answer[:LONGEST_ANSWER])
        self._question, self._likeness = question, likeness
        self._language = certain_language_of(f"{question} {text}")
        self._known = set(read_sentence(question, self._language).content)
        self._evidence = Evidence([_as_source(text)])

    def nearness(self, point: AnswerPoint) -> Nearness | None:
        """Return how near it comes to a point; None if it says something else in its place."""
        claim = read_sentence(point.text, self._language)
        own = [stem for stem in claim.content if stem not in self._known]
        places, share = self._evidence.choose(claim._replace(content=own or claim.content))
        near = [self._evidence.sentences[place] for place in places]
        whole = read_sentence(point.sentence, self._language)
        if (
            wrong_number(claim, self._evidence)
            or _disagree(claim, near)
            or any(_disagree(one, [whole]) or _is_exchanged(claim, one) for one in near)
        ):
            return None
        alike = [
            self._likeness.of(point.text, sentence.text, self._question)
            for sentence in self._evidence.sentences
        ]
        return Nearness(share, max((one for one in alike if one is not None), default=share))

    def has(self, point: AnswerPoint) -> bool:
        near = self.nearness(point)
        return near is not None and _BIAS + sum(map(math.prod, zip(_WEIGHTS, near, strict=True))) > 0


def _disagree(one: Sentence, others: Sequence[Sentence]) -> bool:
    """Whether a sentence denies words that others say, who deny nothing."""
    said = {stem for sentence in others for stem in sentence.content}
    return not any(map(denied, others)) and not said.isdisjoint(denied(one))


def _as_source(text: str) -> Source:
    hit = SearchHit(1, 1.0, "", None, "", 0, text, "", 0, len(text), None, None, 0)
    return Source(1, "", hit, tuple(sentence_spans(text)), "")


def _is_exchanged(claim: Sentence, said: Sentence) -> bool:
    """Whether a sentence differs from another one only in a single meaningful word."""
    ours, theirs = ([stem for _, stem in one.words] for one in (claim, said))
    runs = [(0, 0, 0), *SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks()]
    if sum(size for _, _, size in runs) < _COPIED * len(ours):
        return False
    return any(
        next_ours - at - size == next_theirs - there - size == 1 and ours[next_ours - 1] in claim.content
        for (at, there, size), (next_ours, next_theirs, _) in pairwise(runs)
    )


def is_open(item: Item) -> bool:
    """Whether its answer is a sentence or has several parts, and so may be given in other words."""
    kind = KINDS[item.kind]
    units = _units(plain(kind.answers(item.text)[0]))
    return kind.statement(item.text) is None and (len(units) > 1 or _is_long(units))


class Grader:
    """Thread-safe."""

    def __init__(self, rag: RAGSystem) -> None:
        self._rag = rag

    async def grade(
        self, item: Item, answer: str, connection: ModelSettings | None
    ) -> AsyncGenerator[Grade, None]:
        """Yield a grade without a model, then one by it; none if it cannot be asked, or writes no points."""
        yield await asyncio.to_thread(self.compare, item, answer)
        if connection is None or not answer.strip():
            return
        if not await asyncio.to_thread(self._rag.answers.is_budget_spent):
            try:
                if (found := await self._ask(item, answer, connection)) is not None:
                    yield found
            except LecternError:  # it is graded already
                return

    def compare(self, item: Item, answer: str) -> Grade:
        """Return the points of the right answer that an answer has; of several, of the nearest one."""
        self._rag.embedder.prepare(CancelToken())  # an answer may be typed before the window is ready
        reading = Reading(answer, KINDS[item.kind].asked(item.text), Likeness(self._rag.embedder))
        passage = Evidence([item.source])
        grades = [
            Grade(
                tuple(
                    GradedPoint(point.text, reading.has(point), _quote(point.text, passage, item))
                    for point in points_of(reference)
                )
            )
            for reference in KINDS[item.kind].answers(item.text)
        ]
        return max(grades, key=lambda grade: grade.share)

    async def _ask(self, item: Item, answer: str, connection: ModelSettings) -> Grade | None:
        """Return what a model says; None if it twice writes no points of the right answer."""
        sentences = [text for text in item.source.texts if text.strip()] or [item.quote]
        kind = KINDS[item.kind]
        asked = (
            f"Question: {kind.asked(item.text)}\n\nRight answer: {kind.answers(item.text)[0]}\n\nSentences:\n"
            + "\n".join(f"{number}. {' '.join(text.split())}" for number, text in enumerate(sentences, 1))
            + f"\n\nAnswer of the student:\n{answer[:LONGEST_ANSWER]}"
        )
        for again in ("", "\n\nWrite the JSON object and nothing else."):
            reply, usage, model = await ask_cheapest(
                connection, self._rag.answers.make_provider, "grade_answer", asked + again, _REPLY_TOKENS
            )
            self._rag.conversations.record_unsaved(usage)
            points = tuple(_read(reply, sentences, item))[:_MOST_POINTS]
            if _cover(points, item):
                return Grade(points, model)
        return None


def _read(reply: str, sentences: Sequence[str], item: Item) -> Iterator[GradedPoint]:
    """Yield the points in a reply that the right answer or the sentence they name has something of."""
    for value in read_json_objects(reply):
        points = value.get("points") if isinstance(value, dict) else value
        for one in points if isinstance(points, list) else ():
            match one:
                case {"point": str(text), "sentence": int(number), "met": bool(met)} if (
                    text.strip() and 1 <= number <= len(sentences)
                ):
                    text, quote = harmless(text)[:_LONGEST_POINT].strip(), sentences[number - 1]
                    known = Evidence([_as_source(f"{item.answered}\n\n{quote}")])
                    if known.choose(read_sentence(text, item.language))[1] >= RELATED_FROM:
                        yield GradedPoint(text, met, " ".join(quote.split()))


def _cover(points: Sequence[GradedPoint], item: Item) -> bool:
    """Return whether points sum up the right answer; small models copy the prompt, or the student."""
    kind = KINDS[item.kind]
    answer = content_terms(kind.answers(item.text)[0])
    own = answer - content_terms(kind.asked(item.text)) or answer
    named = content_terms(" ".join(one.text for one in points))
    return bool(points) and len(own & named) >= _COVERED * len(own)


def _quote(point: str, passage: Evidence, item: Item) -> str:
    """Return the sentence of the passage that has most of a point's words."""
    places, _ = passage.choose(read_sentence(point, item.language))
    return passage.sentences[places[0]].text if places else item.quote


Span = tuple[int, int]
# A number with its sign, a word, or any other sign.
_TOKEN = re.compile(r"(?<!\w)[-\u2212]?[0-9]++(?:[.,][0-9]++)*+(?!\w)|\w++|[^\w\s]")
_IGNORED = frozenset(".,;:!?¿¡\"'`*_$()[]{}-\u2013\u2014\u2212\u2018\u2019\u201a\u201c\u201d\u201e«»‹›…")
_OPERATORS = frozenset("-*\u2212")
_EXACT = re.compile(r"`[^`]++`|\$\$?+[^$]++\$\$?")  # nothing but code or a formula, as Markdown writes them


class _Token(NamedTuple):
    text: str  # folded
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between what was typed and an answer, as spans of each; nothing where they agree."""

    answer: str  # as it is read
    wrong: tuple[Span, ...]  # of what was typed
    missing: tuple[Span, ...]  # of the answer

    @property
    def is_right(self) -> bool:
        return not self.wrong and not self.missing


def compare(typed: str, answers: Sequence[str]) -> Comparison:
    """Compare with the nearest of the right answers, in Markdown, of which there is at least one."""
    found = [_compared(typed, answer) for answer in answers]
    return min(found, key=lambda one: sum(end - start for start, end in (*one.wrong, *one.missing)))


def _compared(typed: str, answer: str) -> Comparison:
    ignored = _IGNORED - _OPERATORS if _EXACT.fullmatch(answer.strip()) else _IGNORED
    answer = plain_text(answer)
    ours, theirs = _tokens(typed, ignored), _tokens(answer, ignored)
    if not theirs:  # nothing but signs that do not count elsewhere
        same = typed.split() == answer.split()
        return Comparison(answer, () if same else _whole(typed), () if same else _whole(answer))
    matcher = SequenceMatcher(None, [one.text for one in ours], [one.text for one in theirs], autojunk=False)
    wrong: list[Span] = []
    missing: list[Span] = []
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind != "equal":
            wrong += [(ours[first].start, ours[last - 1].end)] if first < last else []
            missing += [(theirs[start].start, theirs[end - 1].end)] if start < end else []
    return Comparison(answer, tuple(wrong), tuple(missing))


def _whole(text: str) -> tuple[Span, ...]:
    return ((0, len(text)),) if text else ()


def _tokens(text: str, ignored: Set[str]) -> list[_Token]:
    found = [_Token(_folded(match[0]), *match.span()) for match in _TOKEN.finditer(text)]
    found = [token for token in found if token.text not in ignored]
    return found[1:] if len(found) > 1 and found[0].text in ARTICLES else found


def _folded(token: str) -> str:
    if token == "\u2212" or token.lstrip("-\u2212")[:1].isdigit():
        return token.replace("\u2212", "-").replace(",", ".")
    return folded(token)
