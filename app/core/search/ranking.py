"""Scores the pieces of candidate passages and chooses the windows of text to show.

A piece's score is the cosine of its vector in context to the question, plus a share of its coverage: how many
of the question's words, weighted by rarity, stand in or near it. A word can be rare in the library or among
the candidates: the subject of a course is rare in a library of many courses, but does not tell this course's
passages apart. Everything is linear in the number of candidates. The constants lie on plateaus
(docs/retrieval.md).

A question may come in several wordings, searched for as one: cosine and coverage are linear, so one blended
vector and one blended weight for each word rank a passage by the mean of its scores for all wordings. Figures
that a question names come first by their captions: a number tells an embedding model little, and stands in
many passages.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.core.search.pieces import HEADING_PIECE
from app.core.search.terms import rarity
from app.core.storage import codec
from app.domain.courses import Use
from app.domain.embedding_models import IDENTITY, CosineScale
from app.domain.figures import FIGURE_WORDS, TABLE_WORDS, FigureLabel, captions_in, labels_in
from app.domain.search import Window
from app.domain.words import words_in

LEXICAL_WEIGHT = 0.45
_RARE_HERE = 0.5  # exponent of a word's rarity among the candidates, beside that in the library
_AFTER_CHARACTERS = 450.0  # a word counts 1/e for text this far after it …
_BEFORE_CHARACTERS = 200.0  # … and this far before it
_GROW_FROM = 0.50  # coverage from which a hit brings its surroundings …
_GROW_CHARACTERS = 300.0  # … up to this many characters at full coverage
_GROW_FIRST = 1 / 8  # share of all the text that the best hit may bring of them in any case
_GROW_FORWARDS = 0.05  # the text before must be better by this to be taken first
_LESSON_GAP = 1e8  # keeps lessons apart on one axis of positions
_RUN = 3  # consecutive words
_SHARE = 0.7  # of its runs shown already make a text a repeat
_OF_THE_QUESTION = 0.5  # that its vector and words weigh; its other wordings share the rest
_CAPTION, _MENTION = 1.0, 0.25  # added to the score of a piece
# Added to the score of a piece for what its document is for
_WORTH = {Use.EXERCISE: -0.05, Use.SOLUTION: -0.05, Use.DATA: -0.1, Use.CODE: -0.05}
_ABOUT = 0.3  # the same where the question is about the course itself
_MOST_NAMING = 2  # pieces of each kind; other courses have a Figure 3 as well


class StoredChunk(NamedTuple):
    """What ranking needs of a stored passage; bytes are encoded as in :mod:`app.core.storage.codec`."""

    key: int  # consecutive for neighbours in one lesson
    lesson: int  # its key
    start: int
    text: str
    pieces: bytes  # n spans in the document
    terms: bytes  # see app.core.search.pieces.IndexedChunk
    vectors: NDArray[np.float32]  # of n pieces, one after the other, see app.core.search.pieces.compared


@dataclass(frozen=True, slots=True)
class RankedPieces:
    """The n pieces of all candidates, in order of the library."""

    key: NDArray[np.int64]  # of each piece's passage
    span: NDArray[np.int32]  # (n, 2), in the document
    score: NDArray[np.float32]  # orders them; scaled cosine to the question plus weighted coverage
    coverage: NDArray[np.float32]  # 0…1, share of the question's words that stand in or near the piece
    joined: NDArray[np.bool_]  # whether the next piece follows in the same lesson
    owner: NDArray[np.int64]  # index of each piece's candidate
    terms: NDArray[np.uint32]  # (m, 2), of all candidates, as from codec.decode_terms
    term_owner: NDArray[np.int64]  # index of each term's candidate
    candidates: Sequence[StoredChunk]
    scale: CosineScale

    def cosines(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return each piece's scaled cosine to the vector of a question."""
        vectors = np.concatenate([chunk.vectors for chunk in self.candidates])
        cosine = vectors.reshape(len(self.span), -1) @ question
        return np.asarray(self.scale.of(cosine), np.float32)

    def text(self, piece: int) -> str:
        chunk = self.candidates[int(self.owner[piece])]
        start, end = self.span[piece].tolist()
        return chunk.text[start - chunk.start : end - chunk.start]


