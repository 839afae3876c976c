"""What the commands of the menus do, what the chat asks for, and where the palette leads."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.ui.shell.course_requests import connect_library
from app.ui.shell.opening import open_answer_link

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow

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
