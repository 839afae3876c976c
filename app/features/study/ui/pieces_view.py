"""A long rich text of pieces that come and go, drawn in turns, in which the reader keeps the place."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor

from app.features.study.ui.rich_view import RichView
from app.ui.markup.rich_text import between
from app.ui.widgets.building import one_shot

if TYPE_CHECKING:
    from collections.abc import Hashable

    from app.ui.widgets.theme import Theme
    from app.workers.formula_operations import FormulaOperations

_TURN = 0.008  # seconds of work in a turn of the event loop; laying it out takes about as long again
_MOST = 300_000  # characters; what comes behind them is drawn once the reader comes near
_NEAR = 4  # heights of the view

Pieces = Callable[[], Iterator["Piece"]]  # gives the pieces of a text, one by one; called again to draw again


class Piece(NamedTuple):
    """Some paragraphs of a text."""

    name: Hashable  # which no other piece of the text has
    look: Hashable  # what its HTML depends on
    html: Callable[[], str]


class _Drawn(NamedTuple):
    """A piece in the document."""

    name: Hashable
    look: Hashable
    length: int  # in characters, with the end of the paragraph before it
    is_late: bool  # drawn without the pictures of its formulas


class PiecesView(RichView):
    """Changes only what differs, so that neither what is read nor what is selected moves."""

    def __init__(self, formulas: FormulaOperations) -> None:
        super().__init__(formulas)
        self._wanted: Pieces = lambda: iter(())
        self._done: list[_Drawn] = []  # those that are as they have to be, from the top on
        self._rest: deque[_Drawn] = deque()  # those below, as they were before
        self._steps: Iterator[bool] = iter(())
        self._goes_on = False  # whether there may be more to draw
        self._kept: list[QTextCursor] = []  # what is held while text changes
        self._target: tuple[Hashable, int] | None = None  # a piece to scroll to, and its height in the view
        self._next = one_shot(self, 0, self._take_turn)
        self.formulas_came.connect(self._draw_late)
        self.verticalScrollBar().valueChanged.connect(self._continue)

    def show_pieces(self, pieces: Pieces) -> None:
        """Let these be the text from now on."""
        self._wanted = pieces
        self._rest.extendleft(reversed(self._done))
        self._done.clear()
        self._steps = self._work()
        self._take_turn()

    def show_anew(self, pieces: Pieces) -> None:
        """Show another text, from its beginning."""
        self._target = None
        self._forget()
        self.show_pieces(pieces)

    def set_theme(self, theme: Theme) -> None:
        """Draw all of it again, and go back to what was at the top of the view."""
        super().set_theme(theme)
        self._target = self._target or self._top_piece()
        self._forget()
        self.show_pieces(self._wanted)

    # ---- in turns ----

    def _take_turn(self) -> None:
        """Do what fits into a turn of the event loop."""
        self._goes_on, until = True, time.monotonic() + _TURN
        with self._held():
            edit = QTextCursor(self.document())
            edit.beginEditBlock()
            while self._goes_on and time.monotonic() < until:
                self._goes_on = next(self._steps, False)
            edit.endEditBlock()
        self._scroll_to_target()
        if not self._goes_on:
            self._target = None
        self._continue()

    def _continue(self) -> None:
        """Take another turn if there is something to draw that may soon be seen."""
        bar = self.verticalScrollBar()
        is_far = bar.maximum() - bar.value() > _NEAR * self.viewport().height()
        waits = is_far and not self._rest and self.document().characterCount() > _MOST
        if self._goes_on and (self._target is not None or not waits):
            self._next.start()

    def _work(self) -> Iterator[bool]:
        """Make the text what it has to be, a piece at each step; yield that there is more to do."""
        left = {one.name for one in self._rest}
        place = 0  # where the paragraph above ends
        for piece in self._wanted():
            gone = 0
            while piece.name in left and self._rest[0].name != piece.name:
                first = self._rest.popleft()
                left.discard(first.name)
                gone += first.length
            self._remove(place, gone)
            if piece.name not in left:
                self._done.append(self._insert(place, piece))
            else:
                left.discard(piece.name)
                before = self._rest.popleft()
                is_same = before.look == piece.look
                self._done.append(before if is_same else self._replace(place, before.length, piece))
            place += self._done[-1].length
            yield True
        self._remove(place, sum(one.length for one in self._rest))
        self._rest.clear()

    def _replace(self, place: int, length: int, piece: Piece) -> _Drawn:
        """Draw a piece again; what is held in it stays as far from its beginning."""
        held = [(one, one.position() - place) for one in self._kept if 0 < one.position() - place <= length]
        self._remove(place, length)
        drawn = self._insert(place, piece)
        for one, offset in held:
            one.setPosition(place + min(offset, drawn.length))
        return drawn

    def _insert(self, place: int, piece: Piece) -> _Drawn:
        end = self.insert(place, piece.html())
        if not place:  # the empty paragraph at the top takes the look of the first one below it
            self.lower_top()
        return _Drawn(piece.name, piece.look, end - place, self.lacks_formulas)

    def _remove(self, place: int, length: int) -> None:
        if length:
            between(self.document(), place, place + length).removeSelectedText()

    def _forget(self) -> None:
        self.empty()
        self._done.clear()
        self._rest.clear()

    def _draw_late(self) -> None:
        """Draw again what lacks formulas, as some have been set."""
        self._rest.extendleft(reversed(self._done))
        self._done.clear()
        self._rest = deque(one._replace(look=None) if one.is_late else one for one in self._rest)
        self.show_pieces(self._wanted)

    # ---- the reader's place ----

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Keep what is at the top of the view there, and what is selected, while text changes."""
        document, bar, cursor = self.document(), self.verticalScrollBar(), self.textCursor()
        first, last = cursor.selectionStart(), cursor.selectionEnd()
        top = self.cursorForPosition(QPoint(0, 2 * self.fontMetrics().lineSpacing()))
        start, end = between(document, first, first), between(document, last, last)
        for one in (top, end, *([start] if first == last else [])):
            one.setKeepPositionOnInsert(True)  # what is inserted there comes behind them
        self._kept = [top, start, end]
        height = self.cursorRect(top).top()
        yield
        now = self.textCursor()
        if (now.selectionStart(), now.selectionEnd()) != (start.position(), end.position()):
            self.setTextCursor(between(document, start.position(), end.position()))
        bar.setValue(bar.value() + self.cursorRect(top).top() - height)

    def _top_piece(self) -> tuple[Hashable, int] | None:
        """Return the name of the piece at the top of the view, and how high it begins in the view."""
        top, place = self.cursorForPosition(QPoint(0, 0)).position(), 0
        for one in (*self._done, *self._rest):
            if place + one.length >= top > 0:
                return one.name, self.cursorRect(between(self.document(), place + 1, place + 1)).top()
            place += one.length
        return None

    def _scroll_to_target(self) -> None:
        """Scroll to the piece that is to be at the top, once it is drawn and there is enough below it."""
        place = 0
        for one in self._done if self._target is not None else ():
            if self._target is not None and one.name == self._target[0]:
                bar, line = self.verticalScrollBar(), between(self.document(), place + 1, place + 1)
                wanted = bar.value() + self.cursorRect(line).top() - self._target[1]
                bar.setValue(wanted)
                if bar.value() == wanted:
                    self._target = None
                return
            place += one.length
