"""What a question goes to, in the composer: the courses that are searched, and who answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from app.ui.widgets.building import Stretch, hbox
from app.ui.widgets.numbers import courses_text
from app.ui.widgets.text_labels import plain_tool_tip
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_ROUNDED = 2  # pixels that a text may be wider than Qt says


class QuietButton(QPushButton):
    """Small words that can be clicked, shortened where the room is narrow."""

    frame = 10  # pixels beside the words, which grow with them

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = ""
        self.setProperty("kind", "link")
        self.setProperty("scale", "caption")
        self.setProperty("quiet", True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_words(self, words: str, name: str, tip: str) -> None:
        """Show words, or nothing if there are none; ``name`` says what they are to screen readers."""
        self._words = words
        self.setAccessibleName(name)
        self.setToolTip(plain_tool_tip(tip))
        self.setVisible(bool(words))
        self._fit()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._words) + scaled(self.frame) + _ROUNDED
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:  # also when the style sheet is first applied
            self.updateGeometry()
            self._fit()

    def _fit(self) -> None:
        room = max(self.width() - scaled(self.frame), 0)
        text = self.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideMiddle, room)
        self.setText(text.replace("&", "&&"))


class QuestionContext(QWidget):
    """Counts the courses while all are searched (else chips name them); has room for the model's button."""

    courses_clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.courses = QuietButton(self)
        self.courses.clicked.connect(self.courses_clicked)
        self._row = hbox(self.courses, Stretch(), spacing=4, parent=self)

    def show_courses(self, count: int) -> None:
        """Say that all of so many courses are searched; nothing for none."""
        words = courses_text(count) if count else ""
        tip = self.tr(
            "Questions search all courses. Tick courses in the sidebar, or type @, to search only some."
        )
        self.courses.show_words(words, self.tr("Searching {courses}").format(courses=words), tip)

    def place(self, button: QWidget) -> None:
        """Show a button beside the courses."""
        self._row.insertWidget(self._row.count() - 1, button)
