"""Reading the conversation block by block: with the keyboard, and with a screen reader in words.

A block is a paragraph, a heading, an entry of a list, a row of a table, or what stands in a box: a question,
a notice, a quotation, code.
"""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QFont, QTextBlock, QTextCursor, QTextListFormat, QTextTable, QTextTableCell

from app.ui.chat.marked_view import MarkedView
from app.ui.markup.rich_text import between, copied_text, looks
from app.ui.widgets.accessibility import announce
from app.ui.widgets.pane_keys import PaneKey

tr = partial(QCoreApplication.translate, "BlockReading")


class BlockReading(QObject):
    """Ctrl+Down and Ctrl+Up select the next and the previous block, which is said in words."""

    def __init__(self, view: MarkedView) -> None:
        super().__init__(view)
        self._view = view
        following, preceding = partial(self._step, forwards=True), partial(self._step, forwards=False)
        PaneKey(view, "Ctrl+Down", following, text=tr("Next paragraph of the chat"))
        text = tr("Previous paragraph of the chat")
        PaneKey(view, "Ctrl+Up", preceding, text=text)

    def _step(self, *, forwards: bool) -> None:
        document, cursor = self._view.document(), self._view.textCursor()
        if cursor.hasSelection():
            place = cursor.selectionEnd() + 1 if forwards else cursor.selectionStart() - 1
        else:
            place = self._last_question() if forwards else self._view.end_position - 1
        while 0 <= place < self._view.end_position:
            start, end = _span_around(document.findBlock(place))
            if words := block_words(self._view, start, end):
                # Its end first, so that Right goes on to the links inside.
                self._view.setTextCursor(between(document, end, start))
                self._view.show_place(start)
                announce(self._view, words, urgent=True)  # in place of what is selected, signs and all
                return
            place = end + 1 if forwards else start - 1

    def _last_question(self) -> int:
        block = self._view.document().lastBlock()
        while block.isValid() and self._view.kind_of_box(QTextCursor(block).currentFrame()) != "question":
            block = block.previous()
        return max(block.position(), 0)


def _span_around(block: QTextBlock) -> tuple[int, int]:
    """Return where the block begins and ends that a paragraph belongs to."""
    table = QTextCursor(block).currentTable()
    if table is None:
        return block.position(), block.position() + block.length() - 1
    cells = [table.cellAt(0, 0)] if _is_box(table) else _row_of(table, block)
    return cells[0].firstPosition(), cells[-1].lastPosition()


def block_words(view: MarkedView, start: int, end: int) -> str:
    """Return a block in words: its formulas as their sources, its marks as what they say."""
    block = view.document().findBlock(start)
    table = QTextCursor(block).currentTable()
    if table is not None and not _is_box(table):
        return "; ".join(_row_words(view, table, block))
    words = _words(view, start, end)
    if not words:
        return ""
    match view.kind_of_box(table):
        case "code":
            return tr("Code: {text}").format(text=copied_text(between(view.document(), start, end)))
        case "question":
            return tr("Question: {text}").format(text=words)
    if entry := block.textList():
        is_counted = entry.format().style() == QTextListFormat.Style.ListDecimal
        return f"{entry.itemText(block) if is_counted else '•'} {words}"
    return tr("Heading: {text}").format(text=words) if _is_heading(view, block) else words


def _is_heading(view: MarkedView, block: QTextBlock) -> bool:
    """Return whether a paragraph looks like a heading, which Qt's rich text has under no other name."""
    pieces = looks(view.document(), block.position(), block.position() + 1)
    size = view.font().pixelSize()
    return all(
        look.fontWeight() >= QFont.Weight.DemiBold and look.font().pixelSize() >= size for *_, look in pieces
    )


def _is_box(table: QTextTable) -> bool:
    return table.rows() == table.columns() == 1


def _row_of(table: QTextTable, block: QTextBlock) -> list[QTextTableCell]:
    row = table.cellAt(block.position()).row()
    return [table.cellAt(row, column) for column in range(table.columns())]


def _row_words(view: MarkedView, table: QTextTable, block: QTextBlock) -> Iterator[str]:
    """Yield the cells of a row that are not empty, each after the heading of its column."""
    for cell in _row_of(table, block):
        head = table.cellAt(0, cell.column())
        name = _words(view, head.firstPosition(), head.lastPosition()) if cell.row() else ""
        if words := _words(view, cell.firstPosition(), cell.lastPosition()):
            yield f"{name}: {words}" if name else words


def _words(view: MarkedView, start: int, end: int) -> str:
    """Return text in words, followed by what is wrong with its claims."""
    said: list[str] = []
    doubts: dict[str, None] = {}
    pieces = looks(view.document(), start, end)
    for address, parts in groupby(pieces, lambda piece: piece[2].anchorHref()):
        if address and (mark := view.words_of(address, in_passing=True)):
            said.append(f" ({mark}) ")
            continue
        for first, last, look in parts:
            said.append(copied_text(between(view.document(), first, last)))
            doubts[view.words_of(look.toolTip())] = None
    return " ".join("".join((*said, *(f" {doubt}" for doubt in doubts))).split())
