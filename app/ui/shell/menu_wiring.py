"""What the commands of the menus do, and where the palette leads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.ui.shell.course_requests import connect_library

if TYPE_CHECKING:
    from app.ui.shell.main_window import MainWindow


def connect_menus(window: MainWindow) -> None:
    """Build the menus of a window, and connect their commands with its controllers."""
    actions = window.actions_
    actions.build_menus(window.menuBar())
    connect_library(actions, window.ingest_controller, window.library_controller)
    actions.new_chat.triggered.connect(window.new_chat)
    actions.search_chats.triggered.connect(window.search_chats)
    actions.export_chat.triggered.connect(window.conversations_controller.export_shown)
    actions.remove_course.triggered.connect(window.remove_current_course)
    actions.settings.triggered.connect(window.open_settings)
    actions.quit.triggered.connect(window.close)
    actions.focus_question.triggered.connect(window.chat.focus_composer)
    actions.theme_chosen.connect(window.settings_controller.choose_theme)
    actions.zoomed.connect(window.settings_controller.zoom)


def connect_palette(window: MainWindow) -> None:
    """Lead from the palette to what is chosen in it."""

    def show_course(title: str) -> None:
        window.actions_.sidebar.setChecked(True)
        window.side.show_course(title)

    palette = window.palette_controller
    palette.course_chosen.connect(show_course)
    palette.lesson_chosen.connect(window.sources_controller.read_lesson)
    palette.chat_chosen.connect(window.chat_controller.open)
