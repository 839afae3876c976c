"""A passage with its origin, for other programs."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from app.ui.widgets.clipboard import new_mime_data
from app.ui.widgets.source_labels import place_name, source_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QMimeData

    from app.domain.sources import Source


def quotation(source: Source, spans: Sequence[tuple[int, int]]) -> QMimeData:
    """Return a quotation with its reference, as text, HTML and Markdown.

    Args:
        source: to quote.
        spans: of its passage that are cited; without any, all of it is quoted.
    """
    hit = source.hit
    cited = (hit.text[max(start, 0) : max(end, 0)].strip() for start, end in sorted(spans))
    said = "\n".join(filter(None, cited)) or hit.text.strip()
    origin = ", ".join(filter(None, (source_label(hit), place_name(hit))))
    mime = new_mime_data()
    mime.setText(f"{said}\n— {origin}")
    quoted = "<br>".join(map(html.escape, said.splitlines()))
    mime.setHtml(f"<blockquote>{quoted}</blockquote><p>— {html.escape(origin)}</p>")
    lines = "\n".join(f"> {line}".rstrip() for line in said.splitlines())
    mime.setData("text/markdown", f"{lines}\n>\n> — {origin}\n".encode())
    return mime
