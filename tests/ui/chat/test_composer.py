from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.ui.chat.composer import MAX_CHARACTERS, Composer
from app.ui.widgets.theme import Theme, apply_theme

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def composer(qtbot: QtBot, qapp: QApplication) -> Composer:
    apply_theme(qapp, Theme.light())
    widget = Composer()
    qtbot.addWidget(widget)
    widget.resize(500, 60)
    widget.show()
    qtbot.waitExposed(widget)
    widget.activateWindow()
    widget.edit.setFocus()
    qtbot.waitUntil(widget.edit.hasFocus)
    return widget


def test_enter_sends_and_empties(qtbot: QtBot, composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "  What is it? ")
    with qtbot.waitSignal(composer.question_asked) as asked:
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert asked.args == ["What is it?"]
    assert composer.edit.toPlainText() == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_shift_enter_breaks_the_line(qtbot: QtBot, composer: Composer, key: Qt.Key) -> None:
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClicks(composer.edit, "one")
        QTest.keyClick(composer.edit, key, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(composer.edit, "two")
    assert composer.edit.toPlainText() == "one\ntwo"


def test_button_sends(qtbot: QtBot, composer: Composer) -> None:
    assert not composer.button.isEnabled()
    QTest.keyClicks(composer.edit, "Why?")
    assert composer.button.isEnabled()
    with qtbot.waitSignal(composer.question_asked):
        QTest.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    assert not composer.button.isEnabled()


def test_white_space_is_no_question(qtbot: QtBot, composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "   ")
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert not composer.button.isEnabled()


def test_it_grows_to_eight_lines(composer: Composer) -> None:
    line = composer.edit.fontMetrics().lineSpacing()
    one = composer.edit.height()
    for _ in range(7):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    eight = composer.edit.height()
    assert eight == one + 7 * line
    for _ in range(5):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert composer.edit.height() == eight
    composer.edit.selectAll()
    QTest.keyClick(composer.edit, Qt.Key.Key_Delete)
    assert composer.edit.height() == one


def test_a_long_line_wraps_and_grows(composer: Composer) -> None:
    one = composer.edit.height()
    composer.set_text("word " * 40)
    assert composer.edit.height() > one


def test_busy_shows_stop_and_goes_on_taking_text(qtbot: QtBot, composer: Composer) -> None:
    composer.set_busy(True)
    assert composer.button.accessibleName() == "Stop"
    assert composer.button.isEnabled()
    assert not composer.later.isVisible()
    QTest.keyClicks(composer.edit, "typed meanwhile")
    assert composer.button.accessibleName() == "Stop", "what the mouse is aiming at stays"
    with qtbot.waitSignal(composer.question_asked) as asked:
        QTest.mouseClick(composer.later, Qt.MouseButton.LeftButton)
    assert asked.args == ["typed meanwhile"]
    assert composer.edit.toPlainText() == ""
    with qtbot.waitSignal(composer.stop_requested):
        QTest.mouseClick(composer.button, Qt.MouseButton.LeftButton)
    composer.set_busy(False)
    assert composer.button.accessibleName() == "Send"
    qtbot.waitUntil(composer.edit.hasFocus)
    QTest.keyClicks(composer.edit, "now")
    assert composer.edit.toPlainText() == "now"


def test_only_one_question_waits_and_the_next_stays_in_the_field(qtbot: QtBot, composer: Composer) -> None:
    composer.set_busy(True)
    composer.set_waiting("The first?")
    assert "The first?" in composer.waiting.text()
    QTest.keyClicks(composer.edit, "The second?")
    assert not composer.later.isVisible()
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    with qtbot.waitSignal(composer.withdrawn):
        QTest.mouseClick(composer.withdraw, Qt.MouseButton.LeftButton)
    composer.put_back("The first?")
    assert composer.edit.toPlainText() == "The first?\nThe second?"
    composer.set_waiting(None)
    assert not composer.waiting.isVisible()


def test_a_question_that_comes_back_leaves_alone_what_is_edited(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "The second?")
    composer.begin_edit(1, "An earlier one?")
    composer.put_back("The first?")
    assert composer.edit.toPlainText() == "An earlier one?"
    composer.cancel_edit()
    assert composer.edit.toPlainText() == "The first?\nThe second?"


def test_question_is_kept_while_it_cannot_be_answered(qtbot: QtBot, composer: Composer) -> None:
    composer.set_ready(False)
    QTest.keyClicks(composer.edit, "Early question")
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert composer.edit.toPlainText() == "Early question"
    assert not composer.button.isEnabled()
    composer.set_ready(True)
    with qtbot.waitSignal(composer.question_asked):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)


