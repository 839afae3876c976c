"""Compares paths: natural order, files of one lesson, containing folder."""

import os
import re
from collections.abc import Iterable
from functools import lru_cache

NaturalKey = list[tuple[int, tuple[tuple[int, int | str], ...]]]
"""Sort key of a path."""

_DIGITS = re.compile(r"(\d+)")
_CAPTIONS = (".srt", ".vtt", ".sbv", ".ass", ".ssa")
_LANGUAGE = re.compile(r"\.[a-z]{2,3}(?:-[A-Za-z]{2,4})?$")


@lru_cache(maxsize=65536)
def _natural(text: str) -> tuple[tuple[int, int | str], ...]:
    """Return a key that sorts "lesson 2" before "lesson 10"."""
    pieces = _DIGITS.split(text.casefold())
    return tuple((0, int(piece)) if piece.isdecimal() else (1, piece) for piece in pieces if piece)


def natural_path(path: str) -> NaturalKey:
    """Return a key that sorts paths naturally, a folder's files before its subfolders."""
    *folders, name = re.split(r"[\\/]", path)
    return [*((1, _natural(folder)) for folder in folders), (0, _natural(name))]


def base_name(path: str) -> str:
    """Return the name of a file, whichever system its path is of."""
    return re.split(r"[\\/]", path)[-1]


def lesson_stem(path: str) -> str:
    """Return what the paths of one lesson's files share: everything but the extension."""
    stem, suffix = os.path.splitext(path)
    if suffix.casefold() in _CAPTIONS:
        stem = _LANGUAGE.sub("", stem)
    return stem


def root_of(path: str, roots: Iterable[str]) -> str | None:
    """Return the innermost of ``roots`` that is or contains a path, or None."""
    found = [root for root in roots if path == root or path.startswith(root.rstrip(os.sep) + os.sep)]
    return max(found, key=len, default=None)
