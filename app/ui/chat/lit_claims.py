"""Where the words stand that cite a source, so that they can light up together with it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from app.ui.markup.rich_text import looks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QTextBlock

    from app.domain.conversations import Exchange
    from app.ui.chat.marked_view import MarkedView

_BETWEEN = " \u2060\xa0"  # two marks of one claim


def claims_of(view: MarkedView, exchange: Exchange, n: int, end: int = 0) -> list[tuple[int, int]]:
    """Return the places of the claims that cite source ``n``, or of the one that ends at ``end``."""
    first = view.place_of(exchange.id)
    lengths = {
        one.answer_end: one.answer_end - one.answer_start
        for one in exchange.citations
        if one.source_n == n and end in (0, one.answer_end)
    }
    if first is None or not lengths:
        return []
    block, places = first.block(), []
    while block.isValid() and view.exchange_at(block.position()) == exchange.id:
        for address, claim, mark in _marked(block):
            number, of, its_end = address.partition(":")[2].split("/")
            if (int(number), int(of)) == (exchange.id, n) and int(its_end) in lengths:
                # Markdown is not shorter than its text, so nothing of the claim is left out.
                places.append((max(claim, mark - lengths[int(its_end)]), mark))
        block = block.next()
    return places


def _marked(block: QTextBlock) -> Iterator[tuple[str, int, int]]:
    """Yield each mark of a paragraph: its address, and where the words before it begin and end."""
    claim = end = after = block.position()
    pieces = looks(block.document(), block.position(), block.position() + 1)
    for address, parts in groupby(pieces, lambda piece: piece[2].anchorHref()):
        mark = list(parts)
        if not (address.startswith("cite:") and address.count("/") == 2):
            continue
        start = mark[0][0]
        between = block.text()[after - block.position() : start - block.position()]
        if between.strip(_BETWEEN):
            claim = after + len(between) - len(between.lstrip(_BETWEEN))
            end = after + len(between.rstrip(_BETWEEN))
        after = mark[-1][1]
        yield address, claim, end
