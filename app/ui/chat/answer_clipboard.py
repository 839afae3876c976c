"""An answer on the clipboard: Markdown for editors, HTML for word processors."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

from app.ui.markup.citation_marks import mark_of, replace_tokens, with_marks, without_tokens
from app.ui.markup.markdown_blocks import split_blocks
from app.ui.markup.markdown_html import answer_to_html, with_own_marks
from app.ui.widgets.clipboard import new_mime_data
from app.ui.widgets.source_labels import source_label

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.domain.sources import Source


def copy_answer(exchange: Exchange) -> None:
    mime = new_mime_data()
    text = clipboard_markdown(exchange)
    mime.setText(text)
    mime.setHtml(clipboard_html(exchange))
    mime.setData("text/markdown", text.encode("utf-8"))
    QGuiApplication.clipboard().setMimeData(mime)


def clipboard_markdown(exchange: Exchange) -> str:
    """Return an answer as Markdown, its citations as footnotes."""
    source = without_tokens(exchange.answer)
    parts: list[str] = []
    end = 0
    marks = [mark_of(citation) for citation in exchange.citations]
    for block, own in with_own_marks(split_blocks(source), marks):
        text, behind = with_marks(source, block, own)
        parts += [source[end : block.start], text, f"\n\n{behind}" if behind else ""]
        end = block.end
    body = replace_tokens("".join(parts), lambda n, verified: f"[^{n}]").strip()
    notes = [f"[^{source.n}]: {note}" for source, note in _notes(exchange)]
    return "\n".join([body, "", *notes]) if notes else body


def clipboard_html(exchange: Exchange) -> str:
    """Return an answer as plain HTML, its citations as numbered notes at the end."""
    marks = [mark_of(citation) for citation in exchange.citations]
    body = replace_tokens(answer_to_html(exchange.answer, marks), lambda n, verified: f"<sup>[{n}]</sup>")
    notes = "".join(f"<p>[{source.n}] {html.escape(note)}</p>" for source, note in _notes(exchange))
    return f"{body}<hr>{notes}" if notes else body


def _notes(exchange: Exchange) -> list[tuple[Source, str]]:
    """Return the cited sources in order, each with its footnote."""
    cited = {citation.source_n for citation in exchange.citations}
    doubtful = cited - {citation.source_n for citation in exchange.citations if citation.verified}
    notes = []
    for source in exchange.sources:
        if source.n in cited:
            note = source_label(source.hit)
            if source.n in doubtful:
                doubt = QCoreApplication.translate(
                    "AnswerClipboard", "{0} (this citation could not be verified)"
                )
                note = doubt.format(note)
            notes.append((source, f"{note}. {source.hit.link}" if source.hit.link else note))
    return notes
