"""Whole lessons in reading order, cut into blocks of whole sentences and parts of a bounded size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.search.ranking import Window
from app.domain.scope import includes
from app.domain.search import LessonPart

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from app.core.storage.catalog import Catalog
    from app.domain.scope import Scope

_BLOCK = 2_000  # characters at most, unless a single passage has more: what one source of an answer shows
_PART = 12_000  # characters at most, about 3,000 tokens: what a model reads at a time
_NAMED = 1.0  # score of what was asked for by its name


class LessonReader:
    """Thread-safe."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def read(self, title: str, number: int | None, part: int, scope: Scope) -> LessonPart:
        """Return a part of a lesson, or of the whole course without a number, as far as a scope reaches.

        It has no passages if there is no such part; its ``parts`` are 0 if there is no such lesson.
        """
        rows = self._catalog.courses.passages(title, number)
        parts = _parts(_blocks(row for row in rows if includes(scope, title, row["number"])))
        windows = parts[part - 1] if 0 < part <= len(parts) else ()
        return LessonPart(self._catalog.passages.hits(windows), part, len(parts))


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
