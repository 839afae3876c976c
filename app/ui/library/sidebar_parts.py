"""What the sidebar shows beside the tree, and questions to start with."""

from collections.abc import Sequence
from itertools import chain, islice, zip_longest

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from app.domain.courses import Course
from app.domain.scope import Scope
from app.ui.widgets.building import Cell, FlowLayout, Stretch, hbox, link_button, push_button, vbox
from app.ui.widgets.text_labels import ElidedLabel, IconLabel, plain_label


class AddButtons(QWidget):
    """The buttons "Add folder…" and "Add files…", side by side where they fit."""

    folder_requested = Signal()
    files_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        text = self.tr("Add folder…")
        folder = push_button(text, self.folder_requested.emit, "primary", compact=True)
        files = push_button(self.tr("Add files…"), self.files_requested.emit, compact=True)
        self.setLayout(FlowLayout(8, folder, files))
        self.setFocusProxy(folder)


class EmptyLibrary(QWidget):
    """Says that there are no courses yet and how to add some."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = AddButtons()
        self.setFocusProxy(self.buttons)
        icon, title = IconLabel(40, "book"), plain_label(self.tr("No courses yet"), "lead")
        icon.setAccessibleName(title.text())
        text = plain_label(
            self.tr("Add a folder of transcripts, readings or notes. Your files stay on this computer."),
            "muted",
        )
        for label in (title, text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        parts = Stretch(2), icon, title, text, 8, self.buttons, Stretch(3)
        vbox(*parts, margins=(8, 8, 8, 8), spacing=8, parent=self)


class SidebarStrip(QWidget):
    """Says something below the courses, and has a link; hidden while there is nothing to say."""

    requested = Signal()

    def __init__(self, link: str) -> None:
        super().__init__()
        self._text = ElidedLabel()
        self._text.setProperty("role", "caption")
        button = link_button(link, self.requested.emit, small=True)
        hbox(Cell(self._text, 1), button, margins=(8, 0, 4, 0), spacing=8, parent=self)
        self.hide()

    def say(self, text: str) -> None:
        self._text.setText(text)
        self.setVisible(bool(text))


def suggested_questions(
    courses: Sequence[Course], found: Sequence[Sequence[str]], scope: Scope, most: int
) -> tuple[str, ...]:
    """Return up to ``most`` questions, taking turns among the courses in a scope; samples come last.

    ``found`` are those that courses answer, in the order of these.
    """
    named = {*scope.courses, *(title for title, _ in scope.lessons)}
    asked = [pair for pair in zip(courses, found, strict=False) if not named or pair[0].title in named]
    turns = (
        zip_longest(*(each for one, each in asked if one.is_sample == is_sample))
        for is_sample in (False, True)
    )
    return tuple(islice(filter(None, chain.from_iterable(chain(*turns))), most))
