"""The libraries on servers in the window: the menu commands, and where else it leads to them."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QSettings, QTimer, Signal

from app.domain.messages import Message
from app.domain.scope import includes
from app.domain.shared import ServerAddress, SharedLibrary
from app.features.shared.ui.operations import SharedOperations
from app.ui.widgets.messages import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from app.domain.conversations import Exchange
    from app.domain.events import AnswerDone
    from app.features.shared.ui.libraries_dialog import SharedLibrariesDialog
    from app.features.shared.ui.publish_dialog import PublishDialog
    from app.ui.shell.main_window import MainWindow
    from app.workers.job import Job
    from app.workers.library import LibrarySnapshot
    from app.workers.workers import Workers


_CHECK_MS = 600_000  # ten minutes
_LAST_SERVER, _LAST_TITLES = "shared/server", "shared/titles"  # that were published


class SharedController(QObject):
    """Asks the servers at the start, and every ten minutes.

    It tells nobody: the sidebar and the list show the results.
    """

    add_folder_requested = Signal()

    def __init__(self, window: QWidget, workers: Workers, memory: QSettings) -> None:
        super().__init__(window)
        self._window, self._workers, self._memory = window, workers, memory
        self.operations = SharedOperations(workers)
        self._titles: tuple[str, ...] = ()  # of the courses that can be published
        self.libraries: tuple[SharedLibrary, ...] = ()
        self.dialog: SharedLibrariesDialog | None = None
        self.publishing: PublishDialog | None = None
        self._checking: Job[None] | None = None
        self._timer = QTimer(self, interval=_CHECK_MS)
        self._timer.timeout.connect(self._check_all)
        workers.opened.connect(self._take_snapshot)
        workers.snapshot.connect(self._take_snapshot)
        workers.shared_listed.connect(self._show)
        workers.ready.connect(self._check_all)
        workers.ready.connect(self._timer.start)

    def open(self) -> None:
        if self.dialog is not None or not self._workers.is_running:
            return
        # Imported late so that the window paints sooner.
        from app.features.shared.ui.libraries_dialog import SharedLibrariesDialog

        dialog = self.dialog = SharedLibrariesDialog(self.libraries, self.operations, self._window)
        dialog.publish_requested.connect(self.publish)
        dialog.finished.connect(self._forget_dialog)
        dialog.open()
        self._workers.remote.look().run(self)  # the command may have subscribed to others meanwhile

    def subscribe(self) -> None:
        self.open()
        if self.dialog is not None:
            self.dialog.show_form()

    def publish(self) -> None:
        """Choose courses to publish; what was chosen last is chosen at first."""
        if not self._workers.is_running:
            return
        if self.dialog is not None:
            self.dialog.accept()
        if self.publishing is not None:
            self.publishing.activateWindow()
            return
        if not self._titles:
            self._offer_to_add()
            return
        from app.features.shared.ui.publish_dialog import PublishDialog

        last = _stored_address(str(self._memory.value(_LAST_SERVER, "")))
        known = {one.key: one for one in ([last] if last else [])}
        known |= {one.address.key: one.address for one in self.libraries if one.address.key not in known}
        chosen = str(self._memory.value(_LAST_TITLES, "")).split("\n")
        dialog = PublishDialog(self._titles, chosen, tuple(known.values()), self.operations, self._window)
        self.publishing = dialog
        dialog.begun.connect(self._remember)
        dialog.finished.connect(self._forget_publishing)
        dialog.show()

    def close(self) -> None:
        """Close what would stay on the screen without the window; publishing stops with it."""
        if self.publishing is not None:
            self.publishing.close()

    def look(self, then: Callable[[], object] = lambda: None) -> None:
        """Show what an answer has revealed about the servers."""
        if self.libraries:
            self._workers.remote.look().run(self, finished=then)

    @property
    def is_busy(self) -> bool:
        return self.publishing is not None and self.publishing.is_publishing

    def check(self, address: ServerAddress) -> None:
        self.operations.refresh(address).run(self)

    # ---- internals ----

    def _offer_to_add(self) -> None:
        from app.ui.widgets.dialog import Dialog

        heading = self.tr("You have no courses of your own to publish yet.")
        text = self.tr("Add the folder with your course material first. Sample courses are not published.")
        dialog = Dialog(self.tr("Publish courses"), self._window, heading=heading, text=text)
        dialog.add_cancel_and(self.tr("Add folder…"))
        dialog.accepted.connect(self.add_folder_requested)
        dialog.open()

    def _take_snapshot(self, snapshot: LibrarySnapshot) -> None:
        self._titles = tuple(course.title for course in snapshot.courses if not course.is_sample)
        self._show(snapshot.shared)

    def _show(self, libraries: tuple[SharedLibrary, ...]) -> None:
        self.libraries = libraries
        if self.dialog is not None:
            self.dialog.set_libraries(libraries)

    def _check_all(self) -> None:
        if self.libraries and self._checking is None:
            self._checking = self.operations.refresh().run(self, finished=self._end_check)

    def _end_check(self) -> None:
        self._checking = None

    def _remember(self, address: ServerAddress, titles: tuple[str, ...]) -> None:
        self._memory.setValue(_LAST_SERVER, json.dumps(asdict(address)))
        self._memory.setValue(_LAST_TITLES, "\n".join(titles))

    def _forget_publishing(self) -> None:
        self.publishing = None

    def _forget_dialog(self) -> None:
        self.dialog = None


def _stored_address(text: str) -> ServerAddress | None:
    """Return the address that was published to last; None for what another version, or hand, has written."""
    try:
        return ServerAddress(**json.loads(text))
    except (TypeError, ValueError):
        return None


translate = QCoreApplication.translate


def add_commands(window: MainWindow) -> None:
    """Lead to the libraries on servers from the menu Course, the sidebar, the welcome and the settings."""
    controller = SharedController(window, window.workers, window.memory)
    add = window.actions_.add
    servers = translate("Actions", "&Shared libraries…")
    opened = add("course/servers", "shared_libraries", servers, controller.open)
    add("teacher/publish", "publish", translate("Actions", "&Publish courses…"), controller.publish)
    about = translate(
        "LibraryPage",
        "Courses on a Chroma server, such as those of your class: subscribe to them or publish some.",
    )
    window.settings_controller.add_link(translate("LibraryPage", "Servers"), opened, about)
    window.chat.welcome.add_beginning(
        translate("Welcome", "Subscribe to your class's library…"), controller.subscribe
    )
    window.sidebar.shared_libraries_requested.connect(controller.open)
    window.sidebar.server_check_requested.connect(controller.check)
    window.closing.connect(controller.close)
    controller.add_folder_requested.connect(window.actions_["add_folder"].trigger)

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
