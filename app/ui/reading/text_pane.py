"""A lesson's text below a bar that searches it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.domain.sources import LessonText
from app.ui.reading.lesson_view import LessonView
from app.ui.widgets.building import Cell, vbox
from app.ui.widgets.pane_keys import PaneKey
from app.ui.widgets.search_fields import FindBar, TextSearch

_NARROW = 330  # pixels


class TextPane(QWidget):
    """A lesson's text below a bar that searches it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = LessonView(self)
        self.find_bar = FindBar(self)
        self._text = ""
        search = self._search = TextSearch(self.find_bar, self.view.in_sight, self.view.show_position, self)
        self.view.setAccessibleName(self.tr("Text of the lesson"))
        vbox(self.find_bar, Cell(self.view, 1), parent=self)
        self.find_bar.hide()
        self.find_bar.searched.connect(self._begin_search)
        self.find_bar.closed.connect(self.dismiss)
        search.moved.connect(lambda: self.view.set_found(search.found, search.now))
        self.find_key = PaneKey(self, QKeySequence.StandardKey.Find, self.find_bar.open)

    def show_lesson(self, lesson: LessonText | None) -> None:
        self._close_find()
        self._text = lesson.text if lesson else ""
        if lesson is not None:
            self.view.set_lesson(lesson)
        else:
            self.view.set_text("")

    def dismiss(self) -> bool:
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
        self._search.now = None
        self._search.begin(self._text, words.strip(), is_markdown=self.view.is_markdown)

    def _close_find(self) -> None:
        self.find_bar.field.clear()
        self.find_bar.hide()
        self._begin_search("")
