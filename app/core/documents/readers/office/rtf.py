"""RTF documents to text: paragraphs, lists and tables; RTF keeps no headings that could be told apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from striprtf.striprtf import remove_pict_groups, rtf_to_text

from app.core.documents.readers.text_builder import TextBuilder, collapsed

if TYPE_CHECKING:
    from app.domain.documents import DocumentText

_ITEM = re.compile(r"(?:[•·▪‣§o-]|(\d{1,3}|[a-z])[.)])\t+")
_HIGH = re.compile("[\x80-\xff]")


def read_rtf(data: bytes) -> DocumentText:
    """Read an RTF document; pictures, headers, footers and footnotes are left out."""
    rtf = remove_pict_groups(data.decode("latin-1"))
    # Bytes beyond ASCII become escapes, which are read in the encoding of their font.
    text = rtf_to_text(_HIGH.sub(lambda byte: f"\\'{ord(byte[0]):02x}", rtf), errors="replace")
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    builder = TextBuilder()
    rows: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        if line.endswith("|"):
            rows.append(line[:-1].split("|"))
            continue
        builder.table(rows)
        rows = []
        item = _ITEM.match(line)
        sign = (f"{item[1]}. " if item[1] else "- ") if item else ""
        builder.block(sign + collapsed(line[item.end() :] if item else line), tight=bool(item))
    return builder.finish()
