"""Make the small files of every format that the tests read: ``python -m tests.support.make_format_samples``.

Every text in them is written for this project. The files are kept with the tests, since what other
programs write changes with their versions; run this again only to change what is in them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FOLDER = Path(__file__).parent.parent / "data" / "formats"

Line = tuple[float, float, str]
"""A line of text and where it begins: from the left and from the bottom, in points."""

_PADDING = bytes.fromhex("28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A")

LEFT_COLUMN = [
    "Tides are the slow breathing of the sea.",
    "Twice a day the water climbs the beach",
    "and twice it falls back again. Sailors",
    "have kept tables of these hours for many",
    "hundreds of years, long before anybody",
    "knew the reason. The reason is the moon,",
    "which pulls harder at the near side of",
    "the earth than at the far side, and so",
    "raises two heaps of water.",
]
RIGHT_COLUMN = [
    "The sun does the same from farther away,",
    "with less than half the strength. When",
    "sun and moon stand in one line, their",
    "pulls add up and we speak of a spring",
    "tide. When they stand at a right angle,",
    "they work against each other, and the",
    "tide is a weak one, called a neap tide.",
    "Between two spring tides lie about two",
    "weeks, half a turn of the moon.",
]

_CHAPTER = [
    "A loaf of bread begins with flour and water. The two are mixed and left to rest, so that the",
    "water can reach every grain. Meanwhile long chains of protein find each other and join. A",
    "baker calls this net gluten, and it is what holds the gas in. Without it the dough would be",
    "a heavy paste. The understanding of this net is young; the use of it is old, and well-known",
    "in every kitchen of the world. Yeast eats the sugar of the flour and gives off gas and alco-",
    "hol. The gas blows up the small holes in the dough, and the alcohol leaves in the heat of the",
    "oven.",
]


def make_all(folder: Path) -> None:
    """Write every sample into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    samples: dict[str, Callable[[], bytes]] = {
        "two columns.pdf": _two_columns,
        "running lines.pdf": _running_lines,
        "table and code.pdf": _table_and_code,
        "protected.pdf": lambda: pdf([text_page([(72, 700, "Nobody reads this.")])], password=b"secret"),
        "scanned.pdf": _scanned,
        "right to left.pdf": _right_to_left,
        "lecture.docx": _docx,
        "slides.pptx": _pptx,
        "book.epub": _epub,
        "notebook.ipynb": _notebook,
        "glaciers.rtf": lambda: _RTF.encode("ascii"),
        "glaciers.csv": lambda: "Glacier;Metres a year\nAletsch;200\nJakobshavn;12600\n".encode("utf-16"),
        "glaciers.xlsx": _xlsx,
        "glaciers.odt": lambda: _opendocument("text", _ODT_STYLES, _ODT),
        "birds.odp": lambda: _opendocument("presentation", "", _ODP),
        "page.html": lambda: _PAGE.encode(),
        "captions.srt": lambda: _SRT.encode(),
        "rolling.vtt": lambda: _VTT.encode(),
    }
    for name, make in samples.items():
        (folder / name).write_bytes(make())


# PDF, written by hand so that it stays small and does what a test needs


def _two_columns() -> bytes:
    lines: list[Line] = [(180, 740, "How the Sea Breathes"), (200, 724, "A page in two columns")]
    # Row by row, as some programs print: only the white band says that there are columns.
    for row, (left, right) in enumerate(zip(LEFT_COLUMN, RIGHT_COLUMN, strict=True)):
        lines += [(60, 690 - 14 * row, left), (320, 690 - 14 * row, right)]
    lines += [
        (60, 540, "Both columns end above this line, which runs over the whole width of the page again.")
    ]
    return pdf([text_page(lines)])


