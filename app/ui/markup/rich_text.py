"""What every view of our rich text does beside showing it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from app.ui.markup.asides import ASIDE
from app.ui.markup.formula_pictures import finished_look

if TYPE_CHECKING:
    from PySide6.QtGui import QTextCharFormat, QTextDocument

_NOT_COPIED = re.compile(
    f"{ASIDE.pattern}|[\u200b\u2060\ufffc]"
)  # also the pictures, whose sources follow them


def looks(document: QTextDocument, start: int, end: int) -> list[tuple[int, int, QTextCharFormat]]:
    """Return start, end and format of each piece of text in the paragraphs between two positions."""
    found: list[tuple[int, int, QTextCharFormat]] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() < end:
        part = block.begin()
        while not part.atEnd():
            piece = part.fragment()
            found.append((piece.position(), piece.position() + piece.length(), piece.charFormat()))
            part += 1
        block = block.next()
    return found


def between(document: QTextDocument, start: int, end: int) -> QTextCursor:
    """Return a cursor that has the text between two positions selected."""
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    return cursor


def insert_paragraphs(document: QTextDocument, position: int, html: str) -> int:
    """Insert HTML behind the paragraph that ends at a position; return where it ends.

    The first paragraph of a fragment loses its format to the paragraph it is inserted into, so it is preceded
    by a paragraph of one character, which is then removed.
    """
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    cursor.setPosition(position)
    cursor.insertHtml(f"<p>&#8203;</p>{html}")
    end = cursor.position()
    cursor.setPosition(position)
    cursor.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    cursor.endEditBlock()
    return end - 1


def in_paragraphs(document: QTextDocument, start: int, end: int) -> list[tuple[int, int]]:
    """Return the parts of a span in each paragraph and cell; selected across cells, all of them would be."""
    parts: list[tuple[int, int]] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() < end:
        part = (max(block.position(), start), min(block.position() + block.length() - 1, end))
        if part[0] < part[1]:
            parts.append(part)
        block = block.next()
    return parts


def finish_formulas(document: QTextDocument, start: int, end: int | None = None) -> None:
    """Give formulas between two positions what HTML cannot say of them."""
    for first, last, look in looks(document, start, document.characterCount() if end is None else end):
        if more := finished_look(look):
            between(document, first, last).mergeCharFormat(more)


def copied_text(selection: QTextCursor) -> str:
    """Return what is selected as plain text, with the sources of its formulas and without pictures."""
    return _NOT_COPIED.sub("", selection.selection().toPlainText())
