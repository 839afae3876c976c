"""The whole program without a mouse: from the first start to the settings, as somebody types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLineEdit,
    QListView,
    QPushButton,
    QWidget,
)

from app.features.study.ui.making_page import MakingPage
from app.ui.reading.source_card import SourceCard
from tests.support.courses import TIDES
from tests.support.running_window import RunningWindow
from tests.support.study import study_of
from tests.support.study_window import shows_study, study_pane

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.courses import KeptEmbedder

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier
_MOST_STEPS = 30
DEFINITION = "\n**tideland**: the flat stretch between high water and low water, where people dig for worms\n"


@pytest.fixture
def running(
    qtbot: QtBot, tmp_path: Path, model_cache: Path, embedder: KeptEmbedder
) -> Iterator[RunningWindow]:
    running = RunningWindow(tmp_path, model_cache, embedder=embedder)
    running.open()
    running.wait_until_ready(samples=False)
    running.activate()
    yield running
    running.close()


def focus() -> QWidget:
    """Return where the keyboard is, which somebody must be able to see."""
    widget = QApplication.focusWidget()
    assert widget is not None, "the keyboard is lost"
    assert widget.isVisible() and widget.isEnabled(), f"the keyboard is in {widget}, out of sight"
    return widget


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(focus(), key, modifiers)


def write(text: str) -> None:
    QTest.keyClicks(focus(), text)


def go_to(wanted: Callable[[QWidget], bool], key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Press a key until the keyboard is where it is wanted."""
    for _ in range(_MOST_STEPS):
        if wanted(focus()):
            return
        press(key, modifiers)
    raise AssertionError(f"{_MOST_STEPS} steps lead to {focus()}")


