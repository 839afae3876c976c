"""What the sidebar shows beside the tree, and questions to start with."""

import re
from collections.abc import Iterator, Sequence
from itertools import chain, islice, repeat, zip_longest

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.domain.courses import Course
from app.ui.widgets.building import Cell, FlowLayout, Stretch, hbox, link_button, push_button, vbox
from app.ui.widgets.text_labels import ElidedLabel, plain_label
from app.ui.widgets.theme import Theme


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
        self._icon.setPixmap(theme.pixmap("book", 40, theme.text_muted, self.devicePixelRatioF()))


class SamplesStrip(QWidget):
    """Says how many courses are samples and offers to remove them; hidden without any."""

    remove_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._text = ElidedLabel()
        self._text.setProperty("role", "caption")
        remove = link_button(self.tr("Remove samples"), self.remove_requested.emit, small=True)
        hbox(Cell(self._text, 1), remove, margins=(8, 0, 4, 0), spacing=8, parent=self)
        self.hide()

    def set_courses(self, courses: Sequence[Course]) -> None:
        samples = sum(course.is_sample for course in courses)
        self._text.setText(self.tr("%Ln sample course(s)", None, samples))
        self.setVisible(samples > 0)


# Titles that name a part of the course instead of a subject.
_NO_SUBJECT = re.compile(
    r"\W*(introduction|intro|overview|conclusion|summary|welcome|outro|wrap[- ]?up|recap|next steps|"
    r"other techniques|final thoughts|appendix|quiz|exercises?|read ?me|index|untitled|notes?)\W*",
    re.IGNORECASE,
)
_LONGEST_TITLE = 60
_SUBJECT = re.compile(r"[^\W\d_]{4}")  # a word, not just a code


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
