"""The days to an exam: a page with today's part and the days left, and the dialog that asks for the date."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QDateEdit, QLineEdit, QToolButton, QWidget

from app.domain.errors import UserError
from app.domain.plain_text import harmless
from app.features.study.exports.calendar import calendar, parts_of
from app.features.study.model.exam_plans import (
    LEAST_RETENTION,
    MOST_MINUTES,
    MOST_RETENTION,
    Exam,
    LessonName,
    Plan,
    PlannedDay,
)
from app.features.study.model.items import Deck
from app.features.study.service import StudyService
from app.features.study.ui.controller import StudyController
from app.features.study.ui.overview import Bar, BarList
from app.features.study.ui.pane import StudyPage
from app.ui.widgets.bars import UndoBar
from app.ui.widgets.building import (
    Cell,
    FlowLayout,
    Stretch,
    hbox,
    link_button,
    push_button,
    scrolled,
    vbox,
)
from app.ui.widgets.desktop import ask_for_new_file
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import FIELD_WIDTH, Section, check_box, choice, number_box
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import number_text
from app.ui.widgets.text_labels import plain_label
from app.ui.widgets.theme import Theme, scaled

_SHORT = QLocale.FormatType.ShortFormat
tr = partial(QCoreApplication.translate, "PlanPage")


class PlanPage(StudyPage):
    """Shows the plan of one course, the one whose exam is next unless another was chosen."""

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self.title = self.tr("Exam plan")
        self._study = study
        self._course, self._due = "", 0
        self._plan: Plan | None = None
        self._lead, self._day = plain_label("", "title"), plain_label("", "muted")
        self.course = choice({}, None, elided=True)
        self.course.setAccessibleName(self.tr("Course"))
        self.course.activated.connect(lambda: self.begin(self.course.currentData()))
        self._today = plain_label("", "strong")
        self.read = push_button(self.tr("Read lesson"), self._read, "primary")
        self.done = push_button(self.tr("Mark as studied"), self._mark)
        self.review = push_button("", lambda: study.review(self._course))
        self.sentences = plain_label("", "muted")
        self.undo_bar = UndoBar(self.focus_first)
        self.undo_bar.undo_requested.connect(lambda done: self._change(*done, is_studied=False))
        self.list = BarList(self.tr("Days until the exam"))
        change = link_button(self.tr("Change…"), lambda: ask_for_exam(study, self._course))
        save = link_button(self.tr("Save for a calendar…"), self._save)
        practice = link_button(self.tr("Practice exam…"), lambda: study.show_page("exam", self._course))
        buttons, self._content = QWidget(), QWidget()
        buttons.setLayout(FlowLayout(8, self.read, self.done, self.review))
        vbox(
            hbox(Cell(self._lead, 1), self.course, spacing=8),
            *(self._day, 4, self._today, buttons, self.sentences, 4),
            Cell(self.list, 1),
            self.undo_bar,
            FlowLayout(16, change, save, practice),
            spacing=8,
            parent=self._content,
        )
        self._hint, self._empty = plain_label("", "muted"), QWidget()
        self.set_date = push_button(self.tr("Exam date…"), partial(ask_for_exam, study), "primary")
        title = plain_label(self.tr("Plan the days to an exam"), "title")
        vbox(title, self._hint, hbox(self.set_date, Stretch()), Stretch(), parent=self._empty, spacing=8)
        self._sides = self.lay_out(self._empty, self._content)

    def begin(self, subject: object) -> None:
        self._course = str(subject)
        self.show_deck(None)

    def show_deck(self, deck: Deck | None) -> None:
        course = self._course
        reading = self._study.jobs.read("Planning the days", lambda study: study.exam_plans.overview(course))
        reading.run(self, success=self._show)

    def focus_first(self) -> None:
        buttons = (self.read, self.review, self.list) if self._plan else (self.set_date,)
        next((one for one in buttons if not one.isHidden()), self).setFocus(Qt.FocusReason.TabFocusReason)

    # ---- internals ----

    def _show(self, found: tuple[tuple[str, ...], Plan | None]) -> None:
        titles, self._plan = found
        plan, pane = self._plan, self._study.pane
        self._sides.setCurrentIndex(plan is not None)
        self.set_date.setVisible(bool(pane.courses))
        courses = self.tr("A plan is made from your own courses. Add one first.")
        hint = self.tr("Lectern spreads lessons and cards over the days left, and plans anew each day.")
        self._hint.setText(hint if pane.courses else courses)
        if plan is None:
            return
        self._course = plan.course_title
        self._due = sum(deck.due for deck in pane.decks if deck.course_title == plan.course_title)
        self.course.clear()
        for title in titles:
            self.course.addItem(harmless(title), title)
        self.course.setCurrentIndex(titles.index(plan.course_title))
        self.course.setVisible(len(titles) > 1)
        self._lead.setText(self.tr("Exam in %Ln day(s)", None, (plan.exam.day - plan.today).days))
        self._day.setText(_date_text(plan.exam.day, QLocale.FormatType.LongFormat))
        self._show_today(plan.part)
        self.sentences.setText(" ".join(map(shown, plan.sentences)))
        most = max((day.minutes for day in plan.days), default=0.0)
        self.list.show_rows([_bar(day, most) for day in plan.days])

    def _show_today(self, part: PlannedDay | None) -> None:
        lessons = [shown(one) for one in parts_of(part._replace(new=0, reviews=0))] if part else []
        self.read.setVisible(bool(lessons))
        self.done.setVisible(bool(lessons))
        for name in lessons[:1]:
            self.read.setAccessibleName(self.tr("Read: {0}").format(name))
            self.done.setAccessibleDescription(name)
        self.review.setText(self.tr("Review %Ln card(s)", None, self._due))
        self.review.setVisible(self._due > 0)
        if part is None:
            text = self.tr("Today is a day off.")
        elif lessons:
            text = self.tr("Today: {0}").format("; ".join(lessons))
        else:
            cards = self.tr("Today: %Ln card(s)", None, self._due)
            text = cards if self._due else self.tr("Everything for today is done.")
        self._today.setText(text)

    @property
    def _lesson(self) -> LessonName:
        """The lesson that is next today, while its buttons are on show."""
        assert self._plan is not None
        assert self._plan.part is not None
        return self._plan.part.lessons[0][:2]

    def _read(self) -> None:
        self._study.window.sidebar.lesson_requested.emit(self._course, *self._lesson)

    def _mark(self) -> None:
        done = self._course, self._lesson
        self._change(done, is_studied=True)
        marked = dict.fromkeys((*self.undo_bar.offered, done))
        self.undo_bar.offer(tuple(marked), self.tr("%Ln lesson(s) marked as studied", None, len(marked)))

    def _change(self, *done: tuple[str, LessonName], is_studied: bool) -> None:
        def mark(study: StudyService) -> None:
            for course, name in done:
                study.exam_plans.mark(course, name, is_studied=is_studied)

        self._study.jobs.change("Marking a lesson", mark).run(self)

    def _save(self) -> None:
        plan, window = self._plan, self._study.window
        assert plan is not None
        text = calendar(plan, datetime.now(UTC))

        def save(path: Path) -> None:
            saving = self._study.jobs.read(
                "Saving the days", lambda _: path.write_text(text, encoding="utf-8", newline="")
            )
            done = self.tr("The days were saved as {0}.").format(path)
            saving.run(self, success=lambda _: window.say(done))

        kinds = {self.tr("Calendar (*.ics)"): ".ics"}
        ask_for_new_file(window, self.tr("Save for a calendar"), "", plan.course_title, kinds, save)


def _date_text(day: date, form: QLocale.FormatType | str) -> str:
    return QLocale().toString(QDate(day.year, day.month, day.day), form)


def _bar(day: PlannedDay, most: float) -> Bar:
    """Return a day of study, such as ``Mon 2 Mar: Lesson 3, 12 new cards``."""
    parts = ", ".join(map(shown, parts_of(day))) or tr("Nothing to do")
    words = tr("{0} min").format(number_text(max(round(day.minutes), 1))) if day.minutes else ""
    name = f"{_date_text(day.day, tr('ddd d MMM'))}: {parts}"
    return Bar(name, words, day.minutes / max(most, 1.0))


class ExamDialog(Dialog):
    """Asks when an exam is, and how much time there is; ``exam`` is what was chosen when it is accepted."""

    def __init__(
        self, courses: Sequence[str], chosen: str, exams: Mapping[str, Exam], parent: QWidget
    ) -> None:
        super().__init__(self.tr("Exam date"), parent)
        self.heading.hide()
        self._exams = exams
        self.exam: Exam | None = None
        self.course = choice({title: harmless(title) for title in courses}, chosen, elided=True)
        self.day = QDateEdit()
        self.day.setCalendarPopup(True)
        popup, theme = self.day.calendarWidget(), Theme.current()
        for weekend in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):  # which Qt writes in red
            popup.setWeekdayTextFormat(weekend, QTextCharFormat())
        for name, icon in (("prevmonth", "chevron-left"), ("nextmonth", "chevron-right")):
            for button in popup.findChildren(QToolButton, f"qt_calendar_{name}"):
                button.setIcon(theme.icon(icon))
        self.day.setMinimumWidth(scaled(FIELD_WIDTH))
        self.minutes = number_box(1, MOST_MINUTES, step=5, suffix=self.tr(" minutes"))
        self.retention = number_box(LEAST_RETENTION, MOST_RETENTION, suffix=" %")
        self.weekdays = [check_box(QLocale().dayName(day, _SHORT), False) for day in range(1, 8)]
        for day, box in enumerate(self.weekdays, 1):
            box.setAccessibleName(self.tr("{0} off").format(QLocale().dayName(day)))
        weekdays = QWidget()
        weekdays.setLayout(FlowLayout(8, *self.weekdays))
        self.days_off = QLineEdit()
        section = Section(self.tr("Exam"))
        section.add(self.tr("Course"), self.course, narrow=False)
        self._day_row = section.add(self.tr("Date"), self.day, " ")
        section.add(self.tr("Each day"), self.minutes)
        section.add(
            self.tr("Recall in the exam"), self.retention, self.tr("How many cards you want to know.")
        )
        section.add(self.tr("Days off"), weekdays, narrow=False)
        form = _date_text(date.today() + timedelta(days=7), _SHORT)
        help_text = self.tr("Dates, separated by semicolons, such as {0}.").format(form)
        self._off_row = section.add(self.tr("Other days off"), self.days_off, help_text, narrow=False)
        self.body.addWidget(scrolled(section))
        self.forget = self.add_button(self.tr("No exam"), self.accept, at_left=True)
        self.save = self.add_cancel_and(self.tr("Save"), self._check)
        self.course.currentIndexChanged.connect(self._show)
        self._show()
        self.resize_to(580, 560)
        self.day.setFocus()

    @property
    def _known(self) -> Exam | None:
        return self._exams.get(self.course.currentData())

    def _show(self) -> None:
        """Show what is known of the chosen course."""
        exam = self._known or Exam(date.today() + timedelta(days=28))
        self.forget.setVisible(self._known is not None)
        self.day.setDate(QDate(exam.day.year, exam.day.month, exam.day.day))
        self.minutes.setValue(exam.minutes)
        self.retention.setValue(exam.retention)
        for day, box in enumerate(self.weekdays):
            box.setChecked(day in exam.days_off)
        dates = sorted(day for day in exam.days_off if isinstance(day, date))
        self.days_off.setText("; ".join(_date_text(day, _SHORT) for day in dates))

    def _check(self) -> None:
        """Accept what can be planned; else say what is wrong."""
        self._day_row.help()
        self._off_row.help()
        off: set[int | date] = {at for at, box in enumerate(self.weekdays) if box.isChecked()}
        for part in filter(None, map(str.strip, self.days_off.text().split(";"))):
            day = QLocale().toDate(part, _SHORT, 2000)
            if not day.isValid():
                self._off_row.fail(self.tr("“{0}” is not a date.").format(harmless(part)))
                return
            off.add(date(day.year(), day.month(), day.day()))
        day = self.day.date()
        exam = replace(
            self._known or Exam(date.today()),
            day=date(day.year(), day.month(), day.day()),
            minutes=self.minutes.value(),
            retention=self.retention.value(),
            days_off=frozenset(off),
        )
        try:
            exam.check(date.today())
        except UserError as error:
            self._day_row.fail(shown(error.message))
            return
        self.exam = exam
        self.accept()


def ask_for_exam(study: StudyController, course: str = "") -> None:
    """Ask when the exam of a course is, and show the plan to it."""

    def ask(exams: dict[str, Exam]) -> None:
        courses = study.pane.courses
        if not courses:
            study.show_page("plan")
            return
        selected = course or study.window.sidebar.current_course() or ""
        dialog = ExamDialog(courses, selected, exams, study.window)

        def keep() -> None:
            title, exam = dialog.course.currentData(), dialog.exam
            change = study.jobs.change("Keeping the date", lambda rag: rag.exam_plans.put(title, exam))
            change.run(study, success=lambda _: study.show_page("plan", subject=title))

        dialog.accepted.connect(keep)
        dialog.open()

    study.jobs.read("Reading the dates", lambda rag: rag.exam_plans.exams()).run(study, success=ask)
