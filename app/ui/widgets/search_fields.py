"""Fields and bars that search or filter, and the search of a long text in small steps."""

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.domain.words import occurrences
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, hbox, icon_button, one_shot
from app.ui.widgets.numbers import number_text
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme

_PAUSE_MS = 200  # after the last letter
Span = tuple[int, int]
_TURN = 0.012  # seconds
_PIECE, _LONGEST_PIECE = 2_000, 4_000  # characters that are searched together, up to the end of a paragraph
_BEYOND = 300  # characters in which words may end that begin in a piece
# What Markdown says and readers do not see: the targets of links, the fences of code, the rules of tables.
_NOT_SHOWN = re.compile(
    r"!?\[(?=[^\[\]\n]*+\]\()|\]\([^()\n]*+\)|^ {0,3}(?:`{3,}|~{3,})[^`\n]*+$|^[ |:-]++$", re.MULTILINE
)
_HIDDEN = "\x00"
_SIGNS = frozenset("*_`\\")


class SearchBox(QLineEdit):
    """A line with a search icon and a button that clears it, as Escape does."""

    down_pressed = Signal()  # move the focus to the list below

    def __init__(self, name: str, clear_tip: str) -> None:
        super().__init__()
        self.setPlaceholderText(name)
        self.setAccessibleName(name)
        icon, place = Theme.icon, QLineEdit.ActionPosition
        search = self.addAction(icon("search", "text_muted"), place.LeadingPosition)
        clear = self.addAction(icon("close", "text_muted"), place.TrailingPosition)
        search.setText(name)  # for screen readers
        clear.setText(clear_tip)
        clear.setToolTip(clear_tip)
        clear.setVisible(False)
        clear.triggered.connect(self.clear)
        self.textChanged.connect(lambda text: clear.setVisible(bool(text)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.down_pressed.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                event.accept()  # or it would press the default button of a dialog


class _Field(SearchBox):
    """Steps on Enter; leaves Escape, which closes the bar, to the view around it."""

    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.stepped.emit(-1 if back else 1)
        else:
            super().keyPressEvent(event)


class FindBar(QWidget):
    """A field, the number of places found, and steps from one to the next."""

    searched = Signal(str)  # words, after a short pause in typing
    stepped = Signal(int)  # to the next place, or the one before
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _Field(self.tr("Find"), self.tr("Clear"))
        self.count = plain_label("", "caption", wrap=False)
        text, back = self.tr("Previous match (Shift+Enter)"), partial(self._step, -1)
        self._previous = icon_button(text, 16, back, icon="chevron-up")
        text, on = self.tr("Next match (Enter)"), partial(self._step, 1)
        self._next = icon_button(text, 16, on, icon="chevron-down")
        close = icon_button(self.tr("Close (Esc)"), 16, self.closed.emit, icon="close", colour="text_muted")
        self._search_soon = one_shot(self, _PAUSE_MS, lambda: self.searched.emit(self.field.text()))
        self.field.textChanged.connect(self._search_soon.start)
        self.field.stepped.connect(self._step)
        steps = (self._previous, self._next, close)
        hbox(Cell(self.field, 1), 6, self.count, 2, *steps, margins=(8, 4, 8, 6), spacing=2, parent=self)
        self.set_count(None, 0)

    def open(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def set_narrow(self, narrow: bool) -> None:
        """Leave out the buttons for what Enter and Shift+Enter do."""
        for button in (self._previous, self._next):
            button.setVisible(not narrow)

    def set_count(self, at: int | None, count: int, *, searching: bool = False) -> None:
        """Show which place of how many is looked at; ``at`` counts from 1."""
        text = self.tr("Nothing found") if self.field.text().strip() else ""
        if count or searching:
            text = self.tr("{0} of {1}").format(number_text(at or 0), number_text(count))
        if not searching and text != self.count.text():
            announce(self.field, text)
        self.count.setText(text + ("…" if searching else ""))
        for button in (self._previous, self._next):
            button.setEnabled(count > 0)

    def _step(self, steps: int) -> None:
        if self._search_soon.isActive():
            self._search_soon.stop()
            self.searched.emit(self.field.text())
        else:
            self.stepped.emit(steps)


class TextSearch(QObject):
    """Collects where words stand, and steps through these places with a bar.

    It goes to the first place from what is in sight on, as soon as there is one.
    """

    moved = Signal()  # there are more places, the search has ended, or another place is looked at

    def __init__(
        self, bar: FindBar, in_sight: Callable[[], Span], go_to: Callable[[int], object], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._bar, self._in_sight, self._go_to = bar, in_sight, go_to
        bar.stepped.connect(self._step)
        self.found: list[Span] = []
        self.now: Span | None = None  # the place that is looked at
        self.is_running = False
        self._spans: Iterator[Span] = iter(())
        self._go_on_soon = one_shot(self, 0, self._go_on)

    def begin(self, text: str, words: str, *, is_markdown: bool) -> None:
        """Search a text; of Markdown, only what is shown."""
        self.found = []
        self.is_running = bool(words)
        if self.is_running:
            unseen = _SIGNS - set(words) | {_HIDDEN} if is_markdown else frozenset[str]()
            self._spans = _places(text, words, unseen)
            self._go_on_soon.start()
        else:
            self._go_on_soon.stop()
        self._show()

    def _step(self, steps: int) -> None:
        if self.found:
            self._look_at(bisect_left(self.found, self.now) + steps if self.now is not None else 0)
            self._show()

    def _look_at(self, at: int) -> None:
        self.now = self.found[at % len(self.found)]
        self._go_to(self.now[0])

    def _show(self) -> None:
        if self.now is None and self.found:
            after = bisect_left(self.found, (self._in_sight()[0], 0))
            if after < len(self.found) or not self.is_running:
                self._look_at(after)
        at = bisect_left(self.found, self.now) + 1 if self.now is not None else None
        self._bar.set_count(at, len(self.found), searching=self.is_running)
        self.moved.emit()

    def _go_on(self) -> None:
        until = time.monotonic() + _TURN
        for span in self._spans:
            if span[0] < span[1]:
                self.found.append(span)
            if time.monotonic() > until:
                self._go_on_soon.start()
                break
        else:
            self.is_running = False
        self._show()


def _places(text: str, words: str, unseen: frozenset[str]) -> Iterator[Span]:
    """Yield where words stand, and an empty span after each piece of the text."""
    start = 0
    while start < len(text):
        end = text.find("\n\n", start + _PIECE, start + _LONGEST_PIECE)
        if end < 0:
            end = text.rfind(" ", start + _PIECE, start + _LONGEST_PIECE) + 1 or start + _LONGEST_PIECE
        piece = text[start : end + _BEYOND]
        if unseen:
            piece = _NOT_SHOWN.sub(lambda match: _HIDDEN * len(match.group()), piece)
        for first, last in occurrences(piece, words, unseen):
            if first < end - start:  # else the next piece has it
                yield start + first, start + last
        yield end, end
        start = end
