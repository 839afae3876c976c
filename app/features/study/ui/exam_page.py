"""The page of a practice exam: its paper and plan, its questions, and the result by lesson."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QElapsedTimer, QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHeaderView,
    QPlainTextEdit,
    QProgressBar,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.domain.exam_map import QuestionProgress
from app.domain.messages import Message
from app.domain.plain_text import harmless, shorten
from app.domain.words import one_spaced
from app.features.study.exams import ExamLesson, ExamTask, PlannedExam, PracticeExam
from app.features.study.grading import Grade
from app.features.study.kinds import KINDS
from app.features.study.model.items import Deck, Item
from app.features.study.ui.asking import AnswerPoints, ChoiceButton, Question, choices_of
from app.features.study.ui.card_html import compared, is_graded, plain, short
from app.features.study.ui.controller import StudyController
from app.features.study.ui.overview import Bar, BarList
from app.features.study.ui.pane import StudyPage
from app.markup.formulas import one_line
from app.ui.markup.rich_text import FormulaPictures
from app.ui.widgets.accessibility import announce, show_waiting
from app.ui.widgets.building import (
    Cell,
    FlowLayout,
    Stretch,
    link_button,
    one_shot,
    push_button,
    scroll_area,
    set_look,
    vbox,
)
from app.ui.widgets.desktop import ask_for_file
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import number_box
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import number_text
from app.ui.widgets.pane_keys import PaneKey
from app.ui.widgets.source_labels import numbered_lesson
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import scaled

if TYPE_CHECKING:
    from app.workers.job import Job

tr = partial(QCoreApplication.translate, "ExamPage")
_LONGEST_MINUTES = 600
_LONGEST = 600  # characters of an answer below the result
_SAVING_MS = 500  # after the last key
_TICK_MS = 1_000
_ANSWER_HEIGHT = 96  # pixels
_DATA = Qt.ItemDataRole.UserRole


class TaskView(Question):
    """A question of an exam with the field or the choices for its answer."""

    changed = Signal()

    def __init__(self, task: ExamTask, item: Item, formulas: FormulaPictures) -> None:
        points = tr("Points: {0}").format(points_text(task.points))
        field = QPlainTextEdit(task.answer, tabChangesFocus=True)
        super().__init__(item, points, choices_of(item, ""), field, formulas)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        field.setFixedHeight(scaled(_ANSWER_HEIGHT))
        field.setAccessibleName(f"{points}: {plain(item, is_answered=False)}")
        field.textChanged.connect(self.changed)
        group = QButtonGroup(self)
        for text, button in zip(self.choices, self.buttons, strict=True):
            button.setCheckable(True)
            button.toggled.connect(partial(self._mark, button))
            button.setChecked(text == task.answer)
            group.addButton(button)

    @property
    def answer(self) -> str:
        chosen = (text for text, one in zip(self.choices, self.buttons, strict=True) if one.isChecked())
        return next(chosen, "") if self.choices else super().answer

    @property
    def first(self) -> QWidget:
        chosen = (button for button in self.buttons if button.isChecked())
        return next(chosen, self.buttons[0]) if self.buttons else self.field

    def _mark(self, button: ChoiceButton, is_chosen: bool) -> None:
        button.mark("●" if is_chosen else "", tr("chosen") if is_chosen else "")
        self.changed.emit()


class ExamPage(StudyPage):
    """One exam at a time, of the deck on show; it is kept while it goes on, and resumed."""

    chooses_deck = True

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self.title = self.tr("Practice exam")
        self.setWindowTitle(self.title)  # above its keys in the list of all
        self._study, self._jobs = study, study.jobs
        self._deck: Deck | None = None
        self._kept: tuple[PracticeExam, ...] = ()  # of the deck
        self._job: Job[None] | None = None
        self.plan: PlannedExam | None = None
        self.exam: PracticeExam | None = None
        self.items: dict[str, Item] = {}
        self.grades: dict[int, Grade] = {}  # by the place of the task
        self.view: TaskView | None = None  # of the question on show
        self._overruled: set[int] = set()  # likewise
        # Of the result: lessons, and below them tasks.
        self.rows: dict[ExamLesson | int, QTreeWidgetItem] = {}
        self.at = 0  # the place of the question on show
        self._clock = QElapsedTimer()
        self._tick = QTimer(self, interval=_TICK_MS)
        self._tick.timeout.connect(self._count_down)
        self._saving = one_shot(self, _SAVING_MS, self._save)
        self._sides = self.lay_out(self._build_start(), self._build_questions(), self._build_end())
        keys = "Ctrl+Return", "Ctrl+Enter"
        PaneKey(self, keys, partial(self._turn, 1), text=self.tr("Next question"), is_plain=True)
        self._jobs.formulas.came_late.connect(self.draw)

    # ---- StudyPage ----

    def show_deck(self, deck: Deck | None) -> None:
        """Offer an exam of a deck; one that goes on is not disturbed."""
        is_other = (deck and deck.deck_id) != (self._deck and self._deck.deck_id)
        self._deck = deck
        if is_other:
            self.plan = None
            if self.exam is None and self._job is not None:
                self._job.drop()  # it plans for another deck
                self._job = None
                self.bar.hide()
        if deck is None:
            self._kept = ()
            self._show_start()
        else:
            key = deck.deck_id
            reading = self._jobs.read("Reading the exams", lambda study: study.exams.of_deck(key))
            reading.run(self, success=self._take_kept)

    def focus_first(self) -> None:
        if self.view is not None:
            target: QWidget = self.view.first
        elif self._sides.currentIndex() == 2:
            target = self.results
        else:
            buttons = self.begin_button, self.resume, self.choose
            target = next((one for one in buttons if not one.isHidden() and one.isEnabled()), self.choose)
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def draw(self) -> None:
        if self.view is not None:
            self.view.draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Let the time of an exam that goes on run again."""
        super().showEvent(event)
        if self.view is not None and not self._clock.isValid():
            self._clock.start()
            self._tick.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._save()
        self._tick.stop()
        self._clock.invalidate()

    # ---- building ----

    def _build_start(self) -> QWidget:
        self.hint = plain_label("", "muted")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Reading the paper"))
        self.bar.hide()
        self.lessons = BarList(self.tr("Lessons of the exam"))
        self.limit = number_box(0, _LONGEST_MINUTES, step=5, suffix=self.tr(" minutes"))
        self.limit.setSpecialValueText(self.tr("No time limit"))
        self.limit.setAccessibleName(self.tr("Time limit"))
        self.begin_button = push_button(self.tr("Start the exam"), self._begin, "primary")
        self.resume = push_button(self.tr("Resume the exam"), self._resume, "primary")
        self.choose = push_button(self.tr("Choose a past paper…"), self._choose)
        self.make = push_button(self.tr("Make study material…"), self._study.make)
        self.before = plain_label("", "caption")
        buttons = FlowLayout(12, self.begin_button, self.resume, self.choose, self.make)
        side = QWidget()
        parts = self.hint, self.bar, Cell(self.lessons, 1), FlowLayout(12, self.limit), buttons
        vbox(*parts, self.before, Stretch(0), spacing=12, parent=side)
        return side

    def _build_questions(self) -> QWidget:
        self.state = plain_label("", "caption", wrap=False)
        self.progress = QProgressBar(textVisible=False)
        self.progress.setAccessibleName(self.tr("Progress of this exam"))
        self._scroll = scroll_area(QWidget())
        self.back = push_button(self.tr("Back"), partial(self._turn, -1))
        self.next = push_button("", partial(self._turn, 1), "primary")
        self.leave = link_button(self.tr("Leave for now"), self._leave)
        side = QWidget()
        buttons = FlowLayout(12, self.back, self.next, self.leave)
        vbox(self.state, self.progress, Cell(self._scroll, 1), buttons, spacing=8, parent=side)
        return side

    def _build_end(self) -> QWidget:
        self.score, self.verdict = plain_label("", "title"), plain_label("", "muted")
        self.results = QTreeWidget(columnCount=2)
        self.results.setHeaderLabels([self.tr("Lesson and question"), self.tr("Points")])
        self.results.setAccessibleName(self.tr("Result by lesson"))
        self.results.header().setStretchLastSection(False)
        self.results.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.results.setAllColumnsShowFocus(True)
        self.results.itemActivated.connect(self._open)
        self.results.currentItemChanged.connect(lambda *_: self._show_task())
        self.detail = plain_label("", selectable=True)
        self.points = AnswerPoints(self._jobs)
        self.points.changed.connect(self._overrule)
        self.was_right = link_button(self.tr("I was right"), self._count_as_right)
        self.add = push_button(self.tr("Add cards for wrong answers…"), self._offer_cards, "primary")
        self.other = push_button(self.tr("Another exam"), self._leave)
        side = QWidget()
        buttons = FlowLayout(12, self.add, self.other, self.was_right)
        parts = self.score, self.verdict, Cell(self.results, 1), self.detail, self.points, buttons
        vbox(*parts, spacing=8, parent=side)
        return side

    # ---- before it ----

    def _take_kept(self, exams: tuple[PracticeExam, ...]) -> None:
        self._kept = exams
        self._show_start()

    def _show_start(self) -> None:
        if self.exam is not None:
            return
        deck, plan = self._deck, self.plan
        tasks = plan.exam.tasks if plan is not None else ()
        self.resume.setVisible(any(exam.finished_at is None for exam in self._kept))
        self.choose.setEnabled(deck is not None)
        for part in (self.lessons, self.limit, self.begin_button):
            part.setVisible(bool(tasks))
        is_first = not tasks and self.resume.isHidden()  # what is wanted most then
        set_look(self.choose, "kind", "primary" if is_first and deck is not None else None)
        self.make.setVisible(deck is None or bool(plan and plan.lacking))
        done = next((exam for exam in self._kept if exam.finished_at is not None), None)
        self.before.setText("" if done is None else self.tr("Last time: {0}.").format(_result_text(done)))
        if deck is None:
            self.hint.setText(
                self.tr("An exam asks the questions of a deck. Make some from your courses first.")
            )
        elif plan is None and self._job is None:  # else it says what is read, or why there is no plan
            self.hint.setText(
                self.tr(
                    "Choose a past paper or a list of learning goals. The exam asks as many questions on "
                    "each lesson, from this deck, for the same points."
                )
            )
        elif plan is not None:
            self.hint.setText(self._plan_text(plan))
            self.lessons.show_rows(
                Bar(_name(lesson), self.tr("Points: {0}").format(points_text(points)))
                for lesson, (_, points) in plan.exam.by_lesson().items()
            )

    def _plan_text(self, plan: PlannedExam) -> str:
        sentences = [self.tr("%Ln question(s) of this deck.", None, len(plan.exam.tasks))]
        if missing := sum(plan.lacking.values()):
            names = QLocale().createSeparatedList([_name(lesson) for lesson in plan.lacking])
            text = self.tr("The deck lacks %Ln question(s) for {0}: make some.", None, missing)
            sentences.append(text.format(names))
        if plan.untaught:
            sentences.append(
                self.tr("Not taught in this course: %Ln question(s) of the paper.", None, plan.untaught)
            )
        return " ".join(sentences)

    def _choose(self) -> None:
        if self._jobs.workers.is_running and self._deck is not None:
            ask_for_file(self._study.window, self.tr("Choose a past paper"), "", "", self.read_paper)

    def read_paper(self, path: Path) -> None:
        if self._deck is None:
            return
        if self._job is not None:
            self._job.drop()
        self.hint.setText(self.tr("Reading the file…"))
        self.bar.show()
        show_waiting(self.bar)
        planning = self._jobs.plan_exam(path, self._deck, time.time_ns())
        self._job = planning.run(self, event=self._take_plan, failure=self._fail, finished=self.bar.hide)

    def _take_plan(self, event: QuestionProgress | PlannedExam) -> None:
        match event:
            case QuestionProgress(done, total):
                self.bar.setRange(0, total)
                self.bar.setValue(done)
            case PlannedExam():
                self.plan = event
                self._show_start()
                self.focus_first()
                announce(self.hint, self.hint.text())

    def _fail(self, message: Message) -> None:
        self.hint.setText(shown(message))
        announce(self.hint, self.hint.text())

    # ---- the questions ----

    def _begin(self) -> None:
        if self.plan is not None:
            exam = replace(self.plan.exam, minutes=self.limit.value(), started_at=time.time())
            beginning = self._jobs.change("Beginning an exam", lambda study: study.exams.begin(exam))
            beginning.run(self, success=self._ask)

    def _resume(self) -> None:
        if (exam := next((one for one in self._kept if one.finished_at is None), None)) is not None:
            self._ask(exam)

    def _ask(self, exam: PracticeExam) -> None:
        reading = self._jobs.read("Reading an exam", lambda study: study.exams.items_of(exam))
        reading.run(self, success=partial(self._take_items, exam))

    def _take_items(self, exam: PracticeExam, items: dict[str, Item]) -> None:
        """Ask what has not been deleted since the exam was begun."""
        tasks = tuple(task for task in exam.tasks if task.uid in items)
        if gone := len(exam.tasks) - len(tasks):
            self._study.window.say(self.tr("Deleted meanwhile and left out: %Ln question(s).", None, gone))
        if tasks:
            self.exam, self.items = replace(exam, tasks=tasks), items
            self.grades, self._overruled = {}, set()
            self._show_question(next((at for at, task in enumerate(tasks) if not task.answer), 0))

    def _show_question(self, at: int) -> None:
        if self.exam is None:
            return
        task, count = self.exam.tasks[at], len(self.exam.tasks)
        self.at = at
        self.view = TaskView(task, self.items[task.uid], self._jobs.formulas)
        inner = QWidget()
        vbox(self.view, Stretch(), margins=(0, 8, 8, 8), parent=inner)
        self._scroll.setWidget(inner)
        self.view.lead_to(self.back, self.next, self.leave)
        inner.show()
        self.view.draw()
        self.view.changed.connect(self._saving.start)
        self.back.setEnabled(at > 0)
        self.next.setText(self.tr("Next") if at + 1 < count else self.tr("Hand in"))
        self.progress.setRange(0, count)
        self.progress.setValue(at + 1)
        self._sides.setCurrentIndex(1)
        self._clock.start()
        self._tick.start()
        self._count_down()
        self.focus_first()

    def _note_answer(self) -> None:
        if self.exam is not None and self.view is not None:
            spent = self.exam.spent + (self._clock.restart() / 1000 if self._clock.isValid() else 0.0)
            self.exam = replace(self.exam.changed(self.at, answer=self.view.answer), spent=spent)

    def _save(self) -> None:
        self._saving.stop()
        self._note_answer()
        if (exam := self.exam) is not None:
            saving = self._jobs.change("Keeping an exam", lambda study: study.exams.save(exam))
            saving.run(self._study)

    def _count_down(self) -> None:
        if self.exam is None:
            return
        number = self.tr("Question {0} of {1}").format(
            number_text(self.at + 1), number_text(len(self.exam.tasks))
        )
        if not self.exam.minutes:
            self.state.setText(number)
            return
        running = self._clock.elapsed() / 1000 if self._clock.isValid() else 0.0
        left = self.exam.minutes * 60 - self.exam.spent - running
        minutes = self.tr("%Ln minute(s) left", None, max(0, -int(-left // 60)))
        self.state.setText(f"{number} · {minutes}")
        if left <= 0:
            self._study.window.say(self.tr("The time is up: the exam was handed in."))
            self._hand_in()

    def _turn(self, by: int) -> None:
        self._save()
        if self.exam is None or self.view is None:
            return
        if self.at + by < len(self.exam.tasks):
            self._show_question(self.at + by)
        elif left := sum(not task.answer.strip() for task in self.exam.tasks):
            text = self.tr("Without an answer: %Ln question(s).", None, left)
            dialog = Dialog(self.tr("Hand in"), self._study.window, heading=self.tr("Hand in"), text=text)
            dialog.add_cancel_and(self.tr("Hand in"))
            dialog.accepted.connect(self._hand_in)
            dialog.open()
        else:
            self._hand_in()

    def _leave(self) -> None:
        self._save()
        self._tick.stop()
        self.points.clear()
        self.exam, self.view = None, None
        self._sides.setCurrentIndex(0)
        self._take_kept(())  # until they are read
        self.show_deck(self._deck)
        self.focus_first()

    # ---- the result ----

    def _hand_in(self) -> None:
        """Grade what was answered: choices and words at once, sentences one after the other."""
        self._note_answer()
        self._tick.stop()
        if self.exam is None or self.view is None:  # or the time was up while it was asked
            return
        exam, open_ones = replace(self.exam, finished_at=time.time()), []
        for at, task in enumerate(exam.tasks):
            item = self.items[task.uid]
            if KINDS[item.kind].has_choices:
                is_right = task.answer == item.text.back
            else:
                found = compared(task.answer, item)
                is_right = found.is_right and bool(task.answer.strip())
                if is_graded(item, task.answer, found):
                    open_ones.append((at, item, task.answer))
            exam = exam.changed(at, share=float(is_right))
        self.view, self.exam = None, exam
        self._save()
        self._show_result()
        if open_ones:
            self.other.setEnabled(False)  # else the grades would have no exam to come to
            grading = self._jobs.grade(open_ones)
            done = partial(self.other.setEnabled, True)
            self._job = grading.run(self, event=self._take_grade, finished=done)

    def _take_grade(self, event: tuple[int, Grade]) -> None:
        at, grade = event
        if at not in self._overruled:
            self.grades[at] = grade
            self._set_share(at, grade.share)
            if self._shown == at:
                self.was_right.hide()
                self.points.show_grade(grade)

    def _set_share(self, at: int, share: float) -> None:
        if self.exam is not None:
            self.exam = self.exam.changed(at, share=share)
            self._saving.start()
            self._show_points()

    def _show_result(self) -> None:
        if self.exam is None:
            return
        self.results.clear()
        self.rows = {
            lesson: QTreeWidgetItem(self.results, [_name(lesson)]) for lesson in self.exam.by_lesson()
        }
        for at, task in enumerate(self.exam.tasks):
            text = harmless(short(self.items[task.uid]))
            self.rows[at] = QTreeWidgetItem(self.rows[task.lesson], [text])
        for key, row in self.rows.items():
            row.setData(0, _DATA, key)
        self.results.expandAll()
        self._show_points()
        self._sides.setCurrentIndex(2)
        self.results.setCurrentItem(next(iter(self.rows.values())))
        self.focus_first()
        announce(self.score, f"{self.score.text()}. {self.verdict.text()}")

    def _show_points(self) -> None:
        """Write the points into the rows, and compare them with the exam before."""
        exam = self.exam
        if exam is None:
            return
        finished = (one for one in self._kept if one.finished_at and one.deck_id == exam.deck_id)
        before = next((one for one in finished if one.exam_id != exam.exam_id), None)
        earlier = before.by_lesson() if before else {}
        for lesson, points in exam.by_lesson().items():
            words = _of_text(*points)
            if lesson in earlier:
                words = self.tr("{0}; last time {1}").format(words, _of_text(*earlier[lesson]))
            self.rows[lesson].setText(1, words)
        for at, task in enumerate(exam.tasks):
            self.rows[at].setText(1, _of_text(task.points * (task.share or 0.0), task.points))
        self.score.setText(self.tr("{0} points").format(_of_text(*exam.reached)))
        self.verdict.setText(
            self.tr("Last time: {0}.").format(_result_text(before))
            if before
            else self.tr("Press Enter to open a lesson, or the sentence behind a question.")
        )
        self.add.setVisible(bool(self._wrong()))

    def _wrong(self) -> list[Item]:
        tasks = self.exam.tasks if self.exam is not None else ()
        return [self.items[task.uid] for task in tasks if (task.share or 0.0) < 1]

    @property
    def _shown(self) -> int | None:
        """The place of the task whose row is chosen in the result."""
        row = self.results.currentItem()
        at = None if row is None else row.data(0, _DATA)
        return at if isinstance(at, int) else None

    def _show_task(self) -> None:
        at = self._shown
        self.points.clear()
        self.detail.setVisible(at is not None)
        self.was_right.setVisible(at is not None and at not in self.grades)
        if at is None or self.exam is None:
            return
        task, item = self.exam.tasks[at], self.items[self.exam.tasks[at].uid]
        typed = shorten(one_spaced(task.answer), _LONGEST) or self.tr("nothing")
        right = shorten(one_line(KINDS[item.kind].answers(item.text)[0]), _LONGEST)
        text = self.tr("Your answer: {0}\nThe right answer: {1}")
        self.detail.setText(harmless(text.format(typed, right)))
        self.was_right.setEnabled((task.share or 0.0) < 1)
        if (grade := self.grades.get(at)) is not None:
            self.points.show_grade(grade)

    def _overrule(self, grade: Grade) -> None:
        if (at := self._shown) is not None and self.grades.get(at) != grade:
            self._overruled.add(at)
            self.grades[at] = grade
            self._set_share(at, grade.share)

    def _count_as_right(self) -> None:
        if (at := self._shown) is not None:
            self._overruled.add(at)
            self._set_share(at, 1.0)
            self.was_right.setEnabled(False)
            self.results.setFocus()

    def _open(self, row: QTreeWidgetItem) -> None:
        at = row.data(0, _DATA)
        if isinstance(at, int) and self.exam is not None:
            self._study.show_source(self.items[self.exam.tasks[at].uid])
        elif self.exam is not None:  # of the exam's deck, whichever is on show by now
            decks = (deck for deck in self._study.pane.decks if deck.deck_id == self.exam.deck_id)
            title = next((deck.course_title for deck in decks), "")
            self._study.window.sources_controller.read_lesson(title, *at)

    def _offer_cards(self) -> None:
        """Show the cards that what was wrong would become, and add them if that is wanted."""
        wrong = self._wrong()
        new = [item for item in wrong if not KINDS[item.kind].is_scheduled]
        known = len(wrong) - len(new)
        sentences = [self.tr("Reviews already ask %Ln of these questions.", None, known)] if known else []
        listed = "\n".join(f"• {short(item)}" for item in new)
        title, text = self.tr("Add cards for wrong answers"), "\n\n".join(filter(None, (listed, *sentences)))
        dialog = Dialog(title, self._study.window, heading=title, text=harmless(text))

        def add() -> None:
            adding = self._jobs.change("Adding cards", lambda study: study.exams.add_cards(new))
            adding.run(self, success=added)
            dialog.accept()

        def added(count: int) -> None:
            self._study.window.say(self.tr("%Ln card(s) added.", None, count))

        if new:
            dialog.add_cancel_and(self.tr("Add"), add).setFocus()
        else:
            dialog.add_close()
        dialog.open()


def _name(lesson: ExamLesson) -> str:
    return numbered_lesson(lesson.number, lesson.title) or "–"


def points_text(points: float) -> str:
    return QLocale().toString(points, "g", 4)


def _of_text(reached: float, points: float) -> str:
    return f"{points_text(round(reached, 1))} / {points_text(points)}"


def _result_text(exam: PracticeExam) -> str:
    day = QDate.fromString(time.strftime("%Y-%m-%d", time.localtime(exam.started_at)), Qt.DateFormat.ISODate)
    return f"{_of_text(*exam.reached)} ({QLocale().toString(day, QLocale.FormatType.ShortFormat)})"
