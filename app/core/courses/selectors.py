"""Finds the course, file or folder that a name or path given by the user refers to."""

from __future__ import annotations

import os
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING, TypeVar

from app.core.courses.titles import literal_matches
from app.domain.errors import UserError
from app.domain.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_T = TypeVar("_T")
_NAMED = 5  # candidates listed in a message


def named(
    name: str, items: Sequence[_T], title_of: Callable[[_T], str], paths_of: Callable[[_T], Sequence[str]]
) -> list[_T]:
    """Return the items that a course name or path refers to.

    An exact title comes first, then files at or below a path (which need not exist any more), then part
    of a title or its initials; meaning is not compared.

    Raises:
        UserError: the name matches nothing or several courses.
    """
    titles = list(dict.fromkeys(title_of(item) for item in items))
    if name in titles:
        return [item for item in items if title_of(item) == name]
    below = [item for item in items if any(is_below(path, name) for path in paths_of(item))]
    matches = literal_matches(name, titles)
    if below and not (matches and not _looks_like_a_path(name)):
        return below
    if below and {title_of(item) for item in below} != set(matches):
        raise UserError(Message("ingest.path_or_course", name=name, titles="; ".join(matches[:_NAMED])))
    if len(matches) > 1:
        raise UserError(_ambiguous(name, matches))
    if not matches:
        raise UserError(Message("ingest.unknown_name", name=name))
    return [item for item in items if title_of(item) == matches[0]]


def is_below(path: str, name: str) -> bool:
    """Whether a stored path is ``name`` or below it.

    ``name`` may also be an absolute path of another system, from which the library was imported.
    """
    if not name.strip():
        return False
    here = Path(path)
    if any(here.is_relative_to(base) for base in (os.path.abspath(name), os.path.realpath(name))):
        return True
    for kind in (PurePosixPath, PureWindowsPath):
        foreign: PurePath = kind(name)
        if foreign.is_absolute() and kind(path).is_relative_to(foreign):
            return True
    return False


def _looks_like_a_path(name: str) -> bool:
    return "/" in name or "\\" in name or name.startswith((".", "~")) or bool(PurePath(name).suffix)


def _ambiguous(name: str, matches: Sequence[str]) -> Message:
    titles = "; ".join(matches[:_NAMED])
    if len(matches) <= _NAMED:
        return Message("ingest.fits_several", name=name, titles=titles)
    return Message("ingest.fits_several_and_more", name=name, titles=titles, n=len(matches) - _NAMED)
