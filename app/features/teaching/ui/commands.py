"""The menu commands that map questions to lessons and check courses."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.features.teaching.ui.controller import TeachingController

if TYPE_CHECKING:
    from app.domain.sources import Source
    from app.ui.shell.main_window import MainWindow

tr = partial(QCoreApplication.translate, "Actions")


def add_commands(window: MainWindow) -> None:
    """Offer them in the menu Course; they wait for the model."""
    chat = window.chat_controller
    controller = TeachingController(
        window, window.workers, lambda: (chat.conversation_id, chat.last_exchange_id)
    )
    add = partial(window.actions_.add, "course", "exam")
    maps = add("map_questions", tr("&Map questions…"), "Ctrl+Shift+G", controller.map_questions)
    checks = add("check_course", tr("Check a &course…"), "Ctrl+Shift+J", controller.check)
    makes = add("make_check", tr("Make a chec&k from this chat…"), "Ctrl+Shift+Y", controller.make_check)

    def enable() -> None:
        for action in (maps, checks):
            action.setEnabled(controller.is_ready)
        makes.setEnabled(controller.is_ready and chat.conversation_id is not None)

    def show_source(source: Source) -> None:
        window.room.open_sources()
        window.sources.read_quote(source, source.hit.start, source.hit.end, source.hit.text)

    enable()
    controller.became_ready.connect(enable)
    chat.conversation_shown.connect(enable)
    controller.source_found.connect(show_source)
    controller.lesson_requested.connect(window.sources_controller.read_lesson)
    controller.said.connect(window.say)