class _ShownText:
    """Recognizes text that was already shown, such as the same lecture as a PDF and as subtitles."""

    def __init__(self, ranked: RankedPieces) -> None:
        self._wording = cache(lambda piece: _wording(ranked.text(piece)))
        self._runs: set[tuple[str, ...]] = set()
        self._numbers: set[str] = set()

    def add(self, piece: int) -> None:
        runs, numbers = self._wording(piece)
        self._runs |= runs
        self._numbers |= numbers

    def repeats(self, piece: int) -> bool:
        """Whether a piece repeats what is shown; a different number makes it a different statement."""
        runs, numbers = self._wording(piece)
        return len(runs & self._runs) >= _SHARE * len(runs) and numbers <= self._numbers


def _wording(text: str) -> tuple[frozenset[tuple[str, ...]], frozenset[str]]:
    """Return a text's runs of words, and its words that are not only letters."""
    words = words_in(text.casefold()) or [text]
    run = min(_RUN, len(words))
    runs = zip(*(words[start:] for start in range(run)), strict=False)
    return frozenset(runs), frozenset([word for word in words if not word.isalpha()])


def rank(
    candidates: Sequence[StoredChunk],
    question: NDArray[np.float32] | None,
    weights: Mapping[int, float],
    scale: CosineScale = IDENTITY,
    same: Mapping[int, int] | None = None,
) -> RankedPieces:
    """Score every piece of the candidates: at least one passage, ascending by key, without repeats.

    Without the vector of the question, words alone count; ``weights`` are the inverse document frequencies of
    its term hashes. ``scale`` is of the cosines. Terms whose hash is in ``same`` count as another.
    """
    span = codec.decode_spans(b"".join(chunk.pieces for chunk in candidates))
    counts = [len(chunk.pieces) // codec.PAIR_BYTES for chunk in candidates]
    owner = np.repeat(np.arange(len(counts)), counts)
    key = np.array([chunk.key for chunk in candidates], np.int64)[owner]
    lesson = np.array([chunk.lesson for chunk in candidates], np.int64)[owner]
    terms = codec.decode_terms(b"".join(chunk.terms for chunk in candidates))
    term_counts = [len(chunk.terms) // codec.PAIR_BYTES for chunk in candidates]
    term_owner = np.repeat(np.arange(len(candidates)), term_counts)
    coverage = np.zeros(len(span), np.float32)
    if weights:
        coverage = _coverage(_unified(terms, same or {}), term_owner, weights, owner, span, lesson)
    score = LEXICAL_WEIGHT * coverage
    joined = np.zeros(len(span), bool)
    joined[:-1] = (lesson[1:] == lesson[:-1]) & (np.diff(key) <= 1)
    ranked = RankedPieces(key, span, score, coverage, joined, owner, terms, term_owner, candidates, scale)
    return ranked if question is None else replace(ranked, score=score + ranked.cosines(question))


def best_passages(ranked: RankedPieces, limit: int, size: int) -> list[Window]:
    """Return at most ``limit`` windows of at most ``size`` characters around the best pieces."""
    used = np.zeros(len(ranked.score), bool)
    shown = _ShownText(ranked)

    def fits(other: int, first: int, last: int) -> bool:
        within = ranked.span[max(last, other), 1] - ranked.span[min(first, other), 0] <= size
        return bool(within and not used[other]) and not shown.repeats(other)

    windows: list[Window] = []
    for piece in np.argsort(-ranked.score, kind="stable").tolist():
        if len(windows) == limit:
            break
        if used[piece] or shown.repeats(piece):
            continue
        first, last = _grow(ranked, piece, fits)
        used[first : last + 1] = True
        for each in range(first, last + 1):
            shown.add(each)
        windows.append(_window(ranked, first, last, float(ranked.score[piece])))
    return windows


def best_text(ranked: RankedPieces, limit: int, characters: int) -> list[Window]:
    """Return windows, best first, whose texts together stay within ``characters``.

    Pieces are taken best first. The best one brings its surroundings, as do others that cover most of the
    question; pieces that touch become one window.
    """
    taken: dict[int, float] = {}
    shown = _ShownText(ranked)
    left = characters
    for piece in np.argsort(-ranked.score, kind="stable").tolist():
        if piece in taken or shown.repeats(piece):
            continue
        wanted = _GROW_CHARACTERS * (float(ranked.coverage[piece]) - _GROW_FROM) / (1 - _GROW_FROM)
        if not taken:
            wanted = max(wanted, _GROW_FIRST * characters)

        def is_short(_: int, first: int, last: int, wanted: float = wanted) -> bool:
            return bool(ranked.span[last, 1] - ranked.span[first, 0] < wanted)

        first, last = _grow(ranked, piece, is_short)
        new = sorted((x for x in range(first, last + 1) if x not in taken), key=lambda x: abs(x - piece))
        for each in new:
            if each != piece and shown.repeats(each):
                continue
            length = int(ranked.span[each, 1] - ranked.span[each, 0]) + 1  # and the space between
            if length > left + 1:
                return _merged(ranked, taken, limit, characters)
            taken[each] = float(ranked.score[piece])
            shown.add(each)
            left -= length
    return _merged(ranked, taken, limit, characters)


def _unified(terms: NDArray[np.uint32], same: Mapping[int, int]) -> NDArray[np.uint32]:
    """Return the terms, each form replaced by the one it counts as."""
    if not same:
        return terms
    others, words = np.array(sorted(same.items()), np.uint32).T
    at = np.searchsorted(others, terms[:, 1]).clip(max=len(others) - 1)
    return np.column_stack([terms[:, 0], np.where(others[at] == terms[:, 1], words[at], terms[:, 1])])


def _coverage(
    terms: NDArray[np.uint32],
    holder: NDArray[np.int64],
    weights: Mapping[int, float],
    owner: NDArray[np.int64],
    span: NDArray[np.int32],
    lesson: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return the weighted share of the question's words that stand in or near each piece."""
    here = span.mean(1)
    here[1:] += (np.diff(lesson) != 0).cumsum() * _LESSON_GAP
    chunks = int(owner[-1]) + 1
    first_piece = np.searchsorted(owner, np.arange(chunks))
    wanted = np.isin(terms[:, 1], np.array(list(weights), np.uint32)) & (terms[:, 0] != HEADING_PIECE)
    number, hashes = terms[wanted].T
    holder = holder[wanted]
    coverage = np.zeros(len(here))
    total = 0.0
    for term, weight in weights.items():
        found = hashes == term
        weight *= rarity(len(np.unique(holder[found])), chunks) ** _RARE_HERE
        coverage += weight * _nearness(here, np.sort(here[first_piece[holder[found]] + number[found]]))
        total += weight
    return (coverage / total).astype(np.float32)


def _nearness(here: NDArray[np.float64], at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 where a word stands, less with the distance to the nearest one before or after."""
    if not len(at):
        return np.zeros(len(here))
    after = np.searchsorted(at, here, "right")
    ends = np.concatenate([[-np.inf], at, [np.inf]])
    left = (here - ends[after]) / _AFTER_CHARACTERS
    right = (ends[after + 1] - here) / _BEFORE_CHARACTERS
    near: NDArray[np.float64] = np.exp(-np.minimum(left, right))
    return near


def _grow(ranked: RankedPieces, piece: int, may_take: Callable[[int, int, int], bool]) -> tuple[int, int]:
    """Widen a piece within its lesson, to the better side each time; in doubt forwards.

    ``may_take`` says whether a further piece may join those from first to last.
    """
    first = last = piece
    while True:
        before = first > 0 and ranked.joined[first - 1] and may_take(first - 1, first, last)
        after = ranked.joined[last] and may_take(last + 1, first, last)
        if not before and not after:
            return first, last
        if not after or (before and ranked.score[first - 1] > ranked.score[last + 1] + _GROW_FORWARDS):
            first -= 1
        else:
            last += 1


def _merged(ranked: RankedPieces, taken: Mapping[int, float], limit: int, characters: int) -> list[Window]:
    """Join pieces that touch; the spaces between them must fit too."""
    runs: list[tuple[int, int, float]] = []
    for piece in sorted(taken):
        if runs and runs[-1][1] == piece - 1 and ranked.joined[piece - 1]:
            runs[-1] = (runs[-1][0], piece, max(runs[-1][2], taken[piece]))
        else:
            runs.append((piece, piece, taken[piece]))
    windows: list[Window] = []
    left = characters
    for first, last, score in sorted(runs, key=lambda run: -run[2])[:limit]:
        while last >= first and ranked.span[last, 1] - ranked.span[first, 0] > left:
            last -= 1
        if last >= first:
            windows.append(_window(ranked, first, last, score))
            left -= windows[-1].end - windows[-1].start
    return windows


def _window(ranked: RankedPieces, first: int, last: int, score: float) -> Window:
    share = min(max(score / (1 + LEXICAL_WEIGHT), 0.0), 1.0)
    best = first + int(np.argmax(ranked.score[first : last + 1]))
    start, end = int(ranked.span[first, 0]), int(ranked.span[last, 1])
    return Window(int(ranked.key[first]), start, end, share, int(ranked.span[best, 0]))


def blended_vector(vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """Blend the vectors of the question and its other wordings; not normalized."""
    if len(vectors) == 1:
        return vectors[0]
    return np.asarray(np.array(_shares(len(vectors)), np.float32) @ np.stack(vectors))


def blended_weights(wordings: Sequence[Collection[str]], rarity: Mapping[str, float]) -> dict[str, float]:
    """Return what each stem weighs, 1 in all.

    ``wordings`` are the stems of the question and of its other wordings, ``rarity`` those of all of them.
    """
    weights: dict[str, float] = {}
    for stems, share in zip(wordings, _shares(len(wordings)), strict=True):
        total = sum(rarity[stem] for stem in stems) or 1.0
        for stem in stems:
            weights[stem] = weights.get(stem, 0.0) + share * rarity[stem] / total
    return weights


def _shares(wordings: int) -> list[float]:
    if wordings == 1:
        return [1.0]
    return [_OF_THE_QUESTION, *[(1 - _OF_THE_QUESTION) / (wordings - 1)] * (wordings - 1)]


def by_use(ranked: RankedPieces, uses: Mapping[int, Use], *, about: bool) -> RankedPieces:
    """Return pieces with their scores adjusted to the use of their passages, given by key.

    ``about`` says whether the question is about a course itself.
    """
    if not uses:
        return ranked
    worth = {**_WORTH, Use.ABOUT: _ABOUT} if about else _WORTH
    of_chunk = [worth.get(uses.get(chunk.key, Use.TEACHING), 0.0) for chunk in ranked.candidates]
    return replace(ranked, score=ranked.score + np.array(of_chunk, np.float32)[ranked.owner])


def naming(labels: Sequence[FigureLabel]) -> str:
    """Return the expression of FTS5 that passages match which name one of some figures in any language."""
    phrases = []
    for label in labels:
        number = " ".join(re.findall(r"\w+", label.number))
        words = FIGURE_WORDS if label.kind == "figure" else TABLE_WORDS
        phrases += [f'"{word} {number}"' for word in words]
    return " OR ".join(phrases)


def favoured(ranked: RankedPieces, labels: Sequence[FigureLabel]) -> tuple[RankedPieces, bool]:
    """Return the pieces with those that name figures first, and whether one of them has a caption."""
    if not labels:
        return ranked, False
    wanted, score = set(labels), ranked.score.copy()
    texts = [ranked.text(piece) for piece in range(len(score))]
    captions = {piece for piece, text in enumerate(texts) if wanted.intersection(captions_in(text))}
    mentions = {piece for piece, text in enumerate(texts) if wanted.intersection(labels_in(text))} - captions
    for pieces, worth in ((captions, _CAPTION), (mentions, _MENTION)):
        score[sorted(pieces, key=lambda piece: -float(ranked.score[piece]))[:_MOST_NAMING]] += worth
    return replace(ranked, score=score), bool(captions)
