"""Connects the menus, the sidebar, the chat and what happens after reading with their controllers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QKeySequence

from app.ui.settings.model_offers import ModelOffers
from app.ui.widgets.desktop import open_answer_link, open_link, show_in_folder
from app.ui.widgets.pane_keys import PaneKey

if TYPE_CHECKING:
    from PySide6.QtCore import QRect, QSettings
    from PySide6.QtWidgets import QMainWindow

    from app.ui.chat.marked_view import MarkedView
    from app.ui.library.ingest_controller import IngestController
    from app.ui.library.library_controller import LibraryController
    from app.ui.library.sidebar import CourseSidebar
    from app.ui.reading.citation_card import CitationCard
    from app.ui.reading.sources_pane import SourcesPane
    from app.ui.shell.actions import Actions
    from app.ui.shell.main_window import MainWindow
    from app.workers.workers import Workers


tr = partial(QCoreApplication.translate, "MenuWiring")


def connect_menus(window: MainWindow) -> None:
    """Build the menus of a window, and connect their commands with its controllers."""
    actions = window.actions_
    actions.build_menus(window.menuBar())
    connect_library(actions, window.ingest_controller, window.library_controller)
    actions.new_chat.triggered.connect(window.new_chat)
    actions.search_chats.triggered.connect(window.search_chats)
    actions.export_chat.triggered.connect(window.conversations_controller.export_shown)
    actions.remove_course.triggered.connect(lambda: _remove_current_course(window))
    actions.settings.triggered.connect(window.open_settings)
    actions.quit.triggered.connect(window.close)
    actions.focus_question.triggered.connect(window.focus_chat)
    actions.theme_chosen.connect(window.settings_controller.choose_theme)
    actions.zoomed.connect(window.settings_controller.zoom)


def _remove_current_course(window: MainWindow) -> None:
    title, server = window.sidebar.current_course(), window.sidebar.current_server()
    if server is not None:
        name = server.address.host
        window.say(tr("This is on {server}: see Course › Shared libraries…").format(server=name))
    elif title is not None:
        window.library_controller.remove_course(title)
    elif window.sidebar.is_empty:
        window.say(tr("There are no courses to remove."))
    else:
        window.say(tr("Select a course in the sidebar first."))


def connect_chat(window: MainWindow) -> None:
    """Connect the chat with its controller, and with what it leads to."""
    chat, controller = window.chat, window.chat_controller
    for asked in (
        chat.composer.question_asked,
        chat.welcome.suggestion_clicked,
        window.sidebar.suggestion_clicked,
    ):
        asked.connect(controller.ask)
    chat.composer.stop_requested.connect(controller.stop)
    chat.transcript.retry_requested.connect(controller.ask_again)
    chat.transcript.look_requested.connect(controller.look_again)
    chat.editor.submitted.connect(controller.ask_again)
    chat.transcript.branch_requested.connect(controller.show_branch)
    chat.transcript.continue_requested.connect(controller.go_on)
    chat.transcript.settings_requested.connect(window.open_settings)
    chat.composer.context.courses_clicked.connect(window.show_courses)
    chat.transcript.link_activated.connect(lambda address: open_answer_link(window, address))
    window.conversations_controller.title_changed.connect(window.top_bar.show_title)
    controller.conversation_shown.connect(
        lambda number: window.actions_.export_chat.setEnabled(number is not None)
    )


def connect_palette(window: MainWindow) -> None:
    def show_course(title: str) -> None:
        window.actions_.sidebar.setChecked(True)
        window.side.show_course(title)

    palette = window.palette_controller
    palette.course_chosen.connect(show_course)
    palette.lesson_chosen.connect(window.sources_controller.read_lesson)
    palette.chat_chosen.connect(window.chat_controller.open)


_MESSAGE_MS = 8_000


def manage_courses(
    sidebar: CourseSidebar, ingest: IngestController, library: LibraryController, window: QMainWindow
) -> None:
    """Connect the sidebar with the controllers that add, rename and remove courses."""
    sidebar.add_folder_requested.connect(ingest.choose_folder)
    sidebar.add_files_requested.connect(ingest.choose_files)
    sidebar.files_requested.connect(library.open_files)
    sidebar.rename_course_requested.connect(library.rename_course)
    library.course_renamed.connect(sidebar.follow_rename)
    sidebar.remove_course_requested.connect(library.remove_course)
    sidebar.remove_files_requested.connect(library.remove_lesson)
    sidebar.remove_samples_requested.connect(library.remove_samples)
    PaneKey(sidebar, QKeySequence.StandardKey.Undo, library.take_back)
    sidebar.folder_requested.connect(lambda path: show_in_folder(window, path))
    sidebar.link_activated.connect(open_link)
    ingest.said.connect(lambda sentence: window.statusBar().showMessage(sentence, _MESSAGE_MS))


def connect_library(actions: Actions, ingest: IngestController, library: LibraryController) -> None:
    """Connect the menus' commands for courses and the library."""
    actions.add_folder.triggered.connect(ingest.choose_folder)
    actions.add_files.triggered.connect(ingest.choose_files)
    actions.files.triggered.connect(lambda: library.open_files())
    actions.failures.triggered.connect(ingest.list_failures)
    ingest.failures_counted.connect(actions.show_failures)
    actions.remove_all.triggered.connect(library.remove_everything)


def show_cards(card: CitationCard, transcript: MarkedView, sources: SourcesPane) -> None:
    """Connect a card with the marks of a transcript; ``sources`` knows those of a running answer."""

    def show(exchange_id: int, n: int, end: int, at: QRect) -> None:
        exchange = transcript.exchange(exchange_id)
        if exchange is not None:
            card.formulas = sources.list.formulas
            card.show_mark(sources.completed(exchange), n, end, at)

    transcript.mark_pointed.connect(show)
    transcript.mark_left.connect(card.leave)
    transcript.anchorClicked.connect(lambda _: card.hide())  # the source opens, and takes the focus
    transcript.mark_entered.connect(card.enter)


def light_up(transcript: MarkedView, sources: SourcesPane) -> None:
    """Let a claim and its source light up together, whichever of them is pointed at."""
    transcript.source_pointed.connect(sources.list.light_up)
    sources.list.source_pointed.connect(transcript.light_up)


def connect_reading(window: MainWindow, workers: Workers, memory: QSettings) -> ModelOffers:
    """Return what offers models in a window; ``memory`` keeps what was offered."""
    reading = window.ingest_controller
    offers = ModelOffers(window.offer_bar, workers, lambda: window.settings, memory)

    def look() -> None:
        if not reading.is_reading:
            offers.look()

    window.chat_controller.answering_changed.connect(look)
    reading.finished.connect(look)
    offers.resume_requested.connect(reading.reindex)
    reading.begun.connect(offers.withdraw)
    reading.reindex_failed.connect(offers.note_failure)
    return offers
