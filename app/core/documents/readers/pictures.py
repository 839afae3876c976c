"""Pictures in the text of a document: their descriptions, and signs for their places if somebody asks.

A text as it is stored has no trace of a picture but its description. Whoever shows the file reads it again
with :func:`signs_for_pictures`; the same text then has a sign for each picture, and nothing else differs.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

# Dominoes: no course has numbers between them, and nothing takes them for what is to be left out.
_OPEN, _CLOSE, _DATA_OPEN, _DATA_CLOSE = "\U0001f030", "\U0001f031", "\U0001f032", "\U0001f033"
SIGN = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")
_DATA_SIGN = re.compile(f"{_DATA_OPEN}([0-9]+){_DATA_CLOSE}")
_SIGNS = re.compile(f"{SIGN.pattern}|{_DATA_SIGN.pattern}")
_PICTURE_FILE = re.compile(r"\.(?:png|jpe?g|gif|svg|webp|bmp|tiff?|emf|wmf|eps|heic)\Z", re.IGNORECASE)
_MOST = 5_000  # of a document
PART = "part:"
"""What the source of a picture begins with that is a part of an archive, as an Office document is."""

Crop = tuple[float, float, float, float]


class FoundPicture(NamedTuple):
    """A picture of a document.

    Attributes:
        source: the target of a link, a ``data:`` URI, or the name of an archive's part.
        alt: its description, however short.
        width: in which the document shows it, in device-independent pixels; 0 if it does not say.
        crop: shares of it that are cut off at the left, top, right and bottom.
    """

    source: str
    alt: str = ""
    width: float = 0
    crop: Crop = (0, 0, 0, 0)


@dataclass
class _Asked:
    pictures: list[FoundPicture] = field(default_factory=list)
    data: list[str] = field(default_factory=list)


# Not an argument of readers: most of what they call would only pass it on.
_asked: ContextVar[_Asked | None] = ContextVar("asked", default=None)


@contextmanager
def signs_for_pictures() -> Iterator[list[FoundPicture]]:
    """Let readers put signs into texts; yield the pictures they stand for, as they are found."""
    asked = _Asked()
    reset = _asked.set(asked)
    try:
        yield asked.pictures
    finally:
        _asked.reset(reset)


def picture(description: str | None, source: str = "", width: float = 0, crop: Crop = (0, 0, 0, 0)) -> str:
    """Return a picture's description, between spaces, if it has at least a few words; else nothing.

    What ends as the name of a file does is the picture's path. Before it stands a sign if signs are wanted.
    """
    words = (description or "").split()
    if words and _PICTURE_FILE.search(words[-1]):
        words = []
    sign = _sign(FoundPicture(source, " ".join(words), width, crop)) if source else ""
    if len(words) < 3:
        return sign
    return f"{sign} [Picture: {' '.join(words)}] "


def data_sign(uri: str) -> str:
    """Return what stands for an embedded file; a picture's source may be just that."""
    if (asked := _asked.get()) is None:
        return "data:…"
    asked.data.append(uri)
    return f"data:…{_DATA_OPEN}{len(asked.data) - 1}{_DATA_CLOSE}"


def without_signs(text: str) -> str:
    """Return a text as it is when nobody asks for pictures, but for white space."""
    return _SIGNS.sub("", text) if _OPEN in text or _DATA_OPEN in text else text


def signs_only(text: str) -> str:
    """Return the signs of a text that is left out itself."""
    return "".join(match.group() for match in SIGN.finditer(text)) if _OPEN in text else ""


def _sign(found: FoundPicture) -> str:
    asked = _asked.get()
    if asked is None or len(asked.pictures) >= _MOST:
        return ""
    if (embedded := _DATA_SIGN.search(found.source)) and int(embedded.group(1)) < len(asked.data):
        found = found._replace(source=asked.data[int(embedded.group(1))])
    asked.pictures.append(found._replace(alt=without_signs(found.alt)))
    return f"{_OPEN}{len(asked.pictures) - 1}{_CLOSE}"
