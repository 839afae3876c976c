"""What the sample documents do not have: made with the libraries, read from memory."""

from __future__ import annotations

import copy
import io
import zipfile
from typing import TYPE_CHECKING, Any

import docx
import pptx
import pytest
from docx.opc.packuri import PackURI as DocxPackURI
from docx.opc.part import Part as DocxPart
from docx.oxml import parse_xml
from pptx.chart.data import CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.util import Inches

from app.core.documents.readers import ReaderError
from app.core.documents.readers.office.docx import read_docx
from app.core.documents.readers.office.pptx import read_pptx

if TYPE_CHECKING:
    from docx.document import Document
    from pptx.presentation import Presentation
    from pptx.slide import Slide

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def text_of(document: Document) -> str:
    data = io.BytesIO()
    document.save(data)
    return read_docx(data.getvalue()).text


def paragraph(inner: str) -> str:
    document = docx.Document()
    document.element.body.insert(0, parse_xml(f"<w:p {W}>{inner}</w:p>"))
    return text_of(document)


def test_words_of_a_paragraph() -> None:
    assert paragraph("<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r>") == "a b\nc"
    assert paragraph("<w:r><w:t>well</w:t><w:noBreakHyphen/><w:t>known</w:t></w:r>") == "well-known"
    deleted = '<w:del w:id="1" w:author="x"><w:r><w:delText>no</w:delText></w:r></w:del>'
    assert paragraph(f"{deleted}<w:r><w:t>yes</w:t></w:r>") == "yes"


def test_an_outline_level_makes_a_heading() -> None:
    heading = '<w:pPr><w:outlineLvl w:val="1"/></w:pPr><w:r><w:t>Salt</w:t></w:r>'
    assert paragraph(heading) == "## Salt"


def test_a_text_box_follows_its_paragraph() -> None:
    box = "<w:r><w:pict><w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent></w:pict></w:r>"
    assert paragraph(f"<w:r><w:t>before</w:t></w:r>{box}") == "before\n\nboxed"


def test_contents_are_left_out_and_the_title_is_a_heading() -> None:
    document = docx.Document()
    document.add_heading("Owls", 0)
    contents = (
        f"<w:sdt {W}><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/></w:docPartObj>"
        "</w:sdtPr><w:sdtContent><w:p><w:r><w:t>Owls 1</w:t></w:r></w:p></w:sdtContent></w:sdt>"
    )
    document.element.body.insert(1, parse_xml(contents))
    kept = contents.replace("Table of Contents", "Other").replace("Owls 1", "inside a control")
    document.element.body.insert(2, parse_xml(kept))
    assert text_of(document) == "# Owls\n\ninside a control"


def test_merged_cells_are_said_once() -> None:
    document = docx.Document()
    table = document.add_table(2, 2)
    for cell, text in zip(table._cells, ("a", "b", "c", "d"), strict=True):  # noqa: SLF001 - all of them
        cell.text = text
    table.cell(0, 0).merge(table.cell(1, 0))
    assert text_of(document) == "| a c | b |\n|  | d |"


def test_footnotes_follow_the_text() -> None:
    document = docx.Document()
    sentence = '<w:r><w:t>Owls</w:t><w:footnoteReference w:id="1"/><w:t> sleep.</w:t></w:r>'
    document.element.body.insert(0, parse_xml(f"<w:p {W}>{sentence}</w:p>"))
    data = io.BytesIO()
    document.save(data)
    note = "<w:p><w:r><w:t>By day.</w:t></w:r></w:p>"
    notes = (
        f'<w:footnote w:id="0" w:type="separator">{note}</w:footnote><w:footnote w:id="1">{note}</w:footnote>'
    )
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr("word/footnotes.xml", f"<w:footnotes {W}>{notes}</w:footnotes>")
    assert read_docx(data.getvalue()).text == "Owls[1] sleep.\n\n[1] By day."


def test_a_picture_is_its_description() -> None:
    drawing = "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"
    picture = (
        f'<wp:inline xmlns:wp="{drawing}"><wp:docPr id="1" name="p" descr="an owl at night"/></wp:inline>'
    )
    assert paragraph(f"<w:r>{picture}</w:r>") == "[Picture: an owl at night]"


