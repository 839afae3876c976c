"""What is selected in a conversation, as Markdown.

Whole blocks are copied as they were written, parts of them as plain text; what stands around questions and
answers, such as "Regenerate", is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.markup.citation_marks import replace_tokens, with_marks, without_tokens
from app.markup.markdown_blocks import split_blocks
from app.markup.markdown_html import with_own_marks
from app.ui.chat.answer_clipboard import notes_of, written_mark
from app.ui.markup.rich_text import between, copied_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QTextCursor

    from app.domain.conversations import Exchange
    from app.markup.citation_marks import Mark
    from app.ui.chat.entries import Answer


def selected_markdown(selection: QTextCursor, answers: Sequence[Answer], end: int) -> str:
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
    """The footnotes of what is copied; those of several answers are numbered anew."""

    def __init__(self, *, several: bool) -> None:
        self._several = several
        self._numbers: dict[str, int] = {}  # by note

    def mark(self, exchange: Exchange, mark: Mark) -> str:
        note = notes_of(exchange).get(mark.n)
        if note is not None:
            number = len(self._numbers) + 1 if self._several else mark.n
            mark = mark._replace(n=self._numbers.setdefault(note, number))
        return written_mark(exchange, mark, "[^{}]")

    def lines(self) -> list[str]:
        notes = (f"[^{number}]: {note}" for note, number in self._numbers.items())
        return ["\n".join(notes)] if self._numbers else []


def _parts(selection: QTextCursor, answer: Answer, notes: _Notes) -> Iterator[str]:
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
    """Return what is selected of the text between two positions."""
    start, stop = max(selection.selectionStart(), first), min(selection.selectionEnd(), last)
    return copied_text(between(selection.document(), start, stop)).strip("\n") if start < stop else ""