def _running_lines() -> bytes:
    pages = []
    for number, word in enumerate(("one", "two", "three", "four"), 1):
        lines: list[Line] = [
            (72, 770, "How Bread Rises"),
            (430, 770, "Ada Okafor"),
            (72, 30, "Baking School, spring"),
            (500, 30, f"Page {number} of 4"),
            (72, 700, f"Chapter {word}"),
        ]
        lines += [(72, 660 - 14 * row, line) for row, line in enumerate(_CHAPTER)]
        lines += [(72, 550, f"This is what only page {word} says.")]
        pages.append(text_page(lines))
    return pdf(pages)


def many_pages(count: int) -> bytes:
    """Return a PDF that shows one page of many lines again and again."""
    lines = [
        (40.0, 780.0 - 7 * row, f"Line {row} of a page with many words on it. " * 2) for row in range(105)
    ]
    data = pdf([text_page(lines)])
    kids = b"/Count 1 /Kids [10 0 R]"
    # A reader finds objects by their place in the file: what is longer now goes to the end.
    longer = b"\n2 0 obj\n<< /Type /Pages /Count %d /Kids [%b] >>\nendobj\n" % (count, b"10 0 R " * count)
    assert kids in data
    body, _, _ = data.partition(b"xref\n")
    return body + longer + b"trailer\n<< /Size 12 /Root 1 0 R >>\n%%EOF\n"


def _table_and_code() -> bytes:
    lines: list[Line] = [(72, 740, "Hydration is the weight of water for a hundred parts of flour.")]
    rows = [
        ("Bread", "Hydration", "Oven"),
        ("Bagel", "55", "220"),
        ("Baguette", "70", "250"),
        ("Ciabatta", "85", "240"),
    ]
    for index, row in enumerate(rows):
        lines += [(72 + 130 * column, 700 - 16 * index, cell) for column, cell in enumerate(row)]
    lines += [(72, 620, "The same as a function:")]
    code = [
        "def water(flour, hydration):",
        "    if flour <= 0:",
        "        return 0",
        "    return flour * hydration / 100",
    ]
    return pdf(
        [text_page(lines) + text_page([(72, 590 - 13 * i, line) for i, line in enumerate(code)], "F2")]
    )


def text_page(lines: Iterable[Line], font: str = "F1") -> bytes:
    content = [f"BT /{font} 10 Tf"]
    for x, y, text in lines:
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        # Spaces in front are a place on the page, not letters, as programs that print code have it.
        indent = len(escaped) - len(escaped.lstrip(" "))
        content.append(f"1 0 0 1 {x + 6 * indent} {y} Tm ({escaped.lstrip(' ')}) Tj")
    return "\n".join([*content, "ET\n"]).encode("latin-1")


def pdf(contents: list[bytes], *, password: bytes = b"", extra: bytes = b"", xobject: bytes = b"") -> bytes:
    """Return a PDF of one content stream a page; with a password it is encrypted with RC4."""
    identity = hashlib.md5(b"lectern sample", usedforsecurity=False).digest()
    key, encryption = _encryption(password, identity) if password else (b"", b"")
    count = len(contents)
    objects: dict[int, bytes] = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        4: b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
    }
    kids = " ".join(f"{10 + 2 * index} 0 R" for index in range(count))
    objects[2] = f"<< /Type /Pages /Count {count} /Kids [{kids}] >>".encode()
    resources = b"<< /Font << /F1 3 0 R /F2 4 0 R >>" + extra + b" >>"
    if xobject:
        objects[5] = xobject
    for index, content in enumerate(contents):
        page, stream = 10 + 2 * index, 11 + 2 * index
        objects[page] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources %b /Contents %d 0 R >>"
            % (resources, stream)
        )
        data = _rc4(_object_key(key, stream), content) if key else content
        objects[stream] = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(data), data)
    out = io.BytesIO(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    out.seek(0, io.SEEK_END)
    offsets = {}
    for number, body in sorted(objects.items()):
        offsets[number] = out.tell()
        out.write(b"%d 0 obj\n%b\nendobj\n" % (number, body))
    start, size = out.tell(), max(objects) + 1
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % size)
    for number in range(1, size):
        entry = b"%010d 00000 n \n" % offsets[number] if number in offsets else b"0000000000 65535 f \n"
        out.write(entry)
    trailer = b"<< /Size %d /Root 1 0 R /ID [<%b> <%b>]%b >>" % (
        size,
        identity.hex().encode(),
        identity.hex().encode(),
        encryption,
    )
    out.write(b"trailer\n%b\nstartxref\n%d\n%%%%EOF\n" % (trailer, start))
    return out.getvalue()


