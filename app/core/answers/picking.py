"""Chooses the sentences that answer a question best from the passages that were found for it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.core.answers.likeness import Likeness, TextEmbedder
from app.core.documents.text.definitions import definitions_in
from app.core.documents.text.markdown_structure import fences
from app.core.documents.text.sentences import ITEM, NO_SENTENCE, is_prose
from app.core.search.named_places import syllabus_words
from app.core.search.terms import content_terms, rarity, tokenize
from app.domain.documents import becomes_markdown
from app.domain.sources import Source
from app.domain.words import one_spaced, words_in

MOST_SENTENCES = 3
MOST_WORDS = 90  # of all sentences together
_MOST_INTRODUCED = 45  # words of a sentence with the list or the code that it introduces
# What a sentence's score adds up from; ``python -m tests.tools.benchmarks.picking`` judges it.
_MEANING = 2.0  # times the likeness of question and sentence
_WORDS = 2.0  # times the share of the question's words, by their rarity; the titles' words count as well
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
    """A sentence, with the list or the code that it introduces."""

    source: Source
    at: int  # its place among the source's sentences
    end: int  # one past the last of them that belongs to it

    @property
    def pick(self) -> Pick:
        spans = self.source.sentences
        return Pick(self.source, spans[self.at][0], spans[self.end - 1][1])

    @property
    def text(self) -> str:
        return self.pick.text


def pick_sentences(
    question: str, sources: Sequence[Source], embedder: TextEmbedder | None, *, alone: bool = False
) -> tuple[Pick, ...]:
    """Return up to three sentences, best first, with at most 90 words unless the best alone has more.

    As far as words are left, each brings one beside it, and those of one passage what stands between them,
    unless they are wanted ``alone``. Where nothing is a sentence, as in code, the best source is returned
    whole. Without an embedder sentences are compared by their words alone.
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
    if alone:
        return _merged(chosen, 0)
    others = [one.pick for _, one in ranked]
    for index, pick in enumerate(chosen):
        beside = (one for one in others if _between(pick, one) == 0 and not _overlaps(one, chosen))
        if new := next((one for one in beside if _words(one) <= left), None):
            chosen[index] = _joined(pick, new)
            left -= _words(new)
    return _merged(chosen, left)


def excerpts(
    question: str, sources: Sequence[Source], embedder: TextEmbedder | None, characters: int
) -> tuple[Source, ...]:
    """Return sources with only the sentences that answer best and those beside them, up to a length.

    What is not a sentence, such as code, comes with the one beside it, or where there are none.
    """
    best = [sentence for _, sentence in _ranked(question, sources, embedder)]
    every = [_Sentence(source, at, at + 1) for source in sources for at in range(len(source.sentences))]
    chosen: dict[int, set[int]] = {}  # places of sentences, by the number of their source
    for sentence in best + every:
        spans, taken = sentence.source.sentences, chosen.setdefault(sentence.source.n, set())
        for at in (*range(sentence.at, sentence.end), sentence.at - 1, sentence.end):
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


def _merged(picks: Sequence[Pick], left: int) -> tuple[Pick, ...]:
    """Join those that stand next to each other, or have no more words between them than are left."""
    merged: list[Pick] = []
    for pick in picks:
        whole, place = pick, len(merged)
        for one in tuple(merged):
            words = _between(one, whole)
            if words is not None and words <= left:
                place, whole, left = min(place, merged.index(one)), _joined(one, whole), left - words
                merged.remove(one)
        merged.insert(place, whole)
    return tuple(merged)


def _between(one: Pick, other: Pick) -> int | None:
    """Return how many words stand between two; None if that is not running text of one source."""
    first, last = sorted((one, other), key=lambda pick: pick.start)
    if one.source.n != other.source.n or any(_ROW.fullmatch(pick.text) for pick in (one, other)):
        return None
    spans = [span for span in one.source.sentences if first.end <= span[0] < last.start]
    texts = [one.source.text(*span) for span in spans]
    return None if any(map(NO_SENTENCE.match, texts)) else sum(len(words_in(text)) for text in texts)


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
    for sentence in _sentences(source):
        return sentence.pick
    return Pick(source, source.hit.start, source.hit.end)


def _sentences(source: Source, *, with_rows: bool = False) -> Iterator[_Sentence]:
    """Yield the sentences that say something by themselves, or with the list or the code that they introduce.

    Rows of two cells come too if asked for.
    """
    code = fences(source.hit.text, 0, len(source.hit.text)) if becomes_markdown(source.hit.path) else ()
    inside = [
        any(source.hit.start + first <= start < source.hit.start + last for first, last in code)
        for start, _ in source.sentences
    ]
    texts = source.texts
    for index, text in enumerate(texts):
        if inside[index]:
            continue
        end, left = index + 1, _MOST_INTRODUCED - len(words_in(text))
        introduces = text.rstrip("*_ ").endswith(":") and not NO_SENTENCE.match(text)
        while introduces and end < len(texts):
            left -= len(words_in(texts[end]))
            belongs = inside[end] or ITEM.match(texts[end]) or (end == index + 1 and is_prose(texts[end]))
            if not belongs or left < 0:
                break
            end += 1
        if end > index + 1 or is_prose(text) or (with_rows and _ROW.fullmatch(text)):
            yield _Sentence(source, index, end)


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
        hit = sentence.source.hit
        named = terms & (held[index] | content_terms(f"{hit.course_title} {hit.lesson_title}"))
        score += _WORDS * sum(rare[term] for term in named) / total
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
    pick, at = sentence.pick, sentence.at
    if at and _LEANS.match(sentence.text):
        before = _Sentence(sentence.source, at - 1, at).pick
        if is_prose(before.text) and _words(before) + _words(pick) <= MOST_WORDS:
            return _joined(before, pick)
    return pick
