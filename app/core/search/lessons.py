"""Whole lessons: in reading order, in parts of a bounded size, or in a few of their own sentences."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from app.core.search.remote import CourseText, PassagePlace, Pieces
from app.core.storage.catalog import Catalog
from app.domain.scope import Scope, includes
from app.domain.search import LessonDigest, LessonPart, SearchHit, Window

_BLOCK = 2_000  # characters at most, unless a single passage has more: what one source of an answer shows
_PART = 12_000  # characters at most, about 3,000 tokens: what a model reads at a time
_OPENING = 400  # characters
_CENTRAL = 6  # pieces of about 200 characters
_SHORTEST = 40  # characters of a piece that says something by itself
_MOST_PIECES = 2_000  # compared with each other, about 400,000 characters; of more an even choice
_MOST_HEADINGS = 20
_NAMED = 1.0  # score of what was asked for by its name


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

    def headings(self, lessons: Iterable[Hashable]) -> list[str]:
        return self._catalog.courses.headings([key for key in lessons if isinstance(key, int)])


class LessonReader:
    """Reads what ``text_of`` gives for the title of a course. Thread-safe."""

    def __init__(self, text_of: Callable[[str], CourseText]) -> None:
        self._text_of = text_of

    def read(self, title: str, number: int | None, part: int, scope: Scope) -> LessonPart:
        """Return a part of a lesson, or of the whole course without a number, as far as a scope reaches.

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
        """Return a lesson, or the course without a number, in a few sentences; None if there is no text."""
        text = self._text_of(title)
        passages = _passages(text, title, number, scope)
        stored = text.pieces([one.key for one in passages])
        passages = [one for one in passages if one.key in stored]
        if not passages:
            return None
        pieces = [
            Window(one.key, start, end, _NAMED, start)
            for one in passages
            for start, end in stored[one.key][0].tolist()
        ]
        lesson = {one.key: one.lesson for one in passages}
        begun = _begun(pieces, lesson)
        opening = replace(pieces[0], end=pieces[begun - 1].end)
        vectors = [stored[one.key][1] for one in passages]
        chosen: list[Window] = []
        if len({part.shape[1] for part in vectors}) == 1:  # else another model is taking over
            chosen = _central(pieces, np.concatenate(vectors), begun)
        hits = text.hits([opening, *chosen])
        headings = text.headings(dict.fromkeys(lesson.values()))
        names = dict.fromkeys(path.split(" › ")[-1] for path in headings)
        return LessonDigest(hits[0], tuple(names)[:_MOST_HEADINGS], hits[1:]) if hits else None


def _listed(text: CourseText, number: int | None, title: str) -> list[PassagePlace]:
    return [one for one in text.passages(number) if (one.number, one.title) == (number, title)]


def _passages(text: CourseText, title: str, number: int | None, scope: Scope) -> list[PassagePlace]:
    return [one for one in text.passages(number) if includes(scope, title, one.number)]


def _begun(pieces: Sequence[Window], lesson: Mapping[int, Hashable]) -> int:
    """Return how many pieces are the opening; ``lesson`` has that of each passage."""
    first = pieces[0]
    limit = first.start + _OPENING
    opening = takewhile(lambda one: one.end <= limit and lesson[one.key] == lesson[first.key], pieces)
    return max(1, sum(1 for _ in opening))


def _central(pieces: Sequence[Window], vectors: NDArray[np.float32], begun: int) -> list[Window]:
    """Return the pieces that together stand for the whole text best, besides the first ``begun``.

    Each next one is that which raises most the likeness of the text's characters to the piece nearest
    to them: it is central, and says what those before it do not.
    """
    at = np.unique(np.linspace(0, len(pieces) - 1, min(len(pieces), _MOST_PIECES)).astype(int))
    likeness = np.maximum(vectors[at] @ vectors[at].T, 0.0)
    length = np.array([pieces[index].end - pieces[index].start for index in at], np.float32)
    nearest = likeness[:, at < begun].max(1)
    may_stand = (at >= begun) & (length >= _SHORTEST)
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
            blocks[-1] = replace(blocks[-1], end=max(one.end, blocks[-1].end))
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