def _encryption(password: bytes, identity: bytes) -> tuple[bytes, bytes]:
    """Return the key and the trailer's entry of PDF's first scheme of encryption."""
    padded = (password + _PADDING)[:32]
    owner = _rc4(hashlib.md5(padded, usedforsecurity=False).digest()[:5], padded)
    allowed = (0xFFFFFFFC).to_bytes(4, "little")
    key = hashlib.md5(padded + owner + allowed + identity, usedforsecurity=False).digest()[:5]
    user = _rc4(key, _PADDING)
    entry = b" /Encrypt << /Filter /Standard /V 1 /R 2 /O <%b> /U <%b> /P -4 >>"
    return key, entry % (owner.hex().encode(), user.hex().encode())


def _object_key(key: bytes, number: int) -> bytes:
    return hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0", usedforsecurity=False).digest()[:10]


def _rc4(key: bytes, data: bytes) -> bytes:
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) % 256
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + state[i]) % 256
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) % 256])
    return bytes(out)


def _scanned() -> bytes:
    """A page that is nothing but a picture of grey stripes, as a scanner makes them."""
    size = 32
    picture = bytes(255 if row % 4 else 90 for row in range(size) for _ in range(size))
    image = (
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray "
        b"/BitsPerComponent 8 /Length %d >>\nstream\n%b\nendstream" % (size, size, len(picture), picture)
    )
    page = b"q 468 0 0 648 72 72 cm /Im1 Do Q\n"
    return pdf([page], extra=b" /XObject << /Im1 5 0 R >>", xobject=image)


