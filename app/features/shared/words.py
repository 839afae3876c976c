"""In how many passages of a course each term of the full-text index stands, in little memory."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from app.features.shared.fields import Unusable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_STRIDE = 2_048  # bytes between two lines that are known by their place
_LAST = b"\xff"  # behind every letter
_KEPT_COUNTS, _KEPT_BEGINNINGS = 20_000, 200  # that were looked up last; a search needs some again and again
_LINES = re.compile(rb"\n(?:[^\s]{1,400} [0-9]{1,9}\n)*+")


class CourseWords:
    """The terms of a course, each with the number of its passages that contain it.

    They are kept as the lines in which they are sent, sorted: an eighth of what a dict of them takes.
    """

    __slots__ = ("_firsts", "_lines", "_starts")

    def __init__(self, counts: Mapping[str, int]) -> None:
        self._keep("".join(("\n", *(f"{term} {counts[term]}\n" for term in sorted(counts)))).encode())

    @classmethod
    def read(cls, text: object) -> CourseWords:
        """Return those of :attr:`text`; raises Unusable if that is something else."""
        try:
            lines = text.encode() if isinstance(text, str) else b""
        except UnicodeEncodeError:  # half a character
            lines = b""
        if not _LINES.fullmatch(lines):
            raise Unusable("words")
        words = cls({})
        words._keep(lines)
        return words

    @property
    def text(self) -> str:
        return self._lines.decode()

    def counts(self) -> dict[str, int]:
        """Return them all."""
        items = self._lines.split()
        return {term.decode(): int(n) for term, n in zip(items[::2], items[1::2], strict=True)}

    def count(self, term: str) -> int:
        """Return in how many passages a term stands."""
        key = term.encode()
        part = bisect_right(self._firsts, key)
        begun = b"\n%b " % key
        at = self._lines.find(begun, self._starts[max(part - 1, 0)], self._starts[part])
        if at < 0:
            return 0
        at += len(begun)
        return int(self._lines[at : self._lines.index(b"\n", at)])

    def beginning(self, begin: str) -> list[str]:
        """Return the terms that begin so, in order."""
        key = begin.encode()
        part = max(bisect_left(self._firsts, key) - 1, 0)
        end = bisect_right(self._firsts, key + _LAST)
        terms = self._lines[self._starts[part] : self._starts[end]].split()[::2]
        return [term.decode() for term in terms if term.startswith(key)]

    def _keep(self, lines: bytes) -> None:
        """Keep lines, with the places of some of them, the first terms there, and the end."""
        last = len(lines) - 1
        starts = [at for begin in range(0, last, _STRIDE) if (at := lines.index(b"\n", begin)) < last]
        self._lines = lines
        self._firsts = [lines[at + 1 : lines.index(b" ", at)] for at in starts]
        self._starts = [*starts, last]


class LibraryWords:
    """The terms of some courses together, looked up course by course.

    To merge those of 400 courses takes four seconds, and a question has a dozen.
    """

    def __init__(self, courses: Sequence[CourseWords]) -> None:
        self._courses = courses
        self._kept_count = lru_cache(_KEPT_COUNTS)(self._count)
        self._kept_beginning = lru_cache(_KEPT_BEGINNINGS)(self._beginning)

    def count(self, term: str) -> int:
        """Return in how many passages a term stands."""
        return self._kept_count(term)

    def beginning(self, begin: str) -> Sequence[str]:
        """Return the terms that begin so, in order."""
        return self._kept_beginning(begin)

    def _count(self, term: str) -> int:
        return sum(words.count(term) for words in self._courses)

    def _beginning(self, begin: str) -> tuple[str, ...]:
        return tuple(sorted({term for words in self._courses for term in words.beginning(begin)}))
