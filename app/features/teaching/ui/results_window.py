"""What became of a file of questions, in a window beside the lessons that it opens."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent
from PySide6.QtWidgets import QComboBox, QProgressBar, QTabBar, QTreeWidget, QTreeWidgetItem, QWidget

from app.domain.exam_map import MappedLesson, MappedQuestion, QuestionMap, QuestionProgress
from app.domain.messages import Message
from app.domain.plain_text import harmless
from app.domain.search import SearchHit
from app.features.teaching.model import CheckedPassage, CheckedQuestion, CheckReport
from app.ui.widgets.accessibility import show_waiting
from app.ui.widgets.building import Cell, Stretch, stack, vbox
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import in_card
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import number_text
from app.ui.widgets.source_labels import numbered_lesson, place_name, source_label
from app.ui.widgets.text_labels import plain_label, plain_tool_tip
from app.ui.widgets.theme import Theme, scaled

tr = partial(QCoreApplication.translate, "TaughtRows")

_SHORT = 30  # characters that are never elided in the usual size
_EXCERPT = 300  # characters of a passage, which are elided to the width of its column


class ResultsWindow(Dialog):
    """Runs, fails or shows its results; stays beside the main window, which it does not block."""

    course_chosen = Signal(str)  # its title; empty for all
    file_requested = Signal()  # another one
    export_requested = Signal()
    passage_requested = Signal(object)  # a SearchHit
    lesson_requested = Signal(str, object, str)  # course, number, title

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(title, parent, heading=title)
        self.map: QuestionMap | None = None
        self.setModal(False)
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self._summary = plain_label("", "muted")
        self.head.addWidget(self._summary)
        self.course = QComboBox()
        self.course.setAccessibleName(self.tr("Course"))
        self.course.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.course.activated.connect(lambda at: self.course_chosen.emit(self.course.itemData(at)))
        self.course.hide()
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(title)
        self.questions = self._rows((self.tr("Question"), self.tr("Taught in")))
        self.questions.itemChanged.connect(self._leave_out)
        self.unasked = self._rows((self.tr("Lesson"), self.tr("Course")))
        self.unasked.setRootIsDecorated(False)
        self._lists = stack(in_card(self.questions), in_card(self.unasked))
        self.tabs.currentChanged.connect(self._lists.setCurrentIndex)
        self.state, self.bar = plain_label("", selectable=True), QProgressBar(textVisible=False)
        self._waiting, self._found = QWidget(), QWidget()
        vbox(Stretch(), self.state, self.bar, Stretch(), parent=self._waiting, spacing=12)
        vbox(self.tabs, Cell(self._lists, 1), parent=self._found, spacing=8)
        self._pages = stack(self._waiting, self._found)
        self.body.addWidget(self.course)
        self.body.addWidget(self._pages, 1)
        self.another = self.add_button(self.tr("Another file…"), self.file_requested.emit, at_left=True)
        self.export = self.add_button(self.tr("Export…"), self.export_requested.emit)
        self.export.hide()
        self._close = self.add_close(is_default=False)
        self.resize_to(880, 600)

    # States

    def offer_courses(self, titles: Sequence[str], chosen: str) -> None:
        self.course.clear()
        self.course.addItem(self.tr("All courses"), "")
        for title in titles:
            self.course.addItem(harmless(title), title)
        self.course.setCurrentIndex(max(self.course.findData(chosen), 0))
        self.course.setVisible(len(titles) > 1)

    def show_running(self, file: str) -> None:
        self._summary.setText(harmless(PurePath(file).name))
        self.map = None
        self.state.setText(self.tr("Reading the file…"))
        self.bar.show()
        show_waiting(self.bar)
        self.export.hide()
        self._pages.setCurrentWidget(self._waiting)
        self._close.setFocus()

    def show_event(self, event: QuestionProgress | QuestionMap | CheckReport) -> None:
        match event:
            case QuestionProgress(done, total):
                text = self.tr("Question {0} of {1}…")
                self.state.setText(text.format(number_text(done + 1), number_text(total)))
                self.bar.setRange(0, total)
                self.bar.setValue(done)
            case QuestionMap():
                self._show_map(event)
            case CheckReport():
                self._show_check(event)

    def show_failure(self, message: Message) -> None:
        self.state.setText(shown(message))
        self.bar.hide()
        self.another.setFocus()

    def _show_map(self, found: QuestionMap) -> None:
        self.map = found
        tabs = self.tr("Questions"), shown(Message("teaching.unasked"))
        self._show_results(_counted(found), tabs)
        rows = [_question_row(mapped) for mapped in found.questions]
        for row in rows:
            row.setCheckState(0, Qt.CheckState.Checked)
        self.questions.addTopLevelItems(rows)
        self.unasked.addTopLevelItems(
            [_row(numbered_lesson(one.number, one.title), one.course_title, one) for one in found.unasked]
        )
        self.export.show()

    def _leave_out(self) -> None:
        """Count and export only the lines that are ticked: others ask nothing."""
        rows = (self.questions.topLevelItem(at) for at in range(self.questions.topLevelItemCount()))
        ticked = [row for row in rows if row is not None and row.checkState(0) is Qt.CheckState.Checked]
        if self.map is not None:
            kept = tuple(row.data(0, Qt.ItemDataRole.UserRole) for row in ticked)
            self.map = replace(self.map, questions=kept)
            self._summary.setText(_counted(self.map))

    def _show_check(self, report: CheckReport) -> None:
        count = Message("teaching.check_count", good=report.good, questions=len(report.questions))
        self._show_results(shown(count), ())
        self.questions.setHeaderLabels([self.tr("Question"), self.tr("Passages")])
        for question in report.questions:
            row = _checked_row(question)
            self.questions.addTopLevelItem(row)
            if not question.is_good:
                row.setExpanded(True)

    def _show_results(self, summary: str, tabs: Sequence[str]) -> None:
        self._summary.setText(summary)
        while self.tabs.count():
            self.tabs.removeTab(0)
        for text in tabs:
            self.tabs.addTab(text)
        self.tabs.setVisible(bool(tabs))
        self._lists.setCurrentIndex(0)
        self.questions.clear()
        self.unasked.clear()
        self._pages.setCurrentWidget(self._found)
        self.questions.setFocus()

    def _open(self, row: QTreeWidgetItem) -> None:
        """Open the lesson of a row, or show the passages of a question."""
        match row.data(0, Qt.ItemDataRole.UserRole):
            case SearchHit() as hit:
                self.passage_requested.emit(hit)
            case MappedLesson() as lesson:
                self.lesson_requested.emit(lesson.course_title, lesson.number, lesson.title)
            case _:
                row.setExpanded(True)

    def _rows(self, columns: Sequence[str]) -> "_Rows":
        rows = _Rows(columns)
        rows.chosen.connect(self._open)
        return rows


class _Rows(QTreeWidget):
    """Two columns; a click or Enter chooses a row. The rows of a question are made when they are shown."""

    chosen = Signal(QTreeWidgetItem)

    def __init__(self, columns: Sequence[str]) -> None:
        super().__init__()
        self.setHeaderLabels(list(columns))
        self.setAccessibleName(columns[0])
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setExpandsOnDoubleClick(False)
        self.header().resizeSection(0, scaled(440))
        self.itemExpanded.connect(_fill)
        self.itemClicked.connect(self.chosen)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        current = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current is not None:
            self.chosen.emit(current)
        else:
            super().keyPressEvent(event)


def _counted(found: QuestionMap) -> str:
    name = harmless(PurePath(found.file).name)
    count, questions = found.taught, len(found.questions)
    return shown(Message("teaching.count", taught=count, questions=questions, name=name))


def _question_row(mapped: MappedQuestion) -> QTreeWidgetItem:
    question = mapped.question
    if mapped.is_taught:
        place = "; ".join(source_label(lesson.passages[0]) for lesson in mapped.lessons)
    else:
        place = shown(Message("teaching.not_in_material"))
    row = _row(f"{question.label}  {question.text}".strip(), place, mapped)
    _may_unfold(row, is_muted=not mapped.is_taught)
    return row


def _checked_row(question: CheckedQuestion) -> QTreeWidgetItem:
    lost = sum(passage.problem is not None for passage in question.passages)
    found = tr("All found") if question.is_good else tr("%n not found", None, lost)
    row = _row(question.question, found, question)
    _may_unfold(row, is_muted=question.is_good)
    return row


def _may_unfold(row: QTreeWidgetItem, *, is_muted: bool) -> None:
    row.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
    if is_muted:
        row.setForeground(1, QColor(Theme.current().text_muted))


def _fill(row: QTreeWidgetItem) -> None:
    if row.childCount():
        return
    match row.data(0, Qt.ItemDataRole.UserRole):
        case MappedQuestion() as mapped:
            hits = [hit for lesson in mapped.lessons for hit in lesson.passages]
            row.addChildren([_passage_row(hit, is_taught=mapped.is_taught) for hit in hits])
        case CheckedQuestion() as checked:
            row.addChildren([_checked_passage_row(passage) for passage in checked.passages])


def _passage_row(hit: SearchHit, *, is_taught: bool) -> QTreeWidgetItem:
    place = ", ".join(filter(None, (source_label(hit), place_name(hit))))
    return _row(_quoted(hit.text), place if is_taught else tr("Nearest: {0}").format(place), hit)


def _checked_passage_row(passage: CheckedPassage) -> QTreeWidgetItem:
    if passage.problem is None:
        return _row(_quoted(passage.quote), tr("Found"), passage.hit)
    row = _row(_quoted(passage.quote), shown(passage.problem), None)
    row.setForeground(1, QColor(Theme.current().danger))
    return row


def _quoted(text: str) -> str:
    return QLocale().quoteString(" ".join(text.split())[:_EXCERPT])


def _row(first: str, second: str, data: object) -> QTreeWidgetItem:
    texts = [harmless(first), harmless(second)]
    row = QTreeWidgetItem(texts)
    row.setData(0, Qt.ItemDataRole.UserRole, data)
    for column, text in enumerate(texts):
        if len(text) > _SHORT:
            row.setToolTip(column, plain_tool_tip(text))
    return row
