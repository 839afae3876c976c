"""What leads to the Study pane and back to the chat, and what the pane asks for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from app.features.study.ui.controller import REVIEW
from app.features.study.ui.origins import Origin, of_course, scope_name
from app.features.study.ui.pages import add_pages
from app.features.study.ui.pane import OVERVIEW
from app.ui.shell.due_counts import DueCounts

if TYPE_CHECKING:
    from PySide6.QtCore import QSettings

    from app.domain.sources import QuotePlace
    from app.features.study.model.items import Item, StaleQuote
    from app.ui.shell.main_window import MainWindow
    from app.workers.workers import Workers


def connect_study(window: MainWindow, workers: Workers, memory: QSettings) -> None:
    """Offer the pages of the Study pane, and lead to them from the menu Study."""
    controller, centre, pane = window.study_controller, window.centre, window.centre.study
    add_pages(pane, workers, memory)
    studies = window.actions_.studies
    for name, action in studies.items():
        action.setVisible(pane.has_page(name) or name in ("chat", "export", "make"))
        if name not in (OVERVIEW, "chat", "export", "make"):
            action.triggered.connect(partial(_show_page, window, name))
    studies[OVERVIEW].triggered.connect(lambda: _open(window))
    studies["export"].triggered.connect(window.deck_exports.ask)
    DueCounts(window.sidebar, studies[OVERVIEW], workers)
    studies["make"].triggered.connect(lambda: controller.make())
    window.sidebar.study_requested.connect(controller.make)
    window.sidebar.review_requested.connect(controller.review)
    window.chats.study_requested.connect(partial(controller.make, None))
    controller.more_origins = partial(_more_origins, window)
    controller.settings_requested.connect(window.open_settings)
    _show_back(window, shown=False)
    controller.opened.connect(centre.show_study)
    centre.changed.connect(lambda shown: _show_back(window, shown=shown))
    centre.changed.connect(window.room.set_studying)
    pane.left.connect(window.focus_chat)
    pane.close_source = partial(_close_source, window)
    pane.leave_source = partial(_leave_source, window)
    studies["chat"].triggered.connect(window.focus_chat)
    pane.page_made.connect(window.keys.adopt)
    window.actions_.shortcuts.triggered.connect(lambda: _show_keys(window))
    controller.source_requested.connect(lambda item: _show_source(window, item))
    pane.answer_requested.connect(lambda entry: _ask_again(window, entry))
    window.stale_news.show_requested.connect(partial(_show_page, window, "stale"))
    workers.stale_counted.connect(window.sources.check)
    # An answer to a question asked again takes the place of a stale one; a deleted chat takes its own along.
    workers.conversations_listed.connect(workers.stale.count)
    window.sources.quote_left.connect(lambda: _close_empty(window))
    window.sources.quote_left.connect(pane.focus_first)
    for leads_to_chat in (
        window.chats.opened,
        window.sidebar.suggestion_clicked,
        window.sidebar.ask_requested,
        window.sources.claim_requested,
        window.palette_controller.chat_chosen,
        window.library_controller.replaced,
    ):
        leads_to_chat.connect(centre.show_chat)


def _more_origins(window: MainWindow) -> list[Origin]:
    """Return what is ticked in the sidebar, the chat on show, and the course that is selected."""
    chat, course = window.chat_controller, window.sidebar.current_course()
    found = [] if chat.scope.is_everything else [Origin(scope_name(chat.scope), chat.scope)]
    if chat.conversation_id is not None:
        name = QCoreApplication.translate("Origins", "The open chat")
        found.append(Origin(name, conversation_id=chat.conversation_id))
    if course in window.centre.study.courses:
        found.append(of_course(course))
    return found


def _show_page(window: MainWindow, name: str) -> None:
    window.study_controller.show_page(name)


def _open(window: MainWindow) -> None:
    if window.centre.shows_study:
        window.study_controller.show_page(OVERVIEW)
    else:
        window.study_controller.open()


def _show_keys(window: MainWindow) -> None:
    window.centre.study.page(REVIEW)  # which has keys of its own
    window.keys.show_page()


def _show_back(window: MainWindow, *, shown: bool) -> None:
    window.actions_.studies["chat"].setEnabled(shown)
    window.top_bar.show_study(shown)
    if not shown:
        _leave_source(window)


def _leave_source(window: MainWindow) -> None:
    """Close the sentence of a card."""
    window.sources.leave_quote()
    _close_empty(window)


def _close_empty(window: MainWindow) -> None:
    """Close the sources if the answer on show has none."""
    if not window.sources.is_reading and window.sources.list.exchange_id is None:
        window.room.set_sources(False)


def _close_source(window: MainWindow) -> bool:
    """Close the lesson that is open beside the Study pane, as Esc does; return whether there was one."""
    if not (window.sources.isVisible() and window.sources.is_reading):
        return False
    window.sources.show_list()
    window.centre.study.focus_first()
    return True


def _ask_again(window: MainWindow, entry: StaleQuote) -> None:
    window.centre.show_chat()
    window.chat_controller.open(entry.conversation_id or 0, entry.exchange_id or 0, again=True)


def _show_source(window: MainWindow, item: Item | QuotePlace) -> None:
    window.room.open_sources()
    window.sources.read_quote(item.source, item.start, item.end, item.quote)
