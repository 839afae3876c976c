"""What is known of a source's file now, and the text that a source is read in."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.domain.models import Source


class SourceState(StrEnum):
    """How a source stands to the library of now."""

    CURRENT = "current"
    """The library holds the very text that was cited."""
    CHANGED = "changed"
    """The file was read again since, with other content."""
    REMOVED = "removed"
    """The file is no longer in the library."""


@dataclass(frozen=True, slots=True)
class LessonText:
    """A text to read a source in.

    Attributes:
        source: the source that was asked for.
        state: how it stands to the library.
        text: the whole lesson as the library holds it; the passage alone, as it was cited, where
            that text is gone.
        start: position in the document of the first character of ``text``.
        is_whole: whether ``text`` is the lesson, not the passage alone.
        path: where the file was when it was last seen.
        file_exists: whether it still lies there.
    """

    source: Source
    state: SourceState
    text: str
    start: int
    is_whole: bool
    path: str
    file_exists: bool

    @property
    def end(self) -> int:
        """One past the last character of ``text`` in the document."""
        return self.start + len(self.text)
