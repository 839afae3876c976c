"""Whole PDF files, made of drawing commands: what only a page or a document shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from app.core.documents.document_reader import read_document
from app.core.documents.readers import ReaderError
from app.core.documents.readers.pdf.reader import read_pdf
from tests.support.format_samples import pdf, text_page

if TYPE_CHECKING:
    from pathlib import Path

FIRST = [
    (72, 700, "The tide comes in twice a day, and every time it does the people of the"),
    (72, 686, "village know that the water will carry their boats over the bar and the"),
]


def texts(data: bytes) -> list[tuple[object, str]]:
    document = read_pdf(data)
    ends = [*(mark.start for mark in document.marks[1:]), len(document.text)]
    return [
        (mark.anchor.value, document.text[mark.start : end])
        for mark, end in zip(document.marks, ends, strict=True)
    ]


@pytest.mark.parametrize(
    ("last", "following", "joint"),
    [("sand", "banks outside.", " "), ("sand", "Banks are outside.", "\n\n"), ("sand-", "banks.", "\n\n")],
)
def test_a_paragraph_may_go_on_on_the_next_page(last: str, following: str, joint: str) -> None:
    first = [
        *FIRST,
        (72, 672, f"wind will bring them home again in the evening, as long as the great {last}"),
    ]
    pages = [text_page(first), text_page([(72, 700, following)])]
    (_, before), (page, after) = texts(pdf(pages))
    assert before.endswith(last + joint)
    assert (page, after) == (2, following)


def test_a_damaged_page_among_good_ones_is_passed_over() -> None:
    data = pdf([text_page([(72, 700, f"Page {word}.")]) for word in ("one", "two", "three")])
    damaged = data.replace(b"\n12 0 obj\n<< ", b"\n12 0 obj\n77 ")
    assert damaged != data
    assert texts(damaged) == [(1, "Page one.\n\n"), (3, "Page three.")]
    assert str(read_pdf(damaged).unread) == "1 of 3 pages could not be read."


@pytest.mark.parametrize(
    ("turned", "places"),
    [
        (b"0 1 -1 0 %d 100", (100, 114, 128)),  # upwards
        (b"-1 0 0 -1 500 %d", (100, 114, 128)),  # upside down
        (b"0 -1 1 0 %d 700", (128, 114, 100)),  # downwards
    ],
)
def test_a_page_is_turned_upright_and_what_runs_across_it_comes_last(
    turned: bytes, places: tuple[int, ...]
) -> None:
    words = (b"This page was printed on its", b"side, and this is how it all", b"goes on to its end.")
    lines = b"".join(
        turned % place + b" Tm (%b) Tj\n" % text for place, text in zip(places, words, strict=True)
    )
    stamp = b"0.7 0.7 -0.7 0.7 300 300 Tm (DRAFT) Tj\n"
    assert texts(pdf([b"BT /F1 10 Tf\n" + lines + stamp + b"ET\n"])) == [
        (1, "This page was printed on its side, and this is how it all goes on to its end.\n\nDRAFT")
    ]


def test_a_stamp_on_every_page_is_read_once() -> None:
    stamp = b"BT /F1 10 Tf 0.7 0.7 -0.7 0.7 300 300 Tm (DRAFT) Tj ET\n"
    pages = [text_page([(72, 700, f"Page {word} says this.")]) + stamp for word in ("one", "two", "three")]
    assert [text.strip() for _, text in texts(pdf(pages))] == [
        "Page one says this.\n\nDRAFT",
        "Page two says this.",
        "Page three says this.",
    ]


@pytest.mark.parametrize("matrix", [b"0 1 -1 0 500 %d", b"0 -1 1 0 40 %d"])
def test_labels_along_the_side_are_read_and_no_paragraph_is_cut_by_them(matrix: bytes) -> None:
    lines = [*FIRST, (72, 672, "wind will bring them home again in the evening, as long as the great sand")]
    label = b"BT /F1 10 Tf " + matrix % 400 + b" Tm (Height of the water) Tj ET\n"
    document = read_pdf(pdf([text_page(lines) + label, text_page([(72, 700, "banks outside.")])]))
    assert document.text.startswith("Height of the water\n\nThe tide comes in")
    assert document.text.endswith("as long as the great sand banks outside.")


def test_what_was_typed_into_a_form_and_onto_the_page_is_read() -> None:
    shown = b"<< /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 3 0 R >> >> /Length 45 >>"
    shown += b"\nstream\nBT /F1 10 Tf 1 0 0 1 2 5 Tm (Ada Okafor) Tj ET   \nendstream"
    typed = (
        b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Okafor) /F 4 /Rect [120 695 320 715] "
        b"/AP << /N 5 0 R >> >>"
        b"<< /Type /Annot /Subtype /Text /Rect [300 300 320 320] /Contents (Ask about this in class.) >>"
        b"<< /Type /Annot /Subtype /Highlight /Rect [72 640 200 660] /Contents (Height of tides) >>"
    )
    data = pdf([text_page([(72, 700, "Name:"), (72, 650, "Height of tides in metres")])], xobject=shown)
    data = data.replace(b"/MediaBox", b"/Annots [%b] /MediaBox" % typed)
    assert (
        read_pdf(data).text
        == "Name:\n\nHeight of tides in metres\n\n[Note: Ada Okafor]\n[Note: Ask about this in class.]"
    )


def test_lines_before_the_signature_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "from a web server.pdf"
    path.write_bytes(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n" + pdf([text_page(FIRST)]))
    assert read_document(path).text.startswith("The tide comes in")


def test_a_page_with_nothing_but_a_number_is_no_scan() -> None:
    assert read_pdf(pdf([text_page([(300, 400, "vi")])])).text == "vi"


def test_a_tab_divides_words() -> None:
    cmap = (
        b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n"
        b"3 beginbfchar <41> <0041> <42> <0009> <43> <0043> endbfchar endcmap"
    )
    stream = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(cmap), cmap)
    encoding = b"/Encoding /WinAnsiEncoding"
    data = pdf([text_page([(72, 700, "AABCC")])], xobject=stream)
    assert read_pdf(data.replace(encoding, b"/ToUnicode 5 0 R".ljust(len(encoding)))).text == "AA CC"


def test_signs_are_read_as_the_font_says() -> None:
    signs = {"41": "D83DDE00", "42": "FB01", "43": "F0B7", "44": "E123", "45": "0065"}
    mapping = " ".join(f"<{code}> <{sign}>" for code, sign in signs.items())
    cmap = (
        "begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{len(signs)} beginbfchar {mapping} endbfchar endcmap"
    ).encode()
    data = pdf(
        [text_page([(72, 700, "CE EBE A EDE")])],
        xobject=b"<< /Length %d >>\nstream\n%b\nendstream" % (len(cmap), cmap),
    )
    encoding = b"/Encoding /WinAnsiEncoding"
    mapped = data.replace(encoding, b"/ToUnicode 5 0 R".ljust(len(encoding)))
    assert texts(mapped) == [(1, "• e efie 😀 ee")]


def test_signs_of_a_symbol_font_are_what_they_show() -> None:
    cmap = (
        b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n"
        b"3 beginbfchar <61> <F061> <3D> <F03D> <70> <F070> endbfchar endcmap"
    )
    stream = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(cmap), cmap)
    data = pdf([text_page([(72, 700, "a = p")])], xobject=stream)
    data = data.replace(b"/Encoding /WinAnsiEncoding", b"/ToUnicode 5 0 R")
    assert read_pdf(data.replace(b"/Helvetica", b"/AAAAAA+SymbolMT")).text == "α = π"


def test_nothing_but_a_header() -> None:
    with pytest.raises(ReaderError, match="damaged"):
        read_pdf(b"%PDF-1.7\n")
