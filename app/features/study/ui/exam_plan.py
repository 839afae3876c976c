"""The days to an exam: a page with today's part and the days left, and the dialog that asks for the date."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QDateEdit, QLineEdit, QToolButton, QWidget

from app.domain.errors import UserError
from app.domain.plain_text import harmless
from app.features.study.exports.calendar import calendar, parts_of
from app.features.study.model.exam_plans import MOST_MINUTES, Exam
from app.features.study.ui.pane import StudyPage
from app.features.study.ui.progress_page import Bar, BarList, Fill
from app.ui.widgets.bars import UndoBar
from app.ui.widgets.building import (
    Cell,
    FlowLayout,
    Stretch,
    hbox,
    link_button,
    push_button,
    scrolled,
    stack,
    vbox,
)
from app.ui.widgets.desktop import ask_for_new_file
from app.ui.widgets.dialog import Dialog
from app.ui.widgets.form import FIELD_WIDTH, Section, check_box, choice, number_box
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import number_text
from app.ui.widgets.text_labels import ElidedLabel, plain_label
from app.ui.widgets.theme import Theme, scaled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from app.features.study.exam_plans import ExamPlan
    from app.features.study.model.exam_plans import LessonName, PlannedDay, PlannedLesson
    from app.features.study.model.items import Deck
    from app.features.study.service import StudyService
    from app.features.study.ui.controller import StudyController

_WIDTH = 720
tr = partial(QCoreApplication.translate, "PlanPage")


class PlanPage(StudyPage):
    """Shows the plan of one course, the one whose exam is next unless another was chosen."""

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self.title = self.tr("Exam plan")
        self._study = study
        self._course, self._due = "", 0
        self._plan: ExamPlan | None = None
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
        column, content = QWidget(maximumWidth=scaled(_WIDTH)), QWidget()
        buttons = QWidget()
        buttons.setLayout(FlowLayout(8, self.read, self.done, self.review))
        vbox(
            hbox(Cell(self._lead, 1), self.course, spacing=8),
            *(self._day, 4, self._today, buttons, self.sentences, 4),
            Cell(self.list, 1),
            self.undo_bar,
            hbox(change, save, Stretch(), spacing=16),
            spacing=8,
            parent=column,
        )
        hbox(Stretch(), Cell(column, 1000), Stretch(), parent=content, margins=(24, 16, 24, 16))
        self._hint = plain_label("", "muted")
        self.set_date = push_button(self.tr("Exam date…"), partial(ask_for_exam, study), "primary")
        empty, first = QWidget(maximumWidth=scaled(_WIDTH)), QWidget()
        vbox(
            plain_label(self.tr("Plan the days to an exam"), "title"),
            self._hint,
            hbox(self.set_date, Stretch()),
            Stretch(),
            parent=first,
            spacing=8,
        )
        hbox(Stretch(), Cell(first, 1000), Stretch(), parent=empty, margins=(24, 24, 24, 16))
        self._sides = stack(empty, content)
        vbox(Cell(self._sides, 1), parent=self)

    def begin(self, subject: object) -> None:
        self._course = str(subject)
        self.show_deck(None)

    def show_deck(self, deck: Deck | None) -> None:
        course = self._course
        reading = self._study.jobs.read("Planning the days", lambda study: study.exam_plans.overview(course))
        reading.run(self, success=self._show)

    def focus_first(self) -> None:
        buttons = (self.read, self.review, self.list) if self._sides.currentIndex() else (self.set_date,)
        next((one for one in buttons if not one.isHidden()), self).setFocus(Qt.FocusReason.TabFocusReason)

    # ---- internals ----

    def _show(self, found: tuple[tuple[str, ...], ExamPlan | None]) -> None:
        titles, plan = found
        self._plan = plan
        self._sides.setCurrentIndex(plan is not None)
        self.set_date.setVisible(bool(self._study.pane.courses))
        courses = self.tr("A plan is made from your own courses. Add one first.")
        hint = self.tr("Lectern spreads lessons and cards over the days left, and plans anew each day.")
        self._hint.setText(hint if self._study.pane.courses else courses)
        if plan is None:
            return
        self._course = plan.course_title
        decks = (deck.due for deck in self._study.pane.decks if deck.course_title == plan.course_title)
        self._due = next(decks, 0)
        self.course.clear()
        for title in titles:
            self.course.addItem(harmless(title), title)
        self.course.setCurrentIndex(titles.index(plan.course_title))
        self.course.setVisible(len(titles) > 1)
        days = (plan.exam.day - plan.asked_on).days
        self._lead.setText(self.tr("Exam in %Ln day(s)", None, days))
        self._day.setText(long_date(plan.exam.day))
        self._show_today(plan)
        self.sentences.setText(" ".join(map(shown, plan.sentences)))
        most = max((day.minutes for day in plan.plan.days), default=0.0)
        self.list.show_rows([_bar(day, most) for day in plan.plan.days])

    def _show_today(self, plan: ExamPlan) -> None:
        lesson = self._lesson
        self.read.setVisible(lesson is not None)
        self.done.setVisible(lesson is not None)
        if lesson is not None:
            name = shown(parts_of(replace(plan.today, lessons=(lesson,)))[0]) if plan.today else ""
            self.read.setAccessibleName(self.tr("Read: {0}").format(name))
            self.done.setAccessibleDescription(name)
        self.review.setText(self.tr("Review %Ln card(s)", None, self._due))
        self.review.setVisible(self._due > 0)
        if plan.today is None:
            text = self.tr("Today is a day off.")
        elif parts := parts_of(replace(plan.today, new=0, reviews=0)):
            text = self.tr("Today: {0}").format("; ".join(map(shown, parts)))
        else:
            cards = self.tr("Today: %Ln card(s)", None, self._due)
            text = cards if self._due else self.tr("Everything for today is done.")
        self._today.setText(text)

    @property
    def _lesson(self) -> PlannedLesson | None:
        today = None if self._plan is None else self._plan.today
        return today.lessons[0] if today is not None and today.lessons else None

    def _read(self) -> None:
        if (lesson := self._lesson) is not None:
            self._study.window.sidebar.lesson_requested.emit(self._course, lesson.number, lesson.title)

    def _mark(self) -> None:
        if (lesson := self._lesson) is None:
            return
        done = self._course, (lesson.number, lesson.title)
        self._change(done, is_studied=True)
        marked = dict.fromkeys((*self.undo_bar.offered, done))
        self.undo_bar.offer(tuple(marked), self.tr("%Ln lesson(s) marked as studied", None, len(marked)))

    def _change(self, *done: tuple[str, LessonName], is_studied: bool) -> None:
        def mark(study: StudyService) -> None:
            for course, name in done:
                study.exam_plans.mark(course, name, is_studied=is_studied)

        self._study.jobs.change("Marking a lesson", mark).run(self)

    def _save(self) -> None:
        plan = self._plan
        if plan is None:
            return
        window = self._study.window

        def save(path: Path) -> None:
            text = calendar(plan, datetime.now(UTC))
            saving = self._study.jobs.read(
                "Saving the days", lambda _: path.write_text(text, encoding="utf-8", newline="")
            )
            done = self.tr("The days were saved as {0}.").format(path)
            saving.run(self, success=lambda _: window.say(done))

        kinds = {self.tr("Calendar (*.ics)"): ".ics"}
        ask_for_new_file(window, self.tr("Save for a calendar"), "", plan.course_title, kinds, save)

    def set_theme(self, theme: Theme) -> None:
        self.undo_bar.set_theme(theme)


def long_date(day: date) -> str:
    return QLocale().toString(QDate(day.year, day.month, day.day), QLocale.FormatType.LongFormat)


def _bar(day: PlannedDay, most: float) -> Bar:
    """Return a day of study, such as ``Monday, 2 March: Lesson 3, 12 new cards``."""
    name = QLocale().toString(QDate(day.day.year, day.day.month, day.day.day), tr("ddd d MMM"))
    if not (parts := parts_of(day)):
        return Bar(name, tr("Nothing to do"), ((0.0, 0.0, Fill.FULL),))
    minutes = max(round(day.minutes), 1)
    words = tr("{0} min").format(number_text(minutes))
    name = f"{name}: {', '.join(map(shown, parts))}"
    return Bar(name, words, ((0.0, day.minutes / max(most, 1.0), Fill.FULL),))


class TodayStrip(QWidget):
    """Says in the sidebar what today's part of the plans takes, and leads to them; hidden without any."""

    def __init__(self, study: StudyController) -> None:
        super().__init__()
        self._study = study
        self._text = ElidedLabel()
        self._text.setProperty("role", "caption")
        self._title = ""
        show = link_button(
            self.tr("Show plan"), lambda: study.show_page("plan", subject=self._title), small=True
        )
        hbox(Cell(self._text, 1), show, margins=(8, 0, 4, 0), spacing=8, parent=self)
        self.hide()

    def _open(self) -> None:
        self._study.show_page("plan", subject=self._title)

    def show_parts(self, parts: tuple[tuple[str, float], ...]) -> None:
        """Show how many minutes are left today for courses, the next exam first."""
        self.setVisible(bool(parts))
        if not parts:
            return
        self._title = next((title for title, minutes in parts if minutes >= 1), parts[0][0])
        minutes = round(sum(minutes for _, minutes in parts))
        done = self.tr("Today’s part is done")
        self._text.setText(self.tr("%Ln minute(s) to study today", None, minutes) if minutes else done)


