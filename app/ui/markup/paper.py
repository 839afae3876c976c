"""Writes HTML as PDF, on a worker's thread."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF
from PySide6.QtGui import QFont, QFontDatabase, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from app.config.paths import resource_path
from app.domain.plain_text import harmless

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_HEADING = re.compile(r"<(h([1-6]))>((?:(?!<h[1-6]>).)*?)</\1>", re.DOTALL)
_FIRST_TAG = re.compile(r"<([a-z]+)")


def write_pages(title: str, parts: Iterable[str], path: Path) -> None:
    """Write A4 pages; each part, which is HTML, begins on a page of its own.

    Raises:
        OSError: the file cannot be written.
    """
    path.touch()  # QPdfWriter does not say why it cannot write
    writer = QPdfWriter(str(path))
    page = QPageSize(QPageSize.PageSizeId.A4)
    # The document has its own margins, which hold the page number.
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    writer.setResolution(1200)
    writer.setTitle(harmless(title))
    writer.setCreator("Lectern")
    document = QTextDocument()
    font = QFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family())
    font.setPointSizeF(10.5)
    document.setDefaultFont(font)
    style = resource_path("resources/styles/export-pdf.css")
    document.setDefaultStyleSheet(style.read_text(encoding="utf-8"))
    first, *others = map(_for_paper, parts)
    breaking = r'<\1 style="page-break-before: always"'
    document.setHtml("\n".join([first, *(_FIRST_TAG.sub(breaking, part, count=1) for part in others)]))
    document.print_(writer)


def _for_paper(body: str) -> str:
    """Return the HTML in a form that Qt lays out: it ignores heading sizes and table styles."""
    return _HEADING.sub(r'<p class="h\2">\3</p>', body).replace(
        "<table>", '<table border="1" cellspacing="0" cellpadding="5" style="border-color:#cfc7b8">'
    )
