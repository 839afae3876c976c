"""What is copied of a source: a link to it, or a quotation with its origin."""

import html
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from app.domain.links import link_to
from app.domain.sources import OUTLINE, Source
from app.ui.widgets.desktop import new_mime_data
from app.ui.widgets.source_labels import place_name, source_label

tr = partial(QCoreApplication.translate, "CopiedLink")


def add_copy_link(
    menu: QMenu, source: Source, span: tuple[int, int] | None = None, text: str | None = None
) -> None:
    """Add a command that copies a link to a source or a span of it; an outline stands in no file.

    ``text`` is what stands at the span, where that is more than the passage.
    """
    if source.hit.chunk_index != OUTLINE:
        menu.addAction(tr("Copy link"), lambda: copy(link_to(source, span, text)))


def copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def quotation(source: Source, spans: Sequence[tuple[int, int]]) -> QMimeData:
    """Return a quotation with its reference, as text, HTML and Markdown."""
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
