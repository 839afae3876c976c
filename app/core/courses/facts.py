"""Reads what a document says about its place, and applies a place to its course and lessons."""

from __future__ import annotations

import codecs
import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from app.core.documents.text.display import shorten
from app.core.documents.text.markdown_structure import plain_inline
from app.domain.courses import Facts
from app.domain.documents import DocumentText, Lesson

if TYPE_CHECKING:
    from pathlib import Path

    from app.core.documents.document_processor import DocumentProcessor
    from app.domain.courses import Place
    from app.domain.documents import ParsedDocument

_HEAD = 1024  # bytes read for a plan
_BEGINNING = 4096  # bytes read to tell the language of a text
_PEEKED = frozenset({".txt", ".text", ".md", ".markdown", ".mdx", ".qmd", ".rmd"})
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
# A line that may be part of a header, a lesson marker, or the underline of a heading.
_TELLING = re.compile(
    r"^\W{0,8}(?:course|lesson|lecture|week|module|chapter|unit|session)[ \t]|^-{3}|^={2}|^#{1,6}[ \t]",
    re.IGNORECASE | re.MULTILINE,
)
_DESCRIPTION_LIMIT = 400
# Not a description: headings, pictures and badges, lists, quotations, tables, code, header lines.
_NOT_PROSE = re.compile(
    r"\s*(?:[#!\[|<>`~=-]|[*+]\s|\d+[.)]\s|course\s+(?:title|link|instructor)\b)", re.IGNORECASE
)
_PARAGRAPHS = re.compile(r"\n[ \t]*\n")


def facts_of(parsed: ParsedDocument) -> Facts:
    """Return what a parsed document says about its place."""
    return Facts(parsed.course_title if parsed.has_header else None, parsed.heading, parsed.is_marked)


def peek(path: Path, processor: DocumentProcessor) -> Facts:
    """Return what a text file's first lines say; nothing for other formats."""
    head = _head_of(path)
    if not _TELLING.search(head):  # parsing thousands of files would be slow
        return Facts()
    return facts_of(processor.parse(DocumentText(head), path.name))


def own_title(path: Path, processor: DocumentProcessor) -> str:
    """Return the title of a file that is its own course, judged by its first lines."""
    return processor.parse(DocumentText(_head_of(path)), path.name).course_title


def beginning_of(path: Path) -> str:
    """Return the first lines of a text file; nothing for other formats."""
    return _head_of(path, _BEGINNING)


def _head_of(path: Path, size: int = _HEAD) -> str:
    if path.suffix.lower() not in _PEEKED:
        return ""
    try:
        with open(path, "rb", buffering=0, opener=_open_at_once) as file:
            data = file.read(size) or b""
    except (OSError, ValueError):  # reported when it is read
        return ""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    return data.decode(encoding, "replace").replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting, as for the other end of a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def put_into_place(parsed: ParsedDocument, place: Place | None) -> ParsedDocument:
    """Return the document with the course and lessons of its place; unchanged if that is None.

    Its own lesson markers stay, unless the file describes a course.
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
    """Return the first paragraph of prose, shortened; None if there is none."""
    for lesson in parsed.lessons:
        for paragraph in _PARAGRAPHS.split(parsed.text[lesson.start : lesson.end]):
            if _NOT_PROSE.match(paragraph) or not any(character.isalpha() for character in paragraph):
                continue
            return shorten(plain_inline(" ".join(paragraph.split())), _DESCRIPTION_LIMIT)
    return None
