"""The main window on show; when the language changes, another one takes its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

from app.ui.shell.main_window import MainWindow
from app.ui.widgets.building import one_shot
from app.ui.widgets.messages import install_translations
from app.ui.widgets.theme import Theme, theme_for

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.config.settings import Settings
    from app.domain.messages import Message
    from app.ui.shell.main_window import WindowFeature
    from app.workers.workers import Workers

_LOOK_MS = 250


class CurrentWindow(QObject):
    """Keeps one window open; takes what :class:`MainWindow` takes.

    A window has its texts from the moment it is built. For another language a new one is built on the
    same workers, with the same chat, draft and sizes. An answer or files on their way report to the
    window that began them, so the new one waits until they are done.
    """

    closing = Signal()

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
        self._features = features
        self._workers, self._data_dir, self._state_file = workers, data_dir, state_file
        self._language = settings.language
        self._failure: Message | None = None  # of the library, which each window says
        self._soon = one_shot(self, _LOOK_MS, self._change_language)
        self.window = self._build(settings, theme)
        workers.settings_saved.connect(self._look)
        workers.failed.connect(self._keep_failure)

    def close(self) -> None:
        self.window.close()

    def _build(self, settings: Settings, theme: Theme) -> MainWindow:
        window = MainWindow(self._workers, settings, theme, self._data_dir, self._state_file, self._features)
        window.closing.connect(self.closing)
        return window

    def _keep_failure(self, failure: Message) -> None:
        self._failure = failure

    def _look(self, settings: Settings) -> None:
        if settings.language != self._language:
            self._soon.start(0)
            if self._is_busy:
                text = self.tr("The language changes once everything is read and answered.")
                self.window.statusBar().showMessage(text)
        elif self._soon.isActive():  # it was chosen again before the other one showed
            self._soon.stop()
            self.window.statusBar().clearMessage()

    @property
    def _is_busy(self) -> bool:
        """Whether something would be lost with the window."""
        window, modal = self.window, QApplication.activeModalWidget()
        return (
            bool(window.chat_controller.running)
            or window.ingest_controller.is_reading
            or any(is_busy() for is_busy in window.busy)
            or not (window.is_ready or window.has_failed)
            or modal not in (None, window.settings_controller.dialog)
            or QApplication.activePopupWidget() is not None
        )

    def _change_language(self) -> None:
        old, application = self.window, QApplication.instance()
        settings = old.settings
        if settings.language == self._language or application is None or not old.isVisible():
            return
        if self._is_busy:
            self._soon.start(_LOOK_MS)
            return
        self._language = settings.language
        dialog = old.settings_controller.dialog
        if dialog is not None:
            dialog.close()  # what waits for that takes effect
        old.leave()
        install_translations(application, settings.language)
        self.window = new = self._build(settings, theme_for(settings.theme, settings.text_size))
        new.side.tabs.setCurrentIndex(old.side.tabs.currentIndex())
        _take_over(new, old)
        new.show()
        old.deleteLater()
        if old.has_failed and self._failure is not None:
            self._workers.failed.emit(self._failure)
        else:
            self._workers.show_again()
        if dialog is not None:
            new.settings_controller.open(settings, "languages")
            again = new.settings_controller.dialog
            if again is not None:  # so that the arrow keys go on to the next language
                again.current.fields["language"].setFocus()


def _take_over(new: MainWindow, old: MainWindow) -> None:
    """Show the chat, the sources and the lesson of the window before."""
    sources, chat = old.sources, new.chat_controller
    exchange_id, source = sources.list.exchange_id, sources.reading.source if sources.is_reading else None
    expanded = sources.reading.expand.isChecked()

    def go_on(_: int | None = None) -> None:
        exchange = chat.exchange(exchange_id or 0)
        if exchange is not None:
            new.sources.show_exchange(exchange)
        if source is not None:
            new.show_lesson(source, expanded=expanded)

    chat.take_over(old.chat_controller)
    if old.chat_controller.conversation_id is None:
        go_on()
    else:
        chat.conversation_shown.connect(go_on, Qt.ConnectionType.SingleShotConnection)
