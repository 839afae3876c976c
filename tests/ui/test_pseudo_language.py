"""A language of brackets: no text is left out of translation, and 40 percent more of it has room."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from app.domain.events import FileDone, FileStatus
from app.domain.messages import Message
from app.domain.model_servers import SERVICES
from app.features.keeping.ui.controller import KeepingController
from app.features.keeping.ui.dialogs import ImportDialog
from app.ui.chat.transcript import Transcript
from app.ui.library.file_dialogs import FailuresDialog
from app.ui.library.plan_dialog import MoveDialog
from app.ui.widgets.messages import install_translations
from app.ui.widgets.show_dialogs import show_crash
from tests.support import pseudo_language
from tests.support.conversing import ask
from tests.support.courses import FILES
from tests.support.cut_off import cut_off
from tests.support.running_window import part
from tests.support.shown_texts import all_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.support.anthropic_server import AnthropicServer
    from tests.support.running_window import Opener, RunningWindow
from tests.support.shared_window import controller_of

QUESTION = "Why are there tides?"
TRANSLATED = re.compile(r"\[[^\[\]]*~(?:\]|…$)", re.DOTALL)  # a suggestion may be cut at its end
NO_WORDS = re.compile(r"<[^>]*>|https?://\S+|/\S+|[\w.]+@\S+|\w+\.\w+|claude-\S+|Claude\s.*")
WORD = re.compile(r"[^\W\d_]{3,}")
NAMES = {"Lectern", "Anthropic", "Claude", "Ollama", "Studio", "Deutsch", "English", "Español"}
SERVICE_NAMES = {word for service in SERVICES for word in WORD.findall(service.name)}
SERVERS = {"default", "tenant", "database"}  # what Chroma calls its own
QT = {"Alt", "Hoch", "Herunter", "Links", "Rechts", "Nach", "Esc", "Leertaste", "links", "rechts", "scrollen"}
OF_FILES = {"Course", "Title", "Link", "Instructor", "Lesson"}  # their readers take these lines
DATA = {word for text in (*FILES.values(), QUESTION) for word in WORD.findall(text)} - OF_FILES
PAGES = ("answers", "library", "study", "appearance", "languages", "advanced")
SMALLEST = 800, 600


@pytest.fixture(autouse=True)
def brackets(pseudo_package: Path, monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> Iterator[None]:
    monkeypatch.setattr("sys._MEIPASS", str(pseudo_package), raising=False)
    install_translations(qapp, pseudo_language.CODE)
    yield
    monkeypatch.undo()
    install_translations(qapp, "en")


def left_out() -> dict[str, str]:
    """Return the texts of all open windows that were not translated, each with where it is."""
    found: dict[str, str] = {}
    for text, widget in all_texts():
        rest = text.replace("&", "")
        while TRANSLATED.search(rest):
            rest = TRANSLATED.sub(" ", rest)
        words = set(WORD.findall(NO_WORDS.sub(" ", rest))) - NAMES - SERVICE_NAMES - SERVERS - QT - DATA
        if words - (OF_FILES if isinstance(widget, Transcript) else set()):
            found[rest] = f"{type(widget).__name__} {widget.objectName()}"
    return found


def dialogs(running: RunningWindow) -> dict[str, Callable[[], object]]:
    """Return what opens each dialog."""
    window = running.window
    library, helping = window.library_controller, window.help_controller
    refused = FileDone("/a.zip", FileStatus.FAILED, reason=Message("documents.empty", name="a.zip"))
    return {
        **{page: partial(window.settings_controller.open, page) for page in PAGES},
        "files": library.open_files,
        "shared libraries": controller_of(running).open,
        "subscribe": controller_of(running).subscribe,
        "publish": controller_of(running).publish,
        "trash": part(window, KeepingController).open_trash,
        "backups": part(window, KeepingController).open_backups,
        "about": helping.show_about,
        "shortcuts": window.actions_["shortcuts"].trigger,
        "failures": lambda: FailuresDialog([refused], window).open(),
        "import": lambda: ImportDialog("library.zip", "3", window, backed_up=True).open(),
        "move": lambda: MoveDialog(2, ["Tides and Currents"], window).open(),
        "crash": partial(show_crash, window, "", ended=True),
    }


def shown_dialog() -> QWidget | None:
    found = (one for one in QApplication.topLevelWidgets() if isinstance(one, QDialog) and one.isVisible())
    return next(found, None)


def is_whole(window: QWidget) -> bool:
    return not cut_off(window)


def test_everything_is_translated_and_has_room(open_window: Opener, server: AnthropicServer) -> None:
    running = open_window(server)
    window = running.window
    assert left_out() == {}
    ask(running, QUESTION)
    window.sources.activate(1)
    window.actions_["palette"].trigger()
    assert left_out() == {}
    window.actions_["palette"].trigger()
    for width, height in ((1280, 820), SMALLEST):
        window.resize(width, height)
        running.wait_for(partial(is_whole, window), "text that is whole", 5)
        assert (window.width(), window.height()) == (width, height)


@pytest.mark.qt_log_ignore("does not support raise")  # by the window of the list of keys
def test_every_dialog_is_translated_and_has_room(open_window: Opener) -> None:
    running = open_window()
    for name, open_dialog in dialogs(running).items():
        open_dialog()
        running.wait_for(lambda: shown_dialog() is not None, name)
        dialog = shown_dialog()
        assert dialog is not None
        assert left_out() == {}, name
        running.wait_for(partial(is_whole, dialog), f"text that is whole in {name}", 5)
        least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
        assert least.width() <= SMALLEST[0] and least.height() <= SMALLEST[1], name
        dialog.close()
        running.wait_for(lambda: shown_dialog() is None, f"the end of {name}")