class ExamDialog(Dialog):
    """Asks when an exam is, and how much time there is; ``exam`` is what was chosen when it is accepted."""

    def __init__(
        self, courses: Sequence[str], chosen: str, exams: Mapping[str, Exam], parent: QWidget
    ) -> None:
        super().__init__(self.tr("Exam date"), parent)
        self.heading.hide()
        self._exams = exams
        self.exam: Exam | None = None
        today = QDate.currentDate()
        self.course = choice({title: harmless(title) for title in courses}, chosen, elided=True)
        self.day = QDateEdit()
        self.day.setCalendarPopup(True)
        popup, theme = self.day.calendarWidget(), Theme.current()
        for weekend in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):  # which Qt writes in red
            popup.setWeekdayTextFormat(weekend, QTextCharFormat())
        for name, icon in (("prevmonth", "chevron-left"), ("nextmonth", "chevron-right")):
            for button in popup.findChildren(QToolButton, f"qt_calendar_{name}"):
                button.setIcon(theme.icon(icon, theme.text))
        self.day.setMinimumWidth(scaled(FIELD_WIDTH))
        self.minutes = number_box(1, MOST_MINUTES, step=5, suffix=self.tr(" minutes"))
        words = {80: self.tr("80 %: fewer reviews"), 85: "85 %", 90: self.tr("90 %: as usual")}
        words[95] = self.tr("95 %: many more reviews")
        self.retention = choice(words, 90)
        weekdays = QWidget()
        names = [QLocale().dayName(day, QLocale.FormatType.ShortFormat) for day in range(1, 8)]
        self.weekdays = [check_box(name, False) for name in names]
        for day, box in enumerate(self.weekdays, 1):
            box.setAccessibleName(self.tr("{0} off").format(QLocale().dayName(day)))
        weekdays.setLayout(FlowLayout(8, *self.weekdays))
        self.days_off = QLineEdit()
        section = Section(self.tr("Exam"))
        section.add(self.tr("Course"), self.course, narrow=False)
        self._day_row = section.add(self.tr("Date"), self.day, " ")
        section.add(self.tr("Each day"), self.minutes)
        section.add(self.tr("Recalled then"), self.retention, self.tr("How many of the cards, at least."))
        section.add(self.tr("Days off"), weekdays, narrow=False)
        form = QLocale().toString(today.addDays(7), QLocale.FormatType.ShortFormat)
        help_text = self.tr("Single dates, with semicolons between them, such as {0}.").format(form)
        self._off_row = section.add(self.tr("Also off"), self.days_off, help_text, narrow=False)
        self.body.addWidget(scrolled(section))
        self.forget = self.add_button(self.tr("No exam"), self.accept, at_left=True)
        self.save = self.add_cancel_and(self.tr("Save"), self._check)
        self.course.currentIndexChanged.connect(self._show)
        self._show()
        self.resize_to(520, 560)
        self.day.setFocus()

    def _show(self) -> None:
        """Show what is known of the chosen course."""
        known = self._exams.get(self.course.currentData())
        self.forget.setVisible(known is not None)
        exam = known or Exam(date.today() + timedelta(days=28))
        self.day.setDate(QDate(exam.day.year, exam.day.month, exam.day.day))
        self.minutes.setValue(exam.minutes)
        if self.retention.findData(exam.retention) < 0:
            self.retention.addItem(f"{exam.retention} %", exam.retention)
        self.retention.setCurrentIndex(self.retention.findData(exam.retention))
        for day, box in enumerate(self.weekdays):
            box.setChecked(day in exam.weekdays_off)
        off = (
            QLocale().toString(QDate(day.year, day.month, day.day), _SHORT) for day in sorted(exam.days_off)
        )
        self.days_off.setText("; ".join(off))

    def _check(self) -> None:
        """Accept what can be planned; else say what is wrong."""
        self._day_row.help()
        self._off_row.help()
        off = set()
        for part in filter(None, map(str.strip, self.days_off.text().split(";"))):
            day = QLocale().toDate(part, _SHORT, 2000)
            if not day.isValid():
                self._off_row.fail(self.tr("“{0}” is no date.").format(harmless(part)))
                return
            off.add(date(day.year(), day.month(), day.day()))
        day = self.day.date()
        known = self._exams.get(self.course.currentData())
        exam = Exam(
            date(day.year(), day.month(), day.day()),
            self.minutes.value(),
            self.retention.currentData(),
            frozenset(at for at, box in enumerate(self.weekdays) if box.isChecked()),
            frozenset(off),
            known.weights if known else (),
        )
        try:
            exam.check(date.today())
        except UserError as error:
            self._day_row.fail(shown(error.message))
            return
        self.exam = exam
        self.accept()


_SHORT = QLocale.FormatType.ShortFormat


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
