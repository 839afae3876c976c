"""Finds the course and its lessons in a document's text.

The form of a course file::

    Course Title: Building with Claude
    Course Link: https://example.org/course
    Course Instructor: Ada Example

    Lesson 0: Introduction
    Lesson Link: https://example.org/course/0
    Welcome to the course. …

All of it is optional, and Markdown around it is allowed. The text is never altered: whatever is found is a
span of it.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import PurePath
from urllib.parse import urlsplit

from app.core.documents.recordings import is_recording
from app.core.documents.text.markdown_structure import (
    Span,
    fences,
    front_matter_end,
    heading_marks,
    is_within,
    lines,
    plain_inline,
    skip_space,
    without_closing_hashes,
)
from app.core.documents.text.sentences import RUNS_ON
from app.domain.documents import DocumentText, Lesson, ParsedDocument
from app.domain.plain_text import one_line, shorten

TITLE_LIMIT = 200
_MARKER_LIMIT = 200
_HEADER_LINES = 4
_PROSE_WORDS = 12
# A longer line with a key or a marker is also content: a whole lecture may stand on one line.
_LINE_LIMIT = 1000

# A key or a marker may follow the sign of a heading, quotation or list item, then of emphasis.
_KEY = re.compile(
    r"[ \t]{0,3}(?:#{1,6}[ \t]+|>[ \t]*|[-*+][ \t]+)?(?P<mark>[*_]{0,3})"
    r"course[ \t]+(?P<key>title|link|instructor)[*_]{0,3}[ \t]*[:：](?P<value>[^\n]*)",
    re.IGNORECASE,
)
_LINK_LINE = re.compile(
    r"\s*?[ \t]{0,3}(?:>[ \t]*|[-*+][ \t]+)?(?P<mark>[*_]{0,3})"
    r"lesson[ \t]+link[*_]{0,3}[ \t]*[:：](?P<value>[^\n]*)",
    re.IGNORECASE,
)
_MARKER = re.compile(
    r"^[ \t]{0,3}(?P<heading>#{1,6}[ \t]+)?(?P<mark>[*_]{0,3})lesson[ \t]+(?P<number>\d{1,4})[*_]{0,3}"
    r"(?:[ \t]*(?P<colon>[:：])(?!\d)|[ \t]*[.)](?=\s|\Z)|[ \t]*[-–—][ \t]|(?=[ \t]*$))"
    r"(?P<title>[^\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
_LINK_TARGET = re.compile(
    r"<?(?:\[[^\]\n]*\]\()?\s*(https?://[^\s<>()\"]*(?:\([^\s<>()\"]*\)[^\s<>()\"]*)*)", re.IGNORECASE
)
_MATTER_TITLE = re.compile(r"^title[ \t]*:[ \t]*(?P<value>[^\n]*)$", re.IGNORECASE | re.MULTILINE)
# Around a first line that is a title: signs of Markdown, and "= Title =" of wikis.
_LINE_SIGNS = re.compile(r"^[ \t]*(?:(?:#{1,6}|=+|[-*+•])[ \t]+|>[ \t]*)")
_CLOSING_SIGNS = re.compile(r"[ \t](?:#+|=+)[ \t]*$")
_SEPARATORS = re.compile(r"[\s_]+")
# What a heading of Markdown may hold beside its text: tags, "[text][reference]" and "{#name}" at its end.
_TAG = re.compile(r"<[/!A-Za-z][^<>\n]{0,300}>")
_REFERENCE = re.compile(r"\[([^\[\]\n]{1,200})\]\[[^\[\]\n]{0,100}\]")
_ATTRIBUTES = re.compile(r"\{[#.:][^{}\n]{0,100}\}")
_MAIN_HEADING = re.compile(r"#[ \t]|[^\n]{1,200}\n={2}")
_BARE_NAME = re.compile(r"[^\W\d]{0,20}[\W_]?\d{1,3}")  # "chapter22"
_INTRODUCTIONS = frozenset({"readme", "index", "syllabus"})  # which need no ending; a Makefile has comments
_HEADING_WITHIN = 4000  # characters; badges and pictures may stand before the title of a README
# A line with "#" is a comment in them, or nothing that the author wrote as a heading.
_WITHOUT_HEADINGS = frozenset({".txt", ".text", ".pdf", ".srt", ".vtt"})
_ATX_LINE = re.compile(r"#{1,6}[ \t]")
# "Lecture 3: Cells" as the first line of a text without signs of headings.
_UNIT_LINE = re.compile(
    r"[ \t]*(?:lecture|lesson|week|module|chapter|unit|session)[ \t]+\d{1,3}\b[^\n]{0,150}\Z", re.IGNORECASE
)


class DocumentProcessor:
    """Finds course and lessons in a document. Stateless; one serves all threads."""

    def parse(self, document: DocumentText, file_name: str) -> ParsedDocument:
        """Read header and lesson markers.

        A key of the header counts within the first four lines that are not blank, in any order and case.

        A lesson begins at a line of at most 200 characters that starts with "Lesson" and a number: "Lesson 3:
        Title", "Lesson 3 - Title", "Lesson 3. Title" or "Lesson 3", also as a Markdown heading or in bold.
        Prose does not begin one: a "title" in lower case that ends with a stop or goes on after a comma
        ("Lesson 3: as we said above, …"), one of more than 12 words that ends with a stop, and (except with a
        colon) one that continues the line before. Nor does code, nor a table of contents of lessons that
        follow. A "Lesson Link:" line directly below makes any such line a marker, and is not content.

        There is at least one lesson, and together they hold all text but header, markers and white space. The
        title has at most 200 characters; it comes from ``file_name`` if the text has none.
        """
        text = document.text
        markers = _without_contents(text, list(_markers(text)))
        begin = markers[0].start if markers else len(text)
        header, header_lines = _header(text, begin)
        matter = front_matter_end(text)
        match = _MATTER_TITLE.search(text, 0, matter)
        matter_title = _heading_in(match.group("value").strip("\"' \t")) if match else ""
        named = _title_in(header.get("title", ""))
        path = PurePath(file_name)
        within = 0 if path.suffix.lower() in _WITHOUT_HEADINGS else _HEADING_WITHIN
        is_script = not path.suffix and path.stem.casefold() not in _INTRODUCTIONS
        first_lines = [span for span in _first_lines(text, begin, matter) if span not in header_lines]
        return ParsedDocument(
            course_title=named or matter_title or _first_title(text, first_lines) or title_of_file(file_name),
            course_link=web_link(header.get("link", "")),
            instructor=_title_in(header.get("instructor", "")) or None,
            text=text,
            marks=document.marks,
            lessons=tuple(_lessons(text, header_lines, markers)),
            has_header=bool(named),
            heading=""
            if is_script or is_recording(file_name)  # its headings are those of slides
            else matter_title or _first_heading(text, matter, header_lines, within, path.stem),
            is_marked=bool(markers),
        )


def web_link(value: str) -> str | None:
    """Return the http(s) address in a value, also of ``<…>`` or a Markdown link, else None."""
    if found := _LINK_TARGET.match(value[:_LINE_LIMIT].strip()):
        link = found.group(1).rstrip(".,;")
        with suppress(ValueError):
            return link if urlsplit(link).hostname else None
    return None


def title_of_file(file_name: str) -> str:
    stem = PurePath(file_name).stem
    return shorten(one_line(_SEPARATORS.sub(" ", stem)), TITLE_LIMIT) or "Untitled"


def _title_in(value: str) -> str:
    """Return a value as a title; empty if it has no letter or digit."""
    title = plain_inline(value)
    return shorten(title, TITLE_LIMIT) if any(map(str.isalnum, title)) else ""


def _heading_in(value: str) -> str:
    """Return a heading as a title; empty if it has no letter, as "(1)"."""
    value = _REFERENCE.sub(r"\1", _ATTRIBUTES.sub("", _TAG.sub("", value[:_LINE_LIMIT])))
    title = _title_in(value)
    return title if any(map(str.isalpha, title)) else ""


def _header(text: str, end: int) -> tuple[dict[str, str], list[Span]]:
    """Return the values of the keys in the first lines, and the spans of these lines."""
    values: dict[str, str] = {}
    spans = []
    for start, stop in _first_lines(text, end):
        if match := _KEY.match(text, start, stop):
            values.setdefault(match.group("key").lower(), _value(match, "value"))
            if stop - start <= _LINE_LIMIT:
                spans.append((start, stop))
    return values, spans


def _first_lines(text: str, end: int, start: int = 0) -> Iterator[Span]:
    return islice((span for span in lines(text, start, end) if text[slice(*span)].strip()), _HEADER_LINES)


def _markers(text: str) -> Iterator[Lesson]:
    """Yield the lessons with the spans of their markers, up to the content."""
    code = fences(text)
    for match in _MARKER.finditer(text):
        if is_within(code, match.start()) or match.end() - match.start() > _LINE_LIMIT:
            continue
        link = _LINK_LINE.match(text, match.end())
        if link and link.end() - link.start("value") > _LINE_LIMIT:
            link = None
        if link is None and not _is_marker(text, match):
            continue
        yield Lesson(
            int(match.group("number")),
            _title_in(_marker_title(match)),
            web_link(_value(link, "value")) if link else None,
            match.start(),
            link.end() if link else match.end(),
        )


def _is_marker(text: str, match: re.Match[str]) -> bool:
    """Whether a line in the form of a marker is one, when no link follows to prove it."""
    if match.end() - match.start() > _MARKER_LIMIT:
        return False
    title = _marker_title(match)
    line = text[max(0, text.rfind("\n", 0, max(match.start() - 1, 0)) + 1) : match.start()].strip()
    apart = not line or any(form.match(line) for form in (_KEY, _LINK_LINE, _MARKER, _ATX_LINE))
    if title and _reads_as_prose(title, apart=apart):
        return False
    if apart or match.group("heading") or match.group("colon"):
        return True
    # "… as we said in / Lesson 3. We then …": the sentence continues.
    return line[-1] != "," and line.rsplit(None, 1)[-1].lower() not in RUNS_ON


def _reads_as_prose(title: str, *, apart: bool) -> bool:
    stopped = title[-1] in ".,;…"
    if title[0].islower():
        return stopped or (", " in title and not apart)
    return stopped and len(title.split()) > _PROSE_WORDS


def _marker_title(match: re.Match[str]) -> str:
    title = _value(match, "title")
    return without_closing_hashes(title) if match.group("heading") else title


def _value(match: re.Match[str], group: str) -> str:
    """Return a group's text without emphasis that began before the key: "**Key:** x", "**Key: x**"."""
    mark = match.group("mark")
    return match.group(group).strip().removeprefix(mark).removesuffix(mark).strip()


