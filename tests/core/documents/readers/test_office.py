"""What the sample documents do not have: made with the libraries, read from memory."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import docx
import pptx
from docx.oxml import parse_xml
from pptx.enum.shapes import MSO_CONNECTOR
from pptx.util import Inches

from app.core.documents.readers.office.docx import read_docx
from app.core.documents.readers.office.pptx import read_pptx

if TYPE_CHECKING:
    from docx.document import Document

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