class Typist(QObject):
    """Pastes a path into the next dialog for files."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self.has_typed = False
        self._soon = QTimer(self, interval=20)
        self._soon.timeout.connect(self._type)
        self._soon.start()

    def _type(self) -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, QFileDialog) and dialog.isActiveWindow():
            self._soon.stop()
            name = dialog.findChild(QLineEdit, "fileNameEdit")
            assert name is not None
            QGuiApplication.clipboard().setText(str(self._path))  # typed, it would be completed on the way
            QTest.keyClick(name, Qt.Key.Key_A, CTRL)
            QTest.keyClick(name, Qt.Key.Key_V, CTRL)
            self.has_typed = True
            QTest.keyClick(name, Qt.Key.Key_Return)


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_student_gets_along_without_a_mouse(running: RunningWindow, tmp_path: Path) -> None:
    add_a_folder(running, tmp_path)
    ask_and_read(running)
    read_from_the_sidebar(running)
    export(running, tmp_path / "chat.md")
    make_and_look_over(running)
    change_a_setting(running)
    open_from_the_palette(running)


def add_a_folder(running: RunningWindow, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "tides.md").write_text(TIDES + DEFINITION, encoding="utf-8")
    welcome = running.window.chat.welcome
    go_to(lambda widget: widget is welcome.folder, Qt.Key.Key_Tab, SHIFT)
    typist = Typist(folder)
    press(Qt.Key.Key_Space)
    running.wait_for(lambda: typist.has_typed, "the dialog for files")
    ingest = running.window.ingest_controller
    plans = ingest.plan_controller

    def is_planned() -> bool:
        return plans.dialog.read.hasFocus() if plans.dialog is not None else ingest.is_reading or is_there()

    def is_there() -> bool:
        return running.rag.courses.counts().courses == 1

    running.wait_for(is_planned, "what is to be read")
    if plans.dialog is not None:  # a slow computer shows it first
        press(Qt.Key.Key_Return)
    back_in(running)
    running.wait_for(is_there, "the folder")
    running.wait_for(lambda: not ingest.is_reading, "the end of reading")


def ask_and_read(running: RunningWindow) -> None:
    """Ask, go from a citation to its source and its lesson, and back."""
    window = running.window
    go_to(lambda widget: widget is window.chat.composer.edit, Qt.Key.Key_Tab)
    write("When do spring tides come?")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: bool(window.chat_controller.last_exchange_id), "the question")
    running.wait_for(lambda: not window.chat_controller.is_answering, "the answer")
    running.wait_for(lambda: not window.chat.transcript.is_building, "the answer to be drawn")
    transcript = window.chat.transcript
    go_to(lambda widget: widget is transcript, Qt.Key.Key_Tab, SHIFT)

    def is_citation(_: QWidget) -> bool:
        cursor = transcript.textCursor()
        return cursor.hasSelection() and cursor.charFormat().anchorHref().startswith("cite:")

    go_to(is_citation, Qt.Key.Key_Left)
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: isinstance(focus(), SourceCard), "the source")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: window.sources.is_reading, "the lesson")
    running.wait_for(lambda: bool(window.sources.reading.text.toPlainText()), "its text")
    assert focus() is window.sources.reading.text
    press(Qt.Key.Key_Escape)
    running.wait_for(lambda: isinstance(focus(), SourceCard), "the way back to the source")
    press(Qt.Key.Key_F6, SHIFT)
    assert focus() is transcript, "where it was in the chat"


def read_from_the_sidebar(running: RunningWindow) -> None:
    window = running.window
    go_to(lambda widget: window.side.isAncestorOf(widget), Qt.Key.Key_F6)
    go_to(lambda widget: widget is window.sidebar.tree, Qt.Key.Key_Tab)
    press(Qt.Key.Key_Right)
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: window.sources.is_reading, "the lesson")
    running.wait_for(lambda: focus() is window.sources.reading.text, "the keyboard in its text")
    press(Qt.Key.Key_Escape)
    go_to(lambda widget: widget is window.sidebar.tree, Qt.Key.Key_F6)


def export(running: RunningWindow, file: Path) -> None:
    typist = Typist(file)
    press(Qt.Key.Key_K, CTRL)
    write("export chat")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: typist.has_typed, "the dialog for files")
    back_in(running)
    running.wait_for(file.exists, "the exported chat")


def make_and_look_over(running: RunningWindow) -> None:
    """Make a card without a model, read its sentence, change it, delete it, bring it back, and leave."""
    window = running.window
    press(Qt.Key.Key_F8)
    running.wait_for(lambda: isinstance(focus(), QPushButton), "the button that makes the first material")
    press(Qt.Key.Key_Space)
    dialog = opened(running, "what to make")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: not dialog_is_open(dialog), "the dialog to close")
    back_in(running)
    page = study_pane(window).page("making")
    assert isinstance(page, MakingPage)
    running.wait_for(lambda: not page.is_running, "the end of making")
    go_to(lambda widget: isinstance(widget, QPushButton) and "deck" in widget.text(), Qt.Key.Key_Tab)
    press(Qt.Key.Key_Space)
    running.wait_for(lambda: isinstance(focus(), QListView), "the items")
    press(Qt.Key.Key_Return)
    running.wait_for(lambda: focus() is window.sources.reading.text, "the sentence in its lesson")
    press(Qt.Key.Key_Escape)
    running.wait_for(lambda: isinstance(focus(), QListView), "the items again")
    press(Qt.Key.Key_F2)
    opened(running, "the item to edit")
    press(Qt.Key.Key_Escape)
    running.wait_for(lambda: dialog_of(running) is None, "the item to close")
    back_in(running)
    running.wait_for(has_a_row, "a row of the items that has the keyboard")
    made = len(study_of(running.rag).items())
    press(Qt.Key.Key_Delete)
    running.wait_for(lambda: len(study_of(running.rag).items()) == made - 1, "the deletion")
    running.wait_for(lambda: any(is_undo(button) for button in window.findChildren(QPushButton)), "an offer")
    go_to(is_undo, Qt.Key.Key_Tab, SHIFT)
    press(Qt.Key.Key_Space)
    running.wait_for(lambda: len(study_of(running.rag).items()) == made, "the item that came back")
    press(Qt.Key.Key_Escape)
    running.wait_for(lambda: not shows_study(window), "the chat")
    assert focus() is window.chat.composer.edit


def is_undo(widget: QWidget) -> bool:
    return isinstance(widget, QPushButton) and widget.text() == "Undo" and widget.isVisible()


def has_a_row() -> bool:
    """Whether a list has the keyboard, and a row of it is selected."""
    widget = focus()
    return isinstance(widget, QListView) and widget.selectionModel().hasSelection()


def dialog_is_open(dialog: QDialog) -> bool:
    return shiboken6.isValid(dialog) and dialog.isVisible()


def change_a_setting(running: RunningWindow) -> None:
    """Make the text larger by the menu's key, and walk through all of the settings."""
    window = running.window
    before = focus()
    press(Qt.Key.Key_Comma, CTRL)
    dialog = opened(running, "the settings")
    first, seen = focus(), set[QWidget]()
    while focus() not in seen:
        seen.add(focus())
        assert dialog.isAncestorOf(focus())
        press(Qt.Key.Key_Tab)
    assert len(seen) > 3 and first in seen
    press(Qt.Key.Key_Escape)
    running.wait_for(lambda: dialog_of(running) is None, "the settings to close")
    back_in(running)
    running.wait_for(lambda: focus() is before, "what had the keyboard before")
    press(Qt.Key.Key_Plus, CTRL)
    running.wait_for(lambda: window.settings.text_size > 100, "larger text")


def open_from_the_palette(running: RunningWindow) -> None:
    before = focus()
    press(Qt.Key.Key_K, CTRL)
    write("trash")
    press(Qt.Key.Key_Return)
    opened(running, "the trash")
    press(Qt.Key.Key_Escape)
    running.wait_for(lambda: dialog_of(running) is None, "the trash to close")
    back_in(running)
    assert focus() is before


def dialog_of(running: RunningWindow) -> QDialog | None:
    shown = (one for one in running.window.findChildren(QDialog) if one.isVisible())
    return next(shown, None)


def opened(running: RunningWindow, what: str) -> QDialog:
    running.wait_for(lambda: dialog_of(running) is not None, what)
    dialog = dialog_of(running)
    assert dialog is not None
    running.wait_for(dialog.isActiveWindow, f"the keyboard in {what}")
    return dialog


def back_in(running: RunningWindow) -> None:
    """Give the window the keyboard after a dialog, as window managers do."""
    running.activate()
    focus()
