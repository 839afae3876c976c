"""The menu commands for libraries on servers, and where else the window leads to them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.domain.messages import Message
from app.domain.scope import includes
from app.features.shared.ui.controller import SharedController
from app.ui.settings.live_settings import Link
from app.ui.widgets.messages import shown

if TYPE_CHECKING:
    from app.domain.conversations import Exchange
    from app.domain.events import AnswerDone
    from app.ui.shell.main_window import MainWindow

translate = QCoreApplication.translate


def add_commands(window: MainWindow) -> None:
    """Lead to the libraries on servers from the menu Course, the sidebar, the welcome and the settings."""
    controller = SharedController(window, window.workers, window.memory)
    add = partial(window.actions_.add, "course", "servers")
    add("shared_libraries", translate("Actions", "&Shared libraries…"), "Ctrl+Shift+A", controller.open)
    add("publish", translate("Actions", "&Publish courses…"), "", controller.publish)
    about = translate(
        "LibraryPage",
        "Courses on a Chroma server, such as those of your class: subscribe to them or publish some.",
    )
    action = translate("LibraryPage", "Shared libraries…")
    window.settings_controller.add_link(
        Link(translate("LibraryPage", "Servers"), about, action, controller.open)
    )
    window.chat.welcome.add_beginning(
        translate("Welcome", "Subscribe to your class’s library…"), controller.subscribe
    )
    window.sidebar.shared_libraries_requested.connect(controller.open)
    window.sidebar.server_check_requested.connect(controller.check)
    window.left.connect(controller.close)
    controller.add_folder_requested.connect(window.actions_.add_folder.trigger)

    def look(conversation_id: int, event: AnswerDone) -> None:
        controller.look(partial(_tell_unsearched, window, controller, conversation_id, event.exchange))

    window.chat_controller.answer_ended.connect(look)


def _tell_unsearched(
    window: MainWindow, controller: SharedController, conversation_id: int, exchange: Exchange
) -> None:
    """Say which courses an answer of a model was written without; the passages themselves say so."""
    if exchange.model is None or conversation_id != window.chat_controller.conversation_id:
        return
    for library in controller.libraries:
        lessons = ((course.title, one.number) for course in library.courses for one in course.lessons)
        if library.problem and any(includes(exchange.scope, *lesson) for lesson in lessons):
            said = Message("search.not_shared", server=library.address.host, reason=library.problem)
            window.chat.show_notice(shown(said), "warning")
