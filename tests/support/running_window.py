"""The real window with its real workers, on a library of its own, for tests and pictures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol, TypeVar

from PySide6.QtCore import QDeadlineTimer, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication

from app.config.secrets import KeyStore
from app.config.settings import Settings
from app.core.embedding.embedder import Embedder
from app.core.rag_system import RAGSystem
from app.domain.model_servers import PROGRAM_PORTS
from app.main import FEATURES
from app.ui.shell.main_window import MainWindow
from app.ui.widgets.theme import Theme, apply_ground
from app.workers.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from app.core.answers.providers.base import ModelSettings
    from app.features.feature import Feature
    from tests.support.anthropic_server import AnthropicServer
    from tests.support.model_programs import ModelProgram


P = TypeVar("P", bound=QObject)


class RunningWindow:
    """Put together as ``app.main`` does it, but with a key that never touches a keychain.

    Attributes:
        current: the main window, also after another has taken its place.
        rag: the library behind it.
        workers: its threads.
    """

    def __init__(
        self,
        folder: Path,
        model_cache: Path,
        *,
        base_url: str = "",
        key: str = "",
        theme: Theme | None = None,
        settings: Settings | None = None,
        embedder: Embedder | None = None,
        data_dir: Path | None = None,
        limits: ModelSettings | None = None,
        features: Sequence[Feature] = FEATURES,
        programs: Sequence[ModelProgram] = (),
    ) -> None:
        # Answers of one request, so that a script needs no search.
        stored = settings or Settings(base_url=base_url, send_passages=True)
        theme = theme or Theme.light()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        apply_ground(application, theme)
        data_dir = data_dir or folder / "data"
        services = [feature.add_services for feature in features]
        self.rag = RAGSystem(data_dir, stored, embedder or Embedder(None, model_cache), services)
        if limits is not None:
            self.rag.answers.limits = limits
        environ = {"ANTHROPIC_API_KEY": key} if key else {}
        self.workers = Workers()
        found = {program.name: program.port for program in programs}
        self.workers.answers.ports = {**dict.fromkeys(PROGRAM_PORTS, 1), **found}  # port 1 is nobody's
        self.window = MainWindow(self.workers, stored, theme, data_dir, folder / "window.ini", features)
        application.setStyleSheet(theme.stylesheet())
        self.keys = KeyStore(environ)
        self._settings_file = folder / "settings.json"

    def open(self, width: int = 1280, height: int = 820) -> None:
        """Show the window and let it open its library."""
        self.window.resize(width, height)
        self.window.show()
        self.workers.start(self.rag, self.keys, self._settings_file)

    def wait_for(self, condition: Callable[[], bool], what: str, seconds: float = 120.0) -> None:
        """Run the event loop until ``condition`` holds; fail naming ``what`` when it never does."""
        deadline = QDeadlineTimer(int(seconds * 1000))
        looks = QTimer()  # with a limit of its own, processEvents would wait for nothing
        looks.start(10)
        while not condition():
            assert not deadline.hasExpired(), f"waited in vain for {what}"
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)  # and what follows

    def wait_until_ready(self, samples: bool = True) -> None:
        """Wait until questions can be asked, with the sample courses in the library."""
        self.wait_for(lambda: self.window.is_ready, "the library to open")
        if samples:
            if self.window.chat.welcome.samples.isVisible():
                self.window.chat.welcome.samples.click()
            self.wait_for(
                lambda: (
                    self.rag.courses.counts().courses == 4 and not self.window.ingest_controller.is_reading
                ),
                "the samples",
            )

    def activate(self) -> None:
        """Give the window the keyboard."""
        self.window.activateWindow()
        self.wait_for(self.window.isActiveWindow, "the window to have the keyboard")

    def read(self, folder: Path) -> None:
        """Read a folder or file as if it had been dropped, to the end."""
        self.window.ingest_controller.read([folder])
        self.wait_until_read()

    def wait_until_read(self) -> None:
        """Wait until files begin to be read, and then for the end."""
        controller, begun = self.window.ingest_controller, list[bool]()
        controller.begun.connect(begun.append)  # a short one ends in the turn in which it begins
        self.wait_for(lambda: controller.is_reading or bool(begun), "reading to begin")
        controller.begun.disconnect(begun.append)
        self.wait_for(lambda: not controller.is_reading, "reading to end")

    def ask(self, question: str, *, wait: bool = True) -> None:
        """Ask as a click on a suggestion would, and wait for the end of the answer."""
        self.window.chat_controller.ask(question)
        if wait:
            self.wait_for(lambda: not self.window.chat_controller.is_answering, "the answer")

    def close(self) -> None:
        """Close it as the user would."""
        self.window.close()
        self.window.deleteLater()


def part(window: QObject, kind: type[P]) -> P:
    """Return what a feature has added to a window."""
    found = window.findChild(kind)
    assert isinstance(found, kind)
    return found


def isolate_from_user(folder: Path) -> None:
    """Point every directory of the program below ``folder`` and clear what the environment sets."""
    os.environ["LECTERN_CONFIG_DIR"] = str(folder / "config")
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "LECTERN_MODEL", "LECTERN_DATA_DIR"):
        os.environ.pop(name, None)


class Opener(Protocol):
    def __call__(self, server: AnthropicServer | None = None) -> RunningWindow: ...
