"""Chooses the sentences that answer a question best from the passages that were found for it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.core.answers.likeness import Likeness, TextEmbedder
from app.core.documents.text.definitions import definitions_in
from app.core.documents.text.markdown_structure import fences
from app.core.documents.text.sentences import is_prose
from app.core.search.named_places import syllabus_words
from app.core.search.terms import content_terms, rarity, tokenize
from app.domain.documents import becomes_markdown
from app.domain.sources import Source
from app.domain.words import one_spaced, words_in

MOST_SENTENCES = 3
MOST_WORDS = 90  # of all sentences together
# What a sentence's score adds up from; ``python -m tests.tools.benchmarks.picking`` judges it.
_MEANING = 2.0  # times the likeness of question and sentence
_WORDS = 2.0  # times the share of the question's words, by their rarity
_PASSAGE = 9.0  # times the passage's score as a share of the best one's
_MARKED = 2.0  # times the share of the question's words that make up a marked term
_ANNOUNCES = -0.6
_FAR_BELOW = 2.5  # the best sentence's score; what lies further below is left out
_ROW = re.compile(r"\s*+\|[^|\n]{2,80}\|[^|\n]{2,400}\|\s*+")  # of a syllabus: what, and who or when
_EMPHASISED = re.compile(r"(\*\*|__|\*|_)(?=\S)([^*_\n]{2,60})(?<=\S)\1(?!\w)")
_WILL_FOLLOW = re.compile(
    r"\b(?:(?:we|you)(?:'ll| will)|let's|let (?:us|me)|we(?:'re| are) going to|i want|next"
    r"|in this (?:lesson|video|lecture|section|chapter|course)|vamos a|veremos|wir werden)\b",
    re.IGNORECASE,
)
# What begins a sentence that leans on the one before it.
_LEANS = re.compile(
    r"\W*(?:this|that|these|those|it|its|they|their|he|his|she|her|such|here|thus|hence|so|then|therefore|however"
    r"|dies\w*|jene\w*|er|es|sie|ihr\w*|solche\w*|dabei|dadurch|damit|daher|so"
    r"|est[aeo]s?|es[aeo]s?|ell[ao]s?|así|por tanto)\b",
    re.IGNORECASE,
)


class Pick(NamedTuple):
    """A sentence of a source, with the one before it where it leans on that; positions as in the source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        return self.source.text(self.start, self.end)


class _Sentence(NamedTuple):
    source: Source
    at: int  # its place among the source's sentences

    @property
    def text(self) -> str:
        return self.source.text(*self.source.sentences[self.at])


def pick_sentences(
    question: str, sources: Sequence[Source], embedder: TextEmbedder | None, *, alone: bool = False
) -> tuple[Pick, ...]:
    """Return up to three sentences, best first, with at most 90 words unless the best alone has more.

    As far as words are left, each brings one beside it, unless they are wanted ``alone``. Where nothing is a
    sentence, as in code, the best source is returned whole. Without an embedder sentences are compared by
    their words alone.
    """
    ranked = _ranked(question, sources, embedder)
    if not ranked:
        return tuple(map(first_sentence, sources[:1]))
    chosen: list[Pick] = []
    left, seen = MOST_WORDS, set[str]()
    for score, sentence in ranked:
        pick = _with_antecedent(sentence)
        if len(chosen) == MOST_SENTENCES or score < ranked[0][0] - _FAR_BELOW:
            break
        is_new = one_spaced(sentence.text) not in seen and not _overlaps(pick, chosen)
        if is_new and (_words(pick) <= left or not chosen):
            chosen.append(pick)
            seen.add(one_spaced(sentence.text))
            left -= _words(pick)
    others = [] if alone else [Pick(one.source, *one.source.sentences[one.at]) for _, one in ranked]
    for index, pick in enumerate(chosen):
        beside = (one for one in others if _adjoin(pick, one) and not _overlaps(one, chosen))
        if new := next((one for one in beside if _words(one) <= left), None):
            chosen[index] = _joined(pick, new)
            left -= _words(new)
    return _merged(chosen)


def excerpts(
    question: str, sources: Sequence[Source], embedder: TextEmbedder | None, characters: int
) -> tuple[Source, ...]:
    """Return sources with only the sentences that answer best and those beside them, up to a length.

    What is not a sentence, such as code, comes with the one beside it, or where there are none.
    """
    best = [sentence for _, sentence in _ranked(question, sources, embedder)]
    every = [_Sentence(source, at) for source in sources for at in range(len(source.sentences))]
    chosen: dict[int, set[int]] = {}  # places of sentences, by the number of their source
    for sentence in best + every:
        spans, taken = sentence.source.sentences, chosen.setdefault(sentence.source.n, set())
        for at in (sentence.at, sentence.at - 1, sentence.at + 1):
            if 0 <= at < len(spans) and at not in taken and spans[at][1] - spans[at][0] <= characters:
                taken.add(at)
                characters -= spans[at][1] - spans[at][0]
    return tuple(
        replace(source, sentences=tuple(source.sentences[at] for at in sorted(places)))
        for source in sources
        if (places := chosen.get(source.n))
    )


