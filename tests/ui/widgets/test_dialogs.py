from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMainWindow, QPushButton, QWidget

from app import __version__
from app.domain.events import FileDone, FileStatus
from app.domain.messages import LITERAL, Message
from app.ui.library.file_dialogs import FailuresDialog
from app.ui.shell.about_dialog import AboutDialog
from app.ui.widgets import show_dialogs as show
from app.ui.widgets.dialog import MessageDialog
from app.ui.widgets.theme import Theme, apply_theme
from tests.support.sidebar import opens_menus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from tests.support.running_window import Opener

LEFT = Qt.MouseButton.LeftButton
FILES = (
    FileDone("/courses/a/one.txt", FileStatus.FAILED, reason=Message(LITERAL, text="This file is empty.")),
    FileDone("/courses/b/slides.pdf", FileStatus.SKIPPED, reason=Message(LITERAL, text="not yet read: .pdf")),
    FileDone(
        "/courses/b/<b>two</b>.txt",
        FileStatus.FAILED,
        reason=Message(LITERAL, text="It holds no text. " * 20),
    ),
)


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication) -> Iterator[QMainWindow]:
    apply_theme(qapp, Theme.light())
    main = QMainWindow()
    qtbot.addWidget(main)
    main.resize(1000, 700)
    main.show()
    main.activateWindow()
    qtbot.waitActive(main)
    yield main
    main.close()


def texts(dialog: QDialog) -> str:
    return "\n".join(one.text() for one in dialog.findChildren(QLabel))


def button(dialog: QDialog, text: str) -> QPushButton:
    found = [b for b in dialog.findChildren(QPushButton) if b.text() == text]
    assert len(found) == 1
    return found[0]


def test_an_error_is_shown_without_waiting_and_closed_by_enter(window: QMainWindow, qtbot: QtBot) -> None:
    dialog = show.show_error(window, "The folder is gone", "Choose <b>another</b> one.")
    qtbot.waitActive(dialog)
    assert "Choose <b>another</b> one." in texts(dialog)
    assert all(
        one.textFormat() == Qt.TextFormat.PlainText for one in dialog.findChildren(QLabel) if one.text()
    )
    assert button(dialog, "Close").isDefault()
    with qtbot.waitSignal(dialog.finished):
        QTest.keyClick(dialog, Qt.Key.Key_Return)


def test_an_error_may_come_before_any_window(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, Theme.dark())
    dialog = show.show_error(None, "In use", "Another Lectern holds this library.")
    qtbot.waitExposed(dialog)
    with qtbot.waitSignal(dialog.destroyed):
        QTest.mouseClick(button(dialog, "Close"), LEFT)


def test_a_long_sentence_is_wrapped_and_whole(window: QMainWindow, qtbot: QtBot) -> None:
    dialog = show.show_error(window, "Title " * 12, "A sentence that goes on. " * 30)
    qtbot.waitExposed(dialog)
    assert dialog.width() < 700
    for label in dialog.findChildren(QLabel):
        assert not label.wordWrap() or label.height() >= label.heightForWidth(label.width())
    dialog.close()