def _without_contents(text: str, markers: list[Lesson]) -> list[Lesson]:
    """Drop a table of contents: consecutive lines at the beginning whose lessons all recur."""
    last = {marker.number: index for index, marker in enumerate(markers)}
    listed = 0
    for index, marker in enumerate(markers):
        if marker.link or last[marker.number] == index:
            break
        listed = index + 1
        following = markers[listed].start if listed < len(markers) else len(text)
        if text[marker.end : following].strip():
            break  # the last line of the list, or a lesson with its text
    return markers[listed:] if listed > 1 else markers


def _first_title(text: str, spans: list[Span]) -> str:
    """Return the first line that can be a title; empty if a long line comes before it."""
    for start, stop in spans:
        if stop - start > TITLE_LIMIT:
            break
        line = _LINE_SIGNS.sub("", text[start:stop])
        if title := _heading_in(_CLOSING_SIGNS.sub("", line)):
            return title
    return ""


def _first_heading(text: str, matter: int, header_lines: list[Span], within: int, stem: str) -> str:
    """Return the first heading with a letter that is in the first lines, or a main one soon after them.

    Any one will do where the file's name says no more than its number.
    """
    is_bare = _BARE_NAME.fullmatch(stem) is not None
    spans = [span for span in _first_lines(text, len(text), matter) if span not in header_lines]
    if not spans:
        return ""
    last = spans[-1]
    for mark in heading_marks(text[: max(last[1] + 200, within)]):  # with room for its underline
        is_near = mark.start <= last[0] or (
            mark.start < within and (is_bare or _MAIN_HEADING.match(text, mark.start))
        )
        # The path to a heading ends with its own text.
        if is_near and (title := _heading_in(str(mark.anchor.value).rsplit(" › ", 1)[-1])):
            return title
    first = text[slice(*spans[0])]
    is_unit = _UNIT_LINE.match(first) and not _reads_as_prose(first.strip(), apart=True)
    return _heading_in(first) if is_unit else ""


def _lessons(text: str, header_lines: list[Span], markers: list[Lesson]) -> Iterator[Lesson]:
    begin = markers[0].start if markers else len(text)
    starts, ends = [0, *(end for _, end in header_lines)], [*(start for start, _ in header_lines), begin]
    before = [_lesson_span(text, start, end) for start, end in zip(starts, ends, strict=True)]
    found = [span for span in before if span[0] < span[1]]
    if not found and not markers:
        found = [(len(text), len(text))]
    for span in found:
        yield Lesson(None, "", None, *span)
    ends = [*(marker.start for marker in markers[1:]), len(text)]
    for marker, following in zip(markers, ends, strict=False):
        start, end = _lesson_span(text, marker.end, following)
        yield replace(marker, start=start, end=end)


def _lesson_span(text: str, start: int, end: int) -> Span:
    """Leave out blank lines before (the first line keeps its indent) and white space after."""
    first = skip_space(text, start, end)
    if first < end:
        start = max(start, text.rfind("\n", start, first) + 1)
        return start, start + len(text[start:end].rstrip())
    return end, end
