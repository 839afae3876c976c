"""The small files of every format that the tests read, and PDFs that a test writes itself.

Every text in the files was written for this project.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDER = Path(__file__).parent.parent / "data" / "formats"

Line = tuple[float, float, str]
"""A line of text and where it begins: from the left and from the bottom, in points."""

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
RIGHT_TO_LEFT = ("שלום לכולם, זה שיעור קצר על הים.", "הירח מושך את המים.", "البحر يتنفس مرتين كل يوم.")


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


def text_page(lines: Iterable[Line]) -> bytes:
    content = ["BT /F1 10 Tf"]
    for x, y, text in lines:
        escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        # Spaces in front are a place on the page, not letters, as programs that print code have it.
        indent = len(escaped) - len(escaped.lstrip(" "))
        content.append(f"1 0 0 1 {x + 6 * indent} {y} Tm ({escaped.lstrip(' ')}) Tj")
    return "\n".join([*content, "ET\n"]).encode("latin-1")


def pdf(contents: list[bytes], *, xobject: bytes = b"") -> bytes:
    """Return a PDF of one content stream a page; ``xobject`` is its object 5."""
    count = len(contents)
    objects: dict[int, bytes] = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    }
    kids = " ".join(f"{10 + 2 * index} 0 R" for index in range(count))
    objects[2] = f"<< /Type /Pages /Count {count} /Kids [{kids}] >>".encode()
    if xobject:
        objects[5] = xobject
    for index, content in enumerate(contents):
        page, stream = 10 + 2 * index, 11 + 2 * index
        objects[page] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F1 3 0 R >> >> >>" % stream
        )
        objects[stream] = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content)
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
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    out.write(trailer % (size, start))
    return out.getvalue()
