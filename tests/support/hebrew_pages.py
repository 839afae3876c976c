"""PDFs with Hebrew, set letter by letter as it is seen, without a font of the system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.set_pages import numbered_objects

if TYPE_CHECKING:
    from collections.abc import Sequence

_FIRST, _CODE = 0x5D0, 0xC0  # alef, and its code in the font
_BROAD = "ABCDEFGHIJKLMNOPQRSTUVWXYZ&mw"
_MIRRORED = str.maketrans("()", ")(")


def seen(*parts: str, backwards: bool = True) -> str:
    """Return parts of a line, given in the order they are read in, as they stand from left to right.

    Each is either Hebrew or is not.
    """
    turned = [part[::-1].translate(_MIRRORED) if any(map(_is_hebrew, part)) else part for part in parts]
    return "".join(turned[::-1] if backwards else turned)


def hebrew_pdf(lines: Sequence[str], *, size: int = 12) -> bytes:
    """Return a page of lines of characters that stand as given, from left to right."""
    rows = "\n".join(
        f"BT /F1 {size} Tf 1 0 0 1 60 {700 - 1.5 * size * row} Tm <{_codes(line)}> Tj ET"
        for row, line in enumerate(lines)
    )
    letters = "".join(f"<{_CODE + n:02x}> <{_FIRST + n:04x}>\n" for n in range(27))
    signs = "".join(f"<{code:02x}> <{code:04x}>\n" for code in range(32, 127))
    names = (
        "/CIDInit /ProcSet findresource begin begincmap\n1 begincodespacerange <00> <ff> endcodespacerange\n"
        f"27 beginbfchar\n{letters}endbfchar\n95 beginbfchar\n{signs}endbfchar\nendcmap end"
    )
    widths = " ".join(
        "250" if code == 32 else "800" if chr(code) in _BROAD else "560" for code in range(32, 256)
    )
    return numbered_objects(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            "/Resources << /Font << /F1 5 0 R >> >> >>",
            f"<< /Length {len(rows)} >>\nstream\n{rows}\nendstream",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R "
            f"/FirstChar 32 /LastChar 255 /Widths [{widths}] >>",
            f"<< /Length {len(names)} >>\nstream\n{names}\nendstream",
        ]
    )


def _is_hebrew(character: str) -> bool:
    return ord(character) >= _FIRST


def _codes(line: str) -> str:
    return "".join(f"{_CODE + ord(one) - _FIRST if _is_hebrew(one) else ord(one):02x}" for one in line)
