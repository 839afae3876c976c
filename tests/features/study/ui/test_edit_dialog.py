"""The dialog that changes an item: what cannot be learnt cannot be saved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPushButton, QWidget

from app.domain.scope import Scope, only_course
from app.features.study.model.names import ItemKind
from app.features.study.ui.controller import scope_name
from app.features.study.ui.items_list import EditDialog
from tests.support.exported import item

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.mark.parametrize(
    ("kind", "part", "text", "problem"),
    [
        (ItemKind.CARD, "front", " ", "The first field is empty."),
        (ItemKind.SHORT, "back", "", "The answer is empty."),
        (ItemKind.TERM, "back", "", "The answer is empty."),
        (ItemKind.POINT, "front", "", "The first field is empty."),
        (ItemKind.CHOICE, "others", "\n \n", "Add at least one wrong answer."),
        (ItemKind.CHOICE, "others", "The SUN\nthe moon", "The right answer is among the wrong ones."),
    ],
)
def test_what_is_wrong_is_said_and_not_saved(
    parent: QWidget, kind: ItemKind, part: str, text: str, problem: str
) -> None:
    dialog = EditDialog(item(kind, "What pulls the ocean?", "The moon", ("The sun",)), parent)
    assert dialog.save.isEnabled()
    dialog.fields[part].setPlainText(text)
    assert (dialog.problem.text(), dialog.save.isEnabled()) == (problem, False)


def test_a_new_card_is_not_blamed_before_something_is_typed(parent: QWidget) -> None:
    dialog = EditDialog(item(ItemKind.CARD, "", "The moon"), parent)
    dialog.fields["front"].textChanged.emit()  # as where the look of the window sets the font
    assert (dialog.problem.text(), dialog.save.isEnabled()) == ("", False)
    dialog.fields["back"].setPlainText("The sun")
    assert dialog.problem.text() == "The first field is empty."


def test_what_is_selected_becomes_a_gap(parent: QWidget) -> None:
    dialog = EditDialog(item(ItemKind.CLOZE, "The moon pulls the ocean."), parent)
    assert not dialog.save.isEnabled()
    (gap,) = (one for one in dialog.findChildren(QPushButton) if "gap" in one.text())
    gap.click()
    assert dialog.text.front == "The moon pulls the ocean.", "nothing is selected"
    front = dialog.fields["front"]
    front.setTextCursor(front.document().find("moon", 0))
    gap.click()
    assert dialog.text.front == "The {{c1::moon}} pulls the ocean."
    assert dialog.save.isEnabled()
    front.moveCursor(QTextCursor.MoveOperation.End)


def test_what_material_is_made_from_has_a_name() -> None:
    assert scope_name(only_course("Tides")) == "Tides"
    assert scope_name(Scope(lessons=(("Tides", 2),))) == "Tides, Lesson 2"
    ticked = "What is ticked in the sidebar"
    assert scope_name(Scope(courses=("Tides", "Bread"))) == ticked
    assert scope_name(Scope(lessons=(("Tides", 1), ("Tides", 2)))) == ticked
    assert scope_name(Scope(up_to=(("Tides", 2),))) == ticked
