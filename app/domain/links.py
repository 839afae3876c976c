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
    """A link to a span of a document; what it does not say is empty or None."""

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
    """Return whether a text wants to be such a link, well formed or not."""
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
    """Return what a link says.

    Raises:
        UserError: it is no link, or not one that this Lectern can write.
    """
    try:
        if not is_link(text) or len(text) > _LONGEST or _CONTROL.search(text):
            raise ValueError
        parts = urlsplit(text)
        pairs = parse_qsl(
            parts.query,
            keep_blank_values=True,
            strict_parsing=True,
            encoding="utf-8",
            errors="strict",
            max_num_fields=8,
        )
        said = dict(pairs)
        if (
            len(said) != len(pairs)
            or parts.fragment
            or parts.path.strip("/")
            or any(_CONTROL.search(value) or len(value) > _LONGEST_NAME for value in said.values())
        ):
            raise ValueError
        what = parts.netloc.lower()
        return _place(said) if what == "read" else _lesson(said if what == "lesson" else {})
    except (KeyError, ValueError) as error:
        raise UserError(Message("links.not_a_link")) from error


def _place(said: dict[str, str]) -> PlaceLink:
    place = _PLACE.fullmatch(said.get("at", ""))
    span = (int(place[1]), int(place[2])) if place else None
    name, digest = said.get("name", ""), said.get("file", "")
    if (
        said.keys() - {"course", "name", "file", "at", "words"}
        or not (name or digest)
        or re.search(r"[/\\]", name)
        or (digest and not _HEX.fullmatch(digest))
        or ("at" in said and (span is None or not 0 < span[1] - span[0] <= _LONGEST_PLACE))
    ):
        raise ValueError
    return PlaceLink(said.get("course", ""), name, digest, span, said.get("words", ""))


def _lesson(said: dict[str, str]) -> LessonLink:
    number = said.get("number", "")
    if (
        said.keys() - {"course", "number", "title"}
        or not said["course"]
        or (number and not _NUMBER.fullmatch(number))
    ):
        raise ValueError
    return LessonLink(said["course"], int(number) if number else None, said.get("title", ""))


def _written(what: str, parts: dict[str, str]) -> str:
    filled = {name: value for name, value in parts.items() if value}
    return f"{SCHEME}://{what}?{urlencode(filled, quote_via=quote)}"
