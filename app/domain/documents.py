"""What is read from one file: its text, lessons and passages.

All positions are character offsets into a document's text as read (newlines as LF, no byte-order mark),
end exclusive, so ``document.text[start:end]`` is always exact.
"""

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Literal, NamedTuple

from app.domain.messages import Message

_AS_THEY_ARE = frozenset(
    ("", ".txt", ".text", ".srt", ".vtt", ".sbv", ".ass", ".ssa", ".pdf")
    + (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif")
)
AnchorKind = Literal["page", "scan", "slide", "slide_scan", "seconds", "heading", "cell"]
_RECOGNIZED = {"scan": "page", "slide_scan": "slide"}


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a position lies in the original file, in the terms of its format.

    Pages, slides and cells count from 1; a scan is a page whose text was recognized, a slide scan such a
    slide; ``seconds`` is a time in the recording; a heading is a path such as ``"Part › Chapter"``.
    """

    kind: AnchorKind
    value: int | float | str

    def as_dict(self) -> dict[str, int | float | str]:
        """Return the form the command line prints, such as ``{"page": 3}``."""
        if (name := _RECOGNIZED.get(self.kind)) is not None:
            return {name: self.value, "recognized": True}
        return {self.kind: self.value}


def clock(seconds: float) -> str:
    """Return a time in a recording, such as ``12:05`` or ``1:02:03``."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class AnchorMark(NamedTuple):
    """An anchor that applies from ``start`` to the next mark."""

    start: int
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class DocumentText:
    """What a reader returns for one file: its text, and anchors in order of ``start``.

    ``sha256`` is that of the file's bytes; empty if the text does not come from a file. ``unread`` says how
    much of the file could not be read.
    """

    text: str
    marks: tuple[AnchorMark, ...] = ()
    sha256: str = field(default="", compare=False)
    unread: Message | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One lesson of a course as a span of one document, from after its marker and link line.

    ``number`` is None if the file has no lesson markers; ``title`` may be empty.
    """

    number: int | None
    title: str
    link: str | None
    start: int
    end: int


class ParsedDocument(NamedTuple):
    """A document with its header and lessons.

    ``lessons`` are in order of position and do not overlap; text before the first marker, except the
    header, is a lesson with ``number=None``.
    """

    course_title: str
    course_link: str | None
    instructor: str | None
    text: str
    marks: tuple[AnchorMark, ...]
    lessons: tuple[Lesson, ...]
    has_header: bool = False  # `course_title` comes from a header, not from the first line or the file name
    heading: str = ""  # the heading it starts with, or an empty string
    is_marked: bool = False  # it has lesson markers


class CourseChunk(NamedTuple):
    """One passage, the unit of search; ``text == document.text[start:end]``."""

    start: int
    end: int
    lesson: int  # index into the document's `lessons`
    text: str
    pieces: tuple[tuple[int, int], ...] = ()  # its own spans of the document, in order; empty until cut
    heading: str = ""  # the lesson's title, or its own path of headings if the file is one lesson


def becomes_markdown(path: str) -> bool:
    """Return whether readers make Markdown of a file, by its ending; others keep their words and lines."""
    return PurePath(path).suffix.lower() not in _AS_THEY_ARE