@pytest.mark.parametrize(
    ("run", "shown"),
    [
        ('<w:t>rate </w:t><w:sym w:font="Symbol" w:char="F061"/>', "rate α"),
        ('<w:sym w:font="Wingdings" w:char="00E0"/>', "→"),
        ('<w:sym w:font="Symbol" w:char="none"/><w:t>kept</w:t>', "kept"),
        ('<w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr><w:t>D\uf0b3</w:t>', "Δ≥"),
        ("<w:t>\uf0ae</w:t>", "→"),
    ],
)
def test_signs_of_a_symbol_font(run: str, shown: str) -> None:
    assert paragraph(f"<w:r>{run}</w:r>") == shown


def test_a_chart_follows_its_paragraph() -> None:
    document = docx.Document()
    space = 'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    numbers = '<c:pt idx="0"><c:v>9000</c:v></c:pt>'
    chart = DocxPart(
        DocxPackURI("/word/charts/chart1.xml"),
        "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
        f"<c:chartSpace {space}><c:ser><c:val>{numbers}</c:val></c:ser></c:chartSpace>".encode(),
        document.part.package,
    )
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    key = document.part.relate_to(chart, f"{relation}/chart")
    drawing = f'<c:chart {space} xmlns:r="{relation}" r:id="KEY"/>'
    run = f"<w:r><w:t>How far</w:t><w:drawing>{drawing}</w:drawing></w:r>".replace("KEY", key)
    gone = f"<w:r><w:drawing>{drawing}</w:drawing></w:r>"
    document.element.body.insert(0, parse_xml(f"<w:p {W}>{run}{gone}</w:p>"))
    assert text_of(document) == "How far\n\n|  | 9000 |"


def test_lists_by_style_and_code_by_style() -> None:
    document = docx.Document()
    for text, style in (("one", "List Number"), ("two", "List Number"), ("dot", "List Bullet")):
        document.add_paragraph(text, style)
    document.styles.add_style("Source Code", 1)
    for text in ("a = 1", "", "b = 2"):
        document.add_paragraph(text, "Source Code")
    assert text_of(document) == "1. one\n2. two\n- dot\n\n```\na = 1\n\nb = 2\n```"


def test_a_slide_of_groups_pictures_and_charts_without_titles() -> None:
    slides = pptx.Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[6])
    group = slide.shapes.add_group_shape()
    for left, text in ((3, "right"), (1, "left")):
        box = group.shapes.add_textbox(Inches(left), Inches(1), Inches(1), Inches(1))
        box.text_frame.text = text
    line = slide.shapes.add_connector(MSO_CONNECTOR.STRAIGHT, Inches(0), Inches(4), Inches(1), Inches(4))
    line._element.nvCxnSpPr.cNvPr.set("descr", "an arrow to the right")  # noqa: SLF001 - no other way
    data = io.BytesIO()
    slides.save(data)
    assert read_pptx(data.getvalue()).text == "left\n\nright\n\n[Picture: an arrow to the right]"


def list_item(text: str, level: int, number: int = 1) -> str:
    properties = f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>'
    return f"<w:p {W}><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def test_lists_within_lists_are_counted_anew() -> None:
    document = docx.Document()
    numbering = document.part.numbering_part.element
    formats = ("decimal", "lowerLetter", "none")
    levels = "".join(
        f'<w:lvl w:ilvl="{n}"><w:numFmt w:val="{form}"/></w:lvl>' for n, form in enumerate(formats)
    )
    numbering.append(parse_xml(f'<w:abstractNum {W} w:abstractNumId="90">{levels}</w:abstractNum>'))
    numbering.append(parse_xml(f'<w:num {W} w:numId="91"><w:abstractNumId w:val="90"/></w:num>'))
    items = (("A", 0), ("first", 1), ("second", 1), ("B", 0), ("first", 1), ("no sign", 2))
    for index, (text, level) in enumerate(items):
        document.element.body.insert(index, parse_xml(list_item(text, level, 91)))
    assert text_of(document) == "1. A\n  1. first\n  2. second\n2. B\n  1. first\n\nno sign"


def test_a_document_without_lists_and_with_a_comment_between_its_paragraphs() -> None:
    document = docx.Document()
    (numbering,) = (key for key, rel in document.part.rels.items() if rel.reltype.endswith("/numbering"))
    document.part.drop_rel(numbering)
    document.add_paragraph("one").insert_paragraph_before("zero")
    document.element.body.insert(1, parse_xml(f"<w:p {W}><!-- hidden --><w:r><w:t>half</w:t></w:r></w:p>"))
    document.element.body.insert(1, docx.oxml.parse_xml(list_item("dot", 0)))
    assert text_of(document) == "zero\n\n- dot\n\nhalf\n\none"


