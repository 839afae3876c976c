"""Whole PDF files, made of drawing commands: what only a page or a document shows."""

from __future__ import annotations

import pytest

from app.core.documents.readers import ReaderError
from app.core.documents.readers.pdf.reader import read_pdf
from tests.support.make_format_samples import pdf, text_page

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


@pytest.mark.parametrize(
    ("turned", "places"),
    [
        (b"0 1 -1 0 %d 100", (100, 114, 128)),  # upwards
        (b"-1 0 0 -1 500 %d", (100, 114, 128)),  # upside down
        (b"0 -1 1 0 %d 700", (128, 114, 100)),  # downwards
    ],
)
def test_a_page_is_turned_upright_and_a_stamp_across_it_is_left_out(
    turned: bytes, places: tuple[int, ...]
) -> None:
    words = (b"This page was printed on its", b"side, and this is how it all", b"goes on to its end.")
    lines = b"".join(
        turned % place + b" Tm (%b) Tj\n" % text for place, text in zip(places, words, strict=True)
    )
    stamp = b"0.7 0.7 -0.7 0.7 300 300 Tm (DRAFT) Tj\n"
    assert texts(pdf([b"BT /F1 10 Tf\n" + lines + stamp + b"ET\n"])) == [
        (1, "This page was printed on its side, and this is how it all goes on to its end.")
    ]


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


def test_nothing_but_a_header() -> None:
    with pytest.raises(ReaderError, match="damaged"):
        read_pdf(b"%PDF-1.7\n")
