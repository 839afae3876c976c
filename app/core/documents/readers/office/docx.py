"""Word and RTF documents to text: headings, paragraphs, lists, tables, code, formulas, notes."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from striprtf.striprtf import remove_pict_groups, rtf_to_text

from app.core.documents.readers.office.drawings import BLIP, EMBED, add_chart, drawn_picture, formula
from app.core.documents.readers.safe_archive import Archive, parse_xml
from app.core.documents.readers.text_builder import TextBuilder, collapsed, readable, without_signs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docx.document import Document
    from lxml.etree import _Element

    from app.domain.documents import DocumentText


_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}chart"
_R_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"

_SIGNS = {f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}tab": "\t", f"{_W}ptab": "\t", f"{_W}noBreakHyphen": "-"}
_SIGN_PLACE = re.compile(r"[0-9A-Fa-f]{4}")
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


def read_docx(data: bytes) -> DocumentText:
    """Read a Word document; each heading with the path that leads to it is an anchor.

    Headers, footers, contents, deleted text and comments are left out; notes follow the text.
    """
    import docx  # heavy, and needed for this format only

    archive = Archive(data)
    document = docx.Document(archive.markup_only())
    reader = _DocxReader(document)
    _name_parts(document)
    reader.read(document.element.body)
    for kind in ("footnote", "endnote"):
        if f"word/{kind}s.xml" in archive.names:
            reader.read_notes(archive.xml(f"word/{kind}s.xml").findall(f"{_W}{kind}"))
    return reader.builder.finish()


class _DocxReader:
    def __init__(self, document: Document) -> None:
        self.builder = TextBuilder()
        self._relations = document.part.rels
        styles = {style.get(f"{_W}styleId"): style for style in document.styles.element.findall(f"{_W}style")}
        self._styles = {name: _style_kind(styles, name) for name in styles}
        self._list_styles = {name: _value(style, "pPr/numPr/numId") for name, style in styles.items()}
        self._forms = _number_forms(document)
        self._counts: dict[tuple[str, int], int] = defaultdict(int)
        self._code: list[str] = []

    def read(self, parent: _Element) -> None:
        if _value(parent, "sdtPr/docPartObj/docPartGallery") == "Table of Contents":
            return
        for element in parent:
            if element.tag == f"{_W}p":
                self._paragraph(element)
            elif element.tag == f"{_W}tbl":
                self._flush_code()
                self.builder.table(_rows(element))
            elif isinstance(element.tag, str) and element.tag not in _NOT_TEXT:
                self.read(element)  # content controls, insertions and the like hold paragraphs
        self._flush_code()

    def read_notes(self, notes: list[_Element]) -> None:
        for note in notes:
            text = collapsed(" ".join(map(_text, note.iter(f"{_W}p"))))
            if text and note.get(f"{_W}type") in (None, "normal"):
                self.builder.block(f"[{note.get(f'{_W}id')}] {text}")

    def _paragraph(self, paragraph: _Element) -> None:
        style = _value(paragraph, "pPr/pStyle")
        kind, level = self._styles.get(style, ("", 0))
        if not kind:
            kind, level = _outline(paragraph)
        text = _text(paragraph)
        if kind == "contents":
            return
        if kind == "code":
            self._code.extend(text.split("\n"))
            return
        self._flush_code()
        if kind == "heading" and without_signs(text).strip():
            self.builder.heading(level, text)
        else:
            marker = self._marker(paragraph, style)
            if without_signs(text := collapsed(text)):
                self.builder.block(marker + text, tight=bool(marker))
            else:
                self.builder.block(text)
        for box in paragraph.iter(f"{_W}txbxContent"):
            if next(box.iterancestors(_FALLBACK), None) is None:  # no copy for old programs
                self.read(box)
        for chart in paragraph.iter(_CHART):
            if (relation := self._relations.get(chart.get(_R_ID))) and not relation.is_external:
                add_chart(self.builder, parse_xml(relation.target_part.blob))

    def _flush_code(self) -> None:
        self.builder.code("\n".join(self._code))
        self._code = []

    def _marker(self, paragraph: _Element, style: str) -> str:
        """Return a list item's sign with its indent; empty for other paragraphs."""
        number = _value(paragraph, "pPr/numPr/numId") or self._list_styles.get(style, "")
        if number in ("", "0"):
            return ""
        depth = _value(paragraph, "pPr/numPr/ilvl")
        level = min(int(depth), 8) if depth.isdigit() else 0
        form = self._forms.get(number, {}).get(level, "bullet")
        if form == "none":
            return ""
        for key in [key for key in self._counts if key[0] == number and key[1] > level]:
            del self._counts[key]
        self._counts[number, level] += 1
        sign = "- " if form == "bullet" else f"{self._counts[number, level]}. "
        return "  " * level + sign


def _number_forms(document: Document) -> dict[str, dict[int, str]]:
    parts = [rel.target_part for rel in document.part.rels.values() if rel.reltype.endswith("/numbering")]
    root = getattr(parts[0], "element", None) if parts else None
    if root is None:
        return {}
    forms: dict[str, dict[int, str]] = defaultdict(dict)
    for level in root.findall(f"{_W}abstractNum/{_W}lvl"):
        abstract = level.getparent().get(f"{_W}abstractNumId")
        forms[abstract][int(level.get(f"{_W}ilvl") or 0)] = _value(level, "numFmt")
    numbers = root.findall(f"{_W}num")
    return {number.get(f"{_W}numId"): forms[_value(number, "abstractNumId")] for number in numbers}


