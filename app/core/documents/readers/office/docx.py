"""Word documents to text: headings, paragraphs, lists, tables, code, formulas, notes."""

from __future__ import annotations

import io
import re
from collections import defaultdict
from typing import TYPE_CHECKING

from app.core.documents.readers.errors import ReaderError
from app.core.documents.readers.office.formulas import formula
from app.core.documents.readers.safe_archive import Archive, is_archive_with
from app.core.documents.readers.text_builder import TextBuilder, collapsed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docx.document import Document
    from lxml.etree import _Element

    from app.domain.documents import DocumentText

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"

_HEADING = re.compile(r"heading (\d)")
_CODE = re.compile(
    r"\b(?:source|code|listing|preformatted|verbatim|macro text)\b|^html preformatted", re.IGNORECASE
)
_CONTENTS = re.compile(r"toc (?:\d|heading)|table of figures|index \d", re.IGNORECASE)
_NOT_TEXT = frozenset(
    {
        *(f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "fldData", "commentReference")),
        *(f"{_W}{name}" for name in ("rPr", "pPr", "tblPr", "tcPr", "trPr", "sectPr")),
        _FALLBACK,
    }
)
_NOTES = (("footnotes", "footnote"), ("endnotes", "endnote"))


def is_docx(data: bytes) -> bool:
    return is_archive_with(data, "word/document.xml")


def read_docx(data: bytes) -> DocumentText:
    """Read a Word document; each heading with the path that leads to it is an anchor.

    Headers, footers, the table of contents, deleted text and comments are left out; footnotes and
    endnotes follow the text.
    """
    import docx  # heavy, and needed for this format only
    from docx.opc.exceptions import PackageNotFoundError
    from lxml.etree import XMLSyntaxError

    archive = Archive(data)
    try:
        document = docx.Document(io.BytesIO(archive.markup_only()))
        reader = _DocxReader(document)
        reader.read(document.element.body)
        for part, kind in _NOTES:
            path = f"word/{part}.xml"
            if path in archive.names:
                reader.read_notes(archive.xml(path), kind)
    except (
        PackageNotFoundError,
        XMLSyntaxError,
        KeyError,
        ValueError,
        AttributeError,
        OSError,
        EOFError,
    ) as error:
        # What the library raises for packages that lack a part or have one of another kind.
        raise ReaderError from error
    return reader.builder.finish()


class _DocxReader:
    def __init__(self, document: Document) -> None:
        self.builder = TextBuilder()
        self._styles = _style_kinds(document)
        self._list_styles = _list_styles(document)
        self._forms = _number_forms(document)
        self._counts: dict[tuple[str, int], int] = defaultdict(int)
        self._code: list[str] = []

    def read(self, parent: _Element) -> None:
        for element in parent:
            if element.tag == f"{_W}p":
                self._paragraph(element)
            elif element.tag == f"{_W}tbl":
                self._flush_code()
                self.builder.table(_rows(element))
            elif isinstance(element.tag, str) and element.tag not in _NOT_TEXT and not _is_contents(element):
                self.read(element)  # content controls, insertions and the like hold paragraphs
        self._flush_code()

    def read_notes(self, root: _Element, kind: str) -> None:
        for note in root.findall(f"{_W}{kind}"):
            if note.get(f"{_W}type") in (None, "normal"):
                text = " ".join(_text(paragraph) for paragraph in note.iter(f"{_W}p"))
                if text.strip():
                    self.builder.block(f"[{note.get(f'{_W}id')}] {collapsed(text)}")

    def _paragraph(self, paragraph: _Element) -> None:
        properties = paragraph.find(f"{_W}pPr")
        style = _child_value(properties, "pStyle")
        kind, level = self._styles.get(style, ("", 0))
        outline = _child_value(properties, "outlineLvl")
        if outline.isdigit() and int(outline) < 6 and kind in ("", "body"):
            kind, level = "heading", int(outline) + 1
        text = _text(paragraph)
        if kind == "contents":
            return
        if kind == "code":
            self._code.extend(text.split("\n"))
            return
        self._flush_code()
        if kind == "heading" and text.strip():
            self.builder.heading(level, text)
        else:
            marker = self._marker(properties, style)
            if text := collapsed(text):
                self.builder.block(marker + text, tight=bool(marker))
        for box in _boxes(paragraph):
            self.read(box)

    def _flush_code(self) -> None:
        if self._code:
            lines, self._code = self._code, []
            self.builder.code("\n".join(lines))

    def _marker(self, properties: _Element | None, style: str) -> str:
        """Return a list item's sign with its indent; empty for other paragraphs."""
        numbers = properties.find(f"{_W}numPr") if properties is not None else None
        number = _child_value(numbers, "numId") or self._list_styles.get(style, "")
        if not number or number == "0":
            return ""
        depth = _child_value(numbers, "ilvl")
        level = min(int(depth), 8) if depth.isdigit() else 0
        form = self._forms.get((number, level), "bullet")
        if form == "none":
            return ""
        for key in [key for key in self._counts if key[0] == number and key[1] > level]:
            del self._counts[key]
        self._counts[number, level] += 1
        sign = "- " if form == "bullet" else f"{self._counts[number, level]}. "
        return "  " * level + sign