def test_too_long_a_question_is_refused_and_kept(qtbot: QtBot, composer: Composer) -> None:
    composer.set_text("x" * (MAX_CHARACTERS + 1))
    assert composer.message.isVisible()
    assert "20" in composer.message.text()
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert len(composer.edit.toPlainText()) == MAX_CHARACTERS + 1
    QTest.keyClick(composer.edit, Qt.Key.Key_Backspace)
    assert not composer.message.isVisible()
    with qtbot.waitSignal(composer.question_asked):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)


def paste(mime: QMimeData, composer: Composer) -> None:
    composer.edit.insertFromMimeData(mime)


def test_pasting_takes_plain_text_only(composer: Composer) -> None:
    mime = QMimeData()
    mime.setHtml("<b>bold</b><img src='file:///x.png'>")
    mime.setText("bold\r\nsecond")
    paste(mime, composer)
    assert composer.edit.toPlainText() == "bold\nsecond"


def test_pasting_megabytes_is_refused(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "mine ")
    mime = QMimeData()
    mime.setText("x" * 5_000_000)
    paste(mime, composer)
    assert composer.edit.toPlainText() == "mine "
    assert composer.message.isVisible()
    QTest.keyClicks(composer.edit, "goes on")
    assert not composer.message.isVisible()


def test_control_v_pastes(qtbot: QtBot, composer: Composer) -> None:
    QApplication.clipboard().setText("from elsewhere")
    QTest.keyClick(composer.edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert composer.edit.toPlainText() == "from elsewhere"


def test_enter_of_an_input_method_does_not_send(qtbot: QtBot, composer: Composer) -> None:
    QApplication.sendEvent(composer.edit, QInputMethodEvent("にほん", []))
    with qtbot.assertNotEmitted(composer.question_asked):
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    done = QInputMethodEvent("", [])
    done.setCommitString("日本")
    QApplication.sendEvent(composer.edit, done)
    with qtbot.waitSignal(composer.question_asked) as asked:
        QTest.keyClick(composer.edit, Qt.Key.Key_Return)
    assert asked.args[0].startswith("日本")


def test_dropped_files_are_left_to_the_window(composer: Composer) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile("/tmp/a.txt")])
    mime.setText("file:///tmp/a.txt")
    event = QDragEnterEvent(
        QPoint(5, 5),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(composer.edit.viewport(), event)
    assert not event.isAccepted()


def test_tab_leaves_the_field(composer: Composer, qtbot: QtBot) -> None:
    QTest.keyClicks(composer.edit, "x")
    QTest.keyClick(composer.edit, Qt.Key.Key_Tab)
    assert composer.edit.toPlainText() == "x"
    qtbot.waitUntil(lambda: not composer.edit.hasFocus())


def test_focus_is_shown_on_the_frame(composer: Composer) -> None:
    accent = Theme.light().accent

    def edge() -> str:
        image = composer.grab().toImage()
        return image.pixelColor(image.width() // 2, 0).name()

    assert edge() == accent
    composer.edit.clearFocus()
    assert edge() != accent


def test_every_control_has_a_name(composer: Composer) -> None:
    assert composer.edit.accessibleName() == "Question"
    assert composer.button.accessibleName() == "Send"
    assert composer.edit.placeholderText() == "Ask about your courses…"