def _right_to_left() -> bytes:
    """Hebrew and Arabic lines, printed by Qt with the signs of a font of this system."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, Qt
    from PySide6.QtGui import QFont, QPageSize, QPainter, QPdfWriter
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A5))
    writer.setPageMargins(QMarginsF(20, 20, 20, 20))
    writer.setResolution(72)
    painter = QPainter(writer)
    painter.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    painter.setFont(QFont("DejaVu Sans", 11))
    for row, line in enumerate(RIGHT_TO_LEFT):
        width = painter.fontMetrics().horizontalAdvance(line)
        painter.drawText(QPointF(300 - width, 40 + 22 * row), line)
    painter.end()
    del application
    return bytes(buffer.data().data())


RIGHT_TO_LEFT = ("שלום לכולם, זה שיעור קצר על הים.", "הירח מושך את המים.", "البحر يتنفس مرتين كل يوم.")


# Office documents, with the libraries that read them


def _docx() -> bytes:
    import docx
    from docx.enum.style import WD_STYLE_TYPE
    from docx.oxml import parse_xml

    document = docx.Document()
    document.add_heading("How Ink Is Made", level=0)
    document.sections[0].header.paragraphs[0].text = "Header of every page"
    document.sections[0].footer.paragraphs[0].text = "Footer of every page"
    document.add_paragraph("Ink is colour that can be written with. It needs three things.")
    for item in ("a colour", "something that binds it", "water"):
        document.add_paragraph(item, style="List Bullet")
    document.add_heading("Iron gall ink", level=1)
    document.add_paragraph("Oak galls are crushed and boiled. Iron turns the brown water black.")
    document.add_heading("The recipe", level=2)
    for item in ("Crush the galls.", "Boil them for an hour.", "Add the iron."):
        document.add_paragraph(item, style="List Number")
    table = document.add_table(rows=3, cols=3)
    cells = (("Part", "Grams", "Note"), ("Galls", "60", "crushed"), ("Iron sulphate", "40", "green"))
    for row, texts in zip(table.rows, cells, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    document.add_heading("Mixing by program", level=1)
    code = document.styles.add_style("Source Code", WD_STYLE_TYPE.PARAGRAPH)
    for line in ("for part in parts:", "    pot.add(part)"):
        document.add_paragraph(line, style=code)
    formula = document.add_paragraph("The share of iron is ")
    formula._p.append(parse_xml(_OMML))  # noqa: SLF001 - the library writes no formulas
    formula.add_run(" of the whole.")
    removed = document.add_paragraph("Gum makes it flow.")
    removed._p.append(parse_xml(_DELETED))  # noqa: SLF001
    out = io.BytesIO()
    document.save(out)
    return _smaller(out.getvalue())


_OMML = (
    '<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">'
    "<m:f><m:num><m:r><m:t>40</m:t></m:r></m:num><m:den><m:sSup><m:e><m:r><m:t>10</m:t></m:r></m:e>"
    "<m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f></m:oMath>"
)
_DELETED = (
    '<w:del xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" w:id="1" w:author="x">'
    "<w:r><w:delText>This was taken out.</w:delText></w:r></w:del>"
)


def _pptx() -> bytes:
    import pptx
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Inches

    deck = pptx.Presentation()
    first = deck.slides.add_slide(deck.slide_layouts[0])
    first.shapes.title.text = "Birds on the Move"
    first.placeholders[1].text = "A lecture by Ada Okafor"
    second = deck.slides.add_slide(deck.slide_layouts[1])
    second.shapes.title.text = "Why they leave"
    body = second.placeholders[1].text_frame
    body.text = "Food runs short"
    for text, level in (("insects are gone by October", 1), ("Days grow short", 0)):
        paragraph = body.add_paragraph()
        paragraph.text, paragraph.level = text, level
    second.notes_slide.notes_text_frame.text = "Ask who has seen cranes this year.\nThen show the map."
    third = deck.slides.add_slide(deck.slide_layouts[5])
    third.shapes.title.text = "How far"
    table = third.shapes.add_table(3, 2, Inches(1), Inches(2), Inches(6), Inches(1.5)).table
    for row, texts in enumerate((("Bird", "Kilometres"), ("Swift", "9000"), ("Arctic tern", "35000"))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]
    data.categories = ["March", "April"]
    data.add_series("Arrivals", (12, 480.5))
    place = (Inches(1), Inches(4), Inches(6), Inches(3))
    third.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
    fourth = deck.slides.add_slide(deck.slide_layouts[6])
    group = fourth.shapes.add_group_shape()
    for left, text in ((4, "is read second"), (1, "What stands left")):
        box = group.shapes.add_textbox(Inches(left), Inches(1), Inches(2), Inches(1))
        box.text_frame.text = text
    out = io.BytesIO()
    deck.save(out)
    return _smaller(out.getvalue())


def _smaller(data: bytes) -> bytes:
    """Pack an archive tightly, without the time of day, and without pictures of its first page."""
    source = zipfile.ZipFile(io.BytesIO(data))
    parts = [(info.filename, source.read(info)) for info in source.infolist()]
    return _archive(parts)


def _archive(parts: Iterable[tuple[str, bytes]]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in parts:
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return out.getvalue()


def _epub() -> bytes:
    def chapter(*body: str) -> str:
        head = '<?xml version="1.0" encoding="utf-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml">'
        return f"{head}<head><title>x</title></head><body>{''.join(body)}</body></html>"

    package = """<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata
 xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The Little Book of Clocks</dc:title></metadata>
<manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="b" href="text/water%20clocks.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="text/sun.xhtml" media-type="application/xhtml+xml"/>
<item id="c" href="text/plain.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="nav"/><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>"""
    container = """<?xml version="1.0"?><container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"
 version="1.0"><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>"""
    contents = (
        '<nav><ol><li><a href="text/sun.xhtml">Sun</a></li>',
        '<li><a href="text/plain.xhtml">Sand and fire</a></li></ol></nav>',
    )
    sundials = (
        "<h1>Sundials</h1><p>A stick in the ground is the oldest clock.</p>",
        "<h2>Noon</h2><p>At noon its shadow is shortest.</p>",
    )
    water = ("<h1>Water clocks</h1><p>A bowl with a hole tells the hours by&#160;night.</p>",)
    sand = ("<p>Sand runs through a glass in the same time again and again.</p>",)
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "OPS/book.opf": package,
        "OPS/nav.xhtml": chapter(*contents),
        "OPS/text/sun.xhtml": chapter(*sundials),
        "OPS/text/water clocks.xhtml": chapter(*water),
        "OPS/text/plain.xhtml": chapter(*sand),
    }
    return _archive((name, text.encode()) for name, text in parts.items())


def _xlsx() -> bytes:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    names = (("Speed", "visible"), ("Scratch", "hidden"), ("Empty", "visible"), ("Length", "visible"))
    sheets: dict[str, list[list[object]]] = {
        "Speed": [
            ["How fast they are"],
            [],
            ["Glacier", "Metres a year"],
            ["Aletsch", 200],
            ["Jakobshavn", 12600],
        ],
        "Scratch": [["not", "shown"]],
        "Empty": [],
        "Length": [["Glacier", 2019, 2020], ["Aletsch", 22.6, "22.5 | 22.4"], ["Fox", "", True]],
    }

    def cell(value: object) -> str:
        if isinstance(value, bool):
            return f'<c t="b"><v>{value:d}</v></c>'
        if isinstance(value, str):
            return f'<c t="inlineStr"><is><t>{value}</t></is></c>'
        return f"<c><v>{value}</v></c>"

    listed, related, parts = "", "", {}
    for number, (name, state) in enumerate(names, 1):
        rows = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in sheets[name])
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>'
        )
        listed += f'<sheet name="{name}" sheetId="{number}" state="{state}" r:id="rId{number}"/>'
        target = f"worksheets/sheet{number}.xml"
        related += f'<Relationship Id="rId{number}" Type="{relation}/worksheet" Target="{target}"/>'
    package = "http://schemas.openxmlformats.org/package/2006"
    parts |= {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": (
            f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" '
            f'Type="{relation}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{main}" xmlns:r="{relation}"><sheets>{listed}</sheets></workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{package}/relationships">{related}</Relationships>'
        ),
    }
    return _archive((name, text.encode()) for name, text in parts.items())


_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{full}:1.0"'
    for name, full in (
        *((same, same) for same in ("office", "text", "table", "style", "presentation")),
        *(("draw", "drawing"), ("svg", "svg-compatible")),
    )
)
_ODT_STYLES = """
<style:style style:name="P1" style:parent-style-name="Preformatted_20_Text"/>
<style:style style:name="P2" style:parent-style-name="Title"/>
<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/>
<text:list-level-style-bullet text:level="2"/></text:list-style>"""
_ODT = """
<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
<text:p text:style-name="P2">How Glaciers Move</text:p>
<text:table-of-content><text:p>Ice 1</text:p></text:table-of-content>
<text:p>A glacier<text:note><text:note-citation>1</text:note-citation><text:note-body>
<text:p>From Latin.</text:p>
</text:note-body></text:note> is a <text:span>slow</text:span>
<text:s/>river<text:line-break/>of ice.<office:annotation>
<text:p>really?</text:p></office:annotation></text:p>
<text:section><text:h text:outline-level="2">Ice</text:h></text:section>
<text:list text:style-name="L1"><text:list-item><text:p>Snow falls.</text:p><text:list><text:list-item>
<text:p>all winter</text:p></text:list-item></text:list></text:list-item><text:list-item>
<text:p>It is pressed.</text:p>
</text:list-item></text:list>
<table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Glacier</text:p>
</table:table-cell>
<table:table-cell><text:p>Metres</text:p></table:table-cell></table:table-row></table:table-header-rows>
<table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>200</text:p></table:table-cell>
</table:table-row></table:table>
<text:p>In short <draw:frame><draw:object xlink:href="./Object 1"/><draw:image/></draw:frame>
<draw:frame><draw:text-box><text:p>The margin.</text:p></draw:text-box></draw:frame>
<draw:frame><draw:image/><svg:desc>a tongue of ice</svg:desc></draw:frame></text:p>
<text:p text:style-name="P1">def flow():</text:p><text:p text:style-name="P1">
<text:s text:c="4"/>return 200</text:p>"""
_ODP = """
<draw:page><draw:frame svg:y="9cm" svg:x="1cm"><draw:text-box><text:p>Below</text:p></draw:text-box>
</draw:frame>
<draw:frame svg:y="5cm" svg:x="120mm"><draw:text-box><text:p>Right</text:p></draw:text-box></draw:frame>
<draw:g><draw:custom-shape svg:y="2in" svg:x="1in"><text:p>Left</text:p></draw:custom-shape></draw:g>
<draw:frame presentation:class="title" svg:y="8cm"><draw:text-box><text:p>Birds</text:p></draw:text-box>
</draw:frame>
<draw:frame presentation:class="footer"><draw:text-box><text:p>School</text:p></draw:text-box></draw:frame>
<presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>Show the map.</text:p>
</draw:text-box></draw:frame></presentation:notes></draw:page>
<draw:page><draw:frame><draw:image/></draw:frame></draw:page>
<draw:page><draw:frame><draw:object xlink:href="./Object 2"/><draw:image/></draw:frame></draw:page>"""


