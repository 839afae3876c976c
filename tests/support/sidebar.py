"""What tests of the sidebar do with it: fill it, read it, click in its menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QWidget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.domain.courses import Course
    from app.ui.library.plan_dialog import PlanDialog
    from app.ui.library.sidebar import CourseSidebar

# Said by the off-screen platform for every menu.
opens_menus = pytest.mark.qt_log_ignore("This plugin does not support (raise|grabbing the keyboard)")


def fill(pane: CourseSidebar, courses: Sequence[Course]) -> None:
    pane.set_snapshot(tuple(courses))


def button(pane: QWidget, text: str) -> QPushButton:
    found = [b for b in pane.findChildren(QPushButton) if b.isVisibleTo(pane) and b.text() == text]
    assert len(found) == 1, [b.text() for b in pane.findChildren(QPushButton)]
    return found[0]


def texts(pane: QWidget) -> list[str]:
    return [label.text() for label in pane.findChildren(QLabel) if label.isVisibleTo(pane)]


def open_menu(pane: CourseSidebar | PlanDialog, index: QModelIndex) -> QMenu:
    at = pane.tree.visualRect(index).center()
    view = pane.tree.viewport()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
    QApplication.sendEvent(view, event)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(menu: QMenu, text: str) -> None:
    action = next(action for action in menu.actions() if action.text() == text)
    at = menu.actionGeometry(action).center()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