def test_a_table_in_a_cell_is_part_of_its_text() -> None:
    document = docx.Document()
    cell = document.add_table(1, 2).rows[0].cells[0]
    cell.text = "outer"
    cell.add_table(1, 2).rows[0].cells[1].text = "inner"
    assert text_of(document) == "| outer inner |  |"


def slide_text(presentation: Presentation) -> str:
    data = io.BytesIO()
    presentation.save(data)
    return read_pptx(data.getvalue()).text


def empty_slide() -> tuple[Presentation, Slide]:
    presentation = pptx.Presentation()
    return presentation, presentation.slides.add_slide(presentation.slide_layouts[6])


P = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
)


def test_footers_are_left_out_and_line_breaks_and_formulas_stay() -> None:
    presentation, slide = empty_slide()
    number, box = (slide.shapes.add_textbox(Inches(0), Inches(top), Inches(3), Inches(1)) for top in (1, 2))
    number.text_frame.text = "17"
    (properties,) = number.element.iter("{http://schemas.openxmlformats.org/presentationml/2006/main}nvPr")
    properties.append(pptx.oxml.parse_xml(f'<p:ph {P} type="sldNum" idx="12"/>'))
    box.text_frame.text = "Wings\vbeat"
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    formula = f'<m:oMath xmlns:m="{math}"><m:r><m:t>n=12</m:t></m:r></m:oMath>'
    box.text_frame.paragraphs[0]._p.append(pptx.oxml.parse_xml(formula))  # noqa: SLF001 - no other way
    assert slide_text(presentation) == "Wings\nbeat $n=12$"


def add_chart(slide: Slide, kind: XL_CHART_TYPE, data: Any) -> Any:  # noqa: ANN401 - loosely typed library
    frame: Any = slide.shapes.add_chart(kind, Inches(0), Inches(0), Inches(3), Inches(3), data)
    return frame.chart


def birds(*numbers: float) -> Any:  # noqa: ANN401
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["owl", "swift"][: len(numbers)]
    data.add_series("2024", numbers)
    return data


@pytest.mark.parametrize(
    ("has_plot", "text"), [(True, "Birds\n\n|  | 2024 |\n| owl | 3 |"), (False, "Birds")]
)
def test_a_chart_is_its_title_and_its_numbers(has_plot: bool, text: str) -> None:
    presentation, slide = empty_slide()
    chart = add_chart(slide, XL_CHART_TYPE.COLUMN_CLUSTERED, birds(3))
    chart.has_title = True
    chart.chart_title.text_frame.text = "Birds"
    if not has_plot:
        plot = chart.element.find(".//{*}barChart")
        plot.getparent().remove(plot)
    assert slide_text(presentation) == text


def test_a_chart_in_three_dimensions_is_its_numbers_too() -> None:
    presentation, slide = empty_slide()
    chart = add_chart(slide, XL_CHART_TYPE.PIE, birds(0.25, 1200))
    plot = chart.element.find(".//{*}pieChart")
    plot.tag = plot.tag.replace("pieChart", "pie3DChart")
    assert slide_text(presentation) == "|  | 2024 |\n| owl | 0.25 |\n| swift | 1200 |"


def test_points_of_a_chart_are_pairs_of_numbers_below_the_names_of_their_axes() -> None:
    presentation, slide = empty_slide()
    data: Any = XyChartData()  # type: ignore[no-untyped-call]
    for name, points in (("owls", [(1, 2.5), (3, 4)]), ("swifts", [(7, 8)])):
        series = data.add_series(name)
        for x, y in points:
            series.add_data_point(x, y)
    chart = add_chart(slide, XL_CHART_TYPE.XY_SCATTER, data)
    chart.has_title = False
    chart.category_axis.axis_title.text_frame.text = "Weight"
    chart.value_axis.axis_title.text_frame.text = "Wingspan"
    assert slide_text(presentation) == (
        "Weight, Wingspan\n\n|  | owls |\n| 1 | 2.5 |\n| 3 | 4 |\n\n|  | swifts |\n| 7 | 8 |"
    )


def test_all_series_of_a_chart_of_several_plots() -> None:
    presentation, slide = empty_slide()
    chart = add_chart(slide, XL_CHART_TYPE.COLUMN_CLUSTERED, birds(3, 4))
    bars = chart.element.find(".//{*}barChart")
    lines = copy.deepcopy(bars)
    lines.tag = bars.tag.replace("barChart", "lineChart")
    lines.find(".//{*}tx//{*}v").text = "2025"
    bars.addnext(lines)
    assert slide_text(presentation) == "|  | 2024 | 2025 |\n| owl | 3 | 3 |\n| swift | 4 | 4 |"