@pytest.mark.parametrize(("chosen", "answer"), [("Remove", True), ("Cancel", False)])
def test_confirming(window: QMainWindow, qtbot: QtBot, chosen: str, answer: bool) -> None:
    def click() -> None:
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, MessageDialog)
        QTest.mouseClick(button(dialog, chosen), LEFT)

    QTimer.singleShot(50, click)
    assert show.confirm(window, "Remove course", "Remove “A”?", "Remove") is answer


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Escape])
def test_the_default_answer_is_the_harmless_one(window: QMainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    def press() -> None:
        dialog = QApplication.activeModalWidget()
        assert dialog is not None
        QTest.keyClick(dialog, key)

    QTimer.singleShot(50, press)
    assert show.confirm(window, "Remove course", "Remove “A”?", "Remove") is False


def failures(window: QMainWindow, files: Sequence[FileDone]) -> FailuresDialog:
    dialog = FailuresDialog(files, window)
    dialog.open()
    return dialog


def test_failures_are_listed_with_reasons_and_copied(window: QMainWindow, qtbot: QtBot) -> None:
    dialog = failures(window, FILES)
    qtbot.waitActive(dialog)
    assert "2 files failed, 1 file skipped" in texts(dialog)
    model = dialog.table.model()
    shown = [[model.index(row, column).data() for column in range(2)] for row in range(3)]
    assert shown[1] == ["slides.pdf", "not yet read: .pdf"]
    assert "/courses/a/one.txt\nThis file is empty." in texts(dialog)
    assert "<b>" not in model.index(2, 0).data(Qt.ItemDataRole.ToolTipRole)
    QTest.keyClick(dialog.table, Qt.Key.Key_Down)
    assert "/courses/b/slides.pdf\nnot yet read: .pdf" in texts(dialog)
    QTest.keyClick(dialog.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(dialog.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text().split("\n")
    assert copied[0] == "/courses/b/slides.pdf\tnot yet read: .pdf"
    assert len(copied) == 2
    QTest.mouseClick(button(dialog, "Copy all"), LEFT)
    assert len(QGuiApplication.clipboard().text().split("\n")) == 3
    assert button(dialog, "Close").isDefault()
    dialog.table.setFocus()
    with qtbot.waitSignal(dialog.finished):
        QTest.keyClick(dialog.table, Qt.Key.Key_Return)


def test_the_whole_reason_of_the_chosen_file_can_be_read(window: QMainWindow, qtbot: QtBot) -> None:
    dialog = failures(window, FILES)
    qtbot.waitActive(dialog)
    rect = dialog.table.visualRect(dialog.table.model().index(2, 1))
    QTest.mouseClick(dialog.table.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, rect.center())
    assert dialog.details.text().endswith(str(FILES[2].reason))
    qtbot.waitUntil(lambda: dialog.details.height() >= dialog.details.heightForWidth(dialog.details.width()))
    dialog.close()


def test_twenty_thousand_failures_open_at_once(window: QMainWindow, qtbot: QtBot) -> None:
    dialog = failures(window, FILES * 7000)
    qtbot.waitExposed(dialog)
    QTest.keyClick(dialog.table, Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert dialog.table.currentIndex().row() == 20999
    dialog.close()


def test_a_crash_report_is_shown_and_copied_as_given(window: QMainWindow, qtbot: QtBot) -> None:
    report = "Traceback:\n  <module> & more\nValueError: x"
    dialog = show.show_crash(window, report)
    qtbot.waitActive(dialog)
    assert dialog.report.toPlainText() == report
    assert dialog.report.isReadOnly()
    QTest.mouseClick(button(dialog, "Copy report"), LEFT)
    assert QGuiApplication.clipboard().text() == report
    assert button(dialog, "Copied").isVisible()
    with qtbot.waitSignal(dialog.finished):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)


def test_about_says_version_licence_and_place(
    window: QMainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)  # nothing could open it
    dialog = AboutDialog(tmp_path, window)
    dialog.open()
    qtbot.waitActive(dialog)
    said = texts(dialog).replace("\u200b", "")
    assert __version__ in said
    assert "MIT" in said
    assert str(tmp_path) in said
    QTest.mouseClick(button(dialog, "Open data folder"), LEFT)
    assert opened == [QUrl.fromLocalFile(str(tmp_path))]
    problem = dialog.findChild(MessageDialog)
    assert problem is not None and str(tmp_path) in texts(problem)
    with qtbot.waitSignal(problem.destroyed):
        problem.close()
    button(dialog, "Close").setFocus()
    with qtbot.waitSignal(dialog.finished):
        QTest.keyClick(dialog, Qt.Key.Key_Return)


def test_closed_dialogs_leave_nothing_behind(window: QMainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    about = AboutDialog(tmp_path, window)
    about.open()
    opened = [
        show.show_error(window, "Title", "Text"),
        failures(window, FILES),
        show.show_crash(window, "Report"),
        about,
    ]
    for dialog in reversed(opened):
        with qtbot.waitSignal(dialog.destroyed):
            dialog.close()
    assert not window.findChildren(QDialog)


@opens_menus  # and windows to raise
def test_a_dialog_is_called_what_the_menu_calls_it(open_window: Opener) -> None:
    running = open_window()
    actions = running.window.actions_
    for command in ("files", "trash", "restore_backup", "settings", "guide", "about"):
        action = actions[command]
        name = action.text().replace("&", "").rstrip("…")
        action.trigger()

        def named(name: str = name) -> list[QWidget]:
            windows = QApplication.topLevelWidgets()
            return [one for one in windows if one.isVisible() and one.windowTitle() == name]

        running.wait_for(lambda: bool(named()), f"a window called {name}", 10)
        named()[0].close()
