"""What is copied of a source: a link to it, or a quotation with its origin."""

from __future__ import annotations

import html
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QGuiApplication

from app.domain.links import link_to
from app.domain.sources import OUTLINE
from app.ui.widgets.desktop import new_mime_data
from app.ui.widgets.source_labels import place_name, source_label

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QMimeData, QPoint
    from PySide6.QtWidgets import QMenu

    from app.domain.sources import LessonText, Source
    from app.ui.reading.lesson_view import LessonView

_MOST_WORDS = 200  # of a selection that a link holds
tr = partial(QCoreApplication.translate, "CopiedLink")


def add_copy_link(menu: QMenu, source: Source, span: tuple[int, int] | None = None) -> None:
    """Add a command that copies a link to a source or a span of it; an outline stands in no file."""
    if source.hit.chunk_index != OUTLINE:
        menu.addAction(tr("Copy link"), lambda: copy(link_to(source, span)))


def copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)


def offer_links(view: LessonView, link: Callable[[LessonView], str]) -> None:
    """Let the menu of a lesson's text also copy a link; ``link`` returns it, or an empty string."""
    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(partial(_show_menu, view, link))


def link_in(
    lesson: LessonText, source: Source, cited: tuple[int, int] | None, selected: tuple[int, int] | None
) -> str:
    """Return a link to what is selected in a lesson, else to its cited sentence or the passage.

    Args:
        lesson: the text shown.
        source: whose lesson it is.
        cited: the cited sentence that is shown, as a span of the document.
        selected: a span of the lesson's text.
    """
    if source.hit.chunk_index == OUTLINE:
        return ""
    quote = lesson.text[slice(*selected)] if selected else ""
    if selected is None or len(quote.split()) > _MOST_WORDS:
        return link_to(source, cited)
    return link_to(source, (selected[0] + lesson.start, selected[1] + lesson.start), quote)


def _show_menu(view: LessonView, link: Callable[[LessonView], str], at: QPoint) -> None:
    menu = view.createStandardContextMenu()
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if address := link(view):
        menu.addAction(tr("Copy link"), lambda: copy(address))
    menu.popup(view.viewport().mapToGlobal(at))


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