def _list_styles(document: Document) -> dict[str, str]:
    """Return the list that each paragraph style belongs to, if it does."""
    numbers = {
        style.get(f"{_W}styleId") or "": _child_value(style.find(f"{_W}pPr/{_W}numPr"), "numId")
        for style in document.styles.element.findall(f"{_W}style")
    }
    return {style: number for style, number in numbers.items() if number}


def _number_forms(document: Document) -> dict[tuple[str, int], str]:
    """Return how each level of each list is numbered."""
    part = next(
        (rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith("/numbering")), None
    )
    root = getattr(part, "element", None)
    if root is None:
        return {}
    forms = {
        (abstract.get(f"{_W}abstractNumId"), int(level.get(f"{_W}ilvl") or 0)): _child_value(level, "numFmt")
        for abstract in root.findall(f"{_W}abstractNum")
        for level in abstract.findall(f"{_W}lvl")
    }
    return {
        (number.get(f"{_W}numId") or "", level): form
        for number in root.findall(f"{_W}num")
        for (owner, level), form in forms.items()
        if owner == _child_value(number, "abstractNumId")
    }


def _style_kinds(document: Document) -> dict[str, tuple[str, int]]:
    """Return what each paragraph style means: a heading and its level, code, contents."""
    styles = {style.get(f"{_W}styleId"): style for style in document.styles.element.findall(f"{_W}style")}
    kinds: dict[str, tuple[str, int]] = {}
    for identity in styles:
        current, seen = identity, set()
        while current in styles and current not in seen:
            seen.add(current)
            kind = _kind_of_style(styles[current])
            if kind:
                kinds[identity or ""] = kind
                break
            current = _child_value(styles[current], "basedOn")
    return kinds


def _kind_of_style(style: _Element) -> tuple[str, int] | None:
    name = _child_value(style, "name").lower()
    if name == "title":
        return "heading", 1
    heading = _HEADING.fullmatch(name)
    if heading:
        return "heading", min(int(heading.group(1)), 6)
    if _CONTENTS.match(name):
        return "contents", 0
    if _CODE.search(name):
        return "code", 0
    outline = _child_value(style.find(f"{_W}pPr"), "outlineLvl")
    if outline.isdigit() and int(outline) < 6:
        return "heading", int(outline) + 1
    return None


def _is_contents(element: _Element) -> bool:
    gallery = element.find(f"{_W}sdtPr/{_W}docPartObj/{_W}docPartGallery")
    return gallery is not None and gallery.get(f"{_W}val") == "Table of Contents"


def _child_value(element: _Element | None, name: str) -> str:
    child = element.find(f"{_W}{name}") if element is not None else None
    return (child.get(f"{_W}val") or "") if child is not None else ""


def _text(element: _Element) -> str:
    return "".join(_pieces(element))


def _pieces(element: _Element) -> Iterator[str]:
    """Yield a paragraph's text without text boxes and deletions."""
    for child in element:
        tag = child.tag
        if tag == f"{_W}t":
            yield child.text or ""
        elif tag in (f"{_W}br", f"{_W}cr"):
            yield "\n"
        elif tag in (f"{_W}tab", f"{_W}ptab"):
            yield "\t"
        elif tag == f"{_W}noBreakHyphen":
            yield "-"
        elif tag in (f"{_M}oMath", f"{_M}oMathPara"):
            yield formula(child)
        elif tag in (f"{_W}footnoteReference", f"{_W}endnoteReference"):
            yield f"[{child.get(f'{_W}id')}]"
        elif tag == f"{_WP}docPr":
            words = child.get("descr") or ""
            if len(words.split()) > 2:
                yield f" [Picture: {' '.join(words.split())}] "
        elif tag not in _NOT_TEXT and isinstance(tag, str) and not tag.endswith("}txbxContent"):
            yield from _pieces(child)


def _boxes(paragraph: _Element) -> Iterator[_Element]:
    """Yield the contents of a paragraph's text boxes, without their copies for old programs."""
    for box in paragraph.iter(f"{_W}txbxContent"):
        if next(box.iterancestors(_FALLBACK), None) is None:
            yield box


def _rows(table: _Element) -> Iterator[list[str]]:
    for row in table.iter(f"{_W}tr"):
        if next(row.iterancestors(f"{_W}tbl"), None) is not table:
            continue  # of a table inside a cell, which is part of the cell's text
        yield [
            "" if _goes_on(cell) else " ".join(_text(paragraph) for paragraph in cell.iter(f"{_W}p"))
            for cell in row.iter(f"{_W}tc")
            if next(cell.iterancestors(f"{_W}tr"), None) is row
        ]


def _goes_on(cell: _Element) -> bool:
    """Whether a cell is the lower part of a vertically merged one."""
    merge = cell.find(f"{_W}tcPr/{_W}vMerge")
    return merge is not None and merge.get(f"{_W}val") != "restart"
