"""What the pages that ask share: a question with its choices or a field, and how an answer is checked."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from html import escape
from itertools import pairwise
from math import ceil
from random import Random
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.features.study.grading import Comparison, Grade
from app.features.study.kinds import GAP, KINDS
from app.features.study.model.items import Item
from app.features.study.model.names import ItemKind
from app.features.study.ui.card_html import RichView, compared, comparison_html, is_graded, typed_html
from app.features.study.ui.operations import StudyJobs
from app.markup.formulas import one_line
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.accessibility import announce
from app.ui.widgets.building import Cell, hbox, set_look, vbox
from app.ui.widgets.numbers import number_text
from app.ui.widgets.text_labels import plain_label, plain_tool_tip
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from app.workers.job import Job

tr = partial(QCoreApplication.translate, "Asking")
LETTERS = "ABCDEFGH"
"""The keys of the choices that are shown; whoever edits a question may write more."""
_LONGEST = 2_000  # characters of an answer on one line
_MOST_OF_POINTS = 130  # pixels, of the list of points


def choices_of(item: Item, seed: object) -> tuple[str, ...]:
    """Return the choices of an item, in an order that is the same for one seed; none of other kinds."""
    if not KINDS[item.kind].has_choices:
        return ()
    choices = [item.text.back, *item.text.others[: len(LETTERS) - 1]]
    return tuple(Random(f"{seed}/{item.uid}").sample(choices, len(choices)))


_PADDING = 10


class FittedView(RichView):
    """Leaves scrolling to what it lies in."""

    def __init__(self, formulas: FormulaPictures) -> None:
        super().__init__(formulas)
        self.setProperty("plain", True)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)

    def show_html(self, html: str) -> None:
        super().show_html(html)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def _fit(self) -> None:
        self.setFixedHeight(ceil(self.document().size().height()))


class ChoiceButton(QPushButton):
    """A possible answer, after its letter; a sign in place of the letter says whether it is right."""

    def __init__(self, letter: str, formulas: FormulaPictures) -> None:
        super().__init__()
        self._letter = letter
        self._sign = plain_label(letter, "strong", wrap=False)
        self._sign.setFixedWidth(scaled(24))
        self._sign.setContentsMargins(0, 3, 0, 0)  # on the line of the text beside it
        self.view = FittedView(formulas)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        for part in (self._sign, self.view):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.view.viewport().setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        parts = Cell(self._sign, 0, Qt.AlignmentFlag.AlignTop), Cell(self.view, 1, Qt.AlignmentFlag.AlignTop)
        hbox(*parts, spacing=8, margins=(12, _PADDING, 12, _PADDING), parent=self)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_choice(self, text: str) -> None:
        self.setAccessibleName(f"{self._letter}: {text}")
        self.mark("")
        self.draw(text)

    def draw(self, text: str) -> None:
        self.view.show_html(self.view.html_of(text))
        self._fit()

    def mark(self, sign: str, words: str = "", look: str = "strong") -> None:
        """Show a sign in place of the letter, in the look of a label; ``words`` say what it means."""
        self._sign.setText(sign or self._letter)
        set_look(self._sign, "role", look)
        self.setAccessibleDescription(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = max(self.view.height(), self._sign.sizeHint().height()) + 2 * _PADDING
        self.setFixedHeight(height)


class Question(QWidget):
    """What an item asks below a line about it, with its choices, or else a field for the answer."""

    def __init__(
        self,
        item: Item,
        about: str,
        choices: Sequence[str],
        field: QLineEdit | QPlainTextEdit,
        formulas: FormulaPictures,
    ) -> None:
        super().__init__()
        self.item, self.field, self.choices = item, field, choices
        self.view = FittedView(formulas)
        self.buttons = [ChoiceButton(letter, formulas) for letter in LETTERS[: len(choices)]]
        self._about, self._text = about, KINDS[item.kind].question(item.text, GAP)
        if item.kind == ItemKind.TERM:
            self._text += f"\n\n{tr('Explain this term.')}"
        for button, text in zip(self.buttons, choices, strict=True):
            button.show_choice(text)
        vbox(self.view, *self.buttons, field, spacing=8, parent=self)
        field.setVisible(not choices)
        self.draw()

    @property
    def answer(self) -> str:
        """What was typed."""
        return self.field.text() if isinstance(self.field, QLineEdit) else self.field.toPlainText()

    def lead_to(self, *widgets: QWidget) -> None:
        """Let Tab go from the answer to these, which were there before it."""
        for one, following in pairwise((*(self.buttons or (self.field,)), *widgets)):
            self.setTabOrder(one, following)

    def draw(self) -> None:
        self.view.show_html(f'<p class="name">{escape(self._about)}</p>{self.view.html_of(self._text)}')
        for button, text in zip(self.buttons, self.choices, strict=True):
            button.draw(text)


def answer_field() -> QLineEdit:
    field = QLineEdit(maxLength=_LONGEST)
    field.setPlaceholderText(tr("Type the answer"))
    field.setAccessibleName(field.placeholderText())
    return field


class AnswerPoints(QWidget):
    """Compares an answer; a sentence by the points of the right one, with a tick at each that it has.

    The student can change a tick. Nothing is shown between :meth:`clear` and the next grade.
    """

    changed = Signal(object)  # the Grade, when it is shown and when a tick is changed

    def __init__(self, jobs: StudyJobs) -> None:
        super().__init__()
        self.grade: Grade | None = None
        self.is_grading = False  # or has graded
        self.is_right = False
        self._typed, self._found = "", Comparison("", (), ())
        self._graded: Grade | None = None  # without what was overruled
        self._jobs = jobs
        self._job: Job[None] | None = None
        self.summary, self.how = plain_label("", "strong"), plain_label("", "caption")
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Points of the right answer"))
        self.list.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click, the keyboard stays where it was
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemChanged.connect(self._overrule)
        vbox(self.summary, self.list, self.how, spacing=4, parent=self)
        self.hide()

    def check(self, item: Item, answer: str) -> bool:
        """Return whether an answer is right; grade a sentence, first without a model, then with one."""
        self.clear()
        self._typed, self._found = answer, compared(answer, item)
        self.is_right = self._found.is_right
        if is_graded(item, answer, self._found):
            self.is_grading = True
            self._job = self._jobs.grade([(0, item, answer)]).run(self, event=self._take)
        return self.is_right

    def html(self) -> str:
        """Return what was typed; what differs from the answer is marked, unless its points say it."""
        if self.is_grading:
            return typed_html(self._typed)
        return comparison_html(self._typed, self._found, Theme.current())

    def clear(self) -> None:
        if self._job is not None:
            self._job.drop()
        self.is_grading, self.grade, self._graded, self._job = False, None, None, None
        self.hide()

    def _take(self, event: tuple[int, Grade]) -> None:
        """Show a grade unless one before it was overruled."""
        _, grade = event
        if self.grade is self._graded:
            self._graded = grade
            self.show_grade(grade)
            announce(self, self.summary.text())

    def show_grade(self, grade: Grade) -> None:
        self.grade = grade
        self.show()
        self.list.blockSignals(True)
        self.list.clear()
        for point in grade.points:
            row = QListWidgetItem(one_line(point.text), self.list)
            row.setCheckState(Qt.CheckState.Checked if point.is_there else Qt.CheckState.Unchecked)
            quote = self.tr("From the course: “{0}”").format(" ".join(point.quote.split()))
            row.setToolTip(plain_tool_tip(quote))
            row.setData(Qt.ItemDataRole.AccessibleDescriptionRole, quote)
        self.list.blockSignals(False)
        by_model = self.tr("Graded by {0}. Change a tick if you know better.")
        by_words = self.tr("Compared by words, without a model. Change a tick if you know better.")
        self.how.setText(by_model.format(grade.model) if grade.model else by_words)
        self._tell(grade)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        rows = sum(self.list.sizeHintForRow(row) for row in range(self.list.count()))
        self.list.setFixedHeight(min(rows + 2 * self.list.frameWidth() + 4, scaled(_MOST_OF_POINTS)))

    def _overrule(self, _: QListWidgetItem) -> None:
        if self.grade is not None:
            rows = (self.list.item(row) for row in range(self.list.count()))
            ticks = [row.checkState() is Qt.CheckState.Checked for row in rows]
            points = zip(self.grade.points, ticks, strict=True)
            self.grade = replace(
                self.grade, points=tuple(replace(point, is_there=tick) for point, tick in points)
            )
            self._tell(self.grade)

    def _tell(self, grade: Grade) -> None:
        count = self.tr("Contains {0} of %Ln point(s)", None, len(grade.points))
        self.summary.setText(count.format(number_text(grade.there)))
        self._fit()
        self.changed.emit(grade)
