"""Pictures of mapping exam questions and checking courses, for ``tests.tools.screenshots``."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING
from unittest.mock import patch

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog

from app.features.teaching.ui.controller import TeachingController

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from app.features.teaching.ui.results_window import ResultsWindow
    from tests.support.running_window import RunningWindow
    from tests.tools.screenshots.pictures import Pictures

_EXAM = """\
1. Why does the median resist outliers better than the mean? (3 points)
2. What does the standard deviation say about data?
3 a) How did the Phoenicians shape the alphabet? b) What was cuneiform pressed into?
4. Why are texts cut into passages before they are searched?
5. Which enzyme unwinds the double helix?
6. Name the treaty that ended the Thirty Years' War.
"""
_CHECK = (
    {"question": "What was cuneiform pressed into?", "passages": [{"quote": "clay"}]},
    {
        "question": "What does the median resist?",
        "passages": [
            {
                "quote": "The median hardly notices a millionaire in the room.",
                "course_title": "Statistics for Beginners",
                "lesson_number": 2,
                "lesson_title": "Mean and median",
            }
        ],
    },
)


def teaching_states(pictures: Pictures) -> None:
    """Map an exam, and check a course."""
    with pictures.window() as (running, folder):
        exam, essay, check = folder / "exam.txt", folder / "essay.txt", folder / "check.jsonl"
        exam.write_text(_EXAM, encoding="utf-8")
        essay.write_text("Clay is old. It was pressed with reeds.\n", encoding="utf-8")
        check.write_text("".join(f"{json.dumps(line)}\n" for line in _CHECK), encoding="utf-8")
        _map(pictures, running, exam)
        window = _opened(running, essay)
        pictures.take_widget(window, "map-running")
        running.wait_for(lambda: not window.bar.isVisible(), "the refusal")
        pictures.take_widget(window, "map-no-question")
        with _chosen(check):
            running.window.actions_["check_course"].trigger()
        report = _results(running)
        assert report is not None
        running.wait_for(lambda: report.questions.topLevelItemCount() > 0, "the report")
        pictures.take_widget(report, "check")
        report.close()


def _map(pictures: Pictures, running: RunningWindow, exam: Path) -> None:
    window = _opened(running, exam)
    running.wait_for(lambda: window.questions.topLevelItemCount() > 0, "the map")
    first = window.questions.topLevelItem(0)
    assert first is not None
    first.setExpanded(True)
    pictures.take_widget(window, "map")
    window.tabs.setCurrentIndex(1)
    pictures.take_widget(window, "map-not-asked")
    passage = first.child(0)
    assert passage is not None
    window.passage_requested.emit(passage.data(0, Qt.ItemDataRole.UserRole))
    running.wait_for(lambda: running.window.sources.is_reading, "the passage")
    pictures.take(running, "map-opened")


def _results(running: RunningWindow) -> ResultsWindow | None:
    controller = running.window.findChild(TeachingController)
    assert isinstance(controller, TeachingController)
    return controller.results


def _opened(running: RunningWindow, file: Path) -> ResultsWindow:
    with _chosen(file):
        running.window.actions_["map_questions"].trigger()
    window = _results(running)
    assert window is not None
    return window


@contextmanager
def _chosen(file: Path) -> Iterator[None]:
    with patch.object(QFileDialog, "open", lambda dialog: dialog.filesSelected.emit([str(file)])):
        yield
