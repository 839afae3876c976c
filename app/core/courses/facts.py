"""From what a document says and where it lies to the course and the lessons it is stored with."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.documents.text.display import shorten
from app.core.documents.text.markdown_structure import plain_inline, without_closing_hashes
from app.domain.courses import Facts
from app.domain.documents import DocumentText, Lesson

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.documents.document_processor import DocumentProcessor
    from app.domain.courses import Place
    from app.domain.documents import ParsedDocument

_HEAD = 1024  # bytes that are looked at before a file is read
_PEEKED = frozenset({".txt", ".text", ".md", ".markdown"})
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# A line that may belong to a header, be a lesson's marker, or make the one above a heading.
_TELLING = re.compile(
    r"^\W{0,8}(?:course|lesson|lecture|week|module|chapter|unit|session)[ \t]|^-{3}|^={2}",
    re.IGNORECASE | re.MULTILINE,
)
_HEADING = re.compile(r"\s*#{1,6}[ \t]+([^\n]+)")
_DESCRIPTION_LIMIT = 400
# What is no description: headings, pictures and badges, lists, quotations, tables, code, the header's lines.
_NOT_PROSE = re.compile(
    r"\s*(?:[#!\[|<>`~=-]|[*+]\s|\d+[.)]\s|course\s+(?:title|link|instructor)\b)", re.IGNORECASE
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


def facts_of(parsed: ParsedDocument) -> Facts:
    """Return what a document that was read says about its place."""
    return Facts(parsed.course_title if parsed.has_header else None, parsed.heading, parsed.is_marked)


def peek(path: Path, processor: DocumentProcessor) -> Facts:
    """Return what a text file's first lines say; of other files only the name is known before."""
    head = _head_of(path)
    if not _TELLING.search(head):  # thousands may come at once
        heading = _HEADING.match(head)
        return Facts(None, plain_inline(without_closing_hashes(heading[1])) if heading else "")
    return facts_of(processor.parse(DocumentText(head), path.name))


def own_title(path: Path, processor: DocumentProcessor) -> str:
    """Return what a file will be called that is a course of its own, as far as its first lines tell."""
    return processor.parse(DocumentText(_head_of(path)), path.name).course_title


def _head_of(path: Path) -> str:
    if path.suffix.lower() not in _PEEKED:
        return ""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):  # reading it will say why
        return ""
    try:
        data = os.read(descriptor, _HEAD)
    except OSError:
        return ""
    finally:
        os.close(descriptor)
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    return data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


def put_into_place(parsed: ParsedDocument, place: Place | None) -> ParsedDocument:
    """Return the document with the course and lessons of its place; None leaves it a course of its own.

    Lesson markers of its own stay, but for a file that describes a course.
    """
    if place is None:
        return parsed
    parsed = replace(parsed, course_title=place.course)
    if place.about:
        whole = Lesson(None, place.title, None, parsed.lessons[0].start, parsed.lessons[-1].end)
        return replace(parsed, lessons=(whole,))
    if parsed.is_marked or not (place.placed or place.number is not None):
        return parsed
    lessons = tuple(replace(lesson, number=place.number, title=place.title) for lesson in parsed.lessons)
    return replace(parsed, lessons=lessons)


def description_of(parsed: ParsedDocument) -> str | None:
    """Return the first paragraph of prose of a file that describes a course."""
    for lesson in parsed.lessons:
        for paragraph in _PARAGRAPHS.split(parsed.text[lesson.start : lesson.end]):
            if _NOT_PROSE.match(paragraph) or not any(character.isalpha() for character in paragraph):
                continue
            return shorten(plain_inline(" ".join(paragraph.split())), _DESCRIPTION_LIMIT)
    return None
