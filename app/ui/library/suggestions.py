"""Questions to start with: those that courses answer, or made from lesson titles."""

from __future__ import annotations

import re
from itertools import chain, islice, repeat, zip_longest
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.ui.widgets.building import vbox
from app.ui.widgets.text_labels import WrappingButton
from app.ui.widgets.theme import Theme, fix_icon

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.domain.courses import Course

_MOST = 4
# Titles that name a part of the course instead of a subject.
_NO_SUBJECT = re.compile(
    r"\W*(introduction|intro|overview|conclusion|summary|welcome|outro|wrap[- ]?up|recap|next steps|"
    r"other techniques|final thoughts|appendix|quiz|exercises?|read ?me|index|untitled|notes?)\W*",
    re.IGNORECASE,
)
_LONGEST_TITLE = 60
_SUBJECT = re.compile(r"[^\W\d_]{4}")  # a word, not just a code


class Suggestions(QWidget):
    """Up to four questions under the heading "Try asking", which collapses on a click."""

    clicked = Signal(str)  # the question

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._questions: list[WrappingButton] = []
        self._header = QPushButton(self.tr("Try asking"))
        self._header.setProperty("kind", "flat")
        self._header.setProperty("section", True)
        fix_icon(self._header, 16)
        self._header.clicked.connect(self._toggle)
        self._list = QWidget()
        self._buttons = vbox(parent=self._list)
        vbox(self._header, self._list, parent=self)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        folded = self._list.isHidden()
        self._header.setIcon(theme.icon("chevron-right" if folded else "chevron-down"))
        self._header.setAccessibleDescription(self.tr("Collapsed") if folded else self.tr("Expanded"))

    def set_suggestions(self, suggestions: Sequence[str]) -> None:
        """Offer the first four suggestions."""
        texts = list(suggestions[:_MOST])
        if texts == [button.accessibleName() for button in self._questions]:
            return
        for old in self._questions:
            self._buttons.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._questions = [self._button(text) for text in texts]
        for button in self._questions:
            self._buttons.addWidget(button)

    def set_room(self, height: int) -> None:
        """Show as many whole questions as fit into ``height`` pixels."""
        left = height - self._header.sizeHint().height()
        shown = 0
        for button in self._questions:
            left -= button.heightForWidth(self.width())
            button.setVisible(left >= 0)
            shown += left >= 0
        self.setVisible(shown > 0)

    def minimumSizeHint(self) -> QSize:
        """Return no height, so that questions give way when the window gets lower."""
        return QSize(super().minimumSizeHint().width(), 0)

    def _button(self, text: str) -> WrappingButton:
        button = WrappingButton(text)
        button.setProperty("kind", "flat")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.clicked.emit(text))
        return button

    def _toggle(self) -> None:
        self._list.setVisible(self._list.isHidden())
        self.set_theme(Theme.current())


def suggested_questions(
    courses: Sequence[Course], found: Sequence[Sequence[str]], most: int
) -> tuple[str, ...]:
    """Return up to ``most`` questions, taking turns among the courses.

    ``found`` are those that courses answer, in the order of these; of others, titles are asked about.
    """
    queues = [
        list(asked or _title_questions(one))
        for one, asked in zip(courses, chain(found, repeat(())), strict=False)
    ]
    turns = chain.from_iterable(zip_longest(*queues))
    return tuple(islice(filter(None, turns), most))


def _title_questions(course: Course) -> Iterator[str]:
    form = QCoreApplication.translate("starters", "What are the main points of “{0}”?")
    for lesson in course.lessons:
        title = " ".join(lesson.title.split()).split(" › ")[-1]  # folder names come first
        is_subject = _SUBJECT.search(title) and not _NO_SUBJECT.fullmatch(title)
        if is_subject and len(title) <= _LONGEST_TITLE and lesson.passages:
            yield title if title.endswith("?") else form.format(title)
