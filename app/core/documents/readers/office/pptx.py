"""Presentations to text: a slide's title, texts, tables, charts and formulas, then its notes."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING, Any

from app.core.documents.readers import ReaderError
from app.core.documents.readers.office.drawings import add_chart, drawn_picture, formula
from app.core.documents.readers.safe_archive import Archive, parse_xml
from app.core.documents.readers.text_builder import TextBuilder, collapsed, readable, unread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lxml.etree import _Element

    from app.domain.documents import DocumentText

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_INK = f"{_P}contentPart"
_FALLBACK = f"{_MC}Fallback"
_SLIDE_LIMIT = 5000
_FEW = 40  # characters that a slide with pictures of text has besides them, such as a title
_PART = 0.15  # of a slide that a picture of text takes at least
# What an add-in sets as a formula; it keeps the source with the picture.
_TEX_BODY = re.compile(r"\\begin\{document\}(.*)", re.DOTALL)
_PICTURE = re.compile(r"\[Picture: [^\[\]]*+\]")  # a description of one
_TEX_COMMENT = re.compile(r"(?<!\\)%[^\n]*")

_log = logging.getLogger(__name__)


def read_pptx(data: bytes) -> DocumentText:
    """Read a presentation without footers; each slide with text is an anchor, counted from 1.

    A part that cannot be read costs neither the rest of its slide nor the file.
    """
    presentation, slides = _opened(data)
    reader = _PptxReader()
    damaged = 0
    for number, slide in enumerate(slides, 1):
        reader.builder.anchor("slide", number)
        before = reader.failure
        reader.attempt(lambda key: reader.add_slide(presentation.part.related_slide(key)), slide.rId)
        damaged += reader.failure is not before
    document = reader.builder.finish(unread("slides", damaged, len(slides)))
    if reader.failure is not None:
        if not document.text:
            raise reader.failure
        _log.info("A part of a presentation was left out", exc_info=reader.failure)
    if not document.text and picture_slides(data):
        raise ReaderError("documents.picture_slides")
    return document


def picture_slides(data: bytes) -> dict[int, list[str]]:
    """Return for each slide that is pictures with hardly any text, by its number, their parts in the file."""
    presentation, slides = _opened(data)
    size = presentation.element.find(f"{_P}sldSz")
    area = float(size.get("cx")) * float(size.get("cy")) if size is not None else 0.0
    found = {}
    for number, slide in enumerate(slides, 1):
        reader = _PptxReader()
        parts: list[tuple[str, float]] = []

        def look(key: str, reader: _PptxReader = reader, parts: list[tuple[str, float]] = parts) -> None:
            part = presentation.part.related_slide(key)
            reader.add_shapes(part)
            parts += _pictures(part, area)

        reader.attempt(look, slide.rId)
        text = _PICTURE.sub("", reader.builder.finish().text)
        if len("".join(text.split())) <= _FEW and 2 * sum(share for _, share in parts) > 1:
            found[number] = [name for name, _ in parts]
    return found


def _opened(data: bytes) -> tuple[Any, list[Any]]:
    """Return a presentation and the entries of its slides."""
    from pptx.package import Package  # heavy, and needed for this format only

    # Not through `pptx.Presentation`, which refuses slide shows.
    presentation: Any = Package.open(Archive(data).markup_only()).presentation_part.presentation
    slides = list(presentation.element.iterfind(f"{_P}sldIdLst/{_P}sldId"))
    if len(slides) > _SLIDE_LIMIT:
        raise ReaderError("documents.too_many_slides", count=len(slides), limit=_SLIDE_LIMIT)
    return presentation, slides


def _pictures(slide: Any, area: float) -> Iterator[tuple[str, float]]:  # noqa: ANN401 - loosely typed library
    """Yield the parts of a slide's large pictures, and which share of its ``area`` each takes."""
    blips = [(blip, area) for blip in slide.element.xpath("./p:cSld/p:bg//a:blip")]
    for shape in _in_order(slide.shapes):
        filled = shape._element.xpath("./p:blipFill/a:blip | ./p:spPr/a:blipFill/a:blip")  # noqa: SLF001
        blips += [(blip, float(shape.width or 0) * float(shape.height or 0)) for blip in filled]
    for blip, taken in blips:
        relation = slide.part.rels.get(blip.get(f"{_R}embed"))
        if relation is not None and not relation.is_external and taken > _PART * area:
            yield str(relation.target_part.partname).lstrip("/"), taken / area if area else 0.0


