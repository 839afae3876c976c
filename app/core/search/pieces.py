"""Cuts passages into pieces of a few sentences, and gives each piece a vector in context.

A passage of 800 characters is too coarse to locate an answer, a single sentence too short to show its
subject. So pieces of about 200 characters are embedded by themselves, and each one's vector is blended with
those around it in its lesson, weighted by distance, and with its heading's. A question is compared with that
blend and a share of the piece's own vector; docs/retrieval.md has the gain.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from app.core.search.terms import hashed_terms, term_hashes, tokenize
from app.core.storage.documents import IndexedChunk
from app.domain.documents import AnchorMark, CourseChunk, ParsedDocument

PIECE_CHARACTERS = 200
HEADING_PIECE = 255  # piece number of the terms of headings, which earlier versions stored
_LONG_SENTENCE = 400
_CONTEXT_CHARACTERS = 300.0  # a piece this far away weighs 1/e
_HEADING_WEIGHT = 0.10
_OWN_SHARE = 0.15


def cut_pieces(
    parsed: ParsedDocument, chunks: Sequence[CourseChunk], sentences: Sequence[tuple[int, int]]
) -> list[CourseChunk]:
    """Cut passages into pieces of whole sentences; text shared by two passages belongs to the first."""
    cut: list[CourseChunk] = []
    headings = [mark for mark in parsed.marks if mark.anchor.kind == "heading"]
    done = 0
    first = 0
    for chunk in chunks:
        begin = max(chunk.start, done)
        done = chunk.end
        while first < len(sentences) and sentences[first][1] <= begin:
            first += 1
        pieces = _group(_within(parsed.text, sentences, first, begin, chunk.end))
        if pieces:
            cut.append(chunk._replace(pieces=pieces, heading=_heading(parsed, chunk, headings)))
    return cut


def index_chunks(
    parsed: ParsedDocument,
    chunks: Sequence[CourseChunk],
    vectors: NDArray[np.float32],
    heading_vectors: dict[str, NDArray[np.float32]],
) -> list[IndexedChunk]:
    """Blend the vectors, one row a piece, and collect the terms of a document's passages."""
    counts = [len(chunk.pieces) for chunk in chunks]
    spans = np.array([span for chunk in chunks for span in chunk.pieces], np.int64).reshape(-1, 2)
    lesson = np.repeat([chunk.lesson for chunk in chunks], counts)
    context = _context_vectors(vectors, spans, lesson)
    headings = np.repeat(np.stack([heading_vectors[chunk.heading] for chunk in chunks]), counts, axis=0)
    context = _normalised(context + _HEADING_WEIGHT * headings)
    ends = np.cumsum(counts)[:-1]
    columns = (chunks, np.split(vectors, ends), np.split(context, ends), _chunk_terms(parsed, chunks))
    return [
        IndexedChunk(chunk, plain, blended, _normalised(blended.mean(0)), terms)
        for chunk, plain, blended, terms in zip(*columns, strict=True)
    ]


def heading_of(lesson: str, above: str, course: str, *, is_marked: bool) -> str:
    """Return what a passage stands under.

    Args:
        lesson: title of its lesson, may be empty.
        above: the last heading before it in its file, may be empty.
        course: title of its course.
        is_marked: the file has lesson markers; in one that is a single lesson, its own headings tell more.
    """
    return lesson if lesson and is_marked else above or lesson or course


def compared(context: NDArray[np.float32], own: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return what a question's vector is compared with: a piece in context, and a little of itself."""
    return (1 - _OWN_SHARE) * context + _OWN_SHARE * own


def _within(
    text: str, sentences: Sequence[tuple[int, int]], first: int, begin: int, end: int
) -> Iterator[tuple[int, int]]:
    """Yield the sentences of ``begin:end``, long ones cut at a pause."""
    for index in range(first, len(sentences)):
        start, stop = sentences[index]
        if start >= end:
            return
        start, stop = max(start, begin), min(stop, end)
        while stop - start > _LONG_SENTENCE:
            cut = _soft_cut(text, start)
            yield start, cut
            start = cut + re.match(r"\s*", text[cut:stop]).end()  # type: ignore[union-attr]
        if stop > start:
            yield start, stop


def _soft_cut(text: str, start: int) -> int:
    for mark in ("\n", "; ", ", ", " "):
        found = text.rfind(mark, start + _LONG_SENTENCE // 3, start + _LONG_SENTENCE)
        if found > 0:
            return found if mark.isspace() else found + 1
    return start + _LONG_SENTENCE


def _group(spans: Iterator[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Join neighbours as long as they fit into one piece."""
    pieces: list[tuple[int, int]] = []
    for start, end in spans:
        if pieces and end - pieces[-1][0] <= PIECE_CHARACTERS:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return tuple(pieces)


def _heading(parsed: ParsedDocument, chunk: CourseChunk, headings: Sequence[AnchorMark]) -> str:
    above = bisect_right(headings, chunk.start, key=lambda mark: mark.start)
    heading = str(headings[above - 1].anchor.value) if above else ""
    title = parsed.lessons[chunk.lesson].title
    return heading_of(title, heading, parsed.course_title, is_marked=parsed.is_marked)


def _context_vectors(
    vectors: NDArray[np.float32], spans: NDArray[np.int64], lesson: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Sum each lesson's vectors around each piece, weighted by length and distance, in two passes."""
    middle = spans.mean(1)
    same = np.r_[False, lesson[1:] == lesson[:-1]]
    decay = np.where(same, np.exp(-np.diff(middle, prepend=middle[:1]) / _CONTEXT_CHARACTERS), 0.0)
    decay = decay.astype(np.float32)
    weighted = vectors * (spans[:, 1] - spans[:, 0])[:, None].astype(np.float32)
    before, after = weighted.copy(), weighted.copy()
    for row in range(1, len(weighted)):
        before[row] += decay[row] * before[row - 1]
    for row in range(len(weighted) - 2, -1, -1):
        after[row] += decay[row + 1] * after[row + 1]
    return _normalised(before + after - weighted)


def _chunk_terms(parsed: ParsedDocument, chunks: Sequence[CourseChunk]) -> list[NDArray[np.uint32]]:
    """Return each passage's distinct pairs of piece number and term hash."""
    of_piece = iter(_terms(parsed.text[start:end] for chunk in chunks for start, end in chunk.pieces))
    return [_pairs([term_hashes(next(of_piece)) for _ in chunk.pieces]) for chunk in chunks]


def passage_terms(pieces: Sequence[str]) -> NDArray[np.uint32]:
    """Return the terms of a passage, see :class:`IndexedChunk`, from the texts of its pieces."""
    return _pairs([np.array(sorted(found), np.uint32) for found in hashed_terms(pieces)])


def _pairs(hashes: Sequence[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    numbers = np.repeat(np.arange(len(hashes)).clip(max=HEADING_PIECE - 1), list(map(len, hashes)))
    return np.stack([numbers.astype(np.uint32), np.concatenate(hashes)], axis=1)


def _terms(texts: Iterable[str]) -> list[set[str]]:
    listed = list(texts)
    found: list[set[str]] = [set() for _ in listed]
    for index, term in tokenize(listed):
        found[index].add(term)
    return found


def _normalised(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    norm = np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)
    return np.asarray(vectors / norm, np.float32)
