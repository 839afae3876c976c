from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from app.ui.widgets.dialog import Dialog
from app.ui.widgets.file_table import FileTable, FileTableModel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def dialog(qtbot: QtBot, qapp: QApplication) -> Dialog:
    made = Dialog("Title", heading="A <b>heading</b>", text="What it is about.")
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    return made


def buttons(dialog: Dialog) -> list[str]:
    """Return the buttons' texts from left to right."""
    found = [one for one in dialog.findChildren(QPushButton) if one.isVisible()]
    return [one.text() for one in sorted(found, key=lambda one: one.x())]


def test_buttons_stand_at_both_ends_in_order(dialog: Dialog) -> None:
    dialog.add_button("One", dialog.accept, at_left=True)
    dialog.add_button("Two", dialog.accept, at_left=True)
    dialog.add_button("Three", dialog.accept)
    dialog.add_close()
    dialog.resize(700, 200)
    dialog.show()
    assert buttons(dialog) == ["One", "Two", "Three", "Close"]
    assert [one.text() for one in dialog.findChildren(QPushButton) if one.isDefault()] == ["Close"]


def test_heading_and_text_are_literal(dialog: Dialog) -> None:
    labels = dialog.findChildren(QLabel)
    assert [one.text() for one in labels] == ["A <b>heading</b>", "What it is about."]
    assert all(one.textFormat() == Qt.TextFormat.PlainText for one in labels)


@pytest.mark.parametrize(("key", "accepted"), [(Qt.Key.Key_Return, True), (Qt.Key.Key_Escape, False)])
def test_asking_waits_for_the_answer(dialog: Dialog, key: Qt.Key, accepted: bool) -> None:
    act = dialog.add_cancel_and("Act")
    QTimer.singleShot(50, lambda: QTest.keyClick(dialog, key))
    assert dialog.ask() is accepted
    assert act.text() == "Act"  # what was filled in can still be read


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_button_that_has_the_keyboard(qtbot: QtBot, dialog: Dialog, key: Qt.Key) -> None:
    pressed: list[str] = []
    restore = dialog.add_button("Restore", lambda: pressed.append("Restore"))
    dialog.add_close()
    dialog.show()
    restore.setFocus()
    QTest.keyClick(restore, key)
    assert pressed == ["Restore"] and dialog.isVisible()


def test_a_closed_dialog_is_deleted(qtbot: QtBot, qapp: QApplication) -> None:
    dialog = Dialog("Title")
    close = dialog.add_close()
    dialog.open()
    with qtbot.waitSignal(dialog.destroyed):
        QTest.mouseClick(close, LEFT)


def test_a_table_copies_the_selected_files(dialog: Dialog, qtbot: QtBot) -> None:
    model: FileTableModel[str] = FileTableModel(
        ("Name", "Length"), lambda name: (name, str(len(name))), lambda name: name, dialog
    )
    model.set_files(["a.txt", "<b>.txt", "c.txt"])
    table = FileTable(model, "Files", lambda name: f"/{name}")
    dialog.body.addWidget(table)
    close = dialog.add_close()
    dialog.show()
    table.selectRow(1)
    QTest.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert table.selected_files() == ["<b>.txt", "c.txt"]
    assert QGuiApplication.clipboard().text() == "/<b>.txt\n/c.txt"
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Length"
    assert model.headerData(1, Qt.Orientation.Vertical) is None
    with qtbot.waitSignal(close.clicked):
        QTest.keyClick(table, Qt.Key.Key_Return)
