"""The pictures of a document: where they stand in its text, and how large they are shown."""

from __future__ import annotations

from typing import NamedTuple


class FileVersion(NamedTuple):
    """A file as it was read."""

    path: str
    sha256: str


class PlacedPicture(NamedTuple):
    """A picture, between two characters of a text.

    Attributes:
        n: its number in the document.
        position: in the text that was asked about.
        width: in which it is shown where there is room, in device-independent pixels.
        height: likewise.
        alt: its description; may be empty.
        slide: that it stands on, in a presentation.
    """

    n: int
    position: int
    width: int
    height: int
    alt: str = ""
    slide: int | None = None
