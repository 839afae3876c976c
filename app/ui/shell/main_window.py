"""The main window: lays out the panes and connects them with the controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QLabel, QMainWindow, QMenu

from app.domain.messages import Message
from app.domain.scope import Scope, still_known
from app.ui.chat.chat_controller import ChatController
from app.ui.chat.chat_pane import ChatPane
from app.ui.chat.chats_pane import ConversationsController, ConversationsPane
from app.ui.library.background_jobs import FolderSync, ScanRecognition
from app.ui.library.ingest_controller import DropOverlay, IngestController
from app.ui.library.ingest_status import IngestStatus
from app.ui.library.library_controller import LibraryController
from app.ui.library.sidebar import CourseSidebar
from app.ui.library.sidebar_parts import suggested_questions
from app.ui.library.transcription import TranscriptionQueue
from app.ui.reading.sources_controller import Figures, SourcesController
from app.ui.reading.sources_pane import SourcesPane
from app.ui.settings.controller import SettingsController
from app.ui.settings.model_offers import ModelOffers
from app.ui.shell.actions import Actions
from app.ui.shell.attention import Attention
from app.ui.shell.commands import Commands
from app.ui.shell.help_controller import HelpController
from app.ui.shell.layout import (
    CHATS,
    COURSES,
    Centre,
    SidePanel,
    Themed,
    ThemeSwitch,
    TopBar,
    lay_out,
)
from app.ui.shell.palette_controller import PaletteController
from app.ui.shell.pane_room import PaneRoom
from app.ui.shell.window_state import WindowState
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.bars import OfferBar
from app.ui.widgets.desktop import open_answer_link, open_course_file
from app.ui.widgets.messages import shown
from app.ui.widgets.numbers import library_text, spending_text
from app.ui.widgets.pane_keys import PaneKey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from app.config.settings import Settings
    from app.domain.shared import SharedLibrary
    from app.ui.chat.welcome import Welcome
    from app.ui.reading.reading_view import ReadingView
    from app.ui.widgets.theme import Theme
    from app.workers.job import Job
    from app.workers.library import LibrarySnapshot
    from app.workers.workers import Workers

_SUGGESTIONS = 4
_MESSAGE_MS = 8_000
_SKIPPED = "connection_skipped"
_DAMAGED = ("storage.damaged", "storage.missing", "storage.unopenable")  # a backup helps


class FirstStart(QObject):
    """Adds the sample courses, or lets a folder be chosen, as the welcome is asked to."""

    changed = Signal()  # samples are being added, or no longer

    def __init__(
        self, welcome: Welcome, ingest: IngestController, workers: Workers, memory: QSettings
    ) -> None:
        """``memory`` keeps that somebody wants no model."""
        super().__init__(welcome)
        self._ingest, self._workers = ingest, workers
        self._job: Job[None] | None = None
        self._is_ready = False
        self.is_adding = False
        welcome.samples_requested.connect(self._add_samples)
        welcome.offers_ways = memory.value(_SKIPPED, "false") != "true"
        welcome.ways_skipped.connect(lambda: memory.setValue(_SKIPPED, "true"))
        welcome.folder_requested.connect(ingest.choose_folder)
        workers.ready.connect(self._become_ready)
        ingest.finished.connect(self._finish)

    def _add_samples(self) -> None:
        if not self.is_adding:
            self.is_adding = True
            self.changed.emit()
            if self._is_ready:
                self._begin()

    def _become_ready(self) -> None:
        self._is_ready = True
        if self.is_adding:  # they were asked for before the model was loaded
            self._begin()

    def _begin(self) -> None:
        self._job = self._workers.ingest.run(lambda rag, job: rag.ingest.add_samples(job.token))
        self._ingest.start(self._job)

    def _finish(self, job: Job[None]) -> None:
        if job is self._job:
            self._job, self.is_adding = None, False
            self.changed.emit()


class WindowFeature(Protocol):
    """What the window needs of a feature: its name, and a function that adds its commands and pages."""

    @property
    def name(self) -> str: ...

    @property
    def add_to_window(self) -> Callable[[MainWindow], None]: ...


class MainWindow(QMainWindow):
    """Shown before anything is loaded; the start of the workers brings it to life."""

    closing = Signal()
    keys_shown = Signal()  # the list of keys is about to be shown
    damaged = Signal(object)  # the library cannot be opened, and a backup helps: the Message

    def __init__(
        self,
        workers: Workers,
        settings: Settings,
        theme: Theme,
        data_dir: Path,
        state_file: Path,
        features: Sequence[WindowFeature] = (),
    ) -> None:
        super().__init__()
        self.settings = settings
        self.data_dir = data_dir
        self.workers = workers
        memory = QSettings(str(state_file), QSettings.Format.IniFormat)
        self.memory = memory
        self.themed: list[Themed] = []  # parts of features that follow the theme
        self._ready = self.has_failed = False
        self._snapshot: LibrarySnapshot | None = None

        self.sidebar = CourseSidebar()
        self.chat = ChatPane()
        self.centre = Centre(self.chat)
        self.sources = SourcesPane()
        self.settings_controller = SettingsController(self, workers, settings)
        self.chat.composer.context.place(self.settings_controller.model_button)
        self.chat.welcome.place_ways(self.settings_controller.tiles)
        self.chat_controller = ChatController(self.chat, self.sources, workers, self._may_ask)
        self._figures = Figures(self.sources, workers)
        self.chats = ConversationsPane()
        self.conversations_controller = ConversationsController(
            self.chats, self.chat_controller, workers, self
        )
        self.side = SidePanel(self.sidebar, self.chats)
        self.ingest_status = IngestStatus()
        self.ingest_controller = IngestController(self.ingest_status, self, workers, memory)
        self.library_controller = LibraryController(
            self.sidebar.removed_bar, self, workers, self.ingest_controller.start
        )
        self._first_start = FirstStart(self.chat.welcome, self.ingest_controller, workers, memory)
        self._first_start.changed.connect(self._show_first_start)
        self.help_controller = HelpController(
            self,
            data_dir,
            memory,
            workers,
            lambda: (self.settings, self._snapshot),
            [feature.name for feature in features],
        )
        self.actions_ = Actions(self)
        self.stop_watching = QMenu(self.tr("Stop &watching"), self)
        self._add_commands()
        self.sources_controller = SourcesController(self.sources, workers, lambda: self.room.open_sources())
        self.folder_sync = FolderSync(
            self.ingest_controller, workers, self.stop_watching, lambda: self.settings.sync_folders, self
        )
        self.scan_recognition = ScanRecognition(
            self.ingest_controller, workers, lambda: self.settings.recognize_text, self
        )
        self.transcription = TranscriptionQueue(self.ingest_controller, workers, memory, self.say, self)
        self.top_bar = TopBar(self.actions_)
        self.offer_bar = OfferBar()
        self.notice_bar = OfferBar()
        self._counts = QLabel()
        self._lay_out()
        self.room = PaneRoom(self._splitter, self.actions_, lambda: self.sources.is_reading)
        self._connect_panes()
        in_turn = self.side, self.centre, self.sources
        self._commands = Commands(
            self.actions_, self, in_turn, self.centre.open_find, self.settings_controller
        )
        self._commands.show_settings(settings)
        self.palette_controller = PaletteController(self, self.actions_, workers)
        for feature in features:
            feature.add_to_window(self)
        self.settings_controller.add_link(self.tr("Remove"), self.actions_["remove_all"])
        self.actions_.build_menus(self.menuBar())
        self._connect_workers()
        self._connect_palette()
        texts: tuple[Themed, ...] = (self.chat, self.sources, self.help_controller)
        self._themes = ThemeSwitch(theme, settings, (*texts, *self.themed), self)
        panes = {name: self.actions_[name] for name in ("sidebar", "sources")}
        self._state = WindowState(memory, self, self._splitter, panes, self.chat.composer)
        self._attention = Attention(
            self,
            self.ingest_status,
            self.ingest_controller,
            self.chat_controller,
            lambda: self.settings.notify,
        )
        self._model_offers = ModelOffers(self.offer_bar, workers, lambda: self.settings, memory)
        self._connect_offers()
        self.chat.set_preparing(self.tr("Opening your library…"))

    @property
    def is_ready(self) -> bool:
        """Whether questions can be asked: the library is open, and new sample courses are read."""
        return self._ready and not self._first_start.is_adding

    # Commands

    def new_chat(self) -> None:
        self.chat_controller.new_chat()
        self.focus_chat()

    def focus_chat(self) -> None:
        """Write a question, whatever is in the place of the chat."""
        self.centre.show_chat()
        self.chat.focus_composer()

    def search_chats(self) -> None:
        self.actions_["sidebar"].setChecked(True)
        self.side.tabs.setCurrentIndex(CHATS)
        self.chats.focus_search()

    def set_scope(self, scope: Scope) -> None:
        """Restrict the next questions; report what is no longer in the library."""
        lost: tuple[str, ...] = ()
        if self._snapshot is not None:
            scope, lost = still_known(scope, self._snapshot.all_courses)
        self.chat_controller.set_scope(scope)
        self.sidebar.set_scope(scope)
        if self._snapshot is not None:
            found = suggested_questions(self._snapshot.courses, self._snapshot.questions, scope, _SUGGESTIONS)
            self.chat.welcome.set_suggestions(found)
        if lost:
            self.chat.tell_lost(lost)

    def show_courses(self) -> None:
        self.actions_["sidebar"].setChecked(True)
        self.side.tabs.setCurrentIndex(COURSES)
        self.sidebar.focus_tree()

    def rename_course(self) -> None:
        """Edit the title of the selected course in its row."""
        self.show_courses()
        self.sidebar.rename_current()

    def open_settings(self) -> None:
        self.settings_controller.open()

    def show_keys(self) -> None:
        self.keys_shown.emit()
        self.help_controller.show_keys(self.actions_.commands())

    def _show_shared(self, libraries: tuple[SharedLibrary, ...]) -> None:
        """Show the courses on servers as they are now."""
        if self._snapshot is not None:
            self._show_library(self._snapshot._replace(shared=libraries))

    # What the workers report

    def _library_opened(self, snapshot: LibrarySnapshot) -> None:
        self.has_failed = False
        self._show_library(snapshot)
        self._show_preparing(None)

    def _library_ready(self) -> None:
        self._ready = True
        self._show_first_start()
        self.ingest_controller.open()

    def _show_first_start(self) -> None:
        """Take questions, unless the sample courses are being added."""
        adding = self._first_start.is_adding
        if self._snapshot is not None:
            self._show_library(self._snapshot)
        if self._ready:
            self.chat.set_preparing(self.tr("Adding the sample courses…") if adding else None)
        if self.is_ready:
            self.chat.focus_composer()

    def _library_failed(self, message: Message) -> None:
        self._ready, self.has_failed = False, True
        self.chat.show_notice(shown(message), "danger")
        for show_sentence in (
            self.chat.set_preparing,
            self.sidebar.set_unavailable,
            self.chats.set_unavailable,
        ):
            show_sentence(self.tr("The library couldn't be opened."))
        if message.id in _DAMAGED:
            self.damaged.emit(message)

    def _show_preparing(self, message: Message | None) -> None:
        text = "" if message is None else shown(message)
        if not self._ready:
            self.chat.set_preparing(text or self.tr("Getting ready…"))
        else:
            self.statusBar().showMessage(text)

    def _show_library(self, snapshot: LibrarySnapshot) -> None:
        courses = snapshot.all_courses
        adding = self._first_start.is_adding
        self.chat.welcome.set_library(
            snapshot.counts._replace(courses=len(courses)),
            is_new=snapshot.is_new,
            adding_samples=adding,
        )
        self.sidebar.set_snapshot(snapshot.courses, snapshot.shared)
        if snapshot.is_new and not (courses or snapshot.shared):  # the welcome says how to begin
            self.sidebar.set_unavailable(self.tr("Your courses will be listed here."))
        self._counts.setText(library_text(courses))
        self._snapshot = snapshot
        self.chat.set_course_titles([course.title for course in courses])
        self.set_scope(self.chat_controller.scope)
        self.sources.check()

    def _settings_saved(self, settings: Settings, needs_reindex: bool) -> None:
        self.settings = settings
        self.folder_sync.watch()
        self.scan_recognition.apply()
        self._themes.apply(settings)
        self._commands.show_settings(settings)
        self._model_offers.withdraw()
        if needs_reindex:
            self.ingest_controller.reindex()

    def _show_key_status(self, _status: object, has_model: bool) -> None:
        self.chat.set_search_only(not has_model)

    def _show_problem(self, problem: Message | str) -> None:
        sentence = shown(problem) if isinstance(problem, Message) else problem
        show.show_error(self, self.tr("Lectern"), sentence)

    def _show_crash(self) -> None:
        text = self.tr("Something failed because of a bug in Lectern. See the log file for details.")
        self.chat.show_notice(text, "danger")

    # Qt

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide at once, then let the workers finish the current batch."""
        self.closing.emit()
        self.chat.composer.cancel_edit()
        self.chat_controller.take_back_waiting()
        self.room.put_back()
        self._state.save()
        self.hide()
        self.ingest_controller.plan_controller.close()
        self.workers.close()
        super().closeEvent(event)

    # Internals

    def _lay_out(self) -> None:
        self.setWindowTitle("Lectern")
        self._drop = DropOverlay(self)
        self._drop.dropped.connect(self.ingest_controller.add_paths)
        self._splitter = lay_out(
            self,
            self.side,
            (
                self.top_bar,
                self.help_controller.news,
                self.offer_bar,
                self.notice_bar,
                self.transcription.bar,
            ),
            self.centre,
            self.sources,
        )
        self._counts.setContentsMargins(8, 0, 0, 0)
        self.statusBar().setSizeGripEnabled(False)
        self.statusBar().addWidget(self._counts)
        self.statusBar().addPermanentWidget(self.ingest_status)

    def _connect_panes(self) -> None:
        self._connect_courses()
        self.library_controller.course_renamed.connect(self.chat_controller.follow_rename)
        self.sidebar.lesson_requested.connect(self.sources_controller.read_lesson)
        self.sidebar.file_requested.connect(self.sources_controller.read_lesson)
        self.sidebar.ask_requested.connect(self.focus_chat)
        self.sources.lesson_left.connect(lambda: self.room.set_sources(False))
        self.sources.lesson_left.connect(self.sidebar.focus_tree)
        for chooser in (self.sidebar.scope_changed, self.chat.composer.context.scope_changed):
            chooser.connect(self.set_scope)
        self.chat_controller.scope_remembered.connect(self.set_scope)
        self._connect_chat()
        self.centre.changed.connect(self.room.set_alone)
        for leads_to_chat in (
            self.chats.opened,
            self.sidebar.ask_requested,
            self.sources.list.claim_requested,
            self.library_controller.replaced,
        ):
            leads_to_chat.connect(self.centre.show_chat)
        self.chat_controller.sources_changed.connect(self.room.set_sources)
        self.chat_controller.problem.connect(self._show_problem)
        self.settings_controller.budget.changed.connect(
            lambda spending: self._counts.setToolTip(spending_text(spending))
        )
        self.settings_controller.budget.warned.connect(self._warn_of_budget)
        speakers = self.conversations_controller, self.folder_sync, self.sources_controller
        for speaker in speakers:
            speaker.said.connect(self.say)
        self.chat.transcript.citation_activated.connect(self._show_source)
        self.chat.transcript.sources_requested.connect(lambda exchange: self._show_source(exchange, None))
        self.sources.close_requested.connect(lambda: self.actions_["sources"].setChecked(False))
        self.sources.list.claim_requested.connect(self.chat.transcript.show_claim)
        self.sources.reading_built.connect(self._connect_reading)
        self.keys_shown.connect(lambda: self.sources.reading)  # which has keys of its own
        self.library_controller.replaced.connect(self.chat_controller.forget_all)
        self.library_controller.replaced.connect(self.chats.undo_bar.dismiss)

    def _connect_workers(self) -> None:
        workers = self.workers
        workers.opened.connect(self._library_opened)
        workers.ready.connect(self._library_ready)
        workers.failed.connect(self._library_failed)
        workers.status.connect(self._show_preparing)
        workers.snapshot.connect(self._show_library)
        workers.shared_listed.connect(self._show_shared)
        workers.key_status.connect(self._show_key_status)
        workers.settings_saved.connect(self._settings_saved)
        workers.problem.connect(self._show_problem)
        workers.crashed.connect(self._show_crash)
        self.sources.expanded.connect(self.room.set_expanded)
        self.sources.pages_shown.connect(self.room.set_pages)

    def _add_commands(self) -> None:
        """Add the commands of File, Course and Help, and those that lead to panes."""
        add, tr = self.actions_.add, self.tr
        ingest, helps = self.ingest_controller, self.help_controller
        chats, key = self.conversations_controller, QKeySequence.StandardKey
        add("file/chat", "new_chat", tr("&New chat"), self.new_chat, key.New, "new-chat")
        export = add("file/chat", "export_chat", tr("E&xport chat…"), chats.export_shown, "", "export")
        export.setEnabled(False)
        settings = add(
            "file/settings", "settings", tr("&Settings…"), self.open_settings, "Ctrl+,", "settings"
        )
        settings.setMenuRole(QAction.MenuRole.PreferencesRole)
        leave = add("file/quit", "quit", tr("&Quit"), self.close, "Ctrl+Q")
        leave.setMenuRole(QAction.MenuRole.QuitRole)
        add("edit/find", "search_chats", tr("Search c&hats"), self.search_chats, "Ctrl+Shift+F", "search")
        anything = tr("&Go to anything…")
        add("edit/find", "palette", anything, lambda: self.palette_controller.open(), "Ctrl+K", "search")
        everything = tr("Remove e&verything…")
        add("file", "remove_all", everything, self.library_controller.remove_everything)
        add("course/add", "add_folder", tr("Add &folder…"), ingest.choose_folder, key.Open, "folder-plus")
        add("course/add", "add_files", tr("Add f&iles…"), ingest.choose_files, "", "file-plus")
        add("course/add", "transcribe", tr("&Transcribe recordings…"), lambda: self.transcription.choose())
        add("course/files", "files", tr("Fil&es…"), self.library_controller.open_files, "Ctrl+I", "lesson")
        rename = add("course/files", "rename_course", tr("Re&name course"), self.rename_course, "", "edit")
        rename.setEnabled(False)
        self.sidebar.can_rename.connect(rename.setEnabled)
        add("course/files", "failures", "", ingest.list_failures, "", "warning")
        self._show_failures(0, 0)
        ingest.failures_counted.connect(self._show_failures)
        self.actions_.add_menu("course/files", self.stop_watching)
        remove = tr("&Remove course")
        removing = add("course/remove", "remove_course", remove, self._remove_current_course, "", "trash")
        removing.setEnabled(False)
        self.sidebar.can_remove.connect(removing.setEnabled)
        add("view/panes", "sidebar", tr("Course &sidebar"), None, "F9", "sidebar").setChecked(True)
        add("view/panes", "sources", tr("S&ources"), None, "F10", "sources").setChecked(True)
        add("view/focus", "focus_question", tr("&Write a question"), self.focus_chat, "Ctrl+L")
        add("help/help", "guide", tr("&User guide"), helps.show_guide, key.HelpContents, "book")
        add("help/help", "shortcuts", tr("&Keyboard shortcuts"), self.show_keys, "Ctrl+/")
        add("help/help", "changes", tr("&What's new"), helps.show_changes)
        add("help/help", "report", tr("&Report a problem…"), helps.show_report)
        about = add("help/help", "about", tr("&About Lectern"), helps.show_about, "", "info")
        about.setMenuRole(QAction.MenuRole.AboutRole)

    def _show_failures(self, found: int, number: int) -> None:
        """Offer the list of files that could not be read, and count those whose text is missing."""
        some = self.tr("%Ln file(s) could not be rea&d…", None, number)
        self.actions_["failures"].setEnabled(found > 0)
        self.actions_["failures"].setText(some if number else self.tr("Files that could not be rea&d…"))

    def _remove_current_course(self) -> None:
        if (title := self.sidebar.current_course()) is not None:
            self.library_controller.remove_course(title)

    def _connect_courses(self) -> None:
        """Connect the sidebar with the controllers that add, rename and remove courses."""
        sidebar, ingest, library = self.sidebar, self.ingest_controller, self.library_controller
        sidebar.add_folder_requested.connect(ingest.choose_folder)
        sidebar.add_files_requested.connect(ingest.choose_files)
        sidebar.files_requested.connect(library.open_files)
        sidebar.rename_course_requested.connect(library.rename_course)
        library.course_renamed.connect(sidebar.follow_rename)
        sidebar.remove_course_requested.connect(library.remove_course)
        sidebar.remove_files_requested.connect(library.remove_lesson)
        sidebar.remove_samples_requested.connect(library.remove_samples)
        PaneKey(sidebar, QKeySequence.StandardKey.Undo, library.take_back)
        ingest.said.connect(self.say)

    def _connect_chat(self) -> None:
        """Connect the chat with its controller, and with what it leads to."""
        chat, controller = self.chat, self.chat_controller
        for asked in (chat.composer.question_asked, chat.welcome.suggestion_clicked):
            asked.connect(controller.ask)
        chat.composer.stop_requested.connect(controller.stop)
        chat.transcript.retry_requested.connect(controller.ask_again)
        chat.transcript.look_requested.connect(controller.look_again)
        chat.composer.question_edited.connect(controller.ask_again)
        chat.transcript.branch_requested.connect(controller.show_branch)
        chat.transcript.continue_requested.connect(controller.go_on)
        chat.transcript.settings_requested.connect(self.open_settings)
        chat.composer.context.courses_clicked.connect(self.show_courses)
        chat.transcript.link_activated.connect(lambda address: open_answer_link(self, address))
        self.conversations_controller.title_changed.connect(self.top_bar.show_title)
        controller.conversation_shown.connect(
            lambda number: self.actions_["export_chat"].setEnabled(number is not None)
        )

    def _connect_palette(self) -> None:
        palette = self.palette_controller
        palette.course_chosen.connect(self._show_course)
        palette.lesson_chosen.connect(self.sources_controller.read_lesson)
        palette.chat_chosen.connect(self.chat_controller.open)
        palette.chat_chosen.connect(self.centre.show_chat)

    def _show_course(self, title: str) -> None:
        self.actions_["sidebar"].setChecked(True)
        self.side.show_course(title)

    def _connect_offers(self) -> None:
        """Look what the library needs after an answer and after reading."""
        reading, offers = self.ingest_controller, self._model_offers

        def look() -> None:
            if not reading.is_reading:
                offers.look()

        self.chat_controller.answering_changed.connect(look)
        reading.finished.connect(look)
        offers.resume_requested.connect(reading.reindex)
        reading.begun.connect(offers.withdraw)
        reading.reindex_failed.connect(offers.note_failure)

    def _connect_reading(self, reading: ReadingView) -> None:
        reading.pages.link_activated.connect(lambda address: open_answer_link(self, address))
        reading.file_requested.connect(lambda path: open_course_file(self, path))
        reading.transcription_requested.connect(self.transcription.choose_again)

    def _show_source(self, exchange_id: int, n: int | None) -> None:
        self.room.open_sources()
        exchange = self.chat_controller.exchange(exchange_id)
        if exchange is not None:
            self.sources.show_exchange(exchange)
        if n is not None:
            self.sources.activate(n)

    def say(self, sentence: str) -> None:
        """Show a sentence in the status bar for some seconds."""
        self.statusBar().showMessage(sentence, _MESSAGE_MS)

    def _may_ask(self, confirming: bool) -> bool:
        return self.is_ready and self.settings_controller.allows_question(confirming=confirming)

    def _warn_of_budget(self, sentence: str) -> None:
        if self.chat_controller.last_exchange_id:
            self.chat.show_notice(sentence, "warning")
        else:  # a chat that is still empty keeps its welcome
            self.say(sentence)
