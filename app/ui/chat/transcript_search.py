"""Finds words in the conversation on show, its earlier questions too."""

import re
from bisect import bisect_left

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QTextEdit, QWidget

from app.ui.chat.transcript import Transcript
from app.ui.widgets.building import one_shot
from app.ui.widgets.search_fields import FindBar, Span, TextSearch

_AGAIN_MS = 300  # after the conversation has grown
_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")  # characters that Qt counts twice


class TranscriptSearch(QObject):
    """Connects a search bar with the conversation; the words found are marked where they are in sight."""

    shown_changed = Signal()  # whether the bar is open

    def __init__(self, view: Transcript, parent: QWidget) -> None:
        super().__init__(parent)
        self.bar = FindBar(parent)
        self._view = view
        self._words = ""
        self._search = TextSearch(self.bar, self._in_sight, view.show_place, self)
        self._mark_soon = one_shot(self, 0, self._mark)
        self._again_soon = one_shot(self, _AGAIN_MS, self._search_again)
        self.bar.hide()
        self.bar.searched.connect(self._begin)
        self.bar.closed.connect(self.dismiss)
        self._search.moved.connect(self._mark)
        view.document().contentsChanged.connect(self._note_change)
        view.verticalScrollBar().valueChanged.connect(
            lambda _: self._mark_soon.start() if self._words else None
        )

    @property
    def is_open(self) -> bool:
        return not self.bar.isHidden()

    def open(self) -> None:
        """Open the bar, or go to its field."""
        self._view.show_earlier(all_of_them=True)
        self.bar.open()
        self.shown_changed.emit()

    def dismiss(self) -> None:
        """Close the bar and return to the conversation."""
        if self.is_open:
            self.bar.field.clear()
            self.bar.hide()
            self._begin("")
            self._view.setFocus(Qt.FocusReason.OtherFocusReason)
            self.shown_changed.emit()

    # ---- internals ----

    def _begin(self, words: str) -> None:
        self._words, self._search.now = words.strip(), None
        self._search_again()

    def _note_change(self) -> None:
        if self._words and not self._again_soon.isActive():
            self._again_soon.start()

    def _search_again(self) -> None:
        text = _TWO_UNITS.sub("\ufffd\ufffd", self._view.document().toPlainText())
        self._search.begin(text, self._words, is_markdown=False)

    def _in_sight(self) -> Span:
        area = self._view.viewport().rect()
        first = self._view.cursorForPosition(QPoint(0, 0)).position()
        return first, self._view.cursorForPosition(area.bottomRight()).position()

    def _mark(self) -> None:
        theme, found, marks = self._view.theme, self._search.found, []
        first, last = self._in_sight() if found else (0, 0)
        begin = max(bisect_left(found, (first, 0)) - 1, 0)
        for span in found[begin : bisect_left(found, (last + 1, 0))]:
            mark, is_now = QTextEdit.ExtraSelection(), span == self._search.now
            mark.cursor = self._view.between(*span)
            mark.format.setBackground(QColor(theme.accent if is_now else theme.selection))
            mark.format.setForeground(QColor(theme.accent_text if is_now else theme.text))
            marks.append(mark)
        self._view.setExtraSelections(marks)
