"""Creates a small course file of each format for ``lectern --selfcheck``."""

import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.core.documents.formats import FORMATS

SENTENCE = "The margin of error shrinks with the square root of the sample."
"""The text of each file."""

_EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": """<?xml version="1.0"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>""",
    "book.opf": """<?xml version="1.0"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">check</dc:identifier>
<dc:title>Check</dc:title><dc:language>en</dc:language></metadata>
<manifest><item id="page" href="page.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="page"/></spine></package>""",
    "page.xhtml": f"""<?xml version="1.0"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Check</title></head>
<body><p>{SENTENCE}</p></body></html>""",
}

_ODF = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
_TEXT = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
_DRAW = 'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'
_TABLE = 'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
_PARAGRAPH = f"<text:p>{SENTENCE}</text:p>"
# What each kind of OpenDocument file has in its body.
_BODIES = {
    "text": _PARAGRAPH,
    "presentation": f"<draw:page><draw:rect>{_PARAGRAPH}</draw:rect></draw:page>",
    "spreadsheet": '<table:table table:name="Check"><table:table-row><table:table-cell '
    f'office:value-type="string">{_PARAGRAPH}</table:table-cell></table:table-row></table:table>',
}


def make_files(folder: Path) -> list[Path]:
    """Write a file of each format into ``folder`` and return them."""
    made = []
    for one in FORMATS:
        if one.kind == "picture":  # its text comes later
            continue
        path = folder / f"check{one.endings[0]}"
        if one.sample:
            path.write_text(one.sample.replace("SENTENCE", SENTENCE), encoding="utf-8")
        else:
            _WRITERS[one.kind](path)
        made.append(path)
    return made


def _write_epub(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in _EPUB.items():
            archive.writestr(name, text)


def _write_opendocument(path: Path, kind: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr(
            "content.xml",
            f"<office:document-content {_ODF} {_TEXT} {_DRAW} {_TABLE}><office:body><office:{kind}>"
            f"{_BODIES[kind]}</office:{kind}></office:body></office:document-content>",
        )
        archive.writestr(
            "META-INF/manifest.xml",
            '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>',
        )


def _write_pdf(path: Path) -> None:
    text = f"BT /F 12 Tf 72 720 Td ({SENTENCE}) Tj ET".encode("ascii")
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F " + font + b">>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(text), text),
    ]
    data, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size, at = len(objects) + 1, len(data)
    data += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
    data += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (size, at)
    path.write_bytes(data)


# These two import their libraries inside, since that takes half a second.


def _write_docx(path: Path) -> None:
    import docx

    document = docx.Document()
    document.add_paragraph(SENTENCE)
    document.save(str(path))


def _write_pptx(path: Path) -> None:
    import pptx

    slides = pptx.Presentation()
    title = slides.slides.add_slide(slides.slide_layouts[5]).shapes.title
    assert title is not None
    title.text_frame.text = SENTENCE
    slides.save(str(path))


_WRITERS: dict[str, Callable[[Path], None]] = {
    "pdf": _write_pdf,
    "docx": _write_docx,
    "pptx": _write_pptx,
    "odt": partial(_write_opendocument, kind="text"),
    "odp": partial(_write_opendocument, kind="presentation"),
    "spreadsheet": partial(_write_opendocument, kind="spreadsheet"),
    "epub": _write_epub,
}
