"""Opens pages of the Study pane, keeps their decks up to date, and remembers what was on show."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.domain.model_servers import Spending
from app.domain.plain_text import harmless
from app.domain.scope import Scope, only_course, scope_parts
from app.features.study.ui.pane import OVERVIEW, Origin
from app.ui.widgets.desktop import ask_for_new_file
from app.ui.widgets.messages import shown
from app.ui.widgets.source_labels import numbered_lesson

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtCore import QSettings

    from app.features.study.model.items import Deck, Sheet
    from app.features.study.model.making import MakeRequest
    from app.features.study.ui.export_dialog import ExportDialog
    from app.features.study.ui.making_page import MakingPage
    from app.features.study.ui.operations import StudyJobs
    from app.features.study.ui.pane import StudyPane
    from app.features.study.ui.review_page import ReviewPage
    from app.workers.library import LibrarySnapshot


def of_course(title: str) -> Origin:
    return Origin(harmless(title), only_course(title))


def scope_name(scope: Scope) -> str:
    """Return what a scope is called, such as ``Statistics, Lesson 3``."""
    parts = scope_parts(scope)
    if len(parts) == 1 and len(parts[0].lessons) == 1 and parts[0].lessons[0] is not None:
        return f"{harmless(parts[0].title)}, {numbered_lesson(parts[0].lessons[0], '')}"
    if len(parts) == 1 and not parts[0].lessons and parts[0].up_to is None:
        return harmless(parts[0].title)
    return QCoreApplication.translate("Origins", "What is ticked in the sidebar")


_FOLDER = "study/export/folder"


class DeckExports(QObject):
    """Opens the dialog and saves what is chosen there; ``memory`` keeps the choices and the folder."""

    said = Signal(str)  # a sentence for the status bar

    def __init__(self, pane: StudyPane, jobs: StudyJobs, memory: QSettings) -> None:
        super().__init__(pane)
        self._pane, self._jobs, self._memory = pane, jobs, memory

    def ask(self) -> None:
        if not self._pane.decks:
            self.said.emit(self.tr("There are no decks yet."))
            return
        # Imported late so that the window paints sooner.
        from app.features.study.ui.export_dialog import ExportDialog

        chosen = self._pane.deck.uid if self._pane.deck is not None else ""
        dialog = ExportDialog(self._pane.decks, chosen, self._memory, self._pane.window())
        dialog.accepted.connect(lambda: self._save(dialog))
        dialog.open()

    def _save(self, dialog: ExportDialog) -> None:
        exported = dialog.export
        ids = exported.deck_ids
        titles = [deck.course_title for deck in self._pane.decks if deck.deck_id in ids]

        def save(path: Path) -> None:
            self._memory.setValue(_FOLDER, str(path.parent))
            draw = write_sheet if path.suffix.lower() == ".pdf" else None
            done = self.tr("The decks were saved as {0}.").format(path)
            self.said.emit(self.tr("Saving the decks…"))
            saving = self._jobs.study.export(exported, path, draw, shown)
            saving.run(self, success=lambda _: self.said.emit(done))

        name = titles[0] if len(titles) == 1 else self.tr("Decks")
        kinds = {f"{dialog.form.currentText()} (*{dialog.offer.suffix})": dialog.offer.suffix}
        folder = str(self._memory.value(_FOLDER, ""))
        ask_for_new_file(self._pane.window(), dialog.windowTitle(), folder, name, kinds, save)


def write_sheet(sheet: Sheet, path: Path) -> None:
    """Write a sheet as PDF."""
    # Imported late so that the window paints sooner.
    from app.markup.markdown_html import markdown_to_html
    from app.ui.markup.typeset import write_pages

    write_pages(sheet.title, map(markdown_to_html, sheet.parts), path)


MAKING, REVIEW = "making", "review"
_PAGE, _DECK = "study/page", "study/deck"


class StudyController(QObject):
    """Shows decks in the pane; ``memory`` keeps the page and the deck for the next run."""

    opened = Signal()  # a page is on show; the pane shall be, too
    source_requested = Signal(object)  # the Item whose sentence shall be shown in its lesson

    settings_requested = Signal()  # to connect a model

    def __init__(self, pane: StudyPane, jobs: StudyJobs, memory: QSettings) -> None:
        super().__init__(pane)
        self.pane, self._jobs, self._memory = pane, jobs, memory
        self._courses: tuple[str, ...] = ()
        self._has_model = False
        self._spending = Spending()
        self.more_origins: Callable[[], list[Origin]] = list  # what else material can be made from
        pane.choose_deck(str(memory.value(_DECK, "")))
        pane.page_shown.connect(self._remember)
        pane.source_requested.connect(self.source_requested)
        pane.make_requested.connect(self.make)
        jobs.decks_listed.connect(pane.set_decks)
        jobs.workers.opened.connect(self._take_library)
        jobs.workers.snapshot.connect(self._take_library)
        jobs.workers.key_status.connect(self._take_key_status)
        jobs.workers.spent.connect(self._take_spending)

    def open(self) -> None:
        """Show the page that was left."""
        page = self.pane.current or str(self._memory.value(_PAGE, ""))
        self.show_page(page if self.pane.has_page(page) else OVERVIEW)

    def show_page(self, name: str, course_title: str | None = None) -> None:
        """Show a page, with the deck of a course if that has one."""
        chosen = (deck for deck in self.pane.decks if deck.course_title == course_title)
        if (deck := next(chosen, None)) is not None:
            self.choose_deck(deck)
        self.pane.show_page(name)
        self.opened.emit()
        self.pane.focus_first()

    def make(self, scope: Scope | None = None, conversation_id: int | None = None) -> None:
        """Ask what to make of a scope, or of a chat; of the course on show by default."""
        page = self._making_page()
        if page.is_running:
            self.show_page(MAKING)
            return
        # Imported late so that the window paints sooner.
        from app.features.study.ui.make_dialog import MakeDialog

        origins = self.origins(scope, conversation_id)
        if not origins:
            self.show_page(OVERVIEW)  # which says what is missing
        if not origins or not self._jobs.workers.is_running:
            return
        dialog = MakeDialog(
            origins, self._jobs, self._spending, self.pane.window(), has_model=self._has_model
        )
        dialog.requested.connect(self._begin)
        dialog.settings_requested.connect(self.settings_requested)
        dialog.open()

    def review(self, course_title: str = "") -> None:
        """Ask the cards of a course, or of all; without any, show that there are none."""
        deck = next((deck for deck in self.pane.decks if deck.course_title == course_title), None)
        if deck is None and course_title:
            self.show_page(OVERVIEW)
            return
        self.show_page(REVIEW, course_title)
        cast("ReviewPage", self.pane.page(REVIEW)).review(deck)

    def choose_deck(self, deck: Deck) -> None:
        self.pane.choose_deck(deck.uid)
        self._remember(self.pane.current)

    # ---- internals ----

    def origins(self, scope: Scope | None, conversation_id: int | None = None) -> list[Origin]:
        """Return what material can be made from, what is most likely wanted first."""
        first: list[Origin] = []
        deck = self.pane.deck
        if conversation_id is not None:
            first = [Origin(self.tr("The chat"), conversation_id=conversation_id)]
        elif scope is not None:
            first = [Origin(scope_name(scope), scope)]
        elif deck is not None and deck.course_title in self._courses and self.pane.isVisible():
            first = [of_course(deck.course_title)]
        others = [*self.more_origins(), *map(of_course, self._courses)]
        if self.pane.isVisible():  # the chat is not what is being looked at
            others.sort(key=lambda origin: origin.conversation_id is not None)
        return list(dict.fromkeys([*first, *others]))

    def _begin(self, request: MakeRequest) -> None:
        self._making_page().make(request)
        self.show_page(MAKING)

    def _making_page(self) -> MakingPage:
        return cast("MakingPage", self.pane.page(MAKING))

    def _take_library(self, snapshot: LibrarySnapshot) -> None:
        self._courses = tuple(course.title for course in snapshot.courses)
        self._show_makes()
        self._jobs.study.list_decks().run(self)  # a course may have another name

    def _take_key_status(self, _: object, has_model: bool) -> None:
        self._has_model = has_model
        self._show_makes()

    def _take_spending(self, spending: Spending) -> None:
        self._spending = spending

    def _show_makes(self) -> None:
        self.pane.set_makes(self._courses, has_model=self._has_model)

    def _remember(self, page: str) -> None:
        if self.pane.has_tab(page):  # others begin something
            self._memory.setValue(_PAGE, page)
        if self.pane.deck is not None:
            self._memory.setValue(_DECK, self.pane.deck.uid)
