"""Draws what can be done with a question or an answer as icons, in place of the words of its links.

The words stay in the document, too small to be seen, so that they are found by the keyboard and by screen
readers; the spaces around them give the icon its width.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from app.ui.chat.mark_pills import visible_blocks, x_of
from app.ui.markup.rich_text import looks

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QPainter, QTextDocument

    from app.ui.widgets.theme import Theme

_ICONS = {"copy": "copy", "retry": "regenerate", "edit": "edit"}
_SIZE, _WIDTH = 16, 28  # pixels at the usual size of text
_PIECES = 3  # the text of such a link has as many: a space, the words, a space


def icon_text(words: str, theme: Theme) -> str:
    """Return the HTML of an icon, for its link."""
    pixels = theme.text_size / 100
    hidden = "color:rgba(0,0,0,0); text-decoration:none"
    # The letter spacing is most of the width: what a space takes depends on the font.
    room = (
        f'<span style="font-size:{round(4 * pixels)}px; '
        f'letter-spacing:{round((_WIDTH / 2 - 1) * pixels)}px; {hidden}">&nbsp;</span>'
    )
    return f'{room}<span style="font-size:1px; {hidden}">{words}</span>{room}'


def draw_icons(
    painter: QPainter,
    document: QTextDocument,
    theme: Theme,
    heights: tuple[float, float],
    exchanges: Collection[int],
) -> None:
    """Draw the icons of some exchanges between two heights."""
    for block in visible_blocks(document, *heights):
        pieces = looks(document, block.position(), block.position() + 1)
        for address, parts in groupby(pieces, lambda piece: piece[2].anchorHref()):
            kind, _, number = address.partition(":")
            link = list(parts)
            if kind not in _ICONS or len(link) != _PIECES or int(number) not in exchanges:
                continue
            line = block.layout().lineForTextPosition(link[0][0] - block.position())
            if not line.isValid():
                continue
            corner = document.documentLayout().blockBoundingRect(block).topLeft()
            ends = [x_of(line, at - block.position()) for at in (link[0][0], link[-1][1])]
            size = round(_SIZE * theme.text_size / 100)
            place = QRect(0, 0, size, size)
            place.moveCenter((corner + line.rect().center()).toPoint())
            place.moveLeft(round(corner.x() + sum(ends) / 2 - size / 2))
            theme.icon(_ICONS[kind], theme.text_muted).paint(painter, place)
