"""OpenDocument texts and presentations to text: headings, lists, tables, formulas, slides, notes."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from app.core.documents.readers import ReaderError
from app.core.documents.readers.safe_archive import Archive, is_archive_with
from app.core.documents.readers.text_builder import PART, TextBuilder, collapsed, picture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from app.domain.documents import DocumentText


_URN = "{urn:oasis:names:tc:opendocument:xmlns:"
_OFFICE, _TEXT, _TABLE = f"{_URN}office:1.0}}", f"{_URN}text:1.0}}", f"{_URN}table:1.0}}"
_DRAW, _STYLE, _SVG = f"{_URN}drawing:1.0}}", f"{_URN}style:1.0}}", f"{_URN}svg-compatible:1.0}}"
_PRESENTATION = f"{_URN}presentation:1.0}}"
_FORMULA = "{http://www.w3.org/1998/Math/MathML}annotation"
_HREF = "{http://www.w3.org/1999/xlink}href"
_NOT_TEXT = frozenset(
    (
        *(f"{_OFFICE}{name}" for name in ("annotation", "forms", "automatic-styles", "settings")),
        *(f"{_TEXT}{name}" for name in ("tracked-changes", "sequence-decls", "variable-decls")),
        *(f"{_TEXT}{name}" for name in ("table-of-content", "alphabetical-index", "illustration-index")),
        *(f"{_TEXT}{name}" for name in ("table-index", "object-index", "user-index")),
    )
)
_SIGNS = {f"{_TEXT}tab": "\t", f"{_TEXT}line-break": "\n"}
_AROUND = ("header", "footer", "date-time", "page-number")
_TITLE = re.compile(r"^Title$")
_CODE = re.compile(r"(?<![a-z])(?:preformatted|source|code)(?![a-z])", re.IGNORECASE)
_LENGTH = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?)(cm|mm|in|pt)")
_MILLIMETRES = {"cm": 10.0, "mm": 1.0, "in": 25.4, "pt": 25.4 / 72}
_SAME_HEIGHT = 5  # millimetres
_MOST_REPEATED = 20  # times that a cell stands for others like it


def is_opendocument(data: bytes, kind: str) -> bool:
    """Whether an archive says that it is a text, presentation or spreadsheet: first of all, or later."""
    kind_of_file = f"application/vnd.oasis.opendocument.{kind}".encode()
    return b"mimetype" + kind_of_file in data[:150] or is_archive_with(data, "mimetype", kind_of_file)


def read_odt(data: bytes) -> DocumentText:
    """Read a text document; each heading with the path that leads to it is an anchor."""
    reader, body = _opened(data, "text")
    reader.add(body)
    for note in reader.notes:
        reader.builder.block(note)
    return reader.builder.finish()


def read_odp(data: bytes) -> DocumentText:
    """Read a presentation without footers; each slide with text is an anchor, counted from 1."""
    reader, body = _opened(data, "presentation")
    for number, page in enumerate(body.iterfind(f"{_DRAW}page"), 1):
        reader.builder.anchor("slide", number)
        reader.add_slide(page)
    return reader.builder.finish()


def _opened(data: bytes, kind: str) -> tuple[_OdfReader, _Element]:
    archive = Archive(data)
    manifest = "META-INF/manifest.xml"
    if manifest in archive.names and b":encryption-data" in archive.read(manifest):
        raise ReaderError("documents.password")
    content = archive.xml("content.xml")
    body = content.find(f"{_OFFICE}body/{_OFFICE}{kind}")
    if body is None:
        raise ReaderError
    styles = archive.xml("styles.xml") if "styles.xml" in archive.names else content
    return _OdfReader(archive, [content, styles]), body


class _OdfReader:
    def __init__(self, archive: Archive, roots: list[_Element]) -> None:
        self.builder = TextBuilder()
        self.notes: list[str] = []
        self._archive = archive
        self._parents = {
            style.get(f"{_STYLE}name"): style.get(f"{_STYLE}parent-style-name")
            for root in roots
            for style in root.iter(f"{_STYLE}style")
        }
        self._numbered = {  # list styles with their levels, counted from 1
            (level.getparent().get(f"{_STYLE}name"), level.get(f"{_TEXT}level"))
            for root in roots
            for level in root.iter(f"{_TEXT}list-level-style-number")
            if level.get(f"{_STYLE}num-format")
        }
        self._code: list[str] = []
        self._aside: list[_Element] = []  # text boxes and charts of a paragraph, which follow it

    def add(self, parent: _Element) -> None:
        for element in parent:
            if element.tag == f"{_TEXT}p" and self._has_style(element, _CODE):
                self._code += self._inline(element).split("\n")
                continue
            self._flush_code()
            self._add_one(element)
        self._flush_code()

    def _add_one(self, element: _Element) -> None:
        tag = element.tag
        if tag == f"{_TEXT}h":
            level = element.get(f"{_TEXT}outline-level") or ""
            self.builder.heading(int(level) if level.isdigit() else 1, self._inline(element))
        elif tag == f"{_TEXT}p" and self._has_style(element, _TITLE):
            self.builder.heading(1, self._inline(element))
        elif tag == f"{_TEXT}list":
            self._add_list(element)
        elif tag == f"{_TABLE}table":
            self.builder.table(self._rows(element))
        elif tag in (f"{_TEXT}p", f"{_DRAW}frame"):
            self._add_line("", self._piece(element) if tag == f"{_DRAW}frame" else self._inline(element))
        elif isinstance(tag, str) and tag not in _NOT_TEXT:
            self.add(element)  # sections, groups and shapes hold paragraphs

    def _add_line(self, lead: str, text: str) -> None:
        if text := collapsed(text):
            self.builder.block(lead + text.replace("\n", "\n" + " " * len(lead)), tight=bool(lead))
        aside, self._aside = self._aside, []
        for element in aside:
            self.add(element)

    def _add_list(self, element: _Element, level: int = 1, style: str | None = None) -> None:
        style = element.get(f"{_TEXT}style-name") or style
        is_numbered = (style, str(level)) in self._numbered
        for number, item in enumerate(element.iterfind(f"{_TEXT}list-item"), 1):
            lead = "  " * (level - 1) + (f"{number}. " if is_numbered else "- ")
            for child in item:
                if child.tag == f"{_TEXT}list":
                    self._add_list(child, level + 1, style)
                elif child.tag == f"{_TEXT}p":
                    self._add_line(lead, self._inline(child))
                    lead = " " * len(lead)
                else:
                    self._add_one(child)

    def _rows(self, table: _Element) -> Iterator[list[str]]:
        for row in table.iter(f"{_TABLE}table-row"):
            if next(row.iterancestors(f"{_TABLE}table"), None) is not table:
                continue  # of a table inside a cell, which is part of the cell's text
            cells = []
            for cell in row.iterfind("*"):
                lines = (
                    line
                    for line in cell.iter(f"{_TEXT}p", f"{_TEXT}h")
                    if next(line.iterancestors(f"{_TEXT}note"), None) is None
                )
                repeated = cell.get(f"{_TABLE}number-columns-repeated") or "1"
                times = min(int(repeated), _MOST_REPEATED) if repeated.isdigit() else 1
                cells += [" ".join(map(self._inline, lines))] * times
            yield cells

    def _inline(self, element: _Element) -> str:
        """Return an element's text; notes, text boxes and charts in it are kept for later."""
        parts = [_spaced(element.text)]
        for child in element:
            parts += (self._piece(child), _spaced(child.tail))
        return "".join(parts)

    def _piece(self, element: _Element) -> str:
        tag = element.tag
        if tag == f"{_TEXT}s":
            count = element.get(f"{_TEXT}c") or "1"
            return " " * min(int(count), 80) if count.isdigit() else " "
        if tag == f"{_TEXT}note":
            sign = element.findtext(f"{_TEXT}note-citation") or ""
            body = element.find(f"{_TEXT}note-body")
            lines = [] if body is None else [self._inline(line) for line in body.iter(f"{_TEXT}p")]
            self.notes.append(f"[{sign}] {collapsed(' '.join(lines))}")
            return f"[{sign}]"
        if tag == f"{_DRAW}frame":
            return self._frame(element)
        if tag in _NOT_TEXT or not isinstance(tag, str):
            return ""
        return _SIGNS.get(tag) or self._inline(element)

    def _frame(self, frame: _Element) -> str:
        """Return a formula's source or a picture's description; texts and tables are kept for later."""
        if frame.find(f"{_DRAW}text-box") is not None or frame.find(f"{_TABLE}table") is not None:
            self._aside.append(frame)
            return ""
        held = frame.find(f"{_DRAW}object")
        part = posixpath.normpath(f"{held.get(_HREF) or ''}/content.xml") if held is not None else ""
        if part in self._archive.names:
            content = self._archive.xml(part)
            formula = next(content.iter(_FORMULA), None)
            if formula is not None:
                return f" {formula.text or ''} "
            self._aside.append(content)  # a chart, with its numbers as a table
            return ""
        image = frame.find(f"{_DRAW}image")
        part = posixpath.normpath(image.get(_HREF) or "") if image is not None else ""
        words = frame.findtext(f"{_SVG}desc") or frame.findtext(f"{_SVG}title")
        return picture(words, PART + part if part in self._archive.names else "")

    def add_slide(self, page: _Element) -> None:
        shapes = [shape for shape in page if shape.get(f"{_PRESENTATION}class") not in _AROUND]
        titles = [shape for shape in shapes if shape.get(f"{_PRESENTATION}class") == "title"]
        for title in titles:
            self.builder.heading(1, " ".join(map(self._inline, title.iter(f"{_TEXT}p"))), anchored=False)
        for shape in sorted(shapes, key=_place):
            if shape not in titles and shape.tag != f"{_PRESENTATION}notes":
                self._add_one(shape)
        notes = page.xpath(".//*[local-name()='notes']//*[@*[local-name()='class']='notes']")
        lines = [self._inline(line) for note in notes for line in note.iter(f"{_TEXT}p")]
        if said := collapsed("\n".join(lines)):
            self.builder.block(f"Notes: {said}")

    def _has_style(self, paragraph: _Element, name: re.Pattern[str]) -> bool:
        """Whether a paragraph's style or one it is based on has such a name."""
        style = paragraph.get(f"{_TEXT}style-name")
        seen = set()
        while style and style not in seen:
            if name.search(style):
                return True
            seen.add(style)
            style = self._parents.get(style)
        return False

    def _flush_code(self) -> None:
        self.builder.code("\n".join(self._code))
        self._code = []


def _spaced(text: str | None) -> str:
    """Return characters as they count: a newline among them is a space."""
    return (text or "").replace("\n", " ")


def _place(shape: _Element) -> tuple[int, float]:
    """Return where a shape stands: shapes of about the same height are read from left to right."""
    placed = shape if shape.get(f"{_SVG}y") else next((s for s in shape.iter() if s.get(f"{_SVG}y")), shape)
    return int(_length(placed, "y") // _SAME_HEIGHT), _length(placed, "x")


def _length(shape: _Element, name: str) -> float:
    found = _LENGTH.match(shape.get(f"{_SVG}{name}") or "")
    return float(found.group(1)) * _MILLIMETRES[found.group(2)] if found else 0.0
