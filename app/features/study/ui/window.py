"""What the feature adds to a window: the Study pane, its menu, and what tells of it elsewhere."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QTimer

from app.features.study.ui.controller import StudyController
from app.features.study.ui.hints import Hints
from app.features.study.ui.operations import StudyJobs
from app.features.study.ui.pane import MAKING, OVERVIEW, REVIEW, StudyPage
from app.ui.widgets.building import one_shot
from app.ui.widgets.numbers import number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

    from app.domain.scope import Scope
    from app.features.study.model.items import Deck
    from app.ui.settings.draft import SettingsDraft
    from app.ui.settings.page import Page
    from app.ui.shell.main_window import MainWindow

tr = partial(QCoreApplication.translate, "StudyPages")
translate = QCoreApplication.translate
_PAGES = {
    OVERVIEW: "overview:OverviewPage",
    "items": "items_page:ItemsPage",
    "guide": "text_pages:guide_page",
    "glossary": "text_pages:glossary_page",
    "progress": "overview:ProgressPage",
    "plan": "exam_plan:PlanPage",
    "marks": "items_page:MarksPage",
    "stale": "stale_page:StalePage",
    MAKING: "making_page:MakingPage",
    REVIEW: "review_page:ReviewPage",
    "quiz": "quiz_page:QuizPage",
    "exam": "exam_page:ExamPage",
}
_PLANNING_MS = 500  # after the last change, as several follow each other
_COUNTING_MS = 600_000  # between two looks at what is due, since a new day begins


def add_study(window: MainWindow) -> None:
    """Put the Study pane into the place of the chat, and lead to it from the menus."""
    jobs = window.workers.findChild(StudyJobs) or StudyJobs(window.workers)
    study = StudyController(window, jobs)
    study.pane.make_page = partial(_page, study)
    study.pane.add_tab(OVERVIEW, tr("Decks"))
    study.pane.add_tab("items", tr("Cards"))
    study.pane.add_tab("guide", tr("Guide"))
    study.pane.add_tab("glossary", tr("Glossary"))
    study.pane.add_tab("marks", tr("Marks"))
    study.pane.add_tab("progress", tr("Progress"))
    study.pane.add_tab("plan", tr("Plan"))
    window.centre.addWidget(study.pane)
    window.themed += [study.pane]
    _show_due(study, _add_commands(window, study))
    _tell_stale(study)
    _show_today(study)
    make = (translate("Actions", "Make study material…"), "study")
    window.sidebar.course_commands += [
        (*make, study.make),
        (translate("Actions", "Review cards"), "", lambda scope: study.review(_title_of(scope))),
        (translate("Actions", "Exam date…"), "", lambda scope: _ask_for_exam(study, _title_of(scope))),
    ]
    window.chats.commands.append((*make, partial(study.make, None)))
    window.settings_controller.pages["study"] = (translate("Actions", "Study"), _reviews_page)
    Hints(window)
    window.keys_shown.connect(lambda: study.pane.page(REVIEW))  # which has keys of its own


def _add_commands(window: MainWindow, study: StudyController) -> QAction:
    add, show = partial(window.actions_.add, "study/study"), study.show_page
    opened = add("study_overview", translate("Actions", "&Open Study"), study.open, "F8", "study")
    opened.setIconText(translate("Actions", "Study"))  # of its button
    window.top_bar.add_button(opened)
    add("study_review", translate("Actions", "&Review due cards"), lambda: show(REVIEW), "Ctrl+R")
    add("study_practice", translate("Actions", "Pr&actice exam…"), lambda: show("exam"))
    add("study_make", translate("Actions", "&Make study material…"), study.make)
    add("study_stale", translate("Actions", "&What changed…"), lambda: show("stale"))
    add("study_exam", translate("Actions", "Exam &date…"), partial(_ask_for_exam, study))
    add("study_export", translate("Actions", "&Export decks…"), study.export, icon="export")
    for page, text in (  # which the tabs of Study lead to
        ("quiz", translate("Actions", "&Quiz")),
        ("items", translate("Actions", "&Cards and quiz")),
        ("guide", translate("Actions", "Study &guide")),
        ("glossary", translate("Actions", "G&lossary")),
        ("marks", translate("Actions", "&Marks")),
        ("progress", translate("Actions", "&Progress")),
        ("plan", translate("Actions", "E&xam plan")),
    ):
        window.actions_.add("study", f"study_{page}", text, partial(show, page))

    def show_back() -> None:
        is_shown = window.centre.currentWidget() is study.pane
        window.top_bar.show_name(tr("Study") if is_shown else "")
        if not is_shown:
            study.leave_source()

    window.centre.changed.connect(show_back)
    show_back()
    return opened


def _reviews_page(title: str, draft: SettingsDraft) -> Page:
    from app.features.study.ui.review_parts import ReviewsPage

    return ReviewsPage(title, draft)


def _title_of(scope: Scope) -> str:
    return next(iter((*scope.courses, *(title for title, _ in scope.lessons))))


def _ask_for_exam(study: StudyController, title: str = "") -> None:
    from app.features.study.ui.exam_plan import ask_for_exam  # late, so that the window paints sooner

    ask_for_exam(study, title)


def _page(study: StudyController, name: str) -> StudyPage:
    """Make a page; its module is imported now."""
    module, made = _PAGES[name].split(":")
    page: StudyPage = getattr(import_module(f"app.features.study.ui.{module}"), made)(study)
    return page


def _tell_stale(study: StudyController) -> None:
    """Show a bar when more is stale than before, until there is nothing or it is dismissed."""
    window, jobs, bar = study.window, study.jobs, study.window.notice_bar

    def tell(count: int, is_news: bool) -> None:
        sentence = translate(
            "StaleNews",
            "%Ln answer(s) or item(s) rest on sentences that have changed or are gone",
            None,
            count,
        )
        if is_news or (count and not bar.isHidden() and sentence != bar.text.text()):
            bar.offer(sentence, translate("StaleNews", "Show"))
        elif not count:
            bar.hide()

    bar.accepted.connect(lambda: study.show_page("stale"))
    jobs.stale_counted.connect(tell)
    jobs.stale_counted.connect(window.sources.check)
    # An answer to a question asked again takes the place of a stale one; a deleted chat takes its own along.
    window.workers.conversations_listed.connect(jobs.count_stale)


def _show_today(study: StudyController) -> None:
    """Show in the sidebar what is left of today's part of the plans to exams, once there are any."""
    strip = study.window.sidebar.today

    def show(minutes: float | None) -> None:
        left = translate("TodayStrip", "%Ln minute(s) to study today", None, round(minutes or 0))
        done = translate("TodayStrip", "Today's part is done")
        strip.say("" if minutes is None else left if round(minutes) else done)

    def look() -> None:
        reading = study.jobs.read("Planning today", lambda rag: rag.exam_plans.minutes_today())
        reading.run(study, success=show, failure=lambda _: None)

    strip.requested.connect(lambda: study.show_page("plan", subject=""))
    later = one_shot(study, _PLANNING_MS, look)
    study.jobs.decks_listed.connect(lambda _: later.start())


def _show_due(study: StudyController, opened: QAction) -> None:
    """Say on the button of the action, and in the sidebar, what is due."""
    name, jobs = opened.iconText(), study.jobs

    def show(decks: Sequence[Deck]) -> None:
        study.window.sidebar.set_due({deck.course_title: deck.due for deck in decks})
        due = sum(deck.due for deck in decks)
        with_due = translate("DueCounts", "{study} ({due})").format(study=name, due=number_text(due))
        opened.setIconText(with_due if due else name)
        again.start()

    again = QTimer(study, interval=_COUNTING_MS, singleShot=True)
    again.timeout.connect(lambda: jobs.list_decks().run(study, failure=lambda _: None))
    jobs.decks_listed.connect(show)
