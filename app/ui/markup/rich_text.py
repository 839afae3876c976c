"""What every view of our rich text does beside showing it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from app.ui.markup.formula_pictures import finished_look

if TYPE_CHECKING:
    from PySide6.QtGui import QTextCharFormat, QTextDocument

_NOT_COPIED = re.compile("[\u200b\u2060\ufffc]")  # also the pictures, whose sources follow them


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


def finish_formulas(document: QTextDocument) -> None:
    """Give the formulas of a document what HTML cannot say of them."""
    for start, end, look in looks(document, 0, document.characterCount()):
        if more := finished_look(look):
            between(document, start, end).mergeCharFormat(more)


def copied_text(selection: QTextCursor) -> str:
    """Return what is selected as plain text, with the sources of its formulas."""
    return _NOT_COPIED.sub("", selection.selection().toPlainText())
