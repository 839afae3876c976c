"""Presentations to text: a slide's title, texts, tables and charts, then its notes."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from app.core.documents.readers import ReaderError
from app.core.documents.readers.office.formulas import formula
from app.core.documents.readers.safe_archive import Archive, parse_xml
from app.core.documents.readers.text_builder import TextBuilder, collapsed, picture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element

    from app.domain.documents import DocumentText

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SLIDE_LIMIT = 5000
_CHART_ROWS = 60


def read_pptx(data: bytes) -> DocumentText:
    """Read a presentation without footers; each slide with text is an anchor, counted from 1."""
    import pptx  # heavy, and needed for this format only

    builder = TextBuilder()
    slides = pptx.Presentation(Archive(data).markup_only()).slides
    if len(slides) > _SLIDE_LIMIT:
        raise ReaderError("documents.too_many_slides", count=len(slides), limit=_SLIDE_LIMIT)
    for number, slide in enumerate(slides, 1):
        builder.anchor("slide", number)
        _add_slide(builder, slide)
    return builder.finish()


def _add_slide(builder: TextBuilder, slide: Any) -> None:  # noqa: ANN401 - loosely typed library
    title = slide.shapes.title
    if title is not None:
        builder.heading(1, " ".join(map(_paragraph_text, title.text_frame.paragraphs)), anchored=False)
    for shape in _in_order(slide.shapes):
        if title is None or shape.shape_id != title.shape_id:
            _add_shape(builder, shape)
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if frame is not None and (notes := collapsed(frame.text.replace("\v", "\n"))):
        builder.block(f"Notes: {notes}")


def _in_order(shapes: Iterable[Any]) -> list[Any]:
    return sorted(shapes, key=lambda shape: ((shape.top or 0) // 180_000, shape.left or 0))


def _add_shape(builder: TextBuilder, shape: Any) -> None:  # noqa: ANN401
    from pptx.enum.shapes import MSO_SHAPE_TYPE, PP_PLACEHOLDER

    around = (PP_PLACEHOLDER.SLIDE_NUMBER, PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.HEADER)
    is_body = False
    if shape.is_placeholder:
        kind = shape.placeholder_format.type
        if kind in around:
            return
        is_body = kind in (PP_PLACEHOLDER.BODY, PP_PLACEHOLDER.OBJECT, PP_PLACEHOLDER.VERTICAL_BODY)
    if shape.shape_type == MSO_SHAPE_TYPE.GROUP:
        for inner in _in_order(shape.shapes):
            _add_shape(builder, inner)
    elif getattr(shape, "has_table", False):
        builder.table([cell.text.replace("\v", " ") for cell in row.cells] for row in shape.table.rows)
    elif getattr(shape, "has_chart", False):
        _add_chart(builder, shape.chart)
    elif shape.has_text_frame:
        texts = [(one.level, text) for one in shape.text_frame.paragraphs if (text := _paragraph_text(one))]
        is_list = is_body and len(texts) > 1
        for level, text in texts:
            lead = "  " * level + "- " if is_list else ""
            builder.block(lead + text.replace("\n", "\n" + " " * len(lead)), tight=is_list)
    else:
        _add_diagram(builder, shape)
        builder.block(picture(shape._element.xpath("string(.//p:cNvPr/@descr)")).strip())  # noqa: SLF001


def _paragraph_text(paragraph: Any) -> str:  # noqa: ANN401
    return collapsed("".join(_pieces(paragraph._p)))  # noqa: SLF001 - the library knows no formulas


def _pieces(element: _Element) -> Iterator[str]:
    for child in element:
        if child.tag == f"{_A}t":
            yield child.text or ""
        elif child.tag == f"{_A}br":
            yield "\n"
        elif child.tag in (f"{_M}oMath", f"{_M}oMathPara"):
            yield f" {formula(child)} "
        elif isinstance(child.tag, str) and child.tag != _FALLBACK and not child.tag.endswith("Pr"):
            yield from _pieces(child)


def _add_chart(builder: TextBuilder, chart: Any) -> None:  # noqa: ANN401
    if chart.has_title and chart.chart_title.has_text_frame:
        builder.block(collapsed(chart.chart_title.text_frame.text))
    plots = list(chart.plots)
    if not plots:
        return
    categories = [str(category) for category in plots[0].categories]
    series = list(plots[0].series)[:20]
    columns = [["" if value is None else f"{value:g}" for value in one.values] for one in series]
    rows = list(zip_longest(categories, *columns, fillvalue=""))[: min(len(categories), _CHART_ROWS)]
    builder.table([["", *(str(one.name) for one in series)], *rows])


def _add_diagram(builder: TextBuilder, shape: Any) -> None:  # noqa: ANN401
    """Add the texts of a diagram (SmartArt), which has its own part."""
    for identity in shape._element.xpath(".//*[local-name()='relIds']/@r:dm"):  # noqa: SLF001
        relation = shape.part.rels.get(identity)
        if relation is not None and relation.reltype.endswith("/diagramData"):
            for paragraph in parse_xml(relation.target_part.blob).iter(f"{_A}p"):
                if text := collapsed("".join(_pieces(paragraph))):
                    builder.block(f"- {text}", tight=True)