def _ranked(
    question: str, sources: Sequence[Source], embedder: TextEmbedder | None
) -> list[tuple[float, _Sentence]]:
    """Return the sentences that say something by themselves with their scores, best first."""
    about = bool(syllabus_words(question))
    sentences = [one for source in sources for one in _sentences(source, with_rows=about)]
    scores = _scores(question, sentences, embedder) if sentences else []
    return sorted(zip(scores, sentences, strict=True), key=lambda one: -one[0])


def _merged(picks: Sequence[Pick]) -> tuple[Pick, ...]:
    """Join those that stand next to each other."""
    merged: list[Pick] = []
    for pick in picks:
        index = next((at for at, one in enumerate(merged) if _adjoin(one, pick)), len(merged))
        merged[index : index + 1] = [_joined(one, pick) for one in merged[index : index + 1]] or [pick]
    return tuple(merged)


def _adjoin(one: Pick, other: Pick) -> bool:
    """Return whether one stands right before the other, and neither is a row of a table."""
    first, last = sorted((one, other), key=lambda pick: pick.start)
    if (
        one.source.n != other.source.n
        or first.end > last.start
        or one.source.text(first.end, last.start).strip()
    ):
        return False
    return not _ROW.fullmatch(one.text) and not _ROW.fullmatch(other.text)


def _joined(one: Pick, other: Pick) -> Pick:
    return Pick(one.source, min(one.start, other.start), max(one.end, other.end))


def _overlaps(pick: Pick, others: Sequence[Pick]) -> bool:
    return any(
        one.source.n == pick.source.n and one.start < pick.end and pick.start < one.end for one in others
    )


def _words(pick: Pick) -> int:
    return len(words_in(pick.text))


def first_sentence(source: Source) -> Pick:
    """Return the first sentence of a source that says something by itself; else all of the source."""
    for _, index in _sentences(source):
        return Pick(source, *source.sentences[index])
    return Pick(source, source.hit.start, source.hit.end)


def _sentences(source: Source, *, with_rows: bool = False) -> Iterator[_Sentence]:
    """Yield the sentences that say something by themselves, and rows of two cells if asked for."""
    code = fences(source.hit.text, 0, len(source.hit.text)) if becomes_markdown(source.hit.path) else ()
    inside = [(source.hit.start + start, source.hit.start + end) for start, end in code]
    for index, (start, _) in enumerate(source.sentences):
        sentence = _Sentence(source, index)
        says = is_prose(sentence.text) or (with_rows and _ROW.fullmatch(sentence.text))
        if says and not any(first <= start < last for first, last in inside):
            yield sentence


def _scores(question: str, sentences: Sequence[_Sentence], embedder: TextEmbedder | None) -> list[float]:
    terms = content_terms(f"{question} {syllabus_words(question)}")
    texts = [sentence.text for sentence in sentences]
    held: list[set[str]] = [set() for _ in texts]
    for index, term in tokenize(texts):
        held[index].add(term)
    rare = {term: rarity(sum(term in one for one in held), len(held)) for term in terms}
    total = sum(rare.values()) or 1.0
    best = max(sentence.source.hit.score for sentence in sentences) or 1.0
    likeness = Likeness(embedder)
    scores = []
    for index, (sentence, text) in enumerate(zip(sentences, texts, strict=True)):
        score = _PASSAGE * sentence.source.hit.score / best
        score += _MEANING * (likeness.of(question, text) or 0.0)
        score += _WORDS * sum(rare[term] for term in terms & held[index]) / total
        score += _MARKED * _marked(text, terms) + _ANNOUNCES * bool(_WILL_FOLLOW.search(text))
        scores.append(score)
    return scores


def _marked(text: str, asked: set[str]) -> float:
    """Return the share of the words asked for that a sentence defines or has as a term in bold or italics.

    Authors emphasise a term where they say what it is.
    """
    marked = [one.term for one in definitions_in(text)] + [found[2] for found in _EMPHASISED.finditer(text)]
    terms = [content_terms(term) for term in marked]
    return max((len(term) / len(asked) for term in terms if term and term <= asked), default=0.0)


def _with_antecedent(sentence: _Sentence) -> Pick:
    source, index = sentence
    start, end = source.sentences[index]
    if index and _LEANS.match(sentence.text):
        before = _Sentence(source, index - 1)
        if is_prose(before.text) and len(words_in(before.text + sentence.text)) <= MOST_WORDS:
            start = source.sentences[index - 1][0]
    return Pick(source, start, end)
