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
_DEFINES = 0.5  # where a definition is asked for
_MARKED = 3.0  # times the share of what is asked for that its marked term is
_ANNOUNCES = -0.6
_NAMES = 1.0  # where a person is asked for
_FAR_BELOW = 2.5  # the best sentence's score; what lies further below is left out
_ASKS_WHAT = re.compile(
    r"\A\W*+(?:what(?:'?s| is| are| does)|define|explain|who is|qu[eé] (?:es|son|significa)|expl[ií]ca|define"
    r"|was (?:ist|sind|bedeutet)|erkläre?)\b",
    re.IGNORECASE,
)
_ROW = re.compile(r"\s*+\|[^|\n]{2,80}\|[^|\n]{2,400}\|\s*+")  # of a syllabus: what, and who or when
_ASKS_WHO = re.compile(r"\W*(?:who|qui[eé]n(?:es)?|wer)\b", re.IGNORECASE)
_NAME = re.compile(
    r"\b(?:[Pp]rof\w*|Dr\.?|by|BY|von|por) [A-Z]|\w[,|]?[* ]+[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z][a-z]+"
)
_IS = re.compile(
    r"\W*(?:is|are|was|were|means?|refers?|called|known|defined|consists?|ist|sind|heißt|bedeutet|bezeichnet|es|son"
    r"|significa|llama|consiste)\W*",
    re.IGNORECASE,
)
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
    question: str, sources: Sequence[Source], embedder: TextEmbedder | None
) -> tuple[Pick, ...]:
    """Return up to three sentences, best first, with at most 90 words unless the best alone has more.

    Where nothing is a sentence, as in code, the best source is returned whole. Without an embedder sentences
    are compared by their words alone.
    """
    ranked = _ranked(question, sources, embedder)
    if not ranked:
        return tuple(map(first_sentence, sources[:1]))
    picks: list[Pick] = []
    left, seen = MOST_WORDS, set[str]()
    for score, sentence in ranked:
        pick = _with_antecedent(sentence)
        words = len(words_in(pick.text))
        is_new = one_spaced(sentence.text) not in seen and not any(_overlap(pick, one) for one in picks)
        if len(seen) == MOST_SENTENCES or score < ranked[0][0] - _FAR_BELOW:
            break
        if is_new and (words <= left or not picks):
            _add(picks, pick)
            seen.add(one_spaced(sentence.text))
            left -= words
    return tuple(picks)


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


def _add(picks: list[Pick], new: Pick) -> None:
    """Add a pick; merge it with one that it stands next to, unless that is a row of a table."""
    for index, pick in enumerate(picks):
        if _ROW.fullmatch(pick.text) or _ROW.fullmatch(new.text):
            continue
        first, last = sorted((pick, new), key=lambda one: one.start)
        if first.source.n == last.source.n and not first.source.text(first.end, last.start).strip():
            picks[index] = Pick(pick.source, first.start, last.end)
            return
    picks.append(new)


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
    asked = content_terms(_ASKS_WHAT.sub("", question, 1)) if _ASKS_WHAT.match(question) else set()
    defining = _defining(texts, terms) if asked else set()
    asks_who = _ASKS_WHO.match(question)
    likeness = Likeness(embedder)
    scores = []
    for index, (sentence, text) in enumerate(zip(sentences, texts, strict=True)):
        score = _PASSAGE * sentence.source.hit.score / best
        score += _MEANING * (likeness.of(question, text) or 0.0)
        score += _WORDS * sum(rare[term] for term in terms & held[index]) / total
        score += _DEFINES * (index in defining) + _ANNOUNCES * bool(_WILL_FOLLOW.search(text))
        score += _MARKED * _marked(text, asked) + _NAMES * bool(asks_who and _NAME.search(text))
        scores.append(score)
    return scores


def _marked(text: str, asked: set[str]) -> float:
    """Return how much of what is asked for a sentence defines by a marked term."""
    terms = [content_terms(one.term) for one in definitions_in(text)] if asked else []
    return max((len(term) / len(asked) for term in terms if term <= asked), default=0.0)


def _defining(texts: Sequence[str], terms: set[str]) -> set[int]:
    """Return which texts begin with what is asked for, and what it is or is called."""
    words = [(index, word) for index, text in enumerate(texts) for word in text.split()[:8]]
    asked = {at for at, term in tokenize([word for _, word in words]) if term in terms}
    return {
        words[at][0]
        for at in asked
        if any(index == words[at][0] and _IS.fullmatch(word) for index, word in words[at + 1 : at + 3])
    }


def _with_antecedent(sentence: _Sentence) -> Pick:
    source, index = sentence
    start, end = source.sentences[index]
    if index and _LEANS.match(sentence.text):
        before = _Sentence(source, index - 1)
        if is_prose(before.text) and len(words_in(before.text + sentence.text)) <= MOST_WORDS:
            start = source.sentences[index - 1][0]
    return Pick(source, start, end)


def _overlap(one: Pick, other: Pick) -> bool:
    return one.source.n == other.source.n and one.start < other.end and other.start < one.end
