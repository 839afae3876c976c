"""The plan to an exam in the window: asking for the date, today's part, and the sidebar."""

from __future__ import annotations

import time
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QDate, QLocale, Qt
from PySide6.QtTest import QTest

from app.features.study.model.reviews import day_of
from app.features.study.ui.exam_plan import ExamDialog, PlanPage
from tests.support.study import BREAD_TITLE, STARTER, add_item, study_of
from tests.support.study_window import study_controller, study_pane

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.running_window import Opener, RunningWindow


@pytest.fixture
def running(open_window: Opener) -> Iterator[RunningWindow]:
    running = open_window()
    add_item(running.rag, BREAD_TITLE, STARTER)
    running.window.sidebar.show_course(BREAD_TITLE)
    yield running


def asked(running: RunningWindow) -> ExamDialog:
    running.window.actions_["study_exam"].trigger()
    running.wait_for(lambda: running.window.findChild(ExamDialog) is not None, "the dialog")
    dialog = running.window.findChild(ExamDialog)
    assert dialog is not None
    return dialog


def is_other(page: PlanPage, name: str) -> bool:
    return page.read.isHidden() or page.read.accessibleName() != name


def test_a_date_leads_to_todays_part_and_marking_moves_on(running: RunningWindow) -> None:
    dialog = asked(running)
    assert dialog.course.currentData() == BREAD_TITLE
    form = dialog.day.displayFormat()
    dialog.day.setDisplayFormat("M/d/yy")
    dialog.day.setDate(QDate(QDate.currentDate().year(), 12, 25))
    dialog.day.setSelectedSection(dialog.day.Section.MonthSection)
    QTest.keyClicks(dialog.day, "120526")
    assert (dialog.day.date().month(), dialog.day.date().day()) == (12, 5), "typed without separators"
    dialog.day.setDisplayFormat(form)
    for days in (-1, 0):
        dialog.day.setDate(QDate.currentDate().addDays(days))
        dialog.save.click()
        assert dialog.isVisible(), "an exam in the past, or today, cannot be planned"
    dialog.day.setDate(QDate.currentDate().addDays(2))
    dialog.days_off.setText("soon")
    dialog.save.click()
    assert dialog.isVisible()
    tomorrow = QDate.currentDate().addDays(1)
    dialog.days_off.setText(QLocale().toString(tomorrow, QLocale.FormatType.ShortFormat))
    QTest.keyClick(dialog.days_off, Qt.Key.Key_Return)
    page = study_pane(running.window).page("plan")
    assert isinstance(page, PlanPage)
    running.wait_for(page.list.isVisible, "the plan")
    is_night = day_of(time.time()) < date.today()  # before four, yesterday's day of study goes on
    assert len(page.list.texts) == 1 + is_night
    running.wait_for(lambda: page.review.isVisible() and page.read.isVisible(), "today's part")
    running.wait_for(running.window.sidebar.today.isVisible, "the sidebar")
    first = page.read.accessibleName()
    while page.read.isVisible():
        name = page.read.accessibleName()
        page.done.click()
        running.wait_for(partial(is_other, page, name), "the next lesson")
    assert page.read.isHidden()
    page.undo_bar.undo.click()
    running.wait_for(lambda: page.read.accessibleName() == first, "all lessons to be left again")
    page.review.click()
    assert study_pane(running.window).current == "review"
    study_controller(running.window).show_page("plan")
    again = asked(running)
    assert again.day.date() == QDate.currentDate().addDays(2)
    again.forget.click()
    running.wait_for(page.set_date.isVisible, "the plan to go")
    running.wait_for(running.window.sidebar.today.isHidden, "the sidebar to follow")
    assert study_of(running.rag).exam_plans.exams() == {}
