"""Whole lessons: in reading order, in parts of a bounded size, or in a few of their own sentences."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.core.courses.names import SEPARATOR
from app.core.documents.text.markdown_structure import fences, is_within
from app.core.documents.text.sentences import ends_sentence, is_prose, sentence_spans
from app.core.search.remote import CourseText, PassagePlace, Pieces
from app.core.storage.catalog import Catalog
from app.domain.scope import Scope, includes
from app.domain.search import LessonDigest, LessonPart, SearchHit, Window

_BLOCK = 2_000  # characters at most, unless a single passage has more: what one source of an answer shows
_PART = 12_000  # characters at most, about 3,000 tokens: what a model reads at a time
_SECTIONS = 8  # of a digest at most
_FIRST_WORDS, _REPEATED = 5, 3  # the same first words in this many files are a remark on each
_CENTRAL = 4  # pieces of about 200 characters where there are no headings
_SHORTEST = 40  # characters of a piece that says something by itself
_MOST_PIECES = 2_000  # compared with each other, about 400,000 characters; of more an even choice
_NAMED = 1.0  # score of a lesson that was asked for by name


class OwnText:
    """The text of a course that the library file holds, by its title; an unknown one has none."""

    def __init__(self, catalog: Catalog, title: str) -> None:
        self._catalog = catalog
        self._title = title

    def passages(self, number: int | None) -> Sequence[PassagePlace]:
        names = ("id", "lesson_id", "number", "title", "start", "end", "text")
        rows = self._catalog.courses.passages(self._title, number)
        if number is not None:  # exercises and programs may have the number of a lesson
            others = self._catalog.passages.uses([row["id"] for row in rows])
            rows = [row for row in rows if row["id"] not in others] or rows
        return [PassagePlace(*(row[name] for name in names)) for row in rows]

    def hits(self, windows: Sequence[Window]) -> tuple[SearchHit, ...]:
        return self._catalog.passages.hits(windows)

    def pieces(self, passages: Sequence[int]) -> Pieces:
        return self._catalog.passages.pieces(passages)

    def headings(self, lessons: Iterable[Hashable]) -> Sequence[tuple[Hashable, int, str]]:
        return self._catalog.courses.headings([key for key in lessons if isinstance(key, int)])


class LessonReader:
    """Reads what ``text_of`` gives for the title of a course. Thread-safe."""

    def __init__(self, text_of: Callable[[str], CourseText]) -> None:
        self._text_of = text_of

    def read(self, title: str, number: int | None, part: int, scope: Scope) -> LessonPart:
        """Return a part of a lesson, or of the whole course without a number, within a scope.

        It has no passages if there is no such part; its ``parts`` are 0 if there is no such lesson.
        """
        text = self._text_of(title)
        parts = _parts(_blocks(_passages(text, title, number, scope)))
        windows = parts[part - 1] if 0 < part <= len(parts) else ()
        return LessonPart(text.hits(windows), part, len(parts))

    def beginning(self, course_title: str, number: int | None, title: str) -> SearchHit | None:
        """Return the first passage of a lesson as it is listed; None if it has no text."""
        text = self._text_of(course_title)
        found = _listed(text, number, title)
        windows = [Window(one.key, one.start, one.end, _NAMED, one.start) for one in found[:1]]
        return next(iter(text.hits(windows)), None)

    def listed(self, course_title: str, number: int | None, title: str) -> tuple[SearchHit, ...]:
        """Return the text of a lesson as it is listed, in reading order."""
        text = self._text_of(course_title)
        return text.hits(_blocks(_listed(text, number, title)))

    def whole(self, titles: Iterable[str], scope: Scope, characters: int) -> tuple[SearchHit, ...]:
        """Return all text of these courses in a scope, in reading order; none if it has more characters."""
        hits: list[SearchHit] = []
        for title in titles:
            text = self._text_of(title)
            blocks = _blocks(_passages(text, title, None, scope))
            characters -= sum(block.end - block.start for block in blocks)
            if characters < 0:
                return ()
            hits += text.hits(blocks)
        return tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1))

    def digest(self, title: str, number: int | None, scope: Scope) -> LessonDigest | None:
        """Return a lesson, or the course without a number, in a few sentences; None if there is no text.

        These are the first that say something of each of its sections; of a course, of its lessons. Without
        sections they are those that together stand for the text best.
        """
        text = self._text_of(title)
        passages = _passages(text, title, number, scope)
        stored = text.pieces([one.key for one in passages])
        passages = [one for one in passages if one.key in stored]
        if number is None:  # what a README says is not what a course teaches
            passages = [one for one in passages if one.number is not None] or passages
        lesson = {one.key: one.lesson for one in passages}
        pieces = [
            (Window(one.key, start, end, _NAMED, start), vector)
            for one in passages
            for (start, end), vector in zip(stored[one.key][0].tolist(), stored[one.key][1], strict=True)
        ]
        said = _said(passages)
        pieces = [
            (one._replace(start=at), vector)
            for one, vector in pieces
            for at in said[one.key]
            if one.start <= at < one.end
        ] or pieces
        if not pieces:
            return None
        titles = dict.fromkeys((one.lesson, one.title) for one in passages)
        if number is None and len(titles) > 1:
            heads = [(key, 0, name.rpartition(SEPARATOR)[2]) for key, name in titles]
        else:
            heads = _top(text.headings(dict.fromkeys(lesson.values())))
        windows = [one for one, _ in pieces]
        parts = _sections(windows, lesson, heads)
        if len(parts) == 1:
            same_model = len({len(vector) for _, vector in pieces}) == 1  # else another one is taking over
            more = _central(windows, np.stack([vector for _, vector in pieces])) if same_model else []
            parts += [("", one) for one in more]
        hits = text.hits([one for _, one in parts])
        is_whole = len(hits) == len(parts)
        return LessonDigest(tuple(name for name, _ in parts), hits) if is_whole else None


def _listed(text: CourseText, number: int | None, title: str) -> list[PassagePlace]:
    return [one for one in text.passages(number) if (one.number, one.title) == (number, title)]


def _passages(text: CourseText, title: str, number: int | None, scope: Scope) -> list[PassagePlace]:
    return [one for one in text.passages(number) if includes(scope, title, one.number)]


def _said(passages: Iterable[PassagePlace]) -> dict[int, list[int]]:
    """Return where sentences start that say something by themselves and begin as few do, by passage."""
    found = [
        (one.key, one.start + first, tuple(sentence.split()[:_FIRST_WORDS]))
        for one, code in ((one, fences(one.text)) for one in passages)
        for first, end in sentence_spans(one.text)
        if not is_within(code, first)
        and is_prose(sentence := one.text[first:end].strip())
        and ends_sentence(sentence)
        and not sentence[0].islower()
    ]
    times = Counter(beginning for *_, beginning in found)
    said: dict[int, list[int]] = defaultdict(list)
    for key, start, beginning in found:
        if times[beginning] < _REPEATED:
            said[key].append(start)
    return said


def _top(headings: Sequence[tuple[Hashable, int, str]]) -> list[tuple[Hashable, int, str]]:
    """Return the headings of the highest level that has several, without those above."""
    paths = [path.split(SEPARATOR) for _, _, path in headings]
    levels = Counter(map(len, paths))
    top = next((level for level in sorted(levels) if levels[level] > 1), None)
    return [
        (key, start, path[-1])
        for (key, start, _), path in zip(headings, paths, strict=True)
        if len(path) == top
    ]


def _sections(
    pieces: Sequence[Window], lesson: Mapping[int, Hashable], heads: Sequence[tuple[Hashable, int, str]]
) -> list[tuple[str, Window]]:
    """Return the first sentence of each of the longest sections, with the heading above."""
    found: dict[int, list[Window]] = {}
    for piece in pieces:
        above = [
            at
            for at, (key, start, _) in enumerate(heads)
            if key == lesson[piece.key] and start <= piece.start
        ]
        found.setdefault(above[-1] if above else -1, []).append(piece)
    longest = sorted(found, key=lambda at: -len(found[at]))[:_SECTIONS]
    is_opened = len(found[min(found)]) > 1 or len(found) == 1
    return [(heads[at][2] if at >= 0 else "", found[at][0]) for at in sorted(longest) if at >= 0 or is_opened]


def _central(pieces: Sequence[Window], vectors: NDArray[np.float32]) -> list[Window]:
    """Return the pieces, besides the first, that together represent the text best.

    Each further piece is the one that most raises the likeness of the text's characters to their nearest
    piece: it is central, and says what those before it do not.
    """
    at = np.unique(np.linspace(0, len(pieces) - 1, min(len(pieces), _MOST_PIECES)).astype(int))
    likeness = np.maximum(vectors[at] @ vectors[at].T, 0.0)
    length = np.array([pieces[index].end - pieces[index].start for index in at], np.float32)
    nearest = likeness[:, 0]
    may_stand = (at > 0) & (length >= _SHORTEST)
    chosen: list[int] = []
    for _ in range(min(_CENTRAL, int(may_stand.sum()))):
        gain = length @ np.maximum(likeness - nearest[:, None], 0.0)
        best = int(np.argmax(np.where(may_stand, gain, -1.0)))
        may_stand[best] = False
        nearest = np.maximum(nearest, likeness[:, best])
        chosen.append(int(at[best]))
    return [pieces[index] for index in sorted(chosen)]


def _blocks(passages: Iterable[PassagePlace]) -> list[Window]:
    """Join passages in reading order, without what a passage repeats of the one before."""
    blocks: list[Window] = []
    lesson = None
    for one in passages:
        start = one.start
        if one.lesson == lesson:
            start = max(start, blocks[-1].end)
        new = one.text[start - one.start :]
        start += len(new) - len(new.lstrip())
        if one.lesson == lesson and one.end - blocks[-1].start <= _BLOCK:
            blocks[-1] = blocks[-1]._replace(end=max(one.end, blocks[-1].end))
        elif new.strip():
            blocks.append(Window(one.key, start, one.end, _NAMED, start))
            lesson = one.lesson
    return blocks


def _parts(blocks: Sequence[Window]) -> list[list[Window]]:
    parts: list[list[Window]] = []
    room = 0
    for block in blocks:
        room -= block.end - block.start
        if room < 0:
            parts.append([])
            room = _PART - (block.end - block.start)
        parts[-1].append(block)
    return parts
