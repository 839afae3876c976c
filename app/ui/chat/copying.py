"""Answers and selected text on the clipboard: Markdown for editors, HTML for word processors."""

import html
from collections.abc import Iterator, Sequence

from PySide6.QtGui import QGuiApplication, QTextCursor

from app.domain.conversations import Exchange
from app.domain.sources import NO_SOURCE
from app.markup.citation_marks import CitationMark, replace_tokens, with_marks, without_tokens
from app.markup.markdown_blocks import split_blocks
from app.markup.markdown_html import markdown_to_html, with_own_marks
from app.ui.chat.answer_stream import ShownAnswer
from app.ui.markup.rich_text import between, copied_text
from app.ui.markup.support_words import mark_note, origin_words
from app.ui.widgets.desktop import new_mime_data
from app.ui.widgets.source_labels import source_label

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


def written_mark(exchange: Exchange, mark: CitationMark, form: str) -> str:
    """Return a mark with what is wrong with it, if anything."""
    number = form.format(mark.n) if mark.n != NO_SOURCE else "[?]"
    words = mark_note(exchange, mark)
    return f"{number} ({words})" if words else number


def _summary(exchange: Exchange) -> str:
    """Return what the claims of an answer rest on, if they were examined."""
    return origin_words(exchange) if exchange.claims else ""


def notes_of(exchange: Exchange) -> dict[int, str]:
    """Return the footnotes of the cited sources, by number."""
    cited = {citation.source_n for citation in exchange.citations}
    notes = {}
    for source in exchange.sources:
        if source.n in cited:
            note = source_label(source.hit)
            notes[source.n] = f"{note}. {source.hit.link}" if source.hit.link else note
    return notes


def selected_markdown(selection: QTextCursor, answers: Sequence[ShownAnswer], end: int) -> str:
    """Return the Markdown of a selection in more than one paragraph; else nothing.

    ``answers`` are those on show, in order; ``end`` is where the document ends.
    """
    start, stop = selection.selectionStart(), selection.selectionEnd()
    if selection.document().findBlock(start) == selection.document().findBlock(stop):
        return ""
    ends = [*(answer.start for answer in answers[1:]), end]
    touched = [
        answer for answer, last in zip(answers, ends, strict=True) if answer.start < stop and start < last
    ]
    notes = _Notes(several=len(touched) > 1)
    parts = [part for answer in touched for part in _parts(selection, answer, notes)]
    return "\n\n".join([*parts, *notes.lines()])


class _Notes:
    """The footnotes of copied text, renumbered if it spans several answers."""

    def __init__(self, *, several: bool) -> None:
        self._several = several
        self._numbers: dict[str, int] = {}  # by note

    def mark(self, exchange: Exchange, mark: CitationMark) -> str:
        note = notes_of(exchange).get(mark.n)
        if note is not None:
            number = len(self._numbers) + 1 if self._several else mark.n
            mark = mark._replace(n=self._numbers.setdefault(note, number))
        return written_mark(exchange, mark, "[^{}]")

    def lines(self) -> list[str]:
        notes = (f"[^{number}]: {note}" for note, number in self._numbers.items())
        return ["\n".join(notes)] if self._numbers else []


def _parts(selection: QTextCursor, answer: ShownAnswer, notes: _Notes) -> Iterator[str]:
    """Yield the Markdown of what is selected of a question, and of each block of its answer."""
    document = selection.document()
    question = between(document, answer.start + 1, answer.start + 1).currentFrame()
    if text := _selected(selection, question.firstPosition(), question.lastPosition()):
        yield "\n".join(f"> {line}".rstrip() for line in text.split("\n"))
    exchange = answer.exchange
    source = without_tokens(exchange.answer)
    blocks = split_blocks(source)
    if len(blocks) != len(answer.blocks):  # it is still being written
        if text := _selected(selection, answer.blocks[0] + 1 if answer.blocks else answer.end, answer.end):
            yield text
        return
    places = [*answer.blocks, answer.end]
    for at, (block, own) in enumerate(with_own_marks(blocks, exchange.citations)):
        first, last = places[at] + 1, places[at + 1]
        if selection.selectionStart() <= first and last <= selection.selectionEnd():
            text, behind = with_marks(source, block, own)
            whole = f"{block.head}{text}\n\n{behind}" if behind else f"{block.head}{text}"
            yield replace_tokens(whole, lambda mark: notes.mark(exchange, mark))
        elif text := _selected(selection, first, last):
            yield text


def _selected(selection: QTextCursor, first: int, last: int) -> str:
    start, stop = max(selection.selectionStart(), first), min(selection.selectionEnd(), last)
    return copied_text(between(selection.document(), start, stop)).strip("\n") if start < stop else ""
