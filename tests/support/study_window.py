"""The parts of studying in a main window."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from app.features.study.ui.controller import StudyController
from app.features.study.ui.operations import StudyJobs
from app.features.study.ui.pane import StudyPane

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from app.ui.shell.main_window import MainWindow

P = TypeVar("P", bound="QObject")


def study_pane(window: MainWindow) -> StudyPane:
    return _part(window, StudyPane)


def study_controller(window: MainWindow) -> StudyController:
    return _part(window, StudyController)


def study_jobs(window: MainWindow) -> StudyJobs:
    return _part(window.workers, StudyJobs)


def shows_study(window: MainWindow) -> bool:
    return window.centre.currentWidget() is study_pane(window)


def _part(owner: QObject, kind: type[P]) -> P:
    found = owner.findChild(kind)
    assert isinstance(found, kind)
    return found
