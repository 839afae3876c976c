"""Tells the user who works elsewhere that something long has ended."""

import time
from collections.abc import Callable, Hashable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from app.domain.events import AnswerEvent
from app.ui.chat.chat_controller import ChatController
from app.ui.chat.transcript_html import news_of
from app.ui.library.ingest_controller import IngestController
from app.ui.library.ingest_status import IngestStatus
from app.ui.widgets.theme import Theme

LONG = 10.0  # seconds; what takes less is waited for
_READING = "reading"


class Attention(QObject):
    """Notifies only while the window is not active, and never takes the keyboard."""

    def __init__(
        self,
        window: QWidget,
        status: IngestStatus,
        reading: IngestController,
        chat: ChatController,
        is_wanted: Callable[[], bool],
    ) -> None:
        super().__init__(window)
        self._window, self._status, self._is_wanted = window, status, is_wanted
        self._began: dict[Hashable, float] = {}
        self._tray: QSystemTrayIcon | None = None
        reading.begun.connect(self._begin_reading)
        reading.finished.connect(self._end_reading)
        chat.answering_changed.connect(self._follow_answers)
        chat.answer_ended.connect(self._end_answer)
        window.installEventFilter(self)

    def _begin_reading(self, reads_files: bool) -> None:
        if reads_files:
            self._begin(_READING)

    def _end_reading(self) -> None:
        self._end(_READING, self._status.sentence)

    def _follow_answers(self, conversations: frozenset[int]) -> None:
        for one in self._began.keys() - conversations - {_READING}:
            del self._began[one]
        for one in conversations:
            self._begin(one)

    def _end_answer(self, conversation: int | None, last: AnswerEvent) -> None:
        self._end(conversation, news_of(last))

    def _begin(self, work: Hashable) -> None:
        self._began.setdefault(work, time.monotonic())

    def _end(self, work: Hashable, sentence: str) -> None:
        took = time.monotonic() - self._began.pop(work, time.monotonic())
        if took >= LONG and not self._window.isActiveWindow() and self._is_wanted():
            QApplication.alert(self._window)
            if QSystemTrayIcon.isSystemTrayAvailable():
                self._show_message(sentence)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remove the message when the user comes."""
        if event.type() == QEvent.Type.WindowActivate and self._tray is not None:
            self._tray.hide()
        return False

    def _show_message(self, sentence: str) -> None:
        icon = Theme.icon("app")
        if self._tray is None:
            self._tray = QSystemTrayIcon(icon, self)
            for clicked in (self._tray.messageClicked, self._tray.activated):
                clicked.connect(self._come_forward)
        self._tray.show()  # messages need an icon
        self._tray.showMessage(self.tr("Lectern"), sentence, icon)

    def _come_forward(self) -> None:
        bring_forward(self._window)


def bring_forward(window: QWidget) -> None:
    """Show a window, even a minimised one, in front of all others."""
    window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
    window.show()
    window.raise_()
    window.activateWindow()