def test_what_cannot_be_read_costs_neither_the_slide_nor_the_file() -> None:
    presentation, slide = empty_slide()
    add_chart(slide, XL_CHART_TYPE.PIE, birds(1))
    reference = slide.element.find(".//{*}graphicData/{*}chart")
    reference.set(reference.keys()[0], "rId99")
    with pytest.raises(KeyError):
        slide_text(presentation)  # there is nothing else
    box = slide.shapes.add_textbox(Inches(0), Inches(5), Inches(1), Inches(1))
    box.text_frame.text = "Owls hunt at night."
    slides = presentation.element.find(".//{*}sldIdLst")
    slides.insert(0, copy.copy(slides[0]))
    slides[0].set(slides[0].keys()[1], "rId98")
    data = io.BytesIO()
    presentation.save(data)
    document = read_pptx(data.getvalue())
    assert document.text == "Owls hunt at night."
    assert [mark.anchor.value for mark in document.marks] == [2]
    assert str(document.unread) == "2 of 2 slides could not be read completely."


INK = (
    '<p:contentPart xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" p14:bwMode="auto" '
    'r:id="rId9" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
    '<p14:nvContentPartPr><p14:cNvPr id="4" name="Ink 3"/><p14:cNvContentPartPr/><p14:nvPr/>'
    '</p14:nvContentPartPr><p14:xfrm><a:off x="1" y="1"/><a:ext cx="9" cy="9"/></p14:xfrm></p:contentPart>'
)


@pytest.mark.parametrize(
    "ink",
    [
        INK,
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f'<mc:Choice Requires="p14">{INK}</mc:Choice><mc:Fallback><p:pic><p:nvPicPr>'
        '<p:cNvPr id="4" name="Ink 3" descr="an arrow"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr><p:blipFill/>'
        '<p:spPr><a:xfrm><a:off x="1" y="1"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr></p:pic></mc:Fallback>'
        "</mc:AlternateContent>",
    ],
)
def test_pen_strokes_cost_a_slide_none_of_its_text(ink: str) -> None:
    presentation, slide = empty_slide()
    strokes = pptx.oxml.parse_xml(f"<p:x {P}>{ink}</p:x>")[0]
    slide.shapes.element.append(strokes)
    slide.shapes.add_textbox(
        Inches(0), Inches(5), Inches(1), Inches(1)
    ).text_frame.text = "Owls hunt at night."
    data = io.BytesIO()
    presentation.save(data)
    document = read_pptx(data.getvalue())
    assert document.text.replace("[Picture: an arrow]", "").strip() == "Owls hunt at night."
    assert document.unread is None


def add_picture(slide: Slide) -> Any:  # noqa: ANN401
    """Add a picture whose image is not read, and return its element."""
    element = pptx.oxml.parse_xml(
        f'<p:pic {P}><p:nvPicPr><p:cNvPr id="7" name="formula"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        '<p:blipFill/><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></a:xfrm></p:spPr></p:pic>'
    )
    slide.shapes.element.append(element)
    return element


TEX = (
    "\\documentclass{article}&#13;&#10;\\usepackage{amsmath}\\begin{document}&#10;% draft&#10;"
    "$e^{i\\pi} = -1$ is 100\\% true&#10;&#10;\\end{document}&#10;"
)


def test_the_source_of_a_formula_that_an_add_in_drew_is_the_formula() -> None:
    presentation, slide = empty_slide()
    tags = f'<p:tag name="SIZE" val="9"/><p:tag name="LATEXADDIN" val="{TEX}"/>'
    part = Part(
        PackURI("/ppt/tags/tag1.xml"),
        "application/vnd.openxmlformats-officedocument.presentationml.tags+xml",
        slide.part.package,
        f"<p:tagLst {P}>{tags}</p:tagLst>".encode(),
    )
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    key = slide.part.relate_to(part, f"{relation}/tags")
    add_picture(slide).find(".//{*}nvPr").append(
        pptx.oxml.parse_xml(f'<p:custDataLst {P}><p:tags xmlns:r="{relation}" r:id="{key}"/></p:custDataLst>')
    )
    assert slide_text(presentation) == r"$e^{i\pi} = -1$ is 100\% true"


