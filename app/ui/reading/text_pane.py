"""A lesson's text below a bar that searches it."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from app.ui.reading.lesson_view import LessonView
from app.ui.widgets.building import Cell, vbox
from app.ui.widgets.pane_keys import PaneKey
from app.ui.widgets.search_fields import FindBar, Span, TextSearch

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from app.domain.sources import LessonText
    from app.ui.widgets.theme import Theme

_NARROW = 330  # pixels


class TextPane(QWidget):
    """A lesson's text below a bar that searches it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = LessonView(theme, self)
        self.find_bar = FindBar(theme, self)
        self._text = ""
        self._search = TextSearch(self)
        self._now: Span | None = None  # the place of the words that is looked at
        self.view.setAccessibleName(self.tr("Text of the lesson"))
        vbox(self.find_bar, Cell(self.view, 1), parent=self)
        self.find_bar.hide()
        self.find_bar.searched.connect(self._begin_search)
        self.find_bar.stepped.connect(self._step)
        self.find_bar.closed.connect(self.dismiss)
        self._search.moved.connect(self._show_found)
        self.find_key = PaneKey(self, QKeySequence.StandardKey.Find, self.open_find)

    def set_theme(self, theme: Theme) -> None:
        for part in (self.view, self.find_bar):
            part.set_theme(theme)

    def show_lesson(self, lesson: LessonText | None) -> None:
        self._close_find()
        self._text = lesson.text if lesson else ""
        if lesson is not None:
            self.view.set_lesson(lesson)
        else:
            self.view.set_text("")

    def open_find(self) -> None:
        """Open the search, or go to its field."""
        self.find_bar.show()
        self.find_bar.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_bar.field.selectAll()

    def dismiss(self) -> bool:
        """Close the search; return whether it was open."""
        was_open = self.find_bar.isVisibleTo(self)
        if was_open:
            self._close_find()
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
        return was_open

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.find_bar.set_narrow(event.size().width() < _NARROW)

    # ---- finding ----

    def _begin_search(self, words: str) -> None:
        self._now = None
        self._search.begin(self._text, words.strip(), is_markdown=self.view.is_markdown)
        self._show_found()

    def _show_found(self) -> None:
        """Go to the first place from what is in sight on, as soon as there is one."""
        found, is_running = self._search.found, self._search.is_running
        if self._now is None and found:
            after = bisect_left(found, (self.view.in_sight()[0], 0))
            if after < len(found) or not is_running:
                self._go_to(found[after % len(found)])
        at = bisect_left(found, self._now) + 1 if self._now is not None else None
        self.find_bar.set_count(at, len(found), searching=is_running)
        self.view.set_found(found, self._now)

    def _go_to(self, place: Span) -> None:
        self._now = place
        self.view.show_position(place[0])

    def _step(self, steps: int) -> None:
        found = self._search.found
        if found:
            at = bisect_left(found, self._now) + steps if self._now is not None else 0
            self._go_to(found[at % len(found)])
            self._show_found()

    def _close_find(self) -> None:
        self.find_bar.field.clear()
        self.find_bar.hide()
        self._begin_search("")