def _style_kind(styles: dict[str, _Element], name: str) -> tuple[str, int]:
    """Return what a style or one it is based on means: a heading and its level, code, contents."""
    seen = set()
    kind = ("", 0)
    while name in styles and name not in seen and not kind[0]:
        seen.add(name)
        kind = _own_kind(styles[name])
        name = _value(styles[name], "basedOn")
    return kind


def _own_kind(style: _Element) -> tuple[str, int]:
    name = _value(style, "name").lower()
    if name == "title":
        return "heading", 1
    if heading := _HEADING.fullmatch(name):
        return "heading", min(int(heading.group(1)), 6)
    if _CONTENTS.match(name):
        return "contents", 0
    return ("code", 0) if _CODE.search(name) else _outline(style)


def _outline(element: _Element) -> tuple[str, int]:
    outline = _value(element, "pPr/outlineLvl")
    return ("heading", int(outline) + 1) if outline.isdigit() and int(outline) < 6 else ("", 0)


def _value(element: _Element, path: str) -> str:
    """Return the value of an element inside another; empty without one."""
    child = element.find("/".join(_W + name for name in path.split("/")))
    return (child.get(f"{_W}val") or "") if child is not None else ""


def _text(element: _Element) -> str:
    """Return a paragraph's text without text boxes and deletions."""
    parts = []
    for child in element:
        tag = child.tag
        if tag == f"{_W}t":
            parts.append(readable(child.text or "", _font(element)))
        elif tag == f"{_W}sym" and _SIGN_PLACE.fullmatch(child.get(f"{_W}char") or ""):
            parts.append(readable(chr(int(child.get(f"{_W}char"), 16)), child.get(f"{_W}font") or "Symbol"))
        elif tag in (f"{_M}oMath", f"{_M}oMathPara"):
            parts.append(formula(child))
        elif tag in (f"{_W}footnoteReference", f"{_W}endnoteReference"):
            parts.append(f"[{child.get(f'{_W}id')}]")
        elif tag == f"{_WP}docPr":
            parts.append(_picture(child))
        elif tag in _SIGNS:
            parts.append(_SIGNS[tag])
        elif tag not in _NOT_TEXT and isinstance(tag, str) and not tag.endswith("}txbxContent"):
            parts.append(_text(child))
    return "".join(parts)


def _picture(properties: _Element) -> str:
    drawing = properties.getparent()
    extent = drawing.find(f"{_WP}extent")
    width = int(extent.get("cx") or 0) if extent is not None else 0
    description = properties.get("descr") or ""
    return drawn_picture(drawing, description, width, lambda name: name if name.startswith("/") else None)


def _name_parts(document: Document) -> None:
    """Put the names of parts in the place of relations, which hold for one part of the document only."""
    for blip in document.element.body.iter(BLIP):
        relation = document.part.rels.get(blip.get(EMBED))
        if relation is not None and not relation.is_external:
            blip.set(EMBED, relation.target_part.partname)


def _font(run: _Element) -> str | None:
    fonts = run.find(f"{_W}rPr/{_W}rFonts")
    return fonts.get(f"{_W}ascii") if fonts is not None else None


def _rows(table: _Element) -> Iterator[list[str]]:
    for row in table.iter(f"{_W}tr"):
        if next(row.iterancestors(f"{_W}tbl"), None) is not table:
            continue  # of a table inside a cell, which is part of the cell's text
        cells = []
        for cell in row.iter(f"{_W}tc"):
            if next(cell.iterancestors(f"{_W}tr"), None) is row:
                merge = cell.find(f"{_W}tcPr/{_W}vMerge")
                goes_on = merge is not None and merge.get(f"{_W}val") != "restart"  # from the row above
                cells.append("" if goes_on else " ".join(map(_text, cell.iter(f"{_W}p"))))
        yield cells


_ITEM = re.compile(r"(?:[•·▪‣§o-]|(\d{1,3}|[a-z])[.)])\t+")
_HIGH = re.compile("[\x80-\xff]")


def read_rtf(data: bytes) -> DocumentText:
    """Read an RTF document; pictures, headers, footers and footnotes are left out."""
    rtf = remove_pict_groups(data.decode("latin-1"))
    # Bytes beyond ASCII become escapes, which are read in the encoding of their font.
    text = rtf_to_text(_HIGH.sub(lambda byte: f"\\'{ord(byte[0]):02x}", rtf), errors="replace")
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    builder = TextBuilder()
    rows: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        if line.endswith("|"):
            rows.append(line[:-1].split("|"))
            continue
        builder.table(rows)
        rows = []
        item = _ITEM.match(line)
        sign = (f"{item[1]}. " if item[1] else "- ") if item else ""
        builder.block(sign + collapsed(line[item.end() :] if item else line), tight=bool(item))
    return builder.finish()
