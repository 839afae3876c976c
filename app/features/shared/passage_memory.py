"""Passages that were fetched from a server: a version of a document never changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.features.shared.records import SharedPassage

_MOST = 4_000  # passages …
_MOST_BYTES = 64 << 20  # … and bytes of their vectors, which take most of the memory


class PassageMemory:
    """The passages that were used last, by the uid of their document and their place in it. Thread-safe."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._passages: OrderedDict[tuple[str, int], SharedPassage] = OrderedDict()
        self._bytes = 0
        self._lessons: OrderedDict[tuple[str, int], tuple[int, ...]] = OrderedDict()  # their passages' places

    def keep(self, passages: Iterable[SharedPassage]) -> None:
        with self._guard:
            for passage in passages:
                key = (passage.document, passage.n)
                if former := self._passages.pop(key, None):
                    self._bytes -= former.vectors.nbytes
                self._passages[key] = passage
                self._bytes += passage.vectors.nbytes
            while len(self._passages) > _MOST or self._bytes > _MOST_BYTES:
                self._bytes -= self._passages.popitem(last=False)[1].vectors.nbytes

    def get(self, document: str, n: int) -> SharedPassage | None:
        with self._guard:
            passage = self._passages.get((document, n))
            if passage is not None:
                self._passages.move_to_end((document, n))
            return passage

    def keep_lesson(self, document: str, lesson: int, passages: Sequence[SharedPassage]) -> None:
        """Keep all the passages of a lesson."""
        self.keep(passages)
        with self._guard:
            self._lessons[document, lesson] = tuple(passage.n for passage in passages)
            while len(self._lessons) > _MOST:
                self._lessons.popitem(last=False)

    def lesson(self, document: str, lesson: int) -> list[SharedPassage] | None:
        """Return the passages of a lesson that was kept, if all of them are still here."""
        with self._guard:
            places = self._lessons.get((document, lesson))
        found = [self.get(document, n) for n in places] if places is not None else [None]
        whole = [passage for passage in found if passage is not None]
        return whole if len(whole) == len(found) else None

    def within(self, document: str, start: int, end: int) -> list[SharedPassage]:
        """Return the kept passages of a document that stand between two positions, or reach into them."""
        with self._guard:
            passages = [one for (uid, _), one in self._passages.items() if uid == document]
        return [one for one in passages if one.start < end and one.end > start]

    def missing(self, document: str, passages: int) -> list[int]:
        """Return which passages of a document are not here, of as many as it has."""
        with self._guard:
            return [n for n in range(passages) if (document, n) not in self._passages]
