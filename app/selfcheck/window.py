"""The part of ``lectern --selfcheck`` that opens the window."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from app.config.secrets import KeyStore
from app.core.rag_system import RAGSystem
from app.domain.conversations import Exchange
from app.domain.sources import Recording
from app.ui.reading.recording_player import RecordingPlayer
from app.ui.shell.main_window import MainWindow, WindowFeature
from app.ui.widgets.messages import install_translations, offered_languages
from app.ui.widgets.theme import Theme, apply_theme
from app.workers.workers import Workers

_PATIENCE = 30  # seconds allowed for each step


def ask_in_window(rag: RAGSystem, folder: Path, question: str, features: Sequence[WindowFeature]) -> Exchange:
    """Open the window on a library that is not open yet, ask in it, and return the exchange it shows.

    ``folder`` is for the window's state.

    Raises:
        RuntimeError: a step took too long, or the answer is not shown.
    """
    application = QApplication.instance() or QApplication(sys.argv[:1])
    install_translations(application)
    theme = Theme.light()
    if isinstance(application, QApplication):
        apply_theme(application, theme)
    workers = Workers()
    state_file = folder / "window.ini"
    window = MainWindow(workers, rag.settings, theme, rag.database.data_dir, state_file, features)
    window.show()
    workers.start(rag, KeyStore({}), folder / "settings.json")
    chat = window.chat_controller
    try:
        _wait(lambda: window.is_ready or window.has_failed, "opening the library")
        chat.ask(question)
        _wait(lambda: not chat.is_answering, "answering")
        exchange = chat.exchange(chat.last_exchange_id)
        shown = window.chat.transcript.toPlainText()
        if exchange is None or question not in shown or window.grab().isNull():
            raise RuntimeError(f"the window shows “{shown}”")
        return exchange
    finally:
        window.close()


def load_recording(path: Path) -> str:
    """Load a recording as the reading view does, and return the outcome.

    Raises:
        RuntimeError: it cannot be played, for a reason other than a system without PulseAudio's library.
    """
    application = QApplication.instance() or QApplication(sys.argv[:1])
    player = RecordingPlayer()
    try:
        player.show_recording(Recording(str(path), is_known=True, cues=()))
        _wait(lambda: player.is_usable or bool(player.sentence.text()), "loading a recording")
        if not player.is_usable and "libpulse" not in player.sentence.text():
            raise RuntimeError(player.sentence.text())
        return player.sentence.text() or f"{path.name} can be played"
    finally:
        player.show_recording(None)
        player.deleteLater()
        application.processEvents()


def speak_languages() -> str:
    """Switch to each language in turn, and return their names.

    Raises:
        RuntimeError: Qt has no texts in one of them.
    """
    application = QApplication.instance() or QApplication(sys.argv[:1])
    languages = offered_languages()
    for code, name in languages.items():
        install_translations(application, code)
        if code != "en" and QCoreApplication.translate("QPlatformTheme", "Cancel") == "Cancel":
            raise RuntimeError(f"Qt does not speak {name}")
    install_translations(application)
    return ", ".join(languages.values())


def _wait(condition: Callable[[], bool], what: str) -> None:
    deadline = QDeadlineTimer(_PATIENCE * 1000)
    looks = QTimer()  # with a limit of its own, processEvents would wait for nothing
    looks.start(10)
    while not condition():
        if deadline.hasExpired():
            raise RuntimeError(f"{what} took more than {_PATIENCE} s")
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
