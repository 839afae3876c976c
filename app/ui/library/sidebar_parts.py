"""What the sidebar shows beside the tree: scope, buttons, notes, and questions to start with."""

from __future__ import annotations

import re
from itertools import chain, islice, repeat, zip_longest
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QPushButton, QSizePolicy, QWidget

from app.domain.scope import scope_parts
from app.ui.widgets.building import Cell, Stretch, hbox, link_button, vbox
from app.ui.widgets.text_labels import ElidedLabel, WrappingButton, plain_label
from app.ui.widgets.theme import Theme, fix_height, fix_icon

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from PySide6.QtGui import QResizeEvent

    from app.domain.courses import Course
    from app.domain.scope import Scope


class ScopeLine(QWidget):
    """Says how many courses are searched, and offers to search all again."""

    everything_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = ElidedLabel()
        self._label.setProperty("role", "caption")
        self._everything = link_button(self.tr("Search all"), self.everything_requested.emit)
        self._everything.setProperty("scale", "caption")
        self._everything.setToolTip(self.tr("Untick all courses, so that every course is searched"))
        hbox(Cell(self._label, 1), self._everything, margins=(8, 0, 4, 0), spacing=8, parent=self)
        fix_height(self, 24)
        self._everything.hide()

    def set_scope(self, scope: Scope) -> None:
        parts = scope_parts(scope)
        if not parts:
            text = self.tr("Searching all courses")
        elif any(part.others_too for part in parts):
            text = self.tr("Searching all courses, with limits")
        else:
            text = self.tr("Searching %Ln course(s)", None, len(parts))
        self._label.setText(text)
        self._everything.setVisible(not scope.is_everything)


class AddButtons(QWidget):
    """The buttons "Add folder…" and "Add files…", side by side or stacked."""

    folder_requested = Signal()
    files_requested = Signal()
    turned = Signal()  # they stand below each other now, or beside each other again

    def __init__(self, *, stacked: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icons: dict[QPushButton, QIcon] = {}
        self._folder = QPushButton(self.tr("Add folder…"))
        self._folder.setProperty("kind", "primary")
        self._folder.clicked.connect(self.folder_requested)
        self._files = QPushButton(self.tr("Add files…"))
        self._files.clicked.connect(self.files_requested)
        self._stacked = stacked
        self._row = hbox(self._folder, self._files, spacing=8, parent=self)
        self.setFocusProxy(self._folder)
        for button in (self._folder, self._files):
            fix_icon(button, 16)
            button.setProperty("compact", True)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_theme(self, theme: Theme) -> None:
        self._icons = {
            self._folder: theme.icon("folder-plus", theme.accent_text),
            self._files: theme.icon("file-plus"),
        }
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Return the width of one button: in less room than both need, they stand below each other."""
        widest = max(button.minimumSizeHint().width() for button in (self._folder, self._files))
        return QSize(widest, super().minimumSizeHint().height())

    def _fit(self) -> None:
        """Leave the pictures out where the words need the room, as in large text; then give each a line."""
        for button, icon in self._icons.items():
            button.setIcon(icon)
        if not self._stacked and not self._has_room():
            for button in self._icons:
                button.setIcon(QIcon())
        is_row = not self._stacked and self._has_room()
        direction = QBoxLayout.Direction.LeftToRight if is_row else QBoxLayout.Direction.TopToBottom
        if direction != self._row.direction():
            self._row.setDirection(direction)
            self.updateGeometry()
            self.turned.emit()

    def _has_room(self) -> bool:
        return sum(button.sizeHint().width() + 8 for button in self._icons) - 8 <= self.width()


class EmptyLibrary(QWidget):
    """Says that there are no courses yet and how to add some."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = AddButtons(stacked=True)
        self.setFocusProxy(self.buttons)
        self._icon = QLabel()
        title = plain_label(self.tr("No courses yet"), "lead")
        self._icon.setAccessibleName(title.text())
        text = plain_label(
            self.tr("Add a folder of transcripts, readings or notes. Your files stay on this computer."),
            "muted",
        )
        labels = self._icon, title, text
        for label in labels:
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        parts = Stretch(2), *labels, 8, self.buttons, Stretch(3)
        vbox(*parts, margins=(8, 8, 8, 8), spacing=8, parent=self)

    def set_theme(self, theme: Theme) -> None:
        self.buttons.set_theme(theme)
        self._icon.setPixmap(theme.pixmap("book", 40, theme.text_muted, self.devicePixelRatioF()))


class SamplesStrip(QFrame):
    """Says how many courses are samples and offers to remove them; hidden without any."""

    remove_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("notice", "info")
        self._icon = QLabel()
        self._text = plain_label("", "caption")
        self._text.setContentsMargins(4, 0, 0, 0)
        remove = link_button(self.tr("Remove samples"), self.remove_requested.emit)
        texts = vbox(self._text, Cell(remove, 0, Qt.AlignmentFlag.AlignLeft))
        icon = Cell(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        hbox(icon, Cell(texts, 1), margins=(8, 8, 8, 6), spacing=4, parent=self)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._icon.setPixmap(theme.pixmap("sample", 16, theme.text_muted, self.devicePixelRatioF()))

    def set_courses(self, courses: Sequence[Course]) -> None:
        samples = sum(course.is_sample for course in courses)
        some = self.tr("Includes %Ln sample course(s).", None, samples)
        self._text.setText(self.tr("These are sample courses.") if samples == len(courses) else some)
        self._icon.setAccessibleName(self._text.text())
        self.setVisible(samples > 0)


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
