"""Whole lessons: in reading order, in parts of a bounded size, or in a few of their own sentences."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np

from app.core.search.ranking import Window
from app.domain.scope import includes
from app.domain.search import LessonDigest, LessonPart

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from app.core.storage.catalog import Catalog
    from app.domain.scope import Scope
    from app.domain.search import SearchHit

_BLOCK = 2_000  # characters at most, unless a single passage has more: what one source of an answer shows
_PART = 12_000  # characters at most, about 3,000 tokens: what a model reads at a time
_OPENING = 400  # characters
_CENTRAL = 6  # pieces of about 200 characters
_SHORTEST = 40  # characters of a piece that says something by itself
_MOST_PIECES = 2_000  # compared with each other, about 400,000 characters; of more an even choice
_MOST_HEADINGS = 20
_NAMED = 1.0  # score of what was asked for by its name


class LessonReader:
    """Thread-safe."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def read(self, title: str, number: int | None, part: int, scope: Scope) -> LessonPart:
        """Return a part of a lesson, or of the whole course without a number, as far as a scope reaches.

        It has no passages if there is no such part; its ``parts`` are 0 if there is no such lesson.
        """
        parts = _parts(_blocks(self._passages(title, number, scope)))
        windows = parts[part - 1] if 0 < part <= len(parts) else ()
        return LessonPart(self._catalog.passages.hits(windows), part, len(parts))

    def beginning(self, course_title: str, number: int | None, title: str) -> SearchHit | None:
        """Return the first passage of a lesson as it is listed; None if it has no text."""
        rows = self._catalog.courses.passages(course_title, number)
        found = (row for row in rows if (row["number"], row["title"]) == (number, title))
        windows = [Window(row["id"], row["start"], row["end"], _NAMED, row["start"]) for row in found]
        return next(iter(self._catalog.passages.hits(windows[:1])), None)

    def whole(self, scope: Scope, characters: int) -> tuple[SearchHit, ...]:
        """Return all text of a scope in reading order; none if it has more characters than that."""
        blocks: list[Window] = []
        named = {*scope.courses, *(title for title, _ in scope.lessons)}
        for title in self._catalog.courses.titles():
            if named and title not in named:
                continue
            blocks += _blocks(self._passages(title, None, scope))
            if sum(block.end - block.start for block in blocks) > characters:
                return ()
        return self._catalog.passages.hits(blocks)

    def digest(self, title: str, number: int | None, scope: Scope) -> LessonDigest | None:
        """Return a lesson, or the course without a number, in a few sentences; None if there is no text."""
        rows = self._passages(title, number, scope)
        stored = self._catalog.passages.pieces([row["id"] for row in rows])
        rows = [row for row in rows if row["id"] in stored]
        if not rows:
            return None
        pieces = [
            Window(row["id"], start, end, _NAMED, start)
            for row in rows
            for start, end in stored[row["id"]][0].tolist()
        ]
        lesson = {row["id"]: row["lesson_id"] for row in rows}
        begun = _begun(pieces, lesson)
        opening = replace(pieces[0], end=pieces[begun - 1].end)
        vectors = [stored[row["id"]][1] for row in rows]
        chosen: list[Window] = []
        if len({part.shape[1] for part in vectors}) == 1:  # else another model is taking over
            chosen = _central(pieces, np.concatenate(vectors), begun)
        hits = self._catalog.passages.hits([opening, *chosen])
        headings = self._catalog.courses.headings(dict.fromkeys(lesson.values()))
        names = dict.fromkeys(path.split(" › ")[-1] for path in headings)
        return LessonDigest(hits[0], tuple(names)[:_MOST_HEADINGS], hits[1:]) if hits else None

    def _passages(self, title: str, number: int | None, scope: Scope) -> list[sqlite3.Row]:
        rows = self._catalog.courses.passages(title, number)
        return [row for row in rows if includes(scope, title, row["number"])]


def _begun(pieces: Sequence[Window], lesson: Mapping[int, int]) -> int:
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


def _blocks(rows: Iterable[sqlite3.Row]) -> list[Window]:
    """Join passages in reading order, without what a passage repeats of the one before."""
    blocks: list[Window] = []
    lesson = None
    for row in rows:
        start = row["start"]
        if row["lesson_id"] == lesson:
            start = max(start, blocks[-1].end)
        new = row["text"][start - row["start"] :]
        start += len(new) - len(new.lstrip())
        if row["lesson_id"] == lesson and row["end"] - blocks[-1].start <= _BLOCK:
            blocks[-1] = replace(blocks[-1], end=max(row["end"], blocks[-1].end))
        elif new.strip():
            blocks.append(Window(row["id"], start, row["end"], _NAMED, start))
            lesson = row["lesson_id"]
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
