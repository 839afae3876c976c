"""Opens pages of the Study pane, keeps their decks up to date, and leads to the rest of the window."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from app.domain.model_servers import Spending
from app.domain.plain_text import harmless
from app.domain.scope import Scope, only_course, scope_parts
from app.features.study.ui.marks import LessonMarks
from app.features.study.ui.pane import MAKING, OVERVIEW, REVIEW, Origin, StudyPane
from app.ui.widgets.desktop import ask_for_new_file
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import numbered_lesson
from app.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from pathlib import Path

    from app.domain.sources import QuotePlace
    from app.features.study.model.items import Item, Sheet, StaleQuote
    from app.features.study.ui.export_dialog import ExportDialog
    from app.features.study.ui.operations import StudyJobs
    from app.ui.shell.main_window import MainWindow
    from app.workers.library import LibrarySnapshot

_PAGE, _DECK, _FOLDER = "study/page", "study/deck", "study/export/folder"
tr = partial(QCoreApplication.translate, "Origins")


class StudyController(QObject):
    """What the pages of studying share: the pane, the jobs, and the window that they stand in."""

    def __init__(self, window: MainWindow, jobs: StudyJobs) -> None:
        super().__init__(window)
        self.window, self.jobs, self.memory = window, jobs, window.memory
        self.pane = StudyPane(Theme.current())
        self.is_making = False
        self._spending = Spending()
        self.pane.choose_deck(str(self.memory.value(_DECK, "")))
        self.pane.page_shown.connect(self._remember)
        self.pane.make_requested.connect(self.make)
        self.pane.left.connect(window.focus_chat)
        self.pane.close_source = self._close_source
        self.marks = LessonMarks(window, jobs, self.show_source)
        jobs.decks_listed.connect(self.pane.set_decks)
        jobs.workers.opened.connect(self._take_library)
        jobs.workers.snapshot.connect(self._take_library)
        jobs.workers.key_status.connect(
            lambda _, has_model: self.pane.set_makes(self.pane.courses, has_model=has_model)
        )
        jobs.workers.spent.connect(self._take_spending)
        window.sources.quote_left.connect(self._close_empty)
        window.sources.quote_left.connect(self.pane.focus_first)

    # ---- pages ----

    def open(self) -> None:
        """Show the page that was left; from there, the decks."""
        page = self.pane.current or str(self.memory.value(_PAGE, ""))
        is_left = not self.pane.isVisible() and (page in self.pane.pages or self.pane.tab(page) is not None)
        self.show_page(page if is_left else OVERVIEW)

    def show_page(self, name: str, course_title: str | None = None, subject: object = None) -> None:
        """Show a page, with the deck of a course if that has one; let it begin with a subject."""
        chosen = (deck for deck in self.pane.decks if deck.course_title == course_title)
        if (deck := next(chosen, None)) is not None:
            self.pane.choose_deck(deck.uid)
        self.pane.show_page(name)
        self.window.centre.setCurrentWidget(self.pane)
        self.pane.focus_first()
        if subject is not None:
            self.pane.page(name).begin(subject)

    def make(self, scope: Scope | None = None, conversation_id: int | None = None) -> None:
        """Ask what to make of a scope, or of a chat; of the course on show by default."""
        if self.is_making:
            self.show_page(MAKING)
            return
        origins = self.origins(scope, conversation_id)
        if not origins:
            self.show_page(OVERVIEW)  # which says what is missing
        if not origins or not self.jobs.workers.is_running:
            return
        # Imported late so that the window paints sooner.
        from app.features.study.ui.make_dialog import MakeDialog

        dialog = MakeDialog(
            origins,
            self.jobs,
            self._spending,
            self.window,
            has_model=self.pane.has_model,
            models_here=self.window.settings_controller.models_here(),
        )
        dialog.requested.connect(lambda request: self.show_page(MAKING, subject=request))
        dialog.settings_requested.connect(self.window.open_settings)
        dialog.open()

    def review(self, course_title: str = "") -> None:
        """Ask the cards of a course, or of all; without any, show that there are none."""
        deck = next((deck for deck in self.pane.decks if deck.course_title == course_title), None)
        if deck is None and course_title:
            self.show_page(OVERVIEW)
        else:
            self.show_page(REVIEW, course_title, deck or ())

    def show_making(self, *, is_making: bool) -> None:
        """Note whether something is being made; the button of the pane leads to it."""
        self.is_making = is_making
        self.pane.show_making(is_making)

    # ---- the rest of the window ----

    def show_source(self, item: Item | QuotePlace) -> None:
        self.window.room.open_sources()
        self.window.sources.read_quote(item.source, item.start, item.end, item.quote)

    def leave_source(self) -> None:
        self.window.sources.leave_quote()
        self._close_empty()

    def ask_again(self, entry: StaleQuote) -> None:
        self.window.centre.show_chat()
        self.window.chat_controller.open(entry.conversation_id or 0, entry.exchange_id or 0, again=True)

    def origins(self, scope: Scope | None, conversation_id: int | None = None) -> list[Origin]:
        """Return what material can be made from, what is most likely wanted first."""
        first: list[Origin] = []
        deck, chat, courses = self.pane.deck, self.window.chat_controller, self.pane.courses
        if conversation_id is not None:
            first = [Origin(self.tr("The chat"), conversation_id=conversation_id)]
        elif scope is not None:
            first = [Origin(scope_name(scope), scope)]
        elif deck is not None and deck.course_title in courses and self.pane.isVisible():
            first = [of_course(deck.course_title)]
        others = [] if chat.scope.is_everything else [Origin(scope_name(chat.scope), chat.scope)]
        if chat.conversation_id is not None:
            others.append(Origin(tr("The open chat"), conversation_id=chat.conversation_id))
        if (selected := self.window.sidebar.current_course()) in courses:
            others.append(of_course(selected))
        others += map(of_course, courses)
        if self.pane.isVisible() or not self.pane.has_model:  # few chats cite a term that is marked
            others.sort(key=lambda origin: origin.conversation_id is not None)
        return list(dict.fromkeys([*first, *others]))

    # ---- export ----

    def export(self, form: str = "") -> None:
        """Ask which decks to save, and in which form; the choices and the folder are remembered."""
        if not self.pane.decks:
            self.window.say(self.tr("There are no decks yet."))
            return
        # Imported late so that the window paints sooner.
        from app.features.study.ui.export_dialog import FORM, ExportDialog

        if form:
            self.memory.setValue(FORM, form)
        chosen = self.pane.deck.uid if self.pane.deck is not None else ""
        dialog = ExportDialog(self.pane.decks, chosen, self.memory, self.window)
        dialog.accepted.connect(lambda: self._save(dialog))
        dialog.open()

    def _save(self, dialog: ExportDialog) -> None:
        exported = dialog.export
        titles = [deck.course_title for deck in self.pane.decks if deck.deck_id in exported.deck_ids]

        def save(path: Path) -> None:
            self.memory.setValue(_FOLDER, str(path.parent))
            draw = write_sheet if path.suffix.lower() == ".pdf" else None
            done = self.tr("The decks were saved as {0}.").format(path)
            self.window.say(self.tr("Saving the decks…"))
            saving = self.jobs.export(exported, path, draw, shown)
            saving.run(self, success=lambda _: self.window.say(done))

        name = titles[0] if len(titles) == 1 else self.tr("Decks")
        kinds = {f"{dialog.form.currentText()} (*{dialog.offer.suffix})": dialog.offer.suffix}
        folder = str(self.memory.value(_FOLDER, ""))
        ask_for_new_file(self.window, dialog.windowTitle(), folder, name, kinds, save)

    # ---- internals ----

    def _take_library(self, snapshot: LibrarySnapshot) -> None:
        titles = tuple(course.title for course in snapshot.courses)
        self.pane.set_makes(titles, has_model=self.pane.has_model)
        self.jobs.list_decks().run(self)  # a course may have another name

    def _take_spending(self, spending: Spending) -> None:
        self._spending = spending

    def _remember(self, page: str) -> None:
        if self.pane.tab(page) is not None:  # others begin something
            self.memory.setValue(_PAGE, page)
        if self.pane.deck is not None:
            self.memory.setValue(_DECK, self.pane.deck.uid)

    def _close_empty(self) -> None:
        """Close the sources if the answer on show has none."""
        sources = self.window.sources
        if not sources.is_reading and sources.list.exchange_id is None:
            self.window.room.set_sources(False)

    def _close_source(self) -> bool:
        """Close the lesson that is open beside the pane, as Esc does; return whether there was one."""
        sources = self.window.sources
        if not (sources.isVisible() and sources.is_reading):
            return False
        sources.show_list()
        self.pane.focus_first()
        return True


def of_course(title: str) -> Origin:
    return Origin(harmless(title), only_course(title))


def scope_name(scope: Scope) -> str:
    """Return what a scope is called, such as ``Statistics, Lesson 3``."""
    parts = scope_parts(scope)
    if len(parts) == 1 and len(parts[0].lessons) == 1 and parts[0].lessons[0] is not None:
        return f"{harmless(parts[0].title)}, {numbered_lesson(parts[0].lessons[0], '')}"
    if len(parts) == 1 and not parts[0].lessons and parts[0].up_to is None:
        return harmless(parts[0].title)
    return tr("What is ticked in the sidebar")


def write_sheet(sheet: Sheet, path: Path) -> None:
    # Imported late so that the window paints sooner.
    from app.markup.markdown_html import markdown_to_html
    from app.ui.markup.typeset import write_pages

    write_pages(sheet.title, map(markdown_to_html, sheet.parts), path)