def test_the_source_of_a_formula_may_be_the_description_of_its_picture() -> None:
    presentation, slide = empty_slide()
    add_picture(slide).find(".//{*}cNvPr").set("descr", r"\documentclass{a} \begin{document} \[ E = mc^2 \]")
    assert slide_text(presentation) == r"\[ E = mc^2 \]"


@pytest.mark.parametrize(
    ("fonts", "text", "shown"),
    [
        ('<a:latin typeface="Symbol"/>', "DG ³ 0", "ΔΓ ≥ 0"),
        ('<a:sym typeface="Symbol"/>', "rate \uf061 of change", "rate α of change"),
        ("", "\uf0b3", "≥"),
        ('<a:sym typeface="Wingdings"/>', " à ", "→"),
        ('<a:sym typeface="Wingdings"/>', "retour à la base", "retour à la base"),
        ('<a:latin typeface="Wingdings"/>', "ü q", "✓ •"),
        ('<a:latin typeface="Arial"/>', "Dåligt", "Dåligt"),
    ],
)
def test_signs_of_symbol_fonts_are_read(fonts: str, text: str, shown: str) -> None:
    presentation, slide = empty_slide()
    box = slide.shapes.add_textbox(Inches(0), Inches(0), Inches(1), Inches(1))
    run = f"<a:r {P}><a:rPr>{fonts}</a:rPr><a:t>{text}</a:t></a:r>"
    box.text_frame.paragraphs[0]._p.append(pptx.oxml.parse_xml(run))  # noqa: SLF001 - no other way
    assert slide_text(presentation) == shown


def test_a_shape_with_an_alternative_for_old_programs_is_read_once() -> None:
    presentation, slide = empty_slide()
    box = slide.shapes.add_textbox(Inches(0), Inches(0), Inches(1), Inches(1))
    box.text_frame.text = "Let"
    math = "http://schemas.openxmlformats.org/officeDocument/2006/math"
    formula = f'<m:oMath xmlns:m="{math}"><m:r><m:t>n=12</m:t></m:r></m:oMath>'
    box.text_frame.paragraphs[0]._p.append(pptx.oxml.parse_xml(formula))  # noqa: SLF001 - no other way
    compatibility = "http://schemas.openxmlformats.org/markup-compatibility/2006"
    alternatives = pptx.oxml.parse_xml(
        f'<mc:AlternateContent xmlns:mc="{compatibility}"><mc:Choice Requires="a14"/><mc:Fallback/>'
        "</mc:AlternateContent>"
    )
    box.element.addprevious(alternatives)
    alternatives[1].append(copy.deepcopy(box.element))
    alternatives[0].append(box.element)
    assert slide_text(presentation) == "Let $n=12$"


def test_a_diagram_is_the_texts_of_its_own_part() -> None:
    presentation, slide = empty_slide()
    points = "".join(f"<a:p><a:r><a:t>{text}</a:t></a:r></a:p>" for text in ("egg", "", "bird"))
    part = Part(
        PackURI("/ppt/diagrams/data1.xml"),
        "application/vnd.openxmlformats-officedocument.drawingml.diagramData+xml",
        slide.part.package,
        f"<x {P}>{points}</x>".encode(),
    )
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    key = slide.part.relate_to(part, f"{relation}/diagramData")
    names = f'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:r="{relation}"'
    frame = (
        f'<p:graphicFrame {P}><p:nvGraphicFramePr><p:cNvPr id="9" name="d"/><p:cNvGraphicFramePr/><p:nvPr/>'
        '</p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="1" cy="1"/></p:xfrm><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/diagram">'
        f'<dgm:relIds {names} r:dm="{key}"/><dgm:relIds {names} r:dm="gone"/></a:graphicData></a:graphic>'
        "</p:graphicFrame>"
    )
    slide.shapes.element.append(pptx.oxml.parse_xml(frame))
    assert slide_text(presentation) == "- egg\n- bird"


def test_a_slide_show_is_read_like_a_presentation() -> None:
    presentation, slide = empty_slide()
    slide.shapes.add_textbox(Inches(0), Inches(0), Inches(1), Inches(1)).text_frame.text = "Owls"
    show = "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml"
    presentation.part._content_type = show  # noqa: SLF001 - no other way
    assert slide_text(presentation) == "Owls"


def test_more_slides_than_a_course_has() -> None:
    presentation, _ = empty_slide()
    slides = presentation.element.find(".//{*}sldIdLst")
    for _ in range(5000):
        slides.append(copy.copy(slides[0]))
    with pytest.raises(ReaderError, match="too_many_slides"):
        slide_text(presentation)
