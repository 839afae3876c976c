"""What the feature adds to a window: the Study pane, its menu, and what leads there and back."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

from app.features.study.ui.controller import (
    REVIEW,
    DeckExports,
    StudyController,
    of_course,
    scope_name,
)
from app.features.study.ui.operations import StudyJobs
from app.features.study.ui.pane import OVERVIEW, Origin, StudyPane
from app.ui.widgets.building import one_shot
from app.ui.widgets.numbers import number_text
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QSettings
    from PySide6.QtGui import QAction

    from app.domain.scope import Scope
    from app.domain.sources import QuotePlace
    from app.features.study.model.items import Deck, Item, StaleQuote
    from app.features.study.ui.pane import StudyPage
    from app.ui.library.sidebar import CourseSidebar
    from app.ui.settings.draft import SettingsDraft
    from app.ui.settings.page import Page
    from app.ui.shell.main_window import MainWindow
    from app.ui.widgets.bars import OfferBar

tr = partial(QCoreApplication.translate, "StudyPages")
translate = QCoreApplication.translate
_LONGEST_MS = 3_600_000  # a timer does not count while the computer sleeps


def add_study(window: MainWindow) -> None:
    """Put the Study pane into the place of the chat, and lead to it from the menus."""
    jobs = window.workers.findChild(StudyJobs) or StudyJobs(window.workers)
    pane = StudyPane(Theme.current())
    controller = StudyController(pane, jobs, window.memory)
    exports = DeckExports(pane, jobs, window.memory)
    exports.said.connect(window.say)
    add_pages(controller, jobs, window.memory)
    window.centre.add(pane)
    window.themed += [pane]
    open_study = _add_commands(window, controller, exports)
    DueCounts(window.sidebar, open_study, jobs)
    commands = window.sidebar.course_commands
    commands.append((translate("Actions", "Make study material…"), "study", controller.make))
    commands.append((translate("Actions", "Review cards"), "", partial(_review, controller)))
    window.chats.commands.append(
        (translate("Actions", "Make study material…"), "study", partial(controller.make, None))
    )
    window.settings_controller.pages["study"] = (translate("Actions", "Study"), _reviews_page)
    _connect(window, controller, jobs)


def _add_commands(window: MainWindow, controller: StudyController, exports: DeckExports) -> QAction:
    add, show = partial(window.actions_.add, "study/study"), controller.show_page

    def open_study() -> None:
        if controller.pane.isVisible():
            show(OVERVIEW)
        else:
            controller.open()

    opened = add("study_overview", translate("Actions", "&Open Study"), open_study, "F8", "study")
    opened.setIconText(translate("Actions", "Study"))  # of its button
    window.top_bar.add_button(opened)
    add("study_review", translate("Actions", "&Review due cards"), lambda: show(REVIEW), "Ctrl+R")
    add("study_make", translate("Actions", "&Make study material…"), controller.make)
    add("study_stale", translate("Actions", "&What changed…"), lambda: show("stale"))
    add("study_export", translate("Actions", "&Export decks…"), exports.ask, icon="export")
    for page, text in (  # which the tabs of Study lead to
        ("quiz", translate("Actions", "&Quiz")),
        ("items", translate("Actions", "&Cards and quiz")),
        ("guide", translate("Actions", "Study &guide")),
        ("glossary", translate("Actions", "G&lossary")),
        ("progress", translate("Actions", "&Progress")),
    ):
        window.actions_.add("study", f"study_{page}", text, partial(show, page))
    return opened


def _connect(window: MainWindow, controller: StudyController, jobs: StudyJobs) -> None:
    pane, centre = controller.pane, window.centre
    controller.more_origins = partial(_more_origins, window, pane)
    controller.settings_requested.connect(window.open_settings)
    controller.opened.connect(partial(centre.show_page, pane))
    centre.changed.connect(lambda: _show_back(window, pane))
    _show_back(window, pane)
    pane.left.connect(window.focus_chat)
    pane.close_source = partial(_close_source, window, pane)
    pane.leave_source = partial(_leave_source, window)
    window.keys_shown.connect(lambda: pane.page(REVIEW))  # which has keys of its own
    controller.source_requested.connect(partial(_show_source, window))
    pane.answer_requested.connect(partial(_ask_again, window))
    news = StaleNews(window.notice_bar, jobs)
    news.show_requested.connect(lambda: controller.show_page("stale"))
    jobs.stale_counted.connect(window.sources.check)
    # An answer to a question asked again takes the place of a stale one; a deleted chat takes its own along.
    window.workers.conversations_listed.connect(jobs.stale.count)
    window.sources.quote_left.connect(lambda: _close_empty(window))
    window.sources.quote_left.connect(pane.focus_first)


def _reviews_page(title: str, draft: SettingsDraft) -> Page:
    from app.features.study.ui.review_parts import ReviewsPage

    return ReviewsPage(title, draft)


def _review(controller: StudyController, scope: Scope) -> None:
    controller.review(next(iter((*scope.courses, *(title for title, _ in scope.lessons)))))


def _show_back(window: MainWindow, pane: StudyPane) -> None:
    shown = window.centre.currentWidget() is pane
    window.top_bar.show_name(tr("Study") if shown else "")
    if not shown:
        _leave_source(window)


def _more_origins(window: MainWindow, pane: StudyPane) -> list[Origin]:
    """Return what is ticked in the sidebar, the chat on show, and the course that is selected."""
    chat, course = window.chat_controller, window.sidebar.current_course()
    found = [] if chat.scope.is_everything else [Origin(scope_name(chat.scope), chat.scope)]
    if chat.conversation_id is not None:
        name = QCoreApplication.translate("Origins", "The open chat")
        found.append(Origin(name, conversation_id=chat.conversation_id))
    if course in pane.courses:
        found.append(of_course(course))
    return found


def _leave_source(window: MainWindow) -> None:
    """Close the sentence of a card."""
    window.sources.leave_quote()
    _close_empty(window)


def _close_empty(window: MainWindow) -> None:
    """Close the sources if the answer on show has none."""
    if not window.sources.is_reading and window.sources.list.exchange_id is None:
        window.room.set_sources(False)


def _close_source(window: MainWindow, pane: StudyPane) -> bool:
    """Close the lesson that is open beside the Study pane, as Esc does; return whether there was one."""
    if not (window.sources.isVisible() and window.sources.is_reading):
        return False
    window.sources.show_list()
    pane.focus_first()
    return True


def _ask_again(window: MainWindow, entry: StaleQuote) -> None:
    window.centre.show_chat()
    window.chat_controller.open(entry.conversation_id or 0, entry.exchange_id or 0, again=True)


def _show_source(window: MainWindow, item: Item | QuotePlace) -> None:
    window.room.open_sources()
    window.sources.read_quote(item.source, item.start, item.end, item.quote)


def add_pages(controller: StudyController, jobs: StudyJobs, memory: QSettings) -> None:
    """Offer all pages, in the order of their tabs; ``memory`` keeps how they are used."""
    tabs = {
        OVERVIEW: tr("Decks"),
        "items": tr("Cards and quiz"),
        "guide": tr("Study guide"),
        "glossary": tr("Glossary"),
        "progress": tr("Progress"),
    }
    for name in (*tabs, "stale", "making", REVIEW, "quiz"):
        controller.pane.add_page(name, partial(_page, name, controller, jobs, memory), tabs.get(name, ""))


def _page(name: str, controller: StudyController, jobs: StudyJobs, memory: QSettings) -> StudyPage:
    """Make a page; its module is imported now."""
    pane = controller.pane
    match name:
        case "items":
            from app.features.study.ui.items_page import ItemsPage

            return ItemsPage(pane, jobs)
        case "guide":
            from app.features.study.ui.text_pages import guide_page

            return guide_page(jobs)
        case "glossary":
            from app.features.study.ui.text_pages import glossary_page

            return glossary_page(jobs)
        case "progress":
            from app.features.study.ui.progress_page import ProgressPage

            return ProgressPage(jobs)
        case "stale":
            from app.features.study.ui.stale_page import StalePage

            return StalePage(jobs, lambda: pane.has_model)
        case "making":
            from app.features.study.ui.making_page import MakingPage

            making = MakingPage(jobs)
            making.again_requested.connect(controller.make)
            making.deck_requested.connect(lambda title: controller.show_page("items", title))
            making.running_changed.connect(pane.show_making)
            return making
        case "quiz":
            from app.features.study.ui.quiz_page import QuizPage

            return QuizPage(jobs)
        case "review":
            from app.features.study.ui.review_page import ReviewPage

            return ReviewPage(pane, jobs, memory)
        case _:
            from app.features.study.ui.overview import OverviewPage

            page = OverviewPage(pane)
            page.make_requested.connect(controller.make)
            page.review_requested.connect(controller.review)
            page.deck_opened.connect(lambda deck: controller.show_page("items", deck.course_title))
            return page


class StaleNews(QObject):
    """Shows a bar when more is stale than before, until there is nothing or it is dismissed."""

    show_requested = Signal()  # what is stale

    def __init__(self, bar: OfferBar, jobs: StudyJobs) -> None:
        super().__init__(bar)
        self._bar = bar
        bar.accepted.connect(self.show_requested)
        jobs.stale_counted.connect(self._tell)

    def _tell(self, count: int, is_news: bool) -> None:
        sentence = self.tr(
            "%Ln answer(s) or item(s) rest on sentences that have changed or are gone", None, count
        )
        if is_news or (count and not self._bar.isHidden() and sentence != self._bar.text.text()):
            self._bar.offer(sentence, self.tr("Show"))
        elif not count:
            self._bar.hide()


class DueCounts(QObject):
    """Shows what is due in the decks; ``study`` is the action with a button that says so."""

    def __init__(self, sidebar: CourseSidebar, study: QAction, jobs: StudyJobs) -> None:
        super().__init__(sidebar)
        self._sidebar, self._study, self._jobs = sidebar, study, jobs
        self._name = study.iconText()
        self._next_day = one_shot(self, 0, self._count)
        jobs.decks_listed.connect(self._show)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._look)

    def _show(self, decks: Sequence[Deck]) -> None:
        self._sidebar.set_due({deck.course_title: deck.due for deck in decks})
        due = sum(deck.due for deck in decks)
        with_due = self.tr("{study} ({due})").format(study=self._name, due=number_text(due))
        self._study.setIconText(with_due if due else self._name)
        self._next_day.start(until_next_day(time.time()))

    def _look(self, state: Qt.ApplicationState) -> None:
        """Count again when the window is turned to, which may be on another day."""
        if state == Qt.ApplicationState.ApplicationActive and self._next_day.isActive():
            self._count()  # not before the library is open

    def _count(self) -> None:
        self._jobs.study.list_decks().run(self, failure=lambda _: None)  # what is due can wait


def until_next_day(now: float) -> int:
    """Return milliseconds until the next day of study has begun; an hour at most."""
    from app.features.study.model.reviews import end_of  # after the first frame

    return min(int((end_of(now) - now + 1) * 1000), _LONGEST_MS)