def _opendocument(kind: str, styles: str, body: str) -> bytes:
    def document(styles: str, inner: str) -> bytes:
        return (
            f'<office:document-content {_ODF} xmlns:xlink="http://www.w3.org/1999/xlink">'
            f"<office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body>{inner}</office:body></office:document-content>"
        ).encode()

    table = "".join(
        f"<table:table-row><table:table-cell><text:p>{a}</text:p></table:table-cell><table:table-cell>"
        f"<text:p>{b}</text:p></table:table-cell></table:table-row>"
        for a, b in (("", "Cranes"), ("March", "12"))
    )
    formula = '<math xmlns="http://www.w3.org/1998/Math/MathML"><annotation>v = s over t</annotation></math>'
    parts = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}".encode(),
        "content.xml": document(styles, f"<office:{kind}>{body}</office:{kind}>".replace(">\n<", "><")),
        "Object 1/content.xml": formula.encode(),
        "Object 2/content.xml": document("", f"<text:p>Arrivals</text:p><table:table>{table}</table:table>"),
    }
    return _archive(parts.items())


def _notebook() -> bytes:
    def code(source: str, outputs: list[dict[str, Any]]) -> dict[str, Any]:
        return {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": source,
            "outputs": outputs,
        }

    def markdown(source: str | list[str]) -> dict[str, Any]:
        return {"cell_type": "markdown", "metadata": {}, "source": source}

    cells = [
        markdown(["# Counting waves\n", "\n", "We count waves with a loop."]),
        code("waves = 3\nprint(waves * 2)", [{"output_type": "stream", "name": "stdout", "text": ["6\n"]}]),
        markdown(""),
        code(
            "waves / 0",
            [
                {
                    "output_type": "error",
                    "ename": "ZeroDivisionError",
                    "evalue": "division by zero",
                    "traceback": ["\x1b[31mlong\x1b[0m"],
                }
            ],
        ),
        code(
            "plot(waves)",
            [
                {
                    "output_type": "display_data",
                    "metadata": {},
                    "data": {
                        "image/png": "iVBORw0KGgo=",
                        "text/plain": ["<Figure size 640x480 with 1 Axes>"],
                    },
                },
                {
                    "output_type": "stream",
                    "name": "stdout",
                    "text": "".join(f"row {n}\n" for n in range(400)),
                },
            ],
        ),
        markdown("![a picture](attachment:wave.png) The end."),
    ]
    metadata = {"language_info": {"name": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": cells}
    return json.dumps(notebook, indent=1).encode()


_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Soap | Kitchen Chemistry</title>
<style>body { color: black }</style><script>var tracking = "on";</script></head>
<body><header><a href="/">Kitchen Chemistry</a></header>
<nav><ul><li><a href="/a">Home</a></li><li><a href="/b">All lessons</a></li></ul></nav>
<main><h1>How soap cleans<a class="headerlink" href="#soap">¶</a></h1>
<p>Soap has two ends: one likes <em>water</em>,
the other likes <strong>fat</strong>.</p>
<h2>At the sink</h2>
<ol><li>Wet the plate.</li><li>Rub it:<ul><li>front</li><li>back</li></ul></li></ol>
<table><tr><th>Fat</th><th>Soap</th></tr><tr><td>olive oil</td><td>Castile</td></tr></table>
<h2>In numbers</h2>
<p>Call <code>drops(10)</code> to see it, or compute
<math><semantics><mi>c</mi>
<annotation encoding="application/x-tex">c = \\frac{n}{V}</annotation></semantics></math>.</p>
<pre><code class="language-python">def drops(n):
    return n * 0.05
</code></pre>
<div class="share-buttons"><a href="#">Share this page</a></div></main>
<footer>© Kitchen Chemistry. All rights reserved.</footer></body></html>
"""

_RTF = r"""{\rtf1\ansi\ansicpg1252\deff0\uc1{\fonttbl{\f0\froman\fcharset0 Times New Roman;}
{\f1\fswiss\fcharset238 Arial;}{\f2\fnil\fcharset2 Symbol;}}
{\colortbl;\red0\green0\blue0;}{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}
{\info{\title Glaciers}{\author Ada Okafor}}{\header Nobody reads this\par}
\pard\s1\outlinelevel0\b\fs32 How Glaciers Move\b0\par
\pard\s0\fs24 A glacier is a {\i slow} river of ice \endash  \'93eternal\'94 ice,
 in a caf\'e9\'92s view. Its price: 5 \u8364? \u-10179?\u-8704?.\par
{\listtext\f2\'b7\tab}firn\par
{\listtext\f2\'b7\tab}ice\par
{\listtext 1.\tab}It snows.\par
{\listtext 2.\tab}It stays.\par
\trowd\cellx3000\cellx6000\pard\intbl Glacier\cell Metres a year\cell\row
\trowd\cellx3000\cellx6000\pard\intbl Aletsch\cell 200\cell\row
\trowd\cellx3000\cellx6000\pard\intbl Jakobshavn\cell 12\~600\cell\row
\pard Polish: {\f1 za\'bf\'f3\'b3\'e6}.
 {\u1056\'3f\u1091\'3f\u1089\'3f\u1089\'3f\u1082\'3f\u1080\'3f\u1081\'3f}.\line
A line break.{\footnote A note at the foot.}\par
{\pict\wmetafile8 010009000003}
\pard The end, seen {\field{\*\fldinst{HYPERLINK "https://example.org/ice"}}{\fldrslt{here}}}.\par}
"""
_SRT = """1
00:00:01,000 --> 00:00:03,500
Welcome to the first lesson

2
00:00:03,500 --> 00:00:06,000
about <i>glaciers</i>. They move

3
00:00:06,000 --> 00:00:07,000
[Music]

4
00:01:02,250 --> 00:01:05,000
{\\an8}slowly, a metre a day.
- Is that so?
"""

_VTT = """WEBVTT - lesson

STYLE
::cue { color: white }

NOTE made by a machine

00:01.000 --> 00:03.000 align:start position:0%
ice is a<00:01.500><c> slow</c> river

00:03.000 --> 00:03.010
ice is a slow river

00:03.010 --> 00:05.000
ice is a slow river
it flows &amp; bends

00:05.000 --> 00:08.000
it flows &amp; bends
under its own weight

01:00:00.500 --> 01:00:02.000
<v Ada>Any questions?

01:00:02.000 --> 01:00:04.000
<v Ben>Why is it blue?
"""

if __name__ == "__main__":
    make_all(FOLDER)