class _PptxReader:
    def __init__(self) -> None:
        self.builder = TextBuilder()
        self.failure: Exception | None = None  # of the last part that was left out

    def attempt(self, add: Callable[[Any], None], part: object) -> None:
        try:
            add(part)
        except (ReaderError, MemoryError, RecursionError):
            raise
        except Exception as error:  # what the library raises for what it does not know has no limits
            self.failure = error

    def add_slide(self, slide: Any) -> None:  # noqa: ANN401 - loosely typed library
        self.add_shapes(slide)
        self.attempt(self._add_notes, slide)

    def add_shapes(self, slide: Any) -> None:  # noqa: ANN401
        _choose_alternatives(slide.element)
        title = slide.shapes.title
        if title is not None:
            self.builder.heading(1, " ".join(_texts(title)), anchored=False)
        for shape in _in_order(slide.shapes):
            if title is None or shape.shape_id != title.shape_id:
                self.attempt(self._add_shape, shape)

    def _add_notes(self, slide: Any) -> None:  # noqa: ANN401
        frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
        if frame is not None and (notes := collapsed("\n".join(map(_paragraph_text, frame.paragraphs)))):
            self.builder.block(f"Notes: {notes}")

    def _add_shape(self, shape: Any) -> None:  # noqa: ANN401
        from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER

        around = (
            *(PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.DATE),
            *(PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER),
        )
        kind = shape.placeholder_format.type if shape.is_placeholder else None
        if kind in around:
            return
        if tex := _tex_of_picture(shape):
            self.builder.block(tex)
        elif shape.shape_type == MSO_SHAPE_TYPE.GROUP:
            for inner in _in_order(shape.shapes):
                self.attempt(self._add_shape, inner)
        elif getattr(shape, "has_table", False):
            self.builder.table([" ".join(_texts(cell)) for cell in row.cells] for row in shape.table.rows)
        elif getattr(shape, "has_chart", False):
            add_chart(self.builder, shape.chart.element)
        elif shape.has_text_frame:
            is_body = kind in (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY)
            self._add_paragraphs(shape.text_frame.paragraphs, is_body=is_body)
        else:
            self._add_diagram(shape)
            self.builder.block(_picture(shape).strip())

    def _add_paragraphs(self, paragraphs: Iterable[Any], *, is_body: bool) -> None:
        texts = [(one.level, text) for one in paragraphs if (text := _paragraph_text(one))]
        is_list = is_body and len(texts) > 1
        for level, text in texts:
            lead = "  " * level + "- " if is_list else ""
            self.builder.block(lead + text.replace("\n", "\n" + " " * len(lead)), tight=is_list)

    def _add_diagram(self, shape: Any) -> None:  # noqa: ANN401
        """Add the texts of a diagram (SmartArt), which has its own part."""
        for identity in shape._element.xpath(".//*[local-name()='relIds']/@r:dm"):  # noqa: SLF001
            relation = shape.part.rels.get(identity)
            if relation is not None and relation.reltype.endswith("/diagramData"):
                for paragraph in parse_xml(relation.target_part.blob).iter(f"{_A}p"):
                    if text := collapsed("".join(_pieces(paragraph))):
                        self.builder.block(f"- {text}", tight=True)


def _choose_alternatives(slide: _Element) -> None:
    """Put the first choice in the place of each shape with alternatives, which the library leaves out.

    Pen strokes (``p:contentPart``) go, because the library cannot handle them and they hold no text; a
    picture of them may be among the alternatives.
    """
    for alternatives in list(slide.iter(f"{_MC}AlternateContent")):
        parent = alternatives.getparent()
        if parent is not None and parent.tag in (f"{_P}spTree", f"{_P}grpSp"):
            choices = (choice for choice in alternatives if choice.find(_INK) is None)
            for shape in next(choices, ()):
                alternatives.addprevious(shape)
            parent.remove(alternatives)
    for strokes in list(slide.iter(_INK)):
        strokes.getparent().remove(strokes)


def _in_order(shapes: Iterable[Any]) -> list[Any]:
    return sorted(shapes, key=lambda shape: ((shape.top or 0) // 180_000, shape.left or 0))


def _texts(holder: Any) -> Iterator[str]:  # noqa: ANN401
    return map(_paragraph_text, holder.text_frame.paragraphs)


def _paragraph_text(paragraph: Any) -> str:  # noqa: ANN401
    return collapsed("".join(_pieces(paragraph._p)))  # noqa: SLF001 - the library knows no formulas


def _pieces(element: _Element) -> Iterator[str]:
    for child in element:
        if child.tag == f"{_A}t":
            fonts = (element.find(f"{_A}rPr/{_A}{name}") for name in ("latin", "sym"))
            latin, sym = (font.get("typeface") if font is not None else None for font in fonts)
            yield readable(child.text or "", latin, sign_font=sym)
        elif child.tag == f"{_A}br":
            yield "\n"
        elif child.tag in (f"{_M}oMath", f"{_M}oMathPara"):
            yield f" {formula(child)} "
        elif isinstance(child.tag, str) and child.tag != _FALLBACK and not child.tag.endswith("Pr"):
            yield from _pieces(child)


def _picture(shape: Any) -> str:  # noqa: ANN401
    def part_of(identity: str) -> str | None:
        relation = shape.part.rels.get(identity)
        return None if relation is None or relation.is_external else relation.target_part.partname

    return drawn_picture(shape._element, _description(shape), shape.width or 0, part_of)  # noqa: SLF001


def _description(shape: Any) -> str:  # noqa: ANN401
    return str(shape._element.xpath("string(./*[1]/p:cNvPr/@descr)"))  # noqa: SLF001


def _tex_of_picture(shape: Any) -> str:  # noqa: ANN401
    r"""Return the LaTeX of a formula that an add-in (IguanaTex, TexPoint) drew; empty for other shapes."""
    sources = [_description(shape)]
    for tags in shape._element.xpath("./*[1]/p:nvPr/p:custDataLst/p:tags"):  # noqa: SLF001
        relation = shape.part.rels.get(tags.get(f"{_R}id"))
        if relation is not None and not relation.is_external:
            sources += [tag.get("val") or "" for tag in parse_xml(relation.target_part.blob)]
    for source in sources:
        if body := _TEX_BODY.search(source.replace("_x000D_", "\n").replace("\r", "\n").replace("\v", "\n")):
            tex = _TEX_COMMENT.sub("", body.group(1).partition("\\end{document}")[0])
            return " ".join(tex.split())
    return ""
