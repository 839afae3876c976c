"""Links to a place of the library, such as ``lectern://read?course=Tides&name=tides.txt&at=120-210``.

A link names a course, a document by its content and its file's name, and a place by its position and its
first words. It holds no path and nothing of the user's. Anybody can write one, so a link is only ever looked
up in the library: it opens no file, no folder and no address, and changes nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from app.domain.errors import UserError
from app.domain.file_paths import base_name
from app.domain.messages import Message

if TYPE_CHECKING:
    from app.domain.sources import Source

SCHEME = "lectern"
LESSON_TEMPLATE = f"{SCHEME}://lesson{{?course,number,title}}"
PLACE_TEMPLATE = f"{SCHEME}://read{{?course,name,file,at,words}}"
"""What the links look like, as RFC 6570 writes it."""

_LONGEST = 10_000  # characters of a link
_LONGEST_PLACED = 2_000  # of one to a place; its course and words can be left out
_LONGEST_NAME = 500
_LONGEST_PLACE = 20_000  # characters
_DIGEST = 16  # characters of the SHA-256 of a file, of which a library has no two alike
_WORDS = 120  # characters of the first words, which end at the end of a word
_FIRST_WORDS = re.compile(rf"(?s).{{1,{_WORDS}}}(?!\w)")
_HEX = re.compile(rf"[0-9a-f]{{{_DIGEST},64}}")
_PLACE = re.compile(r"(\d{1,9})-(\d{1,9})", re.ASCII)
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class PlaceLink(NamedTuple):
    """A link to a span of a document; missing values are empty or None."""

    course: str
    name: str  # of the file, without its folder
    digest: str  # the beginning of its SHA-256
    place: tuple[int, int] | None  # in the document
    words: str  # that it begins with


class LessonLink(NamedTuple):
    course: str
    number: int | None
    title: str


def is_link(text: str) -> bool:
    """Return whether a text has the scheme of such links, well formed or not."""
    return text[: len(SCHEME) + 1].lower() == f"{SCHEME}:"


def link_to(source: Source, span: tuple[int, int] | None = None, text: str | None = None) -> str:
    """Return a link to a span of a source's document, which is the passage if not given.

    ``text`` is what stands there, where that is more than the passage.
    """
    hit = source.hit
    start, end = span or (hit.start, hit.end)
    said = source.text(start, end) if text is None else text
    words = _FIRST_WORDS.match(_CONTROL.sub(" ", " ".join(said.split())))
    parts = {
        "course": as_in_link(hit.course_title),
        "name": as_in_link(base_name(hit.path)),
        "file": source.document_sha256[:_DIGEST],
        "at": f"{start}-{end}",
        "words": words[0].strip() if words else "",
    }
    link = _written("read", parts)
    # Letters that are no Latin ones take nine characters each.
    return link if len(link) <= _LONGEST_PLACED else _written("read", {**parts, "course": "", "words": ""})


def link_to_lesson(course_title: str, number: int | None, title: str) -> str:
    """Return a link to a lesson as it is listed; lessons of one course may share a number or a title."""
    named = {"number": "" if number is None else str(number), "title": as_in_link(title)}
    return _written("lesson", {"course": as_in_link(course_title), **named})


def as_in_link(name: str) -> str:
    return _CONTROL.sub(" ", name)[:_LONGEST_NAME]


def parse_link(text: str) -> PlaceLink | LessonLink:
    """Parse a link. Invalid values are ignored, since links are only ever looked up.

    Raises:
        UserError: it is no link, or names neither a lesson nor a place.
    """
    try:
        parts = urlsplit(text if is_link(text) and len(text) <= _LONGEST else "")
    except ValueError:  # of brackets in the host
        parts = urlsplit("")
    said = {name: as_in_link(value) for name, value in parse_qsl(parts.query)}
    course, name, digest = (said.get(part, "") for part in ("course", "name", "file"))
    if parts.netloc.lower() == "lesson" and course:
        number = _NUMBER.fullmatch(said.get("number", ""))
        return LessonLink(course, int(number[0]) if number else None, said.get("title", ""))
    digest = digest if _HEX.fullmatch(digest) else ""
    if parts.netloc.lower() != "read" or not (name or digest):
        raise UserError(Message("links.not_a_link"))
    place = _PLACE.fullmatch(said.get("at", ""))
    start, end = (int(place[1]), int(place[2])) if place else (0, 0)
    span = (start, end) if 0 < end - start <= _LONGEST_PLACE else None
    return PlaceLink(course, name, digest, span, said.get("words", ""))


def _written(what: str, parts: dict[str, str]) -> str:
    filled = {name: value for name, value in parts.items() if value}
    return f"{SCHEME}://{what}?{urlencode(filled, quote_via=quote)}"
