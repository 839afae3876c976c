"""An answer on the clipboard: Markdown for editors, HTML for word processors."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.domain.sources import NO_SOURCE
from app.markup.citation_marks import replace_tokens, with_marks, without_tokens
from app.markup.markdown_blocks import split_blocks
from app.markup.markdown_html import markdown_to_html, with_own_marks
from app.ui.markup.support_words import are_from_elsewhere, mark_note, origin_words, support_count
from app.ui.widgets.clipboard import new_mime_data
from app.ui.widgets.source_labels import source_label

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.markup.citation_marks import Mark

_LONGEST_HTML = 20_000  # characters of an answer; more would take longer than a frame


def copy_answer(exchange: Exchange) -> None:
    mime = new_mime_data()
    text = clipboard_markdown(exchange)
    mime.setText(text)
    if len(exchange.answer) <= _LONGEST_HTML:
        mime.setHtml(clipboard_html(exchange))
    mime.setData("text/markdown", text.encode("utf-8"))
    QGuiApplication.clipboard().setMimeData(mime)


def clipboard_markdown(exchange: Exchange) -> str:
    """Return an answer as Markdown, its citations as footnotes."""
    source = without_tokens(exchange.answer)
    parts: list[str] = []
    end = 0
    for block, own in with_own_marks(split_blocks(source), exchange.citations):
        text, behind = with_marks(source, block, own)
        parts += [source[end : block.start], text, f"\n\n{behind}" if behind else ""]
        end = block.end
    marked = replace_tokens("".join(parts), lambda mark: written_mark(exchange, mark, "[^{}]"))
    summary = _summary(exchange)
    notes = "\n".join(f"[^{n}]: {note}" for n, note in notes_of(exchange).items())
    return "\n\n".join(filter(None, (marked.strip(), f"*{summary}*" if summary else "", notes)))


def clipboard_html(exchange: Exchange) -> str:
    """Return an answer as plain HTML, its citations as numbered notes at the end."""
    answer = markdown_to_html(exchange.answer, exchange.citations)
    body = replace_tokens(answer, lambda mark: written_mark(exchange, mark, "<sup>[{}]</sup>"))
    if summary := _summary(exchange):
        body += f"<p><em>{html.escape(summary)}</em></p>"
    notes = "".join(f"<p>[{n}] {html.escape(note)}</p>" for n, note in notes_of(exchange).items())
    return f"{body}<hr>{notes}" if notes else body


def written_mark(exchange: Exchange, mark: Mark, form: str) -> str:
    """Return a mark with what is wrong with it, if anything."""
    number = form.format(mark.n) if mark.n != NO_SOURCE else "[?]"
    words = mark_note(exchange, mark)
    return f"{number} ({words})" if words else number


def _summary(exchange: Exchange) -> str:
    """Return what the claims of an answer rest on, if they were examined."""
    parts = [origin_words(exchange)] if exchange.claims else []
    if exchange.claims and not are_from_elsewhere(exchange.claims):
        parts.insert(0, f"{support_count(exchange)}.")
    return " ".join(filter(None, parts))


def notes_of(exchange: Exchange) -> dict[int, str]:
    """Return the footnotes of the cited sources, by number."""
    cited = {citation.source_n for citation in exchange.citations}
    notes = {}
    for source in exchange.sources:
        if source.n in cited:
            note = source_label(source.hit)
            notes[source.n] = f"{note}. {source.hit.link}" if source.hit.link else note
    return notes
